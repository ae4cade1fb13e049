// markdown: its few parts that a report is made of. Whatever an agent wrote stays in its place.

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

/** One line that is no table cell's end and no tag, whatever an agent wrote. */
export function text(words: string): string {
  return words.replaceAll('\n', ' ').replaceAll('|', '\\|').replaceAll('<', '&lt;').trim();
}

export function code(words: string): string {
  if (words === '') return '';
  const inner = words.replaceAll('|', '\\|');
  return inner.includes('`') ? `\`\` ${inner} \`\`` : `\`${inner}\``;
}
