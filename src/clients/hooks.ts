// hooks: what is known of each client's hooks, as tables: which are installed and how long each may take, which events can
// carry a text to the model, which can be held. What no table can mend is in hook-limits.ts. Measured: facts/hooks.md.
//
// H1. No hook is ended by its client before it has given up by itself: a hook that is ended counts for nothing, with every
//     client. So our patience is shorter than the time-out, by ten seconds where the client gives that much.
// H2. A text is only given to an event that is known to bring it to the model of the session itself. A subagent's events carry
//     none: it would be told what is meant for the session.

import type { ClientName, HookEvent, HookKind, HookReply } from '../model/live-session.ts';

export interface InstalledHook {
  /** As the client names it. */
  event: string;
  /** What it is read as. */
  kind: HookKind;
  /** For events that have one: all tools, or those that it says. */
  matcher?: string;
  /** In the client's own unit: seconds with Claude and Codex, where only whole ones are safe, milliseconds with Gemini. */
  timeout: number;
}

/** How long an event may take: until our program gives up, and until the client does. */
interface Times {
  patienceMs: number;
  timeoutMs: number;
}

/** 600 s is what Claude and Codex give by themselves, and Gemini obeys it. */
const JUDGED: Times = { patienceMs: 120_000, timeoutMs: 600_000 };
const BRIEF: Times = { patienceMs: 20_000, timeoutMs: 60_000 };

const TIMES: Readonly<Record<HookKind, Times>> = {
  session_start: { patienceMs: 45_000, timeoutMs: 60_000 },
  // Claude gives 30 s if it is not told otherwise.
  user_prompt: BRIEF,
  tool_call: JUDGED,
  permission_request: JUDGED,
  tool_result: JUDGED,
  // Checks run meanwhile.
  stop: { patienceMs: 590_000, timeoutMs: 600_000 },
  compact: BRIEF,
  settings_change: BRIEF,
  subagent_stop: BRIEF,
  // Claude ends it after 1.5 s if it is not told otherwise, Codex after about 1 s, and after 3 s where it was told ten.
  session_end: { patienceMs: 800, timeoutMs: 10_000 },
  other: BRIEF,
};

interface Named {
  event: string;
  kind: HookKind;
  matcher?: string;
}

/** For every tool, as a client's matcher says it. */
const ALL_TOOLS: Readonly<Record<ClientName, string>> = { claude: '*', codex: '.*', gemini: '*' };

/** Codex took its events from Claude. */
function sharedEvents(client: 'claude' | 'codex'): Named[] {
  const matcher = ALL_TOOLS[client];
  return [
    { event: 'SessionStart', kind: 'session_start' },
    { event: 'UserPromptSubmit', kind: 'user_prompt' },
    { event: 'PreToolUse', kind: 'tool_call', matcher },
    { event: 'PermissionRequest', kind: 'permission_request', matcher },
    { event: 'PostToolUse', kind: 'tool_result', matcher },
    { event: 'Stop', kind: 'stop' },
    { event: 'SubagentStop', kind: 'subagent_stop' },
    { event: 'PreCompact', kind: 'compact' },
    { event: 'SessionEnd', kind: 'session_end' },
  ];
}

const EVENTS: Readonly<Record<ClientName, readonly Named[]>> = {
  claude: [
    ...sharedEvents('claude'),
    { event: 'PostToolUseFailure', kind: 'tool_result', matcher: ALL_TOOLS.claude },
    { event: 'ConfigChange', kind: 'settings_change' },
  ],
  codex: sharedEvents('codex'),
  gemini: [
    { event: 'SessionStart', kind: 'session_start' },
    { event: 'BeforeAgent', kind: 'user_prompt' },
    { event: 'BeforeTool', kind: 'tool_call', matcher: ALL_TOOLS.gemini },
    { event: 'AfterTool', kind: 'tool_result', matcher: ALL_TOOLS.gemini },
    { event: 'AfterAgent', kind: 'stop' },
    // `auto` comes before every call of the model, and would cost a process each time.
    { event: 'PreCompress', kind: 'compact', matcher: 'manual' },
    { event: 'SessionEnd', kind: 'session_end' },
  ],
};

/** What is written into a client's settings. */
export function installedHooks(client: ClientName): InstalledHook[] {
  return EVENTS[client].map((named) => {
    const { timeoutMs } = TIMES[named.kind];
    return { ...named, timeout: client === 'gemini' ? timeoutMs : timeoutMs / 1_000 };
  });
}

/** How long our program waits for an answer, before it says itself that nobody has answered. */
export function patienceMs(_client: ClientName, kind: HookKind): number {
  return TIMES[kind].patienceMs;
}

