import { PassThrough } from 'node:stream';
import { describe, expect, it, vi } from 'vitest';
import type { Question } from '../../views/step-record.ts';
import { askPerson, questionText } from './ask.ts';

const look = { width: 60, color: false, unicode: true };

function question(kind: Question['question'], more: Partial<Question> = {}): Question {
  return {
    path: 'plan',
    question: kind,
    text: 'Ready to implement?',
    reasons: [],
    askedAt: 0,
    accept: [],
    reject: [],
    ...more,
  };
}

/** A terminal to type into; what it shows is collected. */
function terminal() {
  const input = new PassThrough();
  const output = new PassThrough();
  let shown = '';
  output.on('data', (chunk) => {
    shown += String(chunk);
  });
  const interrupt = vi.fn();
  return {
    interrupt,
    asking: { input, output, look, interrupt },
    shown: () => shown.replace(/\x1b\[[0-9;?]*[A-Za-z]/g, ''),
    async type(text: string, when: string) {
      await vi.waitFor(() => expect(shown.replace(/\x1b\[[0-9;?]*[A-Za-z]/g, '')).toContain(when));
      input.write(text);
    },
  };
}

describe('a question put in place', () => {
  it('shows what is asked, why, and what may be typed', async () => {
    const held = question('held', {
      text: '"plan" was not accepted. What now?',
      reasons: [
        '`npm test` ended with exit code 1\n1 failing\n\x1b[31mred\x1b[0m',
        `${'long '.repeat(20)}end`,
      ],
    });
    await expect(`${questionText(held, look)}\n`).toMatchFileSnapshot('golden/question-held-60.txt');
    const choices = question('ask', { text: 'Which colour?', choices: ['red', 'dark blue', 3] });
    await expect(`${questionText(choices, look)}\n`).toMatchFileSnapshot('golden/question-choices-60.txt');
  });

  it('shows the first reasons only, and says that there are more', () => {
    const text = questionText(
      question('held', { reasons: [Array.from({ length: 40 }, (_, n) => `line ${n}`).join('\n')] }),
      look,
    );
    expect(text).toContain('line 11');
    expect(text).not.toContain('line 12');
    expect(text).toContain('and 28 more lines');
  });

  it('gives the answer', async () => {
    const person = terminal();
    const asked = askPerson(question('approve'), person.asking);
    await person.type('approve\n', '> ');
    expect(await asked).toEqual({ answer: 'approve' });
  });

  it('asks again until the answer is one, and for the reason of a rejection', async () => {
    const person = terminal();
    const asked = askPerson(question('approve'), person.asking);
    await person.type('hm\n', '> ');
    await person.type('2\n', '"hm" is not an answer to this. Type approve or reject');
    await person.type('no tests\n', 'Why? (Enter leaves it out)');
    expect(await asked).toEqual({ answer: 'reject', note: 'no tests' });
  });

  it('takes a rejection without a reason', async () => {
    const person = terminal();
    const asked = askPerson(question('approve'), person.asking);
    await person.type('no\n', '> ');
    await person.type('\n', 'Why?');
    expect(await asked).toEqual({ answer: 'reject' });
  });

  it('UX-AGAIN-NOTE: who has it done again is asked what should be different, where an agent reads it', async () => {
    const person = terminal();
    const asked = askPerson({ ...question('held'), takesNote: true }, person.asking);
    await person.type('again\n', 'Ctrl-C stops here; lockstep resume');
    await person.type('use the cache\n', 'What should it do differently? (Enter leaves it out)');
    expect(await asked).toEqual({ answer: 'again', note: 'use the cache' });

    const nobody = terminal();
    const plain = askPerson(question('held'), nobody.asking);
    await nobody.type('again\n', '> ');
    expect(await plain).toEqual({ answer: 'again' });
  });

  it('takes lines that came at once one by one', async () => {
    const person = terminal();
    const asked = askPerson(question('approve'), person.asking);
    await person.type('nonsense\nreject\nlate\n', '> ');
    expect(await asked).toEqual({ answer: 'reject', note: 'late' });
  });

  it('makes Ctrl-C an interrupt, with no answer', async () => {
    const person = terminal();
    const asked = askPerson(question('ask'), person.asking);
    await person.type('half an ans\x03', '> ');
    expect(await asked).toBeUndefined();
    expect(person.interrupt).toHaveBeenCalledTimes(1);
  });

  it('leaves the question open on Ctrl-D', async () => {
    const person = terminal();
    const asked = askPerson(question('ask'), person.asking);
    await person.type('\x04', '> ');
    expect(await asked).toBeUndefined();
    expect(person.interrupt).not.toHaveBeenCalled();
  });

  it('withdraws the question when it was answered elsewhere, also before it was put', async () => {
    const person = terminal();
    const elsewhere = new AbortController();
    const asked = askPerson(question('ask'), { ...person.asking, signal: elsewhere.signal });
    await vi.waitFor(() => expect(person.shown()).toContain('> '));
    elsewhere.abort();
    expect(await asked).toBeUndefined();
    expect(await askPerson(question('ask'), { ...person.asking, signal: elsewhere.signal })).toBeUndefined();
  });
});
