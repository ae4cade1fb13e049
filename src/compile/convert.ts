// convert: the native text of a workflow, whatever it is written in. A native one is as it stands.

import type { DialectName } from '../model/dialect.ts';
import type { LoadedFile, MissingFile } from '../model/library.ts';
import { report } from '../source/diagnostics.ts';
import type { Dialect, NamedFiles } from '../source/dialect.ts';
import { readDocument } from '../source/read/document.ts';
import { needKey } from './compilation.ts';
import { detect, dialectOf } from './detect.ts';
import { printWorkflow } from './print/print.ts';

export interface Converted {
  dialect: DialectName;
  text: string;
}

/** By `needKey`: what `compile` asked for and got. */
export type Loaded = ReadonlyMap<string, LoadedFile | MissingFile>;

/** undefined: it cannot be translated. `compile` says why; what it finds wrong with the translation is not looked at here. */
export function convert(
  file: LoadedFile,
  dialects: readonly Dialect[],
  dialect?: DialectName,
  loaded: Loaded = new Map(),
): Converted | undefined {
  const problems = report();
  const document = readDocument(file, problems);
  if (document?.kind !== 'map') return undefined;
  const row = detect(document, problems, dialects, dialect);
  if (row === undefined) return undefined;
  if (row.name === 'native') return { dialect: 'native', text: file.text };
  const native = row.translate?.(document, file, problems, among(loaded));
  if (native === undefined || problems.hasErrors()) return undefined;
  const comment = `Made from ${file.path} (${row.name}) by \`lockstep convert\`.`;
  return { dialect: row.name, text: printWorkflow(native, comment) };
}

/** Nothing more is asked for, and what is missing was reported when it was. */
function among(loaded: Loaded): NamedFiles {
  const look: NamedFiles['look'] = (need) => loaded.get(needKey(need));
  return {
    look,
    want(need) {
      const file = look(need);
      return file === undefined || 'missing' in file ? undefined : file;
    },
  };
}

/** What the file is written in, by its shape. undefined: that is not clear, or it is no workflow. */
export function dialectIn(file: LoadedFile, dialects: readonly Dialect[]): DialectName | undefined {
  const document = readDocument(file, report());
  return document?.kind === 'map' ? dialectOf(document, dialects) : undefined;
}
