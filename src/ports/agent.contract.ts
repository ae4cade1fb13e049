// agent contract: what every Agent is held to. What an agent says it can, it is asked to show; what it shows without
// saying so fails too. A vendor's suite gives a stand-in for its client that behaves as told.

import { Buffer } from 'node:buffer';
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { guardOf as actGuard } from '../../test/support/guard-of.ts';
import { isWithheld } from '../model/tool-policy.ts';
import type { ToolPolicy } from '../model/workflow.ts';
import type {
  Ability,
  Agent,
  AgentAnswer,
  AgentEvent,
  AgentRequest,
  Kept,
  ToolAct,
  ToolGuard,
  Verdict,
} from './agent.ts';

/** What the client behind the agent does when it is asked. */
export type ClientBehaviour =
  /** Tells what it was given, for `seen`. */
  | { does: 'report' }
  | { does: 'say'; text: string }
  /** Answers to a schema. */
  | { does: 'structure'; value: { [key: string]: string } }
  /** Uses its Write tool (or what stands for it) on this file, where it may. */
  | { does: 'write'; path: string; content: string }
  /** Starts a child that writes its pid to this file and ignores TERM, then waits for it. */
  | { does: 'hang'; pidFile: string }
  /** Is ended by a signal in the middle of its work. */
  | { does: 'crash' }
  | { does: 'exit'; code: number; stderr: string }
  /** Sends half a message and is gone. */
  | { does: 'break-off' }
  /** Prints this many bytes and goes on as if nothing had been. */
  | { does: 'flood'; bytes: number };

/** What a client was given, as far as it can tell. */
export interface Seen {
  prompt?: string;
  system?: string;
  cwd?: string;
  model?: string;
  params?: { [key: string]: unknown };
  session?: string;
  maxTurns?: number;
  permissionMode?: string;
  settingSources?: string[];
  mcpServers?: string[];
  allow?: string[];
  deny?: string[];
  /** Of the variables asked for below. */
  env?: Record<string, string>;
}

export interface AgentUnderTest {
  /** An agent whose client behaves so. A text: why there is no such client, which skips the tests that need it. */
  make(behaviour: ClientBehaviour): Agent | string;
  /** What a client that reports was given. */
  seen(answer: AgentAnswer, cwd: string): Seen;
  /** What a reporting client cannot tell, and why. */
  blind: Partial<Record<keyof Seen, string>>;
  /** Params the agent knows, to look for in `seen`. */
  params: { [key: string]: string };
}

const WITNESSES = ['CONTRACT_PLAIN', 'CONTRACT_SECRET'];
const KEPT_BYTES = 64 * 1024;

