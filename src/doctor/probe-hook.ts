// probe-hook: the program through which clients ask before they use a tool: does it bring an answer back, and does it
// deny when nobody is there?

import type { OpenDoor } from '../ports/hook-door.ts';
import { ask, lastWord, type Said } from './ask.ts';
import type { HookFacts } from './facts.ts';
import type { DoctorParts } from './parts.ts';

const PATIENCE_MS = 20_000;
const DENIED = 2;

export async function probeHook(parts: DoctorParts): Promise<HookFacts> {
  const { hookDoor, cwd, environment: env, clock } = parts;
  const question = JSON.stringify({ hook_event_name: 'Doctor', word: clock.random(8) });
  const knock = (door: OpenDoor): Promise<Said> =>
    ask(parts, { argv: ['sh', '-c', door.command], cwd, env, stdin: question }, PATIENCE_MS);
  let heard: string | undefined;
  let door: OpenDoor | undefined;
  try {
    door = await hookDoor.open(async (payload) => {
      heard = payload;
      return { stdout: payload, exitCode: 0 };
    });
    const said = await knock(door);
    const answers = heard?.trim() === question && said.exitCode === 0 && said.stdout.trim() === question;
    await door.close();
    const alone = await knock(door);
    const failsClosed = alone.exitCode === DENIED;
    return {
      answers,
      tookMs: Math.round(said.tookMs),
      failsClosed,
      ...(!answers && { problem: lastWord(said) }),
      ...(answers && !failsClosed && { problem: lastWord(alone) }),
    };
  } catch (error) {
    return { answers: false, failsClosed: false, problem: (error as Error).message };
  } finally {
    await door?.close();
  }
}
