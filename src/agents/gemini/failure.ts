// failure: how Gemini says that it could not, in our classes. It ends with an exit code of its own, or with the status of
// the API modulo 256 (429 → 173), and says the rest in its last message or on stderr, among much else.

import type { AgentAnswer } from '../../ports/agent.ts';
import type { StreamEnd } from './stream.ts';

type Failure = NonNullable<AgentAnswer['error']>;

/** Exit codes of its own. */
const OWN: Readonly<Record<number, Omit<Failure, 'message'> & { means: string }>> = {
  41: {
    class: 'error',
    means: 'it is not signed in',
    hint: 'Set GEMINI_API_KEY (a secret of the step, or in the environment), or sign in once with `gemini`.',
  },
  42: { class: 'error', means: 'it did not take what it was given' },
  44: { class: 'error', means: 'its sandbox could not be started' },
  52: {
    class: 'error',
    means: 'its settings cannot be used',
    hint: 'Look at ~/.gemini/settings.json, and at .gemini/settings.json of the project.',
  },
  53: {
    class: 'limit',
    means: 'it reached its limit of turns',
    hint: 'Raise `max_turns` in the `params` of the step, or give it less to do.',
  },
  54: { class: 'error', means: 'a tool failed for good' },
  55: {
    class: 'error',
    means: 'it does not trust the folder it is to work in',
    hint: 'An administrator forbids to trust it by GEMINI_CLI_TRUST_WORKSPACE: trust it in `gemini` once.',
  },
};

const STATUSES = [400, 401, 403, 404, 408, 413, 429, 499, 500, 502, 503, 504, 529];
const NOISE =
  /^(Warning: (256-color|True color)|YOLO mode is enabled|Ripgrep is not|\[STARTUP\]|Loaded cached|Approval mode overridden|Hook |\s+at )/;
const COLOURS = /\u001b\[[0-9;]*m/g;

/** Of an end that is none of success. `complaints`: what it said along the way. */
export function failureOf(
  end: StreamEnd | undefined,
  exitCode: number,
  stderr: string,
  complaints: readonly string[],
): Failure {
  const said = end?.error?.message ?? complaints.at(-1) ?? lastWords(stderr);
  if (complaints.some((complaint) => /session turns exceeded/i.test(complaint))) return own(53, said);
  if (Object.hasOwn(OWN, exitCode)) return own(exitCode, said);
  if (/^\[API Error/.test(said)) return apiFailure(said, exitCode);
  if (end !== undefined) return { class: 'error', message: `gemini: ${shortened(said) || 'it failed'}` };
  const words = shortened(said);
  return { class: 'exit', message: `gemini ended with exit code ${exitCode}${words && `: ${words}`}` };
}

function own(exitCode: number, said: string): Failure {
  const { means, ...failure } = OWN[exitCode] as (typeof OWN)[number];
  const words = shortened(said);
  return { ...failure, message: `gemini: ${means}${words && `: ${words}`}` };
}

function apiFailure(said: string, exitCode: number): Failure {
  const inner = /^\[API Error: ([\s\S]*)\]/.exec(said)?.[1] ?? said;
  const { code, message } = parsed(inner);
  const status = code ?? STATUSES.find((known) => known % 256 === exitCode);
  const words = shortened(message ?? inner);
  const text = `gemini: the API answered ${status === undefined ? 'with an error' : status}: ${words}`;
  const retryAfter = waitOf(said);
  const wait = retryAfter === undefined ? {} : { retryAfter };
  if (status === 429 || /RESOURCE_EXHAUSTED|exhausted your (daily )?(quota|capacity)/i.test(said))
    return { class: 'rate-limit', message: text, ...wait };
  if (status !== undefined && [499, 502, 503, 504, 529].includes(status))
    return { class: 'overloaded', message: text, ...wait };
  if (status === 401 || status === 403)
    return {
      class: 'error',
      message: text,
      hint: 'Is the key of GEMINI_API_KEY valid, and may it use this model?',
    };
  return { class: 'error', message: text };
}

function parsed(text: string): { code?: number; message?: string } {
  try {
    const { error } = JSON.parse(text) as { error?: { code?: unknown; message?: unknown } };
    return {
      ...(typeof error?.code === 'number' && { code: error.code }),
      ...(typeof error?.message === 'string' && { message: error.message }),
    };
  } catch {
    return {};
  }
}

/** In milliseconds. */
function waitOf(text: string): number | undefined {
  const [, amount, unit] = /(?:retry after|retry in) ([0-9.]+)(ms|s|m|h)\b/i.exec(text) ?? [];
  if (amount === undefined) return undefined;
  const factor = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }[unit as 'ms' | 's' | 'm' | 'h'];
  const wait = Math.ceil(Number(amount) * factor);
  return Number.isFinite(wait) ? wait : undefined;
}

/** The first line that says what happened; Gemini prints advice and notes around it. */
function lastWords(stderr: string): string {
  const lines = stderr
    .replace(COLOURS, '')
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '' && !NOISE.test(line));
  return (
    lines.find((line) => /error|fail|must|not |invalid|cannot/i.test(line)) ??
    lines.at(-1) ??
    ''
  ).trim();
}

function shortened(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > 400 ? `${line.slice(0, 399)}…` : line;
}
