// What facts/hooks.md says each client does with the answer of a hook, as an oracle: an answer that it would ignore is
// never sent.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tries } from '../../test/support/tries.ts';
import type { Verdict } from '../model/tool-call.ts';
import { claudeAnswer } from './claude/answer.ts';
import type { ClientAnswer } from './clients.ts';
import { codexAnswer } from './codex/answer.ts';
import { geminiAnswer } from './gemini/answer.ts';

type Obeyed = 'denied' | 'rewritten' | 'as it was';
interface Said {
  hookSpecificOutput?: Record<string, unknown>;
  [field: string]: unknown;
}

/** One line of JSON, of a length that a client reads; else it is noise, and the call goes through. */
function said({ stdout = '' }: ClientAnswer): Said | undefined {
  if (stdout.includes('\n') || stdout.length > 4_000_000) return undefined;
  try {
    return JSON.parse(stdout) as Said;
  } catch {
    return undefined;
  }
}

const CODEX_FIELDS = [
  ...['hookEventName', 'permissionDecision', 'permissionDecisionReason', 'updatedInput', 'additionalContext'],
];
/** What Rust calls white space. */
const BLANK = /^[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]*$/;

const oracles: Record<string, (answer: ClientAnswer) => Obeyed> = {
  claude(answer) {
    const { hookSpecificOutput: output } = said(answer) ?? {};
    if (output?.hookEventName !== 'PreToolUse') return 'as it was';
    if (output.permissionDecision === 'deny') return 'denied';
    return output.permissionDecision === 'allow' && output.updatedInput !== undefined
      ? 'rewritten'
      : 'as it was';
  },
  codex(answer) {
    if ((answer.exitCode ?? 0) !== 0) return answer.exitCode === 2 && answer.stderr ? 'denied' : 'as it was';
    const line = answer.stdout ?? '';
    // serde refuses half a surrogate pair.
    const json = said(answer);
    if (json === undefined || /(?<!\\)(?:\\\\)*\\u[dD][89a-fA-F]/.test(line)) return 'as it was';
    const { hookSpecificOutput: output, ...others } = json;
    if (output === undefined || Object.keys(others).length > 0) return 'as it was';
    if (Object.keys(output).some((field) => !CODEX_FIELDS.includes(field))) return 'as it was';
    if (output.hookEventName !== 'PreToolUse') return 'as it was';
    const { permissionDecision: decision, permissionDecisionReason: reason } = output;
    if (decision === 'deny')
      return typeof reason === 'string' && !BLANK.test(reason) ? 'denied' : 'as it was';
    return decision === 'allow' && output.updatedInput !== undefined ? 'rewritten' : 'as it was';
  },
  gemini(answer) {
    if ((answer.exitCode ?? 0) !== 0) return answer.stderr || answer.stdout ? 'denied' : 'as it was';
    const json = said(answer);
    if (json?.decision === 'deny') return 'denied';
    return json?.hookSpecificOutput?.tool_input === undefined ? 'as it was' : 'rewritten';
  },
};
const answers: Record<string, (verdict: Verdict) => ClientAnswer> = {
  claude: (verdict) => ({ stdout: JSON.stringify(claudeAnswer(verdict, true)) }),
  codex: codexAnswer,
  gemini: geminiAnswer,
};
const obeyed = (client: string, verdict: Verdict) => oracles[client]?.(answers[client]?.(verdict) ?? {});

describe.each(['claude', 'codex', 'gemini'])('SEC-CALLS-ANSWER: K3: %s', (client) => {
  it.each([
    ['', ' ', '\t\n', '\r', '\u0000', '\u0085', '\u00a0', '\u2028', '\u2029', '\u3000', '\u200b', '\ufeff'],
    [
      'two\nlines',
      'a\u0000b',
      '\ud800',
      'a\udc00b',
      '\\ud800',
      '"}',
      '{"decision":"allow"}',
      '\u001b[2J',
      '😀',
    ],
    ['x'.repeat(5_000_000), '😀'.repeat(2_001), ' '.repeat(6_000_000), `${' '.repeat(5_000)}x`],
  ])('obeys a denial whatever its reason is', (...reasons) => {
    for (const reason of reasons)
      expect([reason.slice(0, 9), obeyed(client, { kind: 'deny', reason })]).toContain('denied');
  });

  it('obeys a denial with any text for a reason', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom('\ud800', '\udc00', ' ', '\u0085', 'a', '\\', 'u', 'd') }),
    );
    fc.assert(
      fc.property(text, (reason) => obeyed(client, { kind: 'deny', reason }) === 'denied'),
      { numRuns: tries(2_000, 400) },
    );
  });

  it('a reason that says something arrives', () => {
    const { stdout = '' } = answers[client]?.({ kind: 'deny', reason: 'not on a “Sunday”' }) ?? {};
    expect(stdout).toContain('not on a “Sunday”');
  });

  it('a rewritten call is rewritten or denied, never as it was', () => {
    const input = fc.dictionary(
      fc.string(),
      fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('\ud800', 'x'.repeat(2_000_000))),
    );
    fc.assert(
      fc.property(input, fc.string({ unit: 'binary' }), (changed, advice) => {
        const outcome = obeyed(client, { kind: 'rewrite', input: changed, advice });
        expect(['rewritten', 'denied']).toContain(outcome);
      }),
      { numRuns: tries(500, 100) },
    );
    expect(obeyed(client, { kind: 'rewrite', input: { command: 'ls' } })).toBe('rewritten');
    expect(obeyed(client, { kind: 'rewrite', input: { content: 'x'.repeat(2_000_000) } })).toBe('denied');
  });

  it('what is allowed goes through as it was', () => {
    expect(obeyed(client, { kind: 'allow' })).toBe('as it was');
    expect(obeyed(client, { kind: 'allow', advice: 'mind\nthe gap' })).toBe('as it was');
  });
});
