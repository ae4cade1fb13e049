// page: an agent, a prompt or a gate, in our terms, whatever it is written in. What lies in the layer of a dialect is
// written in that dialect, whoever names it.

import type { LoadedFile } from '../../model/library.ts';
import type { ForeignPages, TemplateSyntax } from '../../source/dialect.ts';
import { readPage } from '../../source/read/document.ts';
import type { MarkdownFile } from '../../source/read/markdown.ts';
import { headSpan, type ScalarNode } from '../../source/read/node.ts';
import type { Compilation } from '../compilation.ts';

/** `syntax`: what the one who names it says that it is written in. */
export function definitionPage(
  file: LoadedFile,
  kind: 'agent' | 'prompt' | 'gate',
  compilation: Compilation,
  syntax?: TemplateSyntax,
): MarkdownFile | undefined {
  const { report } = compilation;
  const foreign = foreignPages(file, compilation, syntax);
  if (foreign !== undefined) return foreign.read(file, kind, report);
  const page = readPage(file, report);
  return page && isUnread(page.body, syntax, compilation) ? undefined : page;
}

/** In which language the page is written; undefined: in ours. */
export function foreignPages(
  file: LoadedFile,
  { dialects }: Compilation,
  syntax?: TemplateSyntax,
): ForeignPages | undefined {
  const all = dialects.flatMap(({ pages }) => pages ?? []);
  return all.find((pages) => (syntax === undefined ? pages.layer === file.layer : pages.syntax === syntax));
}

/** The body alone, as a template of ours. */
export function templateBody(
  file: LoadedFile,
  syntax: TemplateSyntax,
  compilation: Compilation,
): ScalarNode | undefined {
  const { report } = compilation;
  const body = readPage(file, report)?.body;
  if (body === undefined || isUnread(body, syntax, compilation)) return undefined;
  return foreignPages(file, compilation, syntax)?.template(body, report) ?? body;
}

/** Reports a text in a template language that this compilation was not given. */
function isUnread(body: ScalarNode, syntax: TemplateSyntax | undefined, compilation: Compilation): boolean {
  if (syntax === undefined || syntax === 'native') return false;
  if (compilation.dialects.some(({ pages }) => pages?.syntax === syntax)) return false;
  compilation.report.error(
    'dialect-unsupported',
    headSpan(body),
    `this is to be read as ${syntax}, and this build does not read that`,
  );
  return true;
}
