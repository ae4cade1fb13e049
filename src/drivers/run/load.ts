// load: a name or a file → a compiled workflow. The compiler is pure and says which files it needs; this gets them.

import { compile, type Known } from '../../compile/compile.ts';
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
  const result = compile({
    main,
    files: onDemand(files, (need) => library.load(need)),
    places: onDemand(places, (need) => library.place(need)),
    hash,
    dialects,
    ...(dialect && { dialect }),
    ...(model && { model }),
  });
  if (result.kind === 'needs') throw new Error(`the compiler asks again: ${JSON.stringify(result.needs)}`);
  const texts = new Map([[main.path, main.text]]);
  for (const file of files.values()) if (!('missing' in file)) texts.set(file.path, file.text);
  const workflow = result.kind === 'compiled' ? result.workflow : undefined;
  const { diagnostics } = result;
  return { workflow, main, diagnostics, texts, files: askedFor(main, files.values()), loaded: files };
}

/** Looks when it is first asked: a definition that names others is lowered once, not once for each layer of names. */
function onDemand<Need, Found>(known: Map<string, Found>, look: (need: Need) => Found): Known<Need, Found> {
  return {
    get(key, need) {
      const found = known.get(key) ?? look(need);
      known.set(key, found);
      return found;
    },
  };
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
