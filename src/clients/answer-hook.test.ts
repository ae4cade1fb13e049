// What facts/hooks.md says each client does with the answer to each of its events, as an oracle: no refusal is put in a form
// that its client lets through.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../model/json.ts';
import {
  CLIENTS,
  type ClientName,
  type HookEvent,
  type HookHappening,
  type HookKind,
  type HookReply,
} from '../model/live-session.ts';
import type { ClientAnswer } from './clients.ts';
import { inTrouble } from './hook-answer.ts';
import { answerHook } from './hook-clients.ts';
import { canCarry, canHold, carries, untold } from './hooks.ts';
import { LONGEST_CONTEXT } from './spoken.ts';

type Obeyed = 'refused' | 'rewritten' | 'approved' | 'goes on' | 'passed';
interface Outcome {
  obeyed: Obeyed;
  /** What the model gets to read. */
  told: string;
}

interface Said extends JsonObject {
  hookSpecificOutput: JsonObject;
}

/** One line of JSON; anything else is noise to every client, and megabytes are not read. */
function said({ stdout = '' }: ClientAnswer): Said | undefined {
  if (stdout === '' || stdout.includes('\n') || stdout.length > 4_000_000) return undefined;
  try {
    const json = JSON.parse(stdout) as JsonObject;
    return { hookSpecificOutput: {}, ...json } as Said;
  } catch {
    return undefined;
  }
}

const text = (value: unknown) => (typeof value === 'string' ? value : '');
/** What Rust calls white space. */
const BLANK = /^[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]*$/;

const CLAUDE_EVENTS: Partial<Record<HookKind, string>> = {
  session_start: 'SessionStart',
  user_prompt: 'UserPromptSubmit',
  tool_call: 'PreToolUse',
  tool_result: 'PostToolUse',
  permission_request: 'PermissionRequest',
};

function claude({ kind, ...event }: HookEvent, answer: ClientAnswer): Outcome {
  const json = said(answer);
  const isTwo = answer.exitCode === 2;
  const output = json?.hookSpecificOutput ?? {};
  const isNamed = output.hookEventName === CLAUDE_EVENTS[kind] && json?.async !== true;
  const isFailed = kind === 'tool_result' && 'error' in event;
  const context = isNamed && !isFailed ? text(output.additionalContext) : '';
  const passed: Outcome = { obeyed: 'passed', told: context };
  switch (kind) {
    case 'tool_call':
      if (isTwo) return { obeyed: 'refused', told: text(answer.stderr) };
      if (!isNamed) return { obeyed: 'passed', told: '' };
      if (output.permissionDecision === 'deny')
        return { obeyed: 'refused', told: text(output.permissionDecisionReason) };
      if (output.permissionDecision !== 'allow') return passed;
      return { ...passed, obeyed: output.updatedInput === undefined ? 'approved' : 'rewritten' };
    case 'permission_request': {
      const { behavior, message } = (isNamed ? (output.decision as JsonObject) : undefined) ?? {};
      if (behavior === 'deny') return { obeyed: 'refused', told: text(message) };
      return { obeyed: behavior === 'allow' ? 'approved' : 'passed', told: '' };
    }
    case 'user_prompt':
      return isTwo || json?.decision === 'block' ? { obeyed: 'refused', told: '' } : passed;
    case 'stop':
      if (json?.decision === 'block') return { obeyed: 'refused', told: text(json.reason) };
      if (isTwo) return { obeyed: 'refused', told: text(answer.stderr) };
      return { obeyed: output.additionalContext === undefined ? 'passed' : 'goes on', told: '' };
    case 'compact':
      return { obeyed: isTwo ? 'refused' : 'passed', told: '' };
    case 'settings_change':
      // Which of the two it was that held is not on record: both are asked for.
      return { obeyed: isTwo && json?.decision === 'block' ? 'refused' : 'passed', told: '' };
    default:
      return isTwo ? { obeyed: 'refused', told: '' } : passed;
  }
}

