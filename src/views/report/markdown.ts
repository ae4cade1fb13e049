// markdown: its few parts that a report is made of. Whatever an agent wrote stays in its place.

import { plainText } from '../text/plain.ts';
import { thousands } from '../text/words.ts';

/** So many rows of what there may be thousands of; the journal has all. */
export const MOST_ROWS = 200;

export function section(title: string, parts: string[]): string {
  return [`## ${title}`, ...parts.filter((part) => part !== '')].join('\n\n');
}

export function table(header: string[], rows: string[][]): string {
  if (rows.length === 0) return '';
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
  const shown = rows.slice(0, MOST_ROWS).map(line);
  const more = rows.length > MOST_ROWS ? `\n\nand ${thousands(rows.length - MOST_ROWS)} more.` : '';
  return `${[line(header), line(header.map(() => '---')), ...shown].join('\n')}${more}`;
}

/** Where a link may lead; whatever else looks like one is text. */
const WEB_LINK = /(?<![!\\])\[([^[\]\n]*)\]\((https?:\/\/[^\s()<>[\]"'\\`|]+)\)/gi;
/** What would be a heading, a quote, a list, a rule or a fence at the beginning of a line. */
const BLOCK = /^(?:[#>+*=~[-]|`{3}|\d+[.)])/;
const OTHER_SCHEME = /(?<!https?):(?=\/\/)/gi;

/**
 * One line of words, whatever an agent wrote: no end of a table cell, no tag, no heading, no image, no link but to the
 * web. It cannot look like a part of the report that Lockstep itself wrote.
 */
export function text(words: string): string {
  const line = oneLine(words);
  let shown = '';
  let from = 0;
  for (const link of line.matchAll(WEB_LINK)) {
    const [whole, label = '', url = ''] = link;
    shown += `${escaped(line.slice(from, link.index))}[${escaped(label)}](${url})`;
    from = link.index + whole.length;
  }
  shown += escaped(line.slice(from));
  return shown.replace(BLOCK, (mark) => (/^\d/.test(mark) ? mark.replace(/[.)]/, '\\$&') : `\\${mark}`));
}

function escaped(words: string): string {
  return (
    words
      .replace(/\\(?=[!-/:-@[-`{-~]|$)/g, '\\\\')
      .replaceAll('|', '\\|')
      // Nothing in the report is a target that `[1]` could stand for.
      .replace(/\](?=[([:])/g, '\\]')
      .replaceAll('<', '&lt;')
      .replace(OTHER_SCHEME, '\\:')
  );
}

export function code(words: string): string {
  const line = oneLine(words);
  if (line === '') return '';
  // In a table nothing can be put between a backslash and a bar.
  if (line.includes('\\|')) return text(line);
  const inner = line.replaceAll('|', '\\|');
  const fence = '`'.repeat(longestRun(inner) + 1);
  return fence.length > 1 ? `${fence} ${inner} ${fence}` : `\`${inner}\``;
}

/** Lines as they are, in a block that none of them can end. */
export function block(language: string, given: string[]): string {
  const lines = given.map((line) => plainText(line).replaceAll('\n', ' '));
  const fence = '`'.repeat(Math.max(3, longestRun(lines.join('\n')) + 1));
  return `${fence}${language}\n${lines.join('\n')}\n${fence}`;
}

function longestRun(words: string): number {
  return Math.max(0, ...(words.match(/`+/g) ?? []).map((run) => run.length));
}

function oneLine(words: string): string {
  return plainText(words)
    .replace(/[\n\t]+/g, ' ')
    .trim();
}