/** The same as what a client gives a hook that is installed as above; a client may give less (SessionEnd). */
export function timeoutMs(_client: ClientName, kind: HookKind): number {
  return TIMES[kind].timeoutMs;
}

/**
 * Whether a text for the model goes with an event of this kind. `refused`: only in the reason of a denial or of a held stop;
 * `allowed`: only where it is not refused.
 */
type Carrying = 'always' | 'allowed' | 'refused';

const LIKE_CLAUDE: Partial<Record<HookKind, Carrying>> = {
  session_start: 'always',
  user_prompt: 'allowed',
  tool_call: 'always',
  tool_result: 'always',
  // Context at a stop that is not held makes Claude go on, and counts as a block; Codex ignores it.
  stop: 'refused',
};

const CARRIES: Readonly<Record<ClientName, Partial<Record<HookKind, Carrying>>>> = {
  claude: LIKE_CLAUDE,
  codex: LIKE_CLAUDE,
  // Lost where the call happens.
  gemini: { ...LIKE_CLAUDE, tool_call: 'refused' },
};

/** Whether `say` can go with events of this kind, where they are refused or not. */
export function carries(client: ClientName, kind: HookKind, isRefused = false): boolean {
  const carrying = CARRIES[client][kind];
  return carrying === 'always' || carrying === (isRefused ? 'refused' : 'allowed');
}

/** Whether `say` can go with this very event (H2). That Claude's PostToolUseFailure carries one was not seen. */
export function canCarry(event: HookEvent, isRefused = false): boolean {
  if (event.subagent !== undefined) return false;
  if (event.kind === 'tool_result' && event.session.client === 'claude' && event.error !== undefined)
    return false;
  return carries(event.session.client, event.kind, isRefused);
}

const HOLDS: Readonly<Record<ClientName, readonly HookKind[]>> = {
  claude: ['tool_call', 'permission_request', 'user_prompt', 'stop', 'compact', 'settings_change'],
  // A held compaction ends a run of `codex exec`.
  codex: ['tool_call', 'permission_request', 'user_prompt', 'stop', 'compact'],
  gemini: ['tool_call', 'user_prompt', 'stop'],
};

/** Whether the client can be kept from it. */
export function canHold(client: ClientName, kind: HookKind): boolean {
  return HOLDS[client].includes(kind);
}

const CLAUDES_CAP = 8;
/** After about twenty like answers Gemini asks its model no more, calls the hook on, and breaks. */
const GEMINIS_CAP = 15;

/**
 * How many stops in a row a client lets be held; undefined: any number. With Claude a tool call between them starts the count
 * anew. `setting`: Claude's CLAUDE_CODE_STOP_HOOK_BLOCK_CAP, where it is set.
 */
export function stopCap(client: ClientName, setting?: string): number | undefined {
  if (client === 'codex') return undefined;
  if (client === 'gemini') return GEMINIS_CAP;
  const cap = setting !== undefined && /^\d{1,9}$/.test(setting.trim()) ? Number(setting) : CLAUDES_CAP;
  return cap === 0 ? undefined : cap;
}

export type ReplyPart = 'refusal' | 'say' | 'note' | 'advice';

/** Why an event is not to happen; undefined: it may. A refusal counts whichever of the two words it comes in. */
export function refusalOf({ hold, verdict }: HookReply): string | undefined {
  return hold ?? (verdict?.kind === 'deny' ? verdict.reason : undefined);
}

/** What of a reply the client cannot be told with this event, for the record. */
export function untold(event: HookEvent, reply: HookReply): ReplyPart[] {
  const { session, kind } = event;
  const { verdict, say = [], note } = reply;
  const isRefused = refusalOf(reply) !== undefined;
  const advice = verdict !== undefined && verdict.kind !== 'deny' ? verdict.advice : undefined;
  const parts: [ReplyPart, boolean][] = [
    ['refusal', isRefused && !canHold(session.client, kind)],
    ['say', say.length > 0 && !canCarry(event, isRefused)],
    ['note', note !== undefined && !showsNote(event, isRefused)],
    ['advice', advice !== undefined && (session.client === 'gemini' || kind !== 'tool_call')],
  ];
  return parts.flatMap(([part, isLost]) => (isLost ? [part] : []));
}

const SHOWN: readonly HookKind[] = ['session_start', 'user_prompt', 'tool_call', 'tool_result', 'stop'];

/** Whether a person is shown `note`. Codex throws away an answer with a field too many: beside a verdict none is risked. */
export function showsNote({ session, kind }: HookEvent, isRefused: boolean): boolean {
  if (session.client === 'codex' && (isRefused || kind === 'tool_call')) return false;
  return SHOWN.includes(kind);
}