const CODEX_FIELDS: Partial<Record<HookKind, { top: string[]; specific: string[]; event: string }>> = {
  session_start: { top: ['systemMessage'], specific: ['additionalContext'], event: 'SessionStart' },
  user_prompt: {
    top: ['systemMessage', 'decision', 'reason'],
    specific: ['additionalContext'],
    event: 'UserPromptSubmit',
  },
  tool_call: {
    top: [],
    specific: ['permissionDecision', 'permissionDecisionReason', 'updatedInput', 'additionalContext'],
    event: 'PreToolUse',
  },
  tool_result: { top: ['systemMessage'], specific: ['additionalContext'], event: 'PostToolUse' },
  permission_request: { top: [], specific: ['decision'], event: 'PermissionRequest' },
  stop: { top: ['systemMessage', 'decision', 'reason'], specific: [], event: '' },
  compact: { top: ['continue', 'stopReason'], specific: [], event: '' },
};

function codex({ kind }: HookEvent, answer: ClientAnswer): Outcome {
  const passed: Outcome = { obeyed: 'passed', told: '' };
  const blocks: HookKind[] = ['tool_call', 'user_prompt', 'stop'];
  if ((answer.exitCode ?? 0) !== 0) {
    const isHeard = answer.exitCode === 2 && !BLANK.test(answer.stderr ?? '') && blocks.includes(kind);
    return isHeard ? { obeyed: 'refused', told: text(answer.stderr) } : passed;
  }
  const json = said(answer);
  const fields = CODEX_FIELDS[kind];
  // serde refuses half a surrogate pair.
  if (json === undefined || fields === undefined) return passed;
  if (/(?<!\\)(?:\\\\)*\\u[dD][89a-fA-F]/.test(answer.stdout ?? '')) return passed;
  const { hookSpecificOutput: output, ...top } = json;
  const { hookEventName, ...specific } = output;
  if (Object.keys(top).some((field) => !fields.top.includes(field))) return passed;
  if (Object.keys(specific).some((field) => !fields.specific.includes(field))) return passed;
  if (Object.keys(output).length > 0 && hookEventName !== fields.event) return passed;
  const told = text(output.additionalContext);
  const refusedBy = (reason: unknown): Outcome =>
    BLANK.test(text(reason))
      ? passed
      : { obeyed: 'refused', told: kind === 'user_prompt' ? '' : text(reason) };
  if (kind === 'compact') return { obeyed: top.continue === false ? 'refused' : 'passed', told: '' };
  if (kind === 'permission_request') {
    const { behavior, ...rest } = (output.decision ?? {}) as JsonObject;
    if (Object.keys(rest).some((field) => field !== 'message')) return passed;
    if (behavior === 'deny') return refusedBy(rest.message);
    return { obeyed: behavior === 'allow' ? 'approved' : 'passed', told: '' };
  }
  // That the field is known beside a refusal was read, not seen: it does not count as such.
  if (top.decision === 'block') return 'systemMessage' in top ? passed : refusedBy(top.reason);
  if (output.permissionDecision === 'deny') return refusedBy(output.permissionDecisionReason);
  const isRewritten = output.permissionDecision === 'allow' && output.updatedInput !== undefined;
  return { obeyed: isRewritten ? 'rewritten' : 'passed', told };
}

const GEMINI_EVENTS: Partial<Record<HookKind, string>> = {
  session_start: 'SessionStart',
  user_prompt: 'BeforeAgent',
  tool_result: 'AfterTool',
};

function gemini({ kind }: HookEvent, answer: ClientAnswer): Outcome {
  const blocks: HookKind[] = ['tool_call', 'user_prompt', 'stop'];
  if ((answer.exitCode ?? 0) >= 2)
    return { obeyed: answer.stderr || answer.stdout ? 'refused' : 'passed', told: text(answer.stderr) };
  const { hookSpecificOutput: output, decision, reason }: Said = said(answer) ?? { hookSpecificOutput: {} };
  if (decision === 'deny' && blocks.includes(kind))
    return { obeyed: 'refused', told: kind === 'user_prompt' ? '' : text(reason) };
  if (kind === 'tool_call' && output.tool_input !== undefined) return { obeyed: 'rewritten', told: '' };
  const isCarried = output.hookEventName === GEMINI_EVENTS[kind];
  return { obeyed: 'passed', told: isCarried ? text(output.additionalContext) : '' };
}

