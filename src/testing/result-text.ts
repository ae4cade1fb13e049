// result-text: a result as people read it.

import type { Look } from '../views/text/line.ts';
import { plain } from '../views/text/plain.ts';
import { symbols as symbolsOf } from '../views/text/symbols.ts';
import { count, duration } from '../views/text/words.ts';
import type { CaseResult } from './testing.ts';

const [RED, GREEN, DIM] = [31, 32, 2];

export function resultLines(result: CaseResult, look: Look): string[] {
  const paint = (code: number, text: string) => (look.color ? `\x1b[${code}m${text}\x1b[0m` : text);
  const symbols = symbolsOf(look.unicode);
  const { name, passed, mismatches, kept, file, line, durationMs, plays } = result;
  const mark = passed ? paint(GREEN, symbols.done) : paint(RED, symbols.failed);
  const times = plays > 1 ? `, killed and resumed ${count(plays - 1, 'time')}` : '';
  const head = `  ${mark} ${plain(name)} ${paint(DIM, `(${duration(durationMs)}${times})`)}`;
  if (passed) return [head];
  const body = mismatches.flatMap(({ about, lines }) => [
    `      ${about}`,
    ...lines.flatMap((text) => text.split('\n')).map((text) => paintLine(`        ${plain(text)}`, paint)),
  ]);
  const keeping = kept === undefined ? [] : [`      kept ${kept}`];
  return [head, `      ${paint(DIM, `${file}:${line}`)}`, ...body, ...keeping];
}

function paintLine(line: string, paint: (code: number, text: string) => string): string {
  if (/^\s+- /.test(line)) return paint(GREEN, line);
  return /^\s+\+ /.test(line) ? paint(RED, line) : line;
}

export function totalLine(results: readonly CaseResult[], elapsedMs: number): string {
  const failed = results.filter(({ passed }) => !passed).length;
  const passed = results.length - failed;
  const files = new Set(results.map(({ file }) => file)).size;
  return `${passed} passed${failed > 0 ? `, ${failed} failed` : ''}, in ${count(files, 'file')}, ${duration(elapsedMs)}`;
}
