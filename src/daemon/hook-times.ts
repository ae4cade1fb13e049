// hook-times: how long the hook program waits for an answer to an event, and what becomes of one that nobody answers.

import { installedHooks, patienceMs } from '../clients/hooks.ts';
import type { ClientName, HookKind } from '../model/live-session.ts';

export interface HookTime {
  patienceMs: number;
  /** Nobody answers: it is refused, with exit code 2. Without this it happens, and a note says so. */
  closed: boolean;
}

const CLOSED: readonly HookKind[] = ['tool_call', 'permission_request', 'stop', 'settings_change'];

/** `event` as the client names it. One that is not known is treated as a call of a tool: nothing unknown gets through. */
export function hookTime(client: ClientName, event: unknown): HookTime {
  const kind = installedHooks(client).find((hook) => hook.event === event)?.kind ?? 'tool_call';
  return { patienceMs: patienceMs(client, kind), closed: isClosed(kind) };
}

export function isClosed(kind: HookKind): boolean {
  return CLOSED.includes(kind);
}
