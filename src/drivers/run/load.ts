// load: a name or a file → a compiled workflow. The compiler is pure and says which files it needs; this gets them.

import { compile, needKey } from '../../compile/compile.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { DialectName } from '../../model/dialect.ts';
import type { LoadedFile, MissingFile, PlaceFound } from '../../model/library.ts';
import type { Workflow } from '../../model/workflow.ts';
import type { Library } from '../../ports/library.ts';
import type { Dialect } from '../../source/dialect.ts';

/** What definitions are read with. */
export interface Definitions {
  library: Library;
  /** sha256, hex. */
  hash(text: string): string;
  /** The languages besides our own. */
  dialects: readonly Dialect[];
}

export interface LoadedWorkflow {
  /** Absent: the diagnostics hold errors. */
  workflow?: Workflow;
  main: LoadedFile;
  diagnostics: Diagnostic[];
  /** Every text that was read, by the name that diagnostics use: for source frames. */
  texts: Map<string, string>;
  /** The same by absolute path; and where what is missing was looked for (as shown to people), without a text. */
  files: Map<string, string | undefined>;
  /** What the compiler asked for, by `needKey`. */
  loaded: ReadonlyMap<string, LoadedFile | MissingFile>;
}

export function loadWorkflow(
  { library, hash, dialects }: Definitions,
  main: LoadedFile,
  /** What the file is written in, where its shape does not tell. */
  dialect?: DialectName,
  /** Instead of `defaults.model`. */
  model?: string,
): LoadedWorkflow {
  const files = new Map<string, LoadedFile | MissingFile>();
  const places = new Map<string, PlaceFound>();
  for (;;) {
    const result = compile({
      main,
      files,
      places,
      hash,
      dialects,
      ...(dialect && { dialect }),
      ...(model && { model }),
    });
    if (result.kind === 'needs') {
      for (const need of result.needs) {
        if (need.by === 'place') places.set(needKey(need), library.place(need));
        else files.set(needKey(need), library.load(need));
      }
      continue;
    }
    const texts = new Map([[main.path, main.text]]);
    for (const file of files.values()) if (!('missing' in file)) texts.set(file.path, file.text);
    const workflow = result.kind === 'compiled' ? result.workflow : undefined;
    const { diagnostics } = result;
    return { workflow, main, diagnostics, texts, files: askedFor(main, files.values()), loaded: files };
  }
}

function askedFor(main: LoadedFile, files: Iterable<LoadedFile | MissingFile>): LoadedWorkflow['files'] {
  const asked: LoadedWorkflow['files'] = new Map();
  for (const file of [main, ...files]) {
    if ('missing' in file) for (const path of file.looked) asked.set(path, undefined);
    else if (file.folder) continue;
    else asked.set(file.id, file.text);
  }
  return asked;
}
