// shown: what a question is about, for people: the answer, what changed in the workspace, what the checks printed last,
// and the commands that show all of it. What is ours and what others wrote are kept apart, so that a display can put a bar
// before every line that is not ours: no text of an agent can pass for one of our lines.

import type { ChangedFile, Shown } from '../model/entry.ts';
import { type Advice, wordToType } from './next-commands.ts';
import type { Question } from './step-record.ts';
import { type Line, piece } from './text/line.ts';
import { plainLines } from './text/plain.ts';
import type { Symbols } from './text/symbols.ts';
import { head } from './text/width.ts';
import { count, thousands } from './text/words.ts';

export interface ShownPart {
  /** Ours. */
  title: string;
  /** Theirs: plain, one each, the first of them. */
  lines: string[];
  /** Ours: what is not shown here. */
  more?: string;
  /** How to see all of it. */
  see?: Advice;
}

const MOST_LINES = 20;
const MOST_FILES = 20;
/** A line that is wrapped takes several. */
const MOST_ROWS = 4;

/** The digest as commands have it: enough that nobody finds another one with the same beginning. */
function shortDigest(digest: string): string {
  return digest.slice(0, 16);
}

/** The question's own text, as it was written: its lines are kept. */
export function questionLines({ text }: Pick<Question, 'text'>): string[] {
  const lines = plainLines(text);
  return lines.length > 0 ? lines : [''];
}

export function shownParts(run: string, { path, shown }: Question): ShownPart[] {
  if (!shown) return [];
  return [
    ...againPart(shown),
    ...outputPart(run, path, shown),
    ...changesPart(run, shown),
    ...(shown.checks ?? []).map((check) => checkPart(run, path, check)),
    ...bindingPart(shown),
  ];
}

function againPart({ again }: Shown): ShownPart[] {
  if (!again) return [];
  const title = 'Asked again: what was approved had changed before the approval counted';
  const names = again.changed.flatMap(plainLines);
  return [{ title: names.length > 0 ? `${title}, in:` : `${title}.`, lines: names }];
}

function outputPart(run: string, path: string, { output, logs }: Shown): ShownPart[] {
  if (!output) return [];
  const all = plainLines(output.text);
  const lines = all.slice(0, MOST_LINES);
  const left = Math.max(output.lines - lines.length, 0);
  const isCut = output.cut === true || all.length > lines.length;
  return [
    {
      title: 'The answer:',
      lines,
      ...(isCut && { more: left > 0 ? `and ${count(left, 'more line')}` : 'and more of the last line' }),
      see:
        logs?.output === undefined
          ? seeLog(run, path, 'what the step printed')
          : seeLog(run, logs.output, 'the whole answer'),
    },
  ];
}

function changesPart(run: string, { changes, logs }: Shown): ShownPart[] {
  if (!changes) return [];
  const { workspace, files } = changes;
  if (changes.count === 0) return [{ title: 'Changed since the step began: no file', lines: [] }];
  const figures = `${count(changes.count, 'file')}, ${count(changes.added, 'line')} added, ${thousands(changes.removed)} removed`;
  const left = changes.count - Math.min(files.length, MOST_FILES);
  return [
    {
      title: `Changed since the step began: ${figures}, in ${workspace}`,
      lines: files.slice(0, MOST_FILES).map(fileText),
      ...(left > 0 && { more: `and ${count(left, 'more file')}` }),
      ...(logs?.patch !== undefined && { see: seeLog(run, logs.patch, 'every changed line') }),
    },
  ];
}

/** A line break in a name is shown as one, not made. */
function fileText({ path, added, removed }: ChangedFile): string {
  const name = /[\x00-\x1f\x7f-\x9f]/.test(path) ? JSON.stringify(path) : path;
  const lines = added === undefined ? 'changed' : `+${added} -${removed ?? 0}`;
  return `${lines.padEnd(9)} ${plainLines(name).join(' ')}`;
}

function checkPart(run: string, path: string, check: NonNullable<Shown['checks']>[number]): ShownPart {
  return {
    title: 'The check passed. Its last lines:',
    lines: [...plainLines(`$ ${check.command}`), ...check.lines.flatMap(plainLines)],
    ...(check.lines.length > 0 && { see: seeLog(run, `${path}.${check.part}`, 'all that it printed') }),
  };
}

function bindingPart({ digest, tree, problem }: Shown): ShownPart[] {
  if (digest === undefined) return [];
  const name = digest === '' ? '' : ` (${shortDigest(digest)})`;
  const parts: ShownPart[] = [];
  if (problem !== undefined)
    parts.push({ title: 'What changed in the files cannot be shown:', lines: plainLines(problem) });
  const what = tree ? 'this answer and these files' : 'this answer alone, whatever the files are';
  parts.push({ title: `An approval counts for ${what}${name}.`, lines: [] });
  return parts;
}

function seeLog(run: string, name: string, meaning: string): Advice {
  return { command: `lockstep logs ${wordToType(run)} ${wordToType(name)}`, meaning };
}

/** Every command that shows more. */
export function seeCommands(run: string, question: Question): Advice[] {
  return shownParts(run, question).flatMap(({ see }) => see ?? []);
}

/** Lines that others wrote, each behind a bar; spaces are kept, and what is too long goes on in the next row. */
export function barred(lines: string[], indent: string, marks: Symbols, width: number): Line[] {
  const bar = `${indent}${marks.trunk.trimEnd()} `;
  const room = Math.max(8, width - bar.length);
  return lines.flatMap((text) => {
    const rows: string[] = [];
    let rest = text;
    do {
      const row = head(rest, room) || rest.slice(0, 1);
      rows.push(row);
      rest = rest.slice(row.length);
    } while (rest !== '' && rows.length < MOST_ROWS);
    if (rest !== '')
      rows[rows.length - 1] = `${head(rows[rows.length - 1] ?? '', room - 3)}${marks.ellipsis}`;
    return rows.map((row): Line => [piece(bar, 'dim'), piece(row)]);
  });
}