export function agentContract(name: string, under: AgentUnderTest): void {
  describe(`agent contract: ${name}`, () => {
    let cwd: string;
    let events: AgentEvent[];
    beforeEach(() => {
      cwd = realpathSync(mkdtempSync(join(tmpdir(), 'agent-contract-')));
      events = [];
    });
    afterEach(() => rmSync(cwd, { recursive: true, force: true }));

    function request(more: Partial<AgentRequest> = {}): AgentRequest {
      return sampleRequest({
        path: 'contract[1]/step',
        cwd,
        env: { PATH: process.env.PATH ?? '', CONTRACT_PLAIN: 'plain one', CONTRACT_SECRET: 'secret one' },
        secrets: ['CONTRACT_SECRET'],
        onEvent: (event) => events.push(event),
        keep: keepSome,
        ...more,
      });
    }

    const skipsWithout = (behaviour: ClientBehaviour) => {
      const made = under.make(behaviour);
      return typeof made === 'string' ? made : undefined;
    };
    /** A test that needs a client of this kind; without one it is skipped, and says why. */
    function needing(
      behaviour: ClientBehaviour,
      title: string,
      body: (agent: Agent) => Promise<void>,
      ability?: Ability,
    ): void {
      const reason = skipsWithout(behaviour);
      if (reason !== undefined) return void it.skip(`${title} (skipped: ${reason})`);
      if (ability !== undefined && !(under.make(behaviour) as Agent).can.has(ability)) {
        return void it.skip(`${title} (skipped: it says it cannot: ${ability})`);
      }
      it(title, () => body(under.make(behaviour) as Agent));
    }
    const output = (stream: 'stdout' | 'stderr') =>
      Buffer.concat(
        events.flatMap((event) => (event.kind === 'output' && event.stream === stream ? [event.chunk] : [])),
      ).toString();

    describe('what the client is given', () => {
      const tells: [keyof Seen, Ability | undefined, Partial<AgentRequest>, Seen][] = [
        [
          'prompt',
          undefined,
          { prompt: 'Fix “it”;\n$(date) `x` {{ y }}' },
          { prompt: 'Fix “it”;\n$(date) `x` {{ y }}' },
        ],
        ['system', 'system-prompt', { system: 'You are terse.' }, { system: 'You are terse.' }],
        ['model', 'model', { model: 'large-1' }, { model: 'large-1' }],
        ['params', undefined, { params: under.params }, { params: under.params }],
        ['session', 'session', { session: 'earlier-one' }, { session: 'earlier-one' }],
        ['maxTurns', 'max-turns', { maxTurns: 7 }, { maxTurns: 7 }],
        ['permissionMode', 'permission-mode', { permissionMode: 'plan' }, { permissionMode: 'plan' }],
        [
          'settingSources',
          'setting-sources',
          { settingSources: ['project'] },
          { settingSources: ['project'] },
        ],
        ['mcpServers', 'mcp', { mcpServers: { tracker: { command: 'x' } } }, { mcpServers: ['tracker'] }],
        ['allow', 'tools', { tools: { allow: ['Read'], deny: [] } }, { allow: ['Read'] }],
        ['deny', 'tools', { tools: { deny: ['Bash'] } }, { deny: ['Bash'] }],
        ['env', undefined, {}, { env: { CONTRACT_PLAIN: 'plain one', CONTRACT_SECRET: 'secret one' } }],
      ];
      for (const [field, ability, asked, expected] of tells) {
        const blind = under.blind[field];
        if (blind !== undefined) {
          // Not a skip: once the stand-in can tell, this fails, and the reason has to go.
          needing({ does: 'report' }, `${field}: not to be seen, because ${blind}`, async (agent) => {
            const answer = await agent.perform(request());
            expect(answer.error).toBeUndefined();
            expect(under.seen(answer, cwd)[field]).toBeUndefined();
          });
          continue;
        }
        needing(
          { does: 'report' },
          `${field} reaches it`,
          async (agent) => {
            const answer = await agent.perform(request(asked));
            expect(answer.error).toBeUndefined();
            expect(under.seen(answer, cwd)).toMatchObject(expected);
          },
          ability,
        );
      }

      needing({ does: 'report' }, 'it works in the folder it is given', async (agent) => {
        const answer = await agent.perform(request());
        expect(realpathSync(under.seen(answer, cwd).cwd ?? '/')).toBe(cwd);
      });

      needing({ does: 'report' }, 'nothing of our own environment leaks into it', async (agent) => {
        process.env.CONTRACT_OURS = 'ours';
        try {
          const answer = await agent.perform(request());
          expect(Object.keys(under.seen(answer, cwd).env ?? {})).not.toContain('CONTRACT_OURS');
        } finally {
          delete process.env.CONTRACT_OURS;
        }
      });
    });

    describe('what comes back', () => {
      needing({ does: 'say', text: 'All done, see “notes”.' }, 'the final text', async (agent) => {
        const answer = await agent.perform(request());
        expect(answer.error).toBeUndefined();
        expect(answer.text).toBe('All done, see “notes”.');
      });

      needing(
        { does: 'say', text: 'All done.' },
        'events, while it works',
        async (agent) => {
          let before = true;
          await agent.perform(request({ onEvent: (event) => before && events.push(event) }));
          before = false;
          expect(events.some((event) => event.kind === 'text' && event.text.includes('All done.'))).toBe(
            true,
          );
          expect(output('stdout')).toContain('All done.');
        },
        'streaming',
      );

      needing(
        { does: 'structure', value: { verdict: 'good' } },
        'a structured answer to a schema',
        async (agent) => {
          const schema = { type: 'object', properties: { verdict: { type: 'string' } } };
          const answer = await agent.perform(request({ schema }));
          expect(answer.error).toBeUndefined();
          expect(answer.structured).toEqual({ verdict: 'good' });
        },
        'schema',
      );

      needing(
        { does: 'say', text: 'ok' },
        'usage where it says so, and none where it does not',
        async (agent) => {
          const { usage } = await agent.perform(request());
          expect(usage !== undefined).toBe(agent.can.has('usage'));
          if (usage === undefined) return;
          for (const count of [usage.input_tokens, usage.output_tokens, usage.turns]) {
            expect(Number.isInteger(count) && count >= 0).toBe(true);
          }
          // Unknown is null, never zero by default.
          expect(usage.cost !== null).toBe(agent.can.has('cost'));
          const reported = events.filter((event) => event.kind === 'usage').at(-1);
          if (reported !== undefined) expect(reported.usage).toEqual(usage);
        },
      );

      needing({ does: 'say', text: 'ok' }, 'a session where it says so, which can go on', async (agent) => {
        const first = await agent.perform(request());
        expect(first.session !== undefined).toBe(agent.can.has('session'));
        if (first.session === undefined) return;
        const again = await agent.perform(request({ session: first.session, dispatch: { path: 1, id: 1 } }));
        expect(again.error).toBeUndefined();
        expect(again.session).toBeDefined();
      });
    });

    describe('the tools it may use', () => {
      const behaviour: ClientBehaviour = { does: 'write', path: 'made.txt', content: 'made' };
      needing(behaviour, 'it writes where it may', async (agent) => {
        const { guard } = guardOf({ allow: ['Write'], deny: [] });
        const answer = await agent.perform(request({ tools: { allow: ['Write'], deny: [] }, guard }));
        expect(answer.error).toBeUndefined();
        expect(readFileSync(join(cwd, 'made.txt'), 'utf8')).toBe('made');
      });
      for (const tools of [{ allow: ['Read'], deny: [] }, { allow: [], deny: [] }, { deny: ['Write'] }]) {
        needing(
          behaviour,
          `it does not write under ${JSON.stringify(tools)}`,
          async (agent) => {
            await agent.perform(request({ tools, guard: guardOf(tools).guard }));
            expect(existsSync(join(cwd, 'made.txt'))).toBe(false);
          },
          'tools',
        );
      }
      needing(
        behaviour,
        'it asks before it writes, in our words, and does not where it is told no',
        async (agent) => {
          const { guard, asked } = guardOf({ deny: [] }, { kind: 'deny', reason: 'Not before lunch.' });
          await agent.perform(request({ guard }));
          expect(existsSync(join(cwd, 'made.txt'))).toBe(false);
          const writing = asked.find((event) => ['Write', 'Edit', 'Bash'].includes(event.tool));
          expect(writing?.file ?? writing?.command).toContain('made.txt');
        },
        'rules',
      );
      needing(
        behaviour,
        'it writes what a call was rewritten to',
        async (agent) => {
          const { guard } = guardOf({ deny: [] }, (event) => ({
            kind: 'rewrite',
            input: { ...event.input, content: 'made otherwise' },
          }));
          await agent.perform(request({ guard }));
          expect(readFileSync(join(cwd, 'made.txt'), 'utf8')).toBe('made otherwise');
        },
        'rewrite',
      );
    });

    describe('when it is told to end', () => {
      needing(
        { does: 'hang', pidFile: 'child.pid' },
        'it answers `cancelled`, and what it started is gone',
        async (agent) => {
          const controller = new AbortController();
          const answering = agent.perform(request({ signal: controller.signal }));
          const pid = await pidFrom(join(cwd, 'child.pid'));
          controller.abort();
          expect((await answering).error?.class).toBe('cancelled');
          expect(lives(pid)).toBe(false);
        },
      );

      needing(
        { does: 'say', text: 'never' },
        'it does not begin when it was told so before',
        async (agent) => {
          const controller = new AbortController();
          controller.abort();
          const { error } = await agent.perform(request({ signal: controller.signal }));
          expect(error?.class).toBe('cancelled');
        },
      );
    });

    describe('what goes wrong is told, never thrown', () => {
      needing({ does: 'crash' }, 'a client that crashes', async (agent) => {
        const answer = await agent.perform(request());
        expect(['exit', 'error']).toContain(answer.error?.class);
        expect(answer.error?.message).not.toBe('');
      });

      needing(
        { does: 'exit', code: 3, stderr: 'no such model' },
        'an exit code, and what it said',
        async (agent) => {
          const answer = await agent.perform(request());
          expect(answer).toMatchObject({ exitCode: 3, error: { class: 'exit' } });
          expect(answer.stderr).toContain('no such model');
          expect(output('stderr')).toContain('no such model');
        },
      );

      needing({ does: 'break-off' }, 'a stream that breaks off', async (agent) => {
        const { error } = await agent.perform(request());
        expect(error?.class).toBe('error');
      });

      needing(
        { does: 'flood', bytes: 8 * 1024 * 1024 },
        'output without end stays within bounds',
        async (agent) => {
          const answer = await agent.perform(request({ onEvent: () => {} }));
          expect(answer.text.length).toBeLessThanOrEqual(KEPT_BYTES);
          expect(answer.text.length).toBeGreaterThan(0);
        },
      );
    });
  });
}