const oracles = { claude, codex, gemini };
const outcome = (event: HookEvent, reply: HookReply) =>
  oracles[event.session.client](event, answerHook(event, reply));

const bash = { tool: 'Bash', input: { command: 'ls' }, acts: [] };
const acting = { ...bash, acts: [{ tool: 'Bash', input: { command: 'ls' }, command: 'ls' }] };
const HAPPENINGS: Record<HookKind, HookHappening> = {
  session_start: { kind: 'session_start', source: 'startup' },
  user_prompt: { kind: 'user_prompt', prompt: 'go', byPerson: true },
  tool_call: { kind: 'tool_call', call: 'c', ...acting },
  tool_result: { kind: 'tool_result', call: 'c', ...acting, text: 'x' },
  stop: { kind: 'stop', again: false, text: 'done' },
  compact: { kind: 'compact', trigger: 'auto' },
  session_end: { kind: 'session_end', reason: 'other' },
  subagent_stop: { kind: 'subagent_stop', text: 'done' },
  settings_change: { kind: 'settings_change', source: 'local_settings' },
  permission_request: { kind: 'permission_request', ...acting },
  other: { kind: 'other', name: 'Notification' },
};
const KINDS = Object.keys(HAPPENINGS) as HookKind[];

function happen(client: ClientName, kind: HookKind, more: object = {}): HookEvent {
  const origin = { session: { client, id: 's1' }, cwd: '/w', delivery: 'd' };
  return { ...origin, ...HAPPENINGS[kind], ...more };
}

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom('\ud800', '\udc00', ' ', '\u0085', 'a', '\\', 'u', 'd', '\n') }),
  fc.constantFrom('', ' ', '\u0085', '\u2028', 'x'.repeat(20_000), '{"decision":"allow"}', '\u200b', '\0'),
);
const event = fc
  .record({
    client: fc.constantFrom(...CLIENTS),
    kind: fc.constantFrom(...KINDS),
    more: fc.constantFrom({}, { subagent: { id: 'a1' } }, { mode: 'plan' }),
  })
  .map(({ client, kind, more }) => happen(client, kind, more));
const aside = fc.record({ say: fc.array(anyText, { maxLength: 4 }), note: anyText }, { requiredKeys: [] });

