// page: an agent, a prompt or a gate, in our terms, whatever it is written in. What lies in the layer of a dialect is
// written in that dialect, whoever names it.

import type { LoadedFile } from '../../model/library.ts';
import { foreignPage } from '../dialects/wrangler/page.ts';
import { translateText } from '../dialects/wrangler/text/translate.ts';
import type { MarkdownFile } from '../read/markdown.ts';
import type { ScalarNode } from '../read/node.ts';
import type { Report } from '../report.ts';
import { readPage } from './document.ts';

export type TemplateSyntax = 'native' | 'handlebars';

/** `syntax`: what the one who names it says that it is written in. */
export function definitionPage(
  file: LoadedFile,
  kind: 'agent' | 'prompt' | 'gate',
  report: Report,
  syntax?: TemplateSyntax,
): MarkdownFile | undefined {
  return isForeign(file, syntax) ? foreignPage(file, kind, report) : readPage(file, report);
}

export function isForeign(file: LoadedFile, syntax?: TemplateSyntax): boolean {
  return syntax === undefined ? file.layer === 'wrangler' : syntax === 'handlebars';
}

/** The body alone, as a template of ours. */
export function templateBody(
  file: LoadedFile,
  syntax: TemplateSyntax,
  report: Report,
): ScalarNode | undefined {
  const body = readPage(file, report)?.body;
  return body && syntax === 'handlebars' ? translateText(body, report).body : body;
}
