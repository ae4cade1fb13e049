import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { workflow } from '../../test/support/workflow.ts';
import { Fault } from '../model/fault.ts';
import type { Agent } from '../ports/agent.ts';
import { systemClock } from '../system/clock.ts';
import { childProcesses } from '../system/processes.ts';
import { workspaces } from '../workspaces/workspaces.ts';
import { agentsFor } from './agents.ts';
import { clients, usableClients } from './clients.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'agents-'));
  mkdirSync(join(folder, 'bin'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function install(...names: string[]): void {
  for (const name of names) {
    const path = join(folder, 'bin', name);
    writeFileSync(path, '#!/bin/sh\n');
    chmodSync(path, 0o755);
  }
}

function find(provider?: string, environment: Record<string, string> = {}, providers = {}): Agent {
  const processes = childProcesses({});
  const clock = systemClock();
  const parts = {
    processes,
    clock,
    hookDoor: { open: () => Promise.reject(new Error('no door')) },
    environment: { PATH: join(folder, 'bin'), ...environment },
    cwd: folder,
    isRoot: false,
    load: () => Promise.reject(new Error('nothing to load')),
  };
  const all = { processes, clock, workspaces: workspaces(), clients: parts };
  return agentsFor(workflow([], { providers }), undefined, all).find(provider);
}

function faultOf(action: () => unknown): Fault {
  try {
    action();
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

const template = { command: ['x'], input: 'stdin', defaults: {} };

describe('AG-PROVIDER: which agent answers', () => {
  it('the one that is named', () => {
    install('claude', 'codex', 'gemini');
    for (const name of Object.keys(clients)) expect(find(name).name).toBe(name);
  });

  it('a template of the workflow’s own goes before a client of that name', () => {
    install('claude');
    expect(find('claude', {}, { claude: template }).can.has('schema')).toBe(false);
    expect(find('claude').can.has('schema')).toBe(true);
  });

  it('the first client found, in the order claude, codex, gemini', () => {
    expect(Object.keys(clients)).toEqual(['claude', 'codex', 'gemini']);
    install('gemini');
    expect(find().name).toBe('gemini');
    install('codex');
    expect(find().name).toBe('codex');
    install('claude');
    expect(find().name).toBe('claude');
  });

  it('a command that the workflow describes, before any client', () => {
    install('claude');
    expect(find(undefined, {}, { mine: template }).name).toBe('mine');
  });

  it('LOCKSTEP_CLIENTS says which clients may be used, and in which order', () => {
    install('claude', 'codex', 'gemini');
    expect(find(undefined, { LOCKSTEP_CLIENTS: 'gemini, claude' }).name).toBe('gemini');
    expect(faultOf(() => find('codex', { LOCKSTEP_CLIENTS: 'gemini' })).code).toBe('agent-unavailable');
    expect(faultOf(() => find(undefined, { LOCKSTEP_CLIENTS: 'none' })).code).toBe('agent-unavailable');
    expect(faultOf(() => usableClients({ LOCKSTEP_CLIENTS: 'claud' }))).toMatchObject({
      code: 'setting-invalid',
      exitCode: 2,
      message: expect.stringContaining('"claud"'),
    });
    expect(usableClients({ LOCKSTEP_CLIENTS: ' ' })).toEqual(Object.keys(clients));
  });
});

describe('AG-UNAVAILABLE: nobody is there', () => {
  it.each([undefined, 'claude', 'codex', 'gemini'])('%s: what to install, and --script', (provider) => {
    const fault = faultOf(() => find(provider));
    expect(fault).toMatchObject({ code: 'agent-unavailable', exitCode: 2 });
    expect(fault.hint).toContain('--script');
    for (const name of provider === undefined ? Object.keys(clients) : [provider])
      expect(fault.hint).toContain(clients[name]?.install);
  });

  it('a name that nobody knows, and the script without one', () => {
    const unknown = faultOf(() => find('constructor'));
    expect(unknown.message).toContain('neither known nor described');
    expect(unknown.hint).toContain('Known are claude, codex, gemini and script.');
    expect(faultOf(() => find('script')).message).toContain('no --script was given');
  });
});