describe('GOB-HOOK-OBEYED: K3: no client lets through what it is told to refuse', () => {
  it('a denial or a held event is refused, whatever its words, wherever the client can be kept from it', () => {
    const refusing: fc.Arbitrary<HookReply> = fc.oneof(
      anyText.map((hold) => ({ hold })),
      anyText.map((reason) => ({ verdict: { kind: 'deny' as const, reason } })),
      fc.record({ hold: anyText, reason: anyText }).map(({ hold, reason }) => ({
        hold,
        verdict: { kind: 'deny' as const, reason },
      })),
      // Who holds it may have allowed the call besides.
      anyText.map((hold) => ({ hold, verdict: { kind: 'allow' as const } })),
      anyText.map((hold) => ({ hold, verdict: { kind: 'rewrite' as const, input: { command: 'x' } } })),
    );
    fc.assert(
      fc.property(event, refusing, aside, (at, reply, more) => {
        const isHeld = canHold(at.session.client, at.kind);
        expect(outcome(at, { ...more, ...reply }).obeyed).toBe(isHeld ? 'refused' : 'passed');
        expect(untold(at, { ...more, ...reply }).includes('refusal')).toBe(!isHeld);
      }),
      { numRuns: 5_000 },
    );
  });

  it('what is not refused happens, and is not approved in the place of the person', () => {
    const allowing: fc.Arbitrary<HookReply> = fc.oneof(
      fc.constant({}),
      fc.constant({ verdict: { kind: 'allow' as const } }),
      anyText.map((advice) => ({ verdict: { kind: 'allow' as const, advice } })),
    );
    fc.assert(
      fc.property(event, allowing, aside, (at, reply, more) => {
        expect(outcome(at, { ...more, ...reply }).obeyed).toBe('passed');
      }),
      { numRuns: 3_000 },
    );
  });

  it('a rewritten call is rewritten or refused, never as it was', () => {
    const input = fc.oneof(
      fc.dictionary(fc.string(), anyText),
      fc.constantFrom<JsonObject[]>(
        { command: 'ls -l' },
        { command: '\ud800' },
        { x: 'y'.repeat(2_000_000) },
      ),
    );
    fc.assert(
      fc.property(fc.constantFrom(...CLIENTS), input, aside, (client, changed, more) => {
        const reply: HookReply = { ...more, verdict: { kind: 'rewrite', input: changed } };
        expect(['rewritten', 'refused']).toContain(outcome(happen(client, 'tool_call'), reply).obeyed);
        const asked = happen(client, 'permission_request');
        if (canHold(client, 'permission_request')) expect(outcome(asked, reply).obeyed).toBe('refused');
      }),
      { numRuns: 1_000 },
    );
    for (const client of CLIENTS) {
      const reply: HookReply = { verdict: { kind: 'rewrite', input: { command: 'ls -l' } } };
      expect(outcome(happen(client, 'tool_call'), reply).obeyed).toBe('rewritten');
    }
  });

  it('Codex: a rewritten patch is put into its words, once or twice over', () => {
    const patch = '*** Begin Patch\n*** Add File: a\n+x\n*** End Patch';
    const act = { tool: 'Write', input: { command: patch, file_path: 'a', content: 'x\n' }, file: 'a' };
    const at = happen('codex', 'tool_call', { tool: 'Write', input: { command: patch }, acts: [act] });
    const given = { ...act.input, content: 'y\n' };
    const told = (input: JsonObject) => {
      const { stdout = '{}' } = answerHook(at, { verdict: { kind: 'rewrite', input } });
      return JSON.parse(stdout).hookSpecificOutput.updatedInput;
    };
    const once = told(given);
    expect(once).toEqual({ command: expect.stringContaining('\n+y\n') });
    expect(once.command.startsWith('*** Begin Patch')).toBe(true);
    expect(told(once)).toEqual(once);
    expect(outcome(at, { verdict: { kind: 'rewrite', input: { file_path: 'a' } } }).obeyed).toBe('refused');
  });

  it('in trouble, calls, prompts and stops are refused', () => {
    for (const client of CLIENTS)
      for (const kind of ['tool_call', 'user_prompt', 'stop'] as const)
        for (const why of ['', 'nobody answers', '\ud800'])
          expect(oracles[client](happen(client, kind), inTrouble(why)).obeyed).toBe('refused');
  });

  it('the reason arrives', () => {
    for (const client of CLIENTS) {
      for (const kind of ['tool_call', 'stop'] as const)
        expect(outcome(happen(client, kind), { hold: 'not on a “Sunday”' }).told).toContain(
          'not on a “Sunday”',
        );
    }
    expect(answerHook(happen('gemini', 'user_prompt'), { hold: 'not now' }).stdout).toContain('not now');
    expect(answerHook(happen('codex', 'compact'), { hold: 'not now' }).stdout).toContain('not now');
    expect(answerHook(happen('claude', 'compact'), { hold: 'not now' }).stderr).toContain('not now');
  });
});

