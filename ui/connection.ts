// connection: what the page asks of the server. Which of both there is, a server or an exported file, is known here alone.

import { signal } from '@preact/signals';
import type { ExportedRun, ProjectFacts } from '../src/ui/wire.ts';
import { address, forgetToken } from './address.ts';

/** `closed`: the server does not answer. */
export const connected = signal<'open' | 'closed' | 'shut-out'>('open');
export const project = signal<ProjectFacts | undefined>(undefined);
/** The run that this file holds; undefined: there is a server. */
export const exported = signal<ExportedRun | undefined>(undefined);

export class Refused extends Error {
  readonly hint: string | undefined;
  constructor(message: string, hint?: string) {
    super(message);
    this.hint = hint;
  }
}

async function asked(path: string, options?: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, { credentials: 'same-origin', ...options });
  } catch {
    connected.value = 'closed';
    throw new Refused('the server does not answer');
  }
  if (response.status === 401) connected.value = 'shut-out';
  if (response.ok) return response;
  const said = (await response.json().catch(() => ({}))) as { error?: string; hint?: string };
  throw new Refused(said.error ?? `the server answered ${response.status}`, said.hint);
}

export async function getJson<T>(path: string): Promise<T> {
  return (await (await asked(path)).json()) as T;
}

export async function postJson(path: string, body: object): Promise<void> {
  await asked(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

/** A log from a byte on. At most a megabyte. */
export async function getLog(run: string, name: string, from: number): Promise<Uint8Array> {
  const kept = exported.value;
  if (kept) return new TextEncoder().encode(kept.logs[name] ?? '').subarray(from < 0 ? undefined : from);
  const query = new URLSearchParams({ name, from: String(from) });
  return new Uint8Array(
    await (await asked(`/api/runs/${encodeURIComponent(run)}/log?${query}`)).arrayBuffer(),
  );
}

/** Who has the token gets the cookie; then who this project is. */
export async function enter(): Promise<void> {
  const { token } = address.value;
  if (token !== undefined) {
    forgetToken();
    await postJson('/api/enter', { token });
    connected.value = 'open';
  }
  project.value = await getJson<ProjectFacts>('/api/project');
}

/**
 * Server-sent events, for as long as the page can be seen: browsers open few connections at a time. `path` is asked for each
 * connection, so it says from where.
 */
export function follow(
  path: () => string,
  heard: Record<string, (data: string, id: string) => void>,
): () => void {
  let source: EventSource | undefined;
  let failures = 0;
  const open = (): void => {
    source = new EventSource(path());
    for (const [name, hear] of Object.entries(heard)) {
      source.addEventListener(name, (event) => {
        failures = 0;
        connected.value = 'open';
        hear((event as MessageEvent<string>).data, (event as MessageEvent<string>).lastEventId);
      });
    }
    source.addEventListener('error', () => {
      connected.value = 'closed';
      source?.close();
      source = undefined;
      failures += 1;
      setTimeout(again, Math.min(5_000, 250 * failures));
    });
  };
  let isOver = false;
  const again = (): void => {
    if (isOver || source || document.hidden) return;
    // A server that was started anew has another token: the browser has to be let in again.
    fetch('/api/project', { credentials: 'same-origin' })
      .then((response) => {
        if (response.status === 401) connected.value = 'shut-out';
        if (response.ok && !isOver && !source) open();
      })
      .catch(() => {
        connected.value = 'closed';
        failures += 1;
        setTimeout(again, Math.min(5_000, 250 * failures));
      });
  };
  const seen = (): void => {
    if (!document.hidden) return again();
    source?.close();
    source = undefined;
  };
  document.addEventListener('visibilitychange', seen);
  if (!document.hidden) open();
  return () => {
    isOver = true;
    source?.close();
    document.removeEventListener('visibilitychange', seen);
  };
}
