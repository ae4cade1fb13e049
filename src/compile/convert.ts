// convert: the native text of a workflow, whatever it is written in. A native one is as it stands.

import type { LoadedFile, MissingFile } from '../model/library.ts';
import { needKey } from './compilation.ts';
import { detect, dialectOf } from './dialects/detect.ts';
import type { Dialect } from './dialects/dialects.ts';
import type { NamedFiles } from './dialects/named-files.ts';
import { printWorkflow } from './dialects/print.ts';
import { report } from './report.ts';
import { readDocument } from './resolve/document.ts';

export interface Converted {
  dialect: Dialect;
  text: string;
}

/** By `needKey`: what `compile` asked for and got. */
export type Loaded = ReadonlyMap<string, LoadedFile | MissingFile>;

/** undefined: it cannot be translated. `compile` says why; what it finds wrong with the translation is not looked at here. */
export function convert(
  file: LoadedFile,
  dialect?: Dialect,
  loaded: Loaded = new Map(),
): Converted | undefined {
  const problems = report();
  const document = readDocument(file, problems);
  if (document?.kind !== 'map') return undefined;
  const row = detect(document, problems, dialect);
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
export function dialectIn(file: LoadedFile): Dialect | undefined {
  const document = readDocument(file, report());
  return document?.kind === 'map' ? dialectOf(document) : undefined;
}