/** A request with everything in it and nothing asked for; a test says what differs. */
export function sampleRequest(more: Partial<AgentRequest>): AgentRequest {
  return {
    path: 'step',
    step: 'step',
    system: '',
    prompt: 'Do it.',
    tools: { deny: [] },
    params: {},
    mcpServers: {},
    cwd: process.cwd(),
    env: { PATH: process.env.PATH ?? '' },
    secrets: [],
    dispatch: { path: 0, id: 0 },
    signal: new AbortController().signal,
    onEvent: () => {},
    keep: keepAll,
    ...more,
  };
}

/** Tests know how much is said. */
function keepAll(): Kept {
  const parts: Buffer[] = [];
  return {
    write: (chunk) => parts.push(typeof chunk === 'string' ? Buffer.from(chunk) : Buffer.from(chunk)),
    text: () => Buffer.concat(parts).toString('utf8'),
  };
}

/** For `Seen.env`: the variables that the contract sets, or must not find. */
export const contractVariables = [...WITNESSES, 'CONTRACT_OURS'];

/** The runtime's own is the engine's; of what a tool is about this one knows nothing. */
function guardOf(
  tools: ToolPolicy,
  otherwise: Verdict | ((event: ToolAct) => Verdict) = { kind: 'allow' },
): { guard: ToolGuard; asked: ToolAct[] } {
  const asked: ToolAct[] = [];
  return {
    asked,
    guard: actGuard((act) => {
      asked.push(act);
      if (isWithheld(tools, act.tool)) return { kind: 'deny', reason: 'it is not among the tools' };
      return typeof otherwise === 'function' ? otherwise(act) : otherwise;
    }),
  };
}

/** The beginning only: where the runtime cuts is its own affair. */
function keepSome(): Kept {
  const parts: Buffer[] = [];
  let room = KEPT_BYTES;
  return {
    write(chunk) {
      const bytes = Buffer.from(typeof chunk === 'string' ? Buffer.from(chunk) : chunk).subarray(0, room);
      room -= bytes.length;
      parts.push(bytes);
    },
    text: () => Buffer.concat(parts).toString('utf8'),
  };
}

async function pidFrom(file: string): Promise<number> {
  for (;;) {
    const text = existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
    if (text !== '') return Number(text);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

function lives(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  // Dead, and waiting for somebody to ask: a container's first process may never do so.
  const status = existsSync(`/proc/${pid}/stat`) ? readFileSync(`/proc/${pid}/stat`, 'utf8') : '';
  return !/\) Z /.test(status);
}
