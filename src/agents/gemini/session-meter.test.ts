import { appendFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { sessionMeter } from './session-meter.ts';

const session = 'b1349d24-5f84-4f7f-be58-5280352f0064';
let home: string;
let chats: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'session-meter-'));
  chats = join(home, '.gemini/tmp/project/chats');
  mkdirSync(join(chats, session), { recursive: true });
  mkdirSync(join(home, '.gemini/tmp/other/chats'), { recursive: true });
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function say(
  id: string,
  input: number,
  total: number,
  file = 'session-2026-11-15T14-53-b1349d24.jsonl',
): void {
  const tokens = { input, output: 1, cached: 0, thoughts: 0, tool: 0, total };
  appendFileSync(join(chats, file), `${JSON.stringify({ id, type: 'gemini', content: 'x', tokens })}\n`);
}

it('AG-GEMINI-METER: counts answers as they are written, each once, those of subagents too', () => {
  const used = sessionMeter(home, session);
  expect(used()).toEqual({ input: 0, output: 0 });
  say('1', 10, 15);
  say('1', 10, 15);
  appendFileSync(
    join(chats, 'session-2026-11-15T14-53-b1349d24.jsonl'),
    '{"$set":{"lastUpdated":"x"}}\nnonsense\n',
  );
  expect(used()).toEqual({ input: 10, output: 5 });
  say('2', 100, 130, `${session}/sub.jsonl`);
  say('3', 1, 2);
  expect(used()).toEqual({ input: 111, output: 36 });
});

it('does not count what a session that goes on had used before, nor another session', () => {
  say('1', 10, 15);
  const used = sessionMeter(home, session);
  say('2', 20, 22);
  say('9', 1000, 2000, 'session-2026-11-15T14-53-ffffffff.jsonl');
  expect(used()).toEqual({ input: 20, output: 2 });
});

it('reads a line that is written in two halves', () => {
  const used = sessionMeter(home, session);
  const line = JSON.stringify({ id: '1', type: 'gemini', tokens: { input: 7, total: 9 } });
  const file = join(chats, 'session-x-b1349d24.jsonl');
  appendFileSync(file, line.slice(0, 20));
  expect(used()).toEqual({ input: 0, output: 0 });
  appendFileSync(file, `${line.slice(20)}\n`);
  expect(used()).toEqual({ input: 7, output: 2 });
});

it('knows nothing where there is nothing', () => {
  expect(sessionMeter(join(home, 'nowhere'), session)()).toEqual({ input: 0, output: 0 });
});
