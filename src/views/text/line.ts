// line: one line of a display as pieces of plain text with a style each. It is cut to its width first and coloured
// last, so colour never counts and a cut never splits an escape code.

import { plain } from './plain.ts';
import { displayWidth, head, truncate } from './width.ts';

export type Style = 'good' | 'bad' | 'ask' | 'live' | 'dim' | 'strong' | 'none';
export interface Piece {
  text: string;
  style: Style;
}
export type Line = Piece[];

const CODES: Record<Style, string> = {
  good: '32',
  bad: '31',
  ask: '33',
  live: '36',
  dim: '2',
  strong: '1',
  none: '',
};

/** A piece of a line; the text is made plain here, so nobody can forget to. */
export function piece(text: string, style: Style = 'none'): Piece {
  return { text: plain(text), style };
}

export function lineWidth(line: Line): number {
  let width = 0;
  for (const { text } of line) width += displayWidth(text);
  return width;
}

export function lineText(line: Line): string {
  return line.map(({ text }) => text).join('');
}

/** The line, cut to `columns`. */
export function fitLine(line: Line, columns: number, ellipsis = '…'): Line {
  if (lineWidth(line) <= columns) return line;
  const fitted: Line = [];
  let room = columns;
  for (const [index, part] of line.entries()) {
    const width = displayWidth(part.text);
    const more = index < line.length - 1;
    if (width < room || (width === room && !more)) {
      fitted.push(part);
      room -= width;
      continue;
    }
    // The ellipsis stands for the rest of the line, so it is there even where this piece alone would have fitted.
    fitted.push({
      ...part,
      text: truncate(`${part.text}${more ? ' '.repeat(room + 1) : ''}`, room, ellipsis),
    });
    break;
  }
  return fitted;
}

/** The line broken between words into as many as it takes; all but the first are indented. */
export function wrapLine(line: Line, columns: number, indent: string): Line[] {
  if (lineWidth(line) <= columns) return [line];
  const lines: Line[] = [];
  let current: Line = [];
  let room = columns;
  const next = (): void => {
    lines.push(current);
    current = [piece(indent)];
    room = columns - displayWidth(indent);
  };
  for (const { text, style } of line) {
    for (const word of text.match(/ *[^ ]+| +$/g) ?? []) {
      if (displayWidth(word) > room && room < columns - displayWidth(indent)) next();
      // A word longer than a whole line is cut where the line ends.
      let rest = room === columns - displayWidth(indent) && lines.length > 0 ? word.replace(/^ +/, '') : word;
      while (displayWidth(rest) > room && room > 0) {
        const part = head(rest, room);
        if (part === '') break;
        current.push({ text: part, style });
        rest = rest.slice(part.length);
        next();
      }
      current.push({ text: rest, style });
      room -= displayWidth(rest);
    }
  }
  return [...lines, current];
}

export function paint(text: string, style: Exclude<Style, 'none'>, color: boolean): string {
  return color ? `\x1b[${CODES[style]}m${text}\x1b[0m` : text;
}

export function paintLine(line: Line, color: boolean): string {
  if (!color) return lineText(line).trimEnd();
  let text = '';
  for (const part of line) {
    text += part.style === 'none' || part.text === '' ? part.text : paint(part.text, part.style, true);
  }
  return text;
}

/** How a display looks: how wide, whether in colour, and with which characters. */
export interface Look {
  width: number;
  color: boolean;
  unicode: boolean;
}

export function renderLines(lines: Line[], look: Look): string {
  const ellipsis = look.unicode ? '…' : '...';
  return lines.map((line) => paintLine(fitLine(line, look.width, ellipsis), look.color)).join('\n');
}
