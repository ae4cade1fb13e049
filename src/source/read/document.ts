// document: the node tree of a loaded file. Compile is called again for every round of files it needs, so what was
// read is kept for as long as the file is.

import type { Diagnostic } from '../../model/diagnostic.ts';
import type { LoadedFile } from '../../model/library.ts';
import { type Report, report } from '../diagnostics.ts';
import { type MarkdownFile, readMarkdown } from './markdown.ts';
import type { Node } from './node.ts';
import { type SourceText, sourceText } from './source.ts';
import { readYaml } from './yaml.ts';

interface Reading<T> {
  result: T | undefined;
  diagnostics: Diagnostic[];
}

const documents = new WeakMap<LoadedFile, Reading<Node>>();
const pages = new WeakMap<LoadedFile, Reading<MarkdownFile>>();

export function readDocument(file: LoadedFile, to: Report): Node | undefined {
  return kept(documents, file, readYaml, to);
}

export function readPage(file: LoadedFile, to: Report): MarkdownFile | undefined {
  return kept(pages, file, readMarkdown, to);
}

function kept<T>(
  cache: WeakMap<LoadedFile, Reading<T>>,
  file: LoadedFile,
  read: (source: SourceText, report: Report) => T | undefined,
  to: Report,
): T | undefined {
  let reading = cache.get(file);
  if (reading === undefined) {
    const problems = report();
    const result = read(sourceText(file.path, file.text, file.id), problems);
    reading = { result, diagnostics: problems.diagnostics() };
    cache.set(file, reading);
  }
  to.add(reading.diagnostics);
  return reading.result;
}
