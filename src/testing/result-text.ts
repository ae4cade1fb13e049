// result-text: a result as people read it.

import { type Look, paint } from '../views/text/line.ts';
import { plain } from '../views/text/plain.ts';
import { symbols as symbolsOf } from '../views/text/symbols.ts';
import { count, duration } from '../views/text/words.ts';
import type { CaseResult } from './testing.ts';

export function resultLines(result: CaseResult, look: Look): string[] {
  const { color } = look;
  const symbols = symbolsOf(look.unicode);
  const { name, passed, mismatches, kept, file, line, durationMs, plays } = result;
  const mark = passed ? paint(symbols.done, 'good', color) : paint(symbols.failed, 'bad', color);
  const times = plays > 1 ? `, killed and resumed ${count(plays - 1, 'time')}` : '';
  const head = `  ${mark} ${plain(name)} ${paint(`(${duration(durationMs)}${times})`, 'dim', color)}`;
  if (passed) return [head];
  const body = mismatches.flatMap(({ about, lines }) => [
    `      ${about}`,
    ...lines
      .flatMap((text) => text.split('\n'))
      .map((text) => paintDifference(`        ${plain(text)}`, color)),
  ]);
  const keeping = kept === undefined ? [] : [`      kept ${kept}`];
  return [head, `      ${paint(`${file}:${line}`, 'dim', color)}`, ...body, ...keeping];
}

function paintDifference(line: string, color: boolean): string {
  if (/^\s+- /.test(line)) return paint(line, 'good', color);
  return /^\s+\+ /.test(line) ? paint(line, 'bad', color) : line;
}

export function totalLine(results: readonly CaseResult[], elapsedMs: number): string {
  const failed = results.filter(({ passed }) => !passed).length;
  const passed = results.length - failed;
  const files = new Set(results.map(({ file }) => file)).size;
  return `${passed} passed${failed > 0 ? `, ${failed} failed` : ''}, in ${count(files, 'file')}, ${duration(elapsedMs)}`;
}
