// explain: the page of an error code, from the package itself: what it means, an example, what to do.

import { Fault } from '../../model/fault.ts';
import { didYouMean } from '../../text/closest-name.ts';
import { lookOf } from '../look.ts';
import type { Services } from '../services.ts';
import { table } from '../table.ts';

/** Without a code: all there are, each with its first sentence. */
export async function explain(services: Services, given: string | undefined): Promise<number> {
  const pages = services.pages();
  const codes = pages.names().sort();
  if (given === undefined) {
    services.stdout.write(`${codeTable(services, codes)}\nlockstep explain CODE prints its page.\n`);
    return 0;
  }
  const code = codeOf(given);
  if (!codes.includes(code))
    throw new Fault('code-unknown', `there is no error code "${code}"`, {
      hint: didYouMean(code, codes) ?? '`lockstep explain` lists them all.',
      exitCode: 2,
    });
  services.stdout.write(`${pageText(pages.read(code))}\n\nAll documentation: ${pages.folder}\n`);
  return 0;
}

/** As it stands in what was printed: `error[unknown-field]`, `docs/errors/unknown-field.md`. */
export function codeOf(given: string): string {
  return given
    .trim()
    .replace(/^(?:error|warning)?\[(.*)\]$/, '$1')
    .replace(/^.*\//, '')
    .replace(/\.md$/, '');
}

function codeTable(services: Services, codes: string[]): string {
  const pages = services.pages();
  const rows = codes.map((code) => [code, firstSentence(pages.read(code))]);
  const { width } = lookOf(services, services.stdout);
  return table(['code', 'what it is'], rows, services.stdout.isTTY ? width : undefined);
}

function firstSentence(page: string): string {
  const [, paragraph = ''] = pageText(page).split('\n\n');
  return (/^.*?[.](?= |$)/s.exec(paragraph.replaceAll('\n', ' ')) ?? [paragraph])[0];
}

/** Markdown for a terminal: without what only the tests of the docs read, and without targets of links. */
export function pageText(page: string): string {
  return page
    .replace(/<!--.*?-->\n?/gs, '')
    .replace(/\[([^\]]+)\]\(([^)]+)\)/g, (_, text: string, target: string) => linkText(text, target))
    .replace(/^# (.*)$/m, '$1')
    .replace(/^## (.*)$/gm, '$1:')
    .replace(/^```\w*\n([\s\S]*?)^```$/gm, (_, code: string) => code.replace(/^(?=.)/gm, '  ').trimEnd())
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

/** Another code can be explained; any other page is a file beside these. */
function linkText(text: string, target: string): string {
  const code = /^([a-z-]+)\.md$/.exec(target)?.[1];
  if (code !== undefined) return code === text ? text : `${text} (${code})`;
  const file = /^\.\.\/([\w./-]+\.md)/.exec(target)?.[1];
  return file === undefined ? text : `${text} (${file})`;
}
