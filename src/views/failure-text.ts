// failure-text: why a step failed, for a person who has not read its log: one line that says most, and the last lines of what
// was printed.

import type { Failure } from '../model/entry.ts';
import type { StepRecord } from './step-record.ts';
import { failingLine, headline, tellingLine } from './telling-line.ts';
import { plain, plainLines, tail } from './text/plain.ts';

type Told = Pick<StepRecord, 'outcome' | 'verb'> | undefined;

const LAST_LINES = 5;
/** A test that failed is looked for in so much of the end of an output. */
const READ = 64 * 1024;

export function failureText(error: Failure | undefined, record: Told): string {
  if (error === undefined) return 'no reason given';
  const said = headline(error.message);
  if (error.class !== 'exit' || record?.verb !== 'run' || error.message.trim().includes('\n')) return said;
  const { stdout, stderr } = printed(record);
  const lines = [...plainLines(stdout), ...plainLines(stderr)];
  const saysNothing = /exit code \d+$/.test(said);
  const telling = saysNothing ? tellingLine(lines) : failingLine(lines);
  if (telling === undefined || said.includes(telling)) return said;
  // The message ends with the last line of stderr, which tells less.
  const last = plain(tail(stderr, 1)[0] ?? '').trim();
  const head = last !== '' && said.endsWith(`: ${last}`) ? said.slice(0, -last.length - 2) : said;
  return `${head}: ${telling}`;
}

/** Without what the message has said already. */
export function lastWords(error: Failure, record: Told): string[] {
  const message = failureText(error, record);
  const [, ...rest] = plainLines(error.message).filter((line) => line.trim() !== '');
  const { stdout, stderr } = printed(record);
  const lines = rest.length > 0 ? rest.slice(-LAST_LINES) : [...ending(stdout), ...ending(stderr)];
  return lines.filter((line) => line.trim() !== '' && !message.includes(line.trim()));
}

function ending(text: string): string[] {
  return tail(text, LAST_LINES).map(plain);
}

/** Of an agent only what its client complained of: its answer is no log. */
function printed(record: Told): { stdout: string; stderr: string } {
  const { output, stdout_tail: cut, stderr = '' } = record?.outcome ?? {};
  if (record?.verb !== 'run') return { stdout: '', stderr: stderr.slice(-READ) };
  const whole = typeof output === 'string' ? output : Array.isArray(output) ? output.join('\n') : '';
  const stdout = cut === undefined ? whole : `${whole}\n${cut}`;
  return { stdout: stdout.slice(-READ), stderr: stderr.slice(-READ) };
}