describe('GOB-HOOK-SAY: what is said to the model', () => {
  const words = fc.array(fc.stringMatching(/^[a-z]{3,40}$/), { minLength: 1, maxLength: 5 });

  it('arrives with every event that is said to carry it, and with no other', () => {
    fc.assert(
      fc.property(event, words, fc.constantFrom(undefined, 'no'), (at, say, hold) => {
        const reply: HookReply = { say, ...(hold !== undefined && { hold }) };
        const isRefused = hold !== undefined && canHold(at.session.client, at.kind);
        const isCarried = canCarry(at, isRefused);
        const { told } = outcome(at, reply);
        expect(say.every((one) => told.includes(one))).toBe(isCarried);
        if (isRefused || hold === undefined) expect(untold(at, reply).includes('say')).toBe(!isCarried);
      }),
      { numRuns: 3_000 },
    );
  });

  it('never goes with what a subagent does, nor with a failed call of Claude’s', () => {
    for (const client of CLIENTS)
      for (const kind of KINDS) expect(canCarry(happen(client, kind, { subagent: { id: 'a' } }))).toBe(false);
    expect(canCarry(happen('claude', 'tool_result', { error: 'gone' }))).toBe(false);
    expect(canCarry(happen('codex', 'tool_result', { error: 'gone' }))).toBe(true);
  });

  it.each(CLIENTS)('%s: is cut before the client cuts it, and says where the rest is', (client) => {
    const say = ['first', 'x'.repeat(200_000), 'last'];
    const { told } = outcome(happen(client, 'session_start'), { say });
    expect(told.length).toBeLessThanOrEqual(LONGEST_CONTEXT[client]);
    expect(told.length).toBeGreaterThan(LONGEST_CONTEXT[client] - 1_500);
    // A long text takes no room from the short ones around it.
    expect(told).toMatch(/^first\n\nx+\n\[\d+ more characters .*lockstep workflow status.*\]\n\nlast$/);
    const whole = ['a'.repeat(4_000), 'b'.repeat(4_000)];
    expect(outcome(happen(client, 'session_start'), { say: whole }).told).toBe(whole.join('\n\n'));
    const many = Array.from({ length: 5_000 }, () => 'y'.repeat(100));
    expect(outcome(happen(client, 'session_start'), { say: many }).told.length).toBeLessThanOrEqual(
      LONGEST_CONTEXT[client],
    );
  });

  it('a stop that is not held is not made to go on', () => {
    for (const client of CLIENTS) {
      expect(carries(client, 'stop')).toBe(false);
      expect(carries(client, 'stop', true)).toBe(true);
      expect(answerHook(happen(client, 'stop'), { say: ['x'] })).toEqual({ exitCode: 0 });
    }
  });
});

describe('the form of an answer', () => {
  it('is one line of JSON or none, and exit code 0 but for what Claude takes in no other way', () => {
    const reply = fc.record({ hold: anyText, say: fc.array(anyText), note: anyText }, { requiredKeys: [] });
    fc.assert(
      fc.property(event, reply, (at, given) => {
        const { stdout, stderr, exitCode } = answerHook(at, given);
        if (stdout !== undefined) expect(JSON.parse(stdout)).toBeTypeOf('object');
        expect(stdout ?? '').not.toContain('\n');
        const isClaudes = at.session.client === 'claude' && ['compact', 'settings_change'].includes(at.kind);
        const isTwo = isClaudes && given.hold !== undefined;
        expect([exitCode, stderr !== undefined]).toEqual(isTwo ? [2, true] : [0, false]);
      }),
      { numRuns: 2_000 },
    );
  });

  it('a note is shown to the person where the client has a place for it', () => {
    const shown = (client: ClientName, kind: HookKind, reply: HookReply = {}) =>
      said(answerHook(happen(client, kind), { ...reply, note: 'look here' }))?.systemMessage;
    for (const client of CLIENTS) {
      expect(shown(client, 'user_prompt')).toBe('look here');
      expect(shown(client, 'session_end')).toBeUndefined();
    }
    expect(shown('claude', 'stop', { hold: 'no' })).toBe('look here');
    expect(shown('codex', 'stop', { hold: 'no' })).toBeUndefined();
    expect(untold(happen('codex', 'stop'), { hold: 'no', note: 'look here' })).toEqual(['note']);
  });

  it('nothing is printed where there is nothing to say', () => {
    for (const client of CLIENTS)
      for (const kind of KINDS) expect(answerHook(happen(client, kind), {})).toEqual({ exitCode: 0 });
  });

  it('advice that Gemini cannot be told is said to be untold', () => {
    const reply: HookReply = { verdict: { kind: 'allow', advice: 'mind the gap' } };
    expect(untold(happen('gemini', 'tool_call'), reply)).toEqual(['advice']);
    expect(untold(happen('claude', 'tool_call'), reply)).toEqual([]);
    expect(outcome(happen('claude', 'tool_call'), reply).told).toBe('mind the gap');
  });
});
