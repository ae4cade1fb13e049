// ask: a question put to whoever sits at the terminal. Ctrl-C is an interrupt, as everywhere; Ctrl-D leaves the
// question open; an answer that comes from elsewhere withdraws it.

import { createInterface, type Interface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { barred, questionLines, shownParts } from '../../views/shown.ts';
import type { Question } from '../../views/step-record.ts';
import { type Line, type Look, paintLine, piece, renderLines } from '../../views/text/line.ts';
import { plainLines } from '../../views/text/plain.ts';
import { symbols } from '../../views/text/symbols.ts';
import { padEnd, wrap } from '../../views/text/width.ts';
import { optionsOf, type Reply, readReply } from './answers.ts';

export interface Asking {
  input: Readable;
  output: Writable;
  look: Look;
  /** What Ctrl-C does. */
  interrupt(): void;
  /** Whose question it is, for the commands that show more. */
  run?: string;
  /** Aborted: the question no longer stands. */
  signal?: AbortSignal;
}

const MOST_REASONS = 12;

export function questionText(question: Question, look: Look, run = 'latest'): string {
  const marks = symbols(look.unicode);
  const whole = new Set<Line>();
  const theirs = (texts: string[]): Line[] => barred(texts, '  ', marks, look.width);
  const asked = questionLines(question).flatMap((text) => wrapped(text, look.width - 4));
  const reasons = question.reasons.flatMap(plainLines);
  const lines: Line[] = [
    [piece(`${marks.asking} `, 'ask'), piece(question.path, 'strong'), piece(' asks', 'dim')],
    ...theirs(asked),
    ...theirs(reasons.slice(0, MOST_REASONS).flatMap((text) => wrapped(`  ${text}`, look.width - 4))),
  ];
  if (reasons.length > MOST_REASONS) {
    lines.push([piece(`  and ${reasons.length - MOST_REASONS} more lines; lockstep logs has all`, 'dim')]);
  }
  for (const part of shownParts(run, question)) {
    lines.push(...wrap(part.title, look.width - 2).map((text): Line => [piece(`  ${text}`, 'dim')]));
    lines.push(...theirs(part.lines));
    if (part.more !== undefined) lines.push([piece(`  ${part.more}`, 'dim')]);
    if (part.see) {
      const command: Line = [piece(`  ${part.see.command}`, 'live')];
      whole.add(command);
      lines.push(command);
    }
  }
  const options = optionsOf(question);
  const widest = Math.min(40, Math.max(0, ...options.map((option) => option.word.length)));
  options.forEach((option, index) => {
    const number = String(index + 1).padStart(String(options.length).length);
    const word = option.meaning === '' ? option.word : padEnd(option.word, widest);
    lines.push([
      piece(`  ${number}  `, 'ask'),
      piece(word),
      piece(option.meaning === '' ? '' : `  ${option.meaning}`, 'dim'),
    ]);
  });
  // Half a command is no use.
  return lines
    .map((line) => (whole.has(line) ? paintLine(line, look.color) : renderLines([line], look)))
    .join('\n');
}

/** Broken between words; the first of its spaces are kept. */
function wrapped(text: string, columns: number): string[] {
  const indent = /^ */.exec(text)?.[0] ?? '';
  const rows = wrap(text, columns - indent.length).map((row) => `${indent}${row}`);
  return rows.length > 0 ? rows : [''];
}

/** The answer, or undefined where none was given. */
export async function askPerson(question: Question, asking: Asking): Promise<Reply | undefined> {
  const { output, look, signal } = asking;
  if (signal?.aborted) return undefined;
  const leave = piece(`  Ctrl-C stops here; lockstep resume ${asking.run ?? 'latest'} asks again`, 'dim');
  output.write(`\n${questionText(question, look, asking.run)}\n${renderLines([[leave]], look)}\n`);
  const person = listen(asking);
  try {
    for (;;) {
      const typed = await person.line('> ');
      if (typed === undefined) return undefined;
      const reply = readReply(question, typed);
      if ('problem' in reply) {
        output.write(`${renderLines([[piece(`  ${reply.problem}`, 'ask')]], look)}\n`);
        continue;
      }
      const ask = noteQuestion(question, reply);
      if (ask === undefined) return reply;
      const why = await person.line(`  ${ask} (Enter leaves it out) > `);
      if (why === undefined) return undefined;
      return why.trim() === '' ? reply : { ...reply, note: why.trim() };
    }
  } finally {
    person.close();
  }
}

/** A no says why; work that is done again, what should be different. */
function noteQuestion(question: Question, { answer, note }: Reply): string | undefined {
  if (note !== undefined) return undefined;
  if (question.question === 'approve' && answer === 'reject') return 'Why?';
  const reaches = question.question === 'held' && question.takesNote === true && answer === 'again';
  return reaches ? 'What should it do differently?' : undefined;
}

export interface Person {
  /** undefined: they left, or the question was withdrawn. */
  line(prompt: string): Promise<string | undefined>;
  close(): void;
}

export function listen({ input, output, interrupt, signal }: Omit<Asking, 'look'>): Person {
  const reader: Interface = createInterface({ input, output, terminal: true, historySize: 0 });
  const typed: string[] = [];
  let gone = false;
  let wake: (() => void) | undefined;
  const leave = (): void => {
    gone = true;
    wake?.();
  };
  reader.on('line', (line) => {
    typed.push(line);
    wake?.();
  });
  reader.on('close', leave);
  reader.on('SIGINT', () => {
    leave();
    reader.close();
    interrupt();
  });
  const withdrawn = (): void => {
    leave();
    reader.close();
  };
  signal?.addEventListener('abort', withdrawn, { once: true });
  return {
    async line(prompt) {
      reader.setPrompt(prompt);
      if (!gone) reader.prompt();
      while (typed.length === 0 && !gone) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      // What was typed before the terminal closed still counts; after Ctrl-C or a withdrawal nothing does.
      const line = typed.shift();
      if (gone && line === undefined) output.write('\n');
      return line;
    },
    close() {
      signal?.removeEventListener('abort', withdrawn);
      reader.close();
    },
  };
}
