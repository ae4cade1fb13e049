// script-agent: the built-in agent that answers from a file, for tests, demos and CI.
// Owns: which answer is next, and doing what it says. Never: keeps count itself; how often a step was handed out comes
// with the request, out of the journal, so a run that crashed takes up the script where it was (E4).
//
// S1. Same script, same request → same answer.
// S2. It is held to the step's `tools` and `rules` like any agent: what they do not allow, it does not do.
// S3. It is done, or told to end, before it answers: nothing it started goes on.

import { Buffer } from 'node:buffer';
import type { Usage } from '../../model/entry.ts';
import type { Script, ScriptedAnswer } from '../../model/script.ts';
import type { Agent, AgentAnswer, AgentRequest } from '../../ports/agent.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Processes } from '../../ports/processes.ts';
import type { Workspaces } from '../../ports/workspace.ts';
import { abilitiesOf } from '../abilities.ts';
import { act, NotAllowed, ScriptedFailure } from './act.ts';
import { findAnswer } from './find-answer.ts';

export interface ScriptAgentParts {
  script: Script;
  processes: Processes;
  workspaces: Workspaces;
  clock: Clock;
}

export function scriptAgent(parts: ScriptAgentParts): Agent {
  return {
    name: 'script',
    can: abilitiesOf('script'),
    answersOnStdout: true,
    async perform(request) {
      const answer = findAnswer(parts.script, request);
      if (answer === undefined) return noAnswer(request);
      try {
        if (request.signal.aborted) throw new Cancelled();
        await pause(answer, request, parts.clock);
        await act(answer, request, parts);
      } catch (error) {
        return failed(error, request);
      }
      return say(answer, request);
    },
  };
}

function noAnswer(request: AgentRequest): AgentAnswer {
  return {
    text: '',
    error: {
      class: 'error',
      message: `the script has no answer for the step \`${request.path}\``,
      hint: `Add \`${request.step}:\` or \`"*":\` under \`answers\`.`,
    },
  };
}

/** `delay` and `hang`. Rejects when it is told to end. */
function pause(answer: ScriptedAnswer, { signal }: AgentRequest, clock: Clock): Promise<void> {
  if (!answer.hang && answer.delay === undefined) return Promise.resolve();
  return new Promise((resolve, reject) => {
    let disarm = () => {};
    const stop = () => {
      disarm();
      reject(new Cancelled());
    };
    signal.addEventListener('abort', stop, { once: true });
    if (answer.hang) return;
    disarm = clock.after(answer.delay ?? 0, () => {
      signal.removeEventListener('abort', stop);
      resolve();
    });
  });
}

class Cancelled extends Error {}

function failed(error: unknown, request: AgentRequest): AgentAnswer {
  if (request.signal.aborted || error instanceof Cancelled) {
    return { text: '', error: { class: 'cancelled', message: 'it was told to end' } };
  }
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof NotAllowed) return { text: '', error: { class: 'error', message } };
  if (error instanceof ScriptedFailure) {
    return { text: '', exitCode: error.exitCode, error: { class: 'error', message } };
  }
  return { text: '', error: { class: 'error', message: `the script could not be followed: ${message}` } };
}

function say(answer: ScriptedAnswer, request: AgentRequest): AgentAnswer {
  const { onEvent } = request;
  if (answer.stderr !== undefined) print('stderr', `${answer.stderr}\n`, request);
  if (answer.garbage) {
    print('stdout', '{"type":"result","text":"', request);
    return {
      text: '',
      exitCode: 1,
      error: { class: 'error', message: 'the stream broke off in the middle of a message' },
    };
  }
  if (request.maxTurns !== undefined && usageOf(answer).turns > request.maxTurns)
    return outOfTurns(answer, request.maxTurns);
  const words = answer.text ?? (answer.output === undefined ? '' : JSON.stringify(answer.output, null, 2));
  if (words !== '') {
    print('stdout', `${words}\n`, request);
    onEvent({ kind: 'text', text: words.length > 2000 ? `${words.slice(0, 2000)}…` : words });
  }
  const kept = request.keep('answer');
  kept.write(words);
  const usage = usageOf(answer);
  onEvent({ kind: 'usage', usage });

  const exitCode = answer.exit ?? (answer.error === undefined ? 0 : 1);
  return {
    text: kept.text(),
    ...(answer.output !== undefined && { structured: answer.output }),
    usage,
    session: request.session ?? answer.session ?? `script:${request.path}:${request.dispatch.path}`,
    ...(request.model !== undefined && { model: request.model }),
    exitCode,
    ...(answer.stderr !== undefined && { stderr: answer.stderr }),
    ...(exitCode !== 0 && {
      error: {
        class: answer.error ?? 'exit',
        message: answer.stderr ?? `the scripted answer ends with exit code ${exitCode}`,
      },
    }),
  };
}

/** As a client does: it stops there, and what it would have said is not said. */
function outOfTurns(answer: ScriptedAnswer, most: number): AgentAnswer {
  return {
    text: '',
    usage: { ...usageOf(answer), turns: most },
    error: {
      class: 'limit',
      message: `it used up its ${most} turns`,
      hint: 'Raise `max_turns` in `params`, or give the step less to do.',
    },
  };
}

function usageOf({ usage }: ScriptedAnswer): Usage {
  return {
    input_tokens: usage?.input ?? 0,
    output_tokens: usage?.output ?? 0,
    cost: usage?.cost ?? 0,
    turns: usage?.turns ?? 1,
  };
}

function print(stream: 'stdout' | 'stderr', text: string, { onEvent }: AgentRequest): void {
  onEvent({ kind: 'output', stream, chunk: Buffer.from(text) });
}
