// installed-hooks: the events that Lockstep asks each client to tell it about, how long each may take, and what becomes of one
// that nobody answers. `lockstep init --client`, the plugin and the hook program all read this table.
//
// I1. Time-outs are whole numbers that the client takes: Codex refuses a file with any other, Claude drops every hook of that
//     event, Gemini counts milliseconds and takes 2,147,483,647 at most.
// I2. The hook program gives up before the client does: a client lets through what a hook did not answer in time.
// I3. Gemini is not asked about PreCompress: it sends one before every call of the model, whether it compresses or not.

import type { ClientName } from '../model/live-session.ts';

export interface InstalledHook {
  /** As the client names it. */
  event: string;
  /** Seconds that the client is told to wait. */
  timeout: number;
  /** Seconds after which the hook program gives up. */
  patience: number;
  /** Nobody answers: the event is refused (exit code 2). Without it the event happens, and a note says so. */
  closed: boolean;
  /** The client takes a pattern of tools with it; ours is all of them. */
  tools?: true;
}

const CALL = { timeout: 60, patience: 50 };
/** A check at the end of a turn may take its time (live.md 3.4). */
const STOP = { timeout: 600, patience: 590 };
/** Clients leave soon: Codex waits three seconds whatever it is told. */
const END = { timeout: 10, patience: 2.5 };

const told = (event: string, time = CALL): InstalledHook => ({ event, ...time, closed: false });
const asked = (event: string, time = CALL): InstalledHook => ({ event, ...time, closed: true });

export const INSTALLED_HOOKS: Record<ClientName, readonly InstalledHook[]> = {
  claude: [
    told('SessionStart'),
    told('UserPromptSubmit'),
    { ...asked('PreToolUse'), tools: true },
    { ...asked('PermissionRequest'), tools: true },
    { ...told('PostToolUse'), tools: true },
    { ...told('PostToolUseFailure'), tools: true },
    told('SubagentStop'),
    asked('Stop', STOP),
    told('PreCompact'),
    asked('ConfigChange'),
    told('SessionEnd', END),
  ],
  codex: [
    told('SessionStart'),
    told('UserPromptSubmit'),
    { ...asked('PreToolUse'), tools: true },
    { ...told('PostToolUse'), tools: true },
    told('SubagentStop'),
    asked('Stop', STOP),
    told('PreCompact'),
    told('SessionEnd', END),
  ],
  gemini: [
    told('SessionStart'),
    told('BeforeAgent'),
    { ...asked('BeforeTool'), tools: true },
    { ...told('AfterTool'), tools: true },
    asked('AfterAgent', STOP),
    told('SessionEnd', END),
  ],
};

/** An event that is not in the table is asked as a tool call is: nothing that is unknown gets through. */
const UNKNOWN: InstalledHook = asked('');

export function installedHook(client: ClientName, event: unknown): InstalledHook {
  return INSTALLED_HOOKS[client].find((each) => each.event === event) ?? UNKNOWN;
}
