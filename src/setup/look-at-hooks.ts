// look-at-hooks: whether the hooks of a client are there, are of this version, and are run at all. Looks, and changes nothing. Of
// settings only what is named here is told: they may hold keys.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LINE_NUMBER, lineNumberOf } from '../clients/hook-line.ts';
import { installedHooks } from '../clients/hooks.ts';
import type { ClientName } from '../model/live-session.ts';
import { jsonValue, readJsonNodes } from '../text/json-edit.ts';
import { hooksIn, invalidTimeouts } from './hook-settings.ts';
import { clientHome, settingsFiles } from './settings-files.ts';

export interface HookSetup {
  /** Files with hooks of ours. */
  files: { file: string; missing: string[]; outdated: boolean; gone?: string }[];
  /** Our plugin is switched on (Claude Code). */
  plugin: boolean;
  /** Sentences: what keeps hooks from being run, and where it stands. */
  off: string[];
  /** Codex runs a hook only where a person has agreed to it. Absent: not of this client, or there is none. */
  trusted?: boolean;
}

interface Given {
  project: string;
  environment: Readonly<Record<string, string | undefined>>;
  exists(path: string): boolean;
}

const MANAGED = '/etc/claude-code/managed-settings.json';

export function lookAtHooks(client: ClientName, given: Given): HookSetup {
  const setup: HookSetup = { files: [], plugin: false, off: [] };
  const files = settingsFiles(client, given.project, given.environment);
  for (const file of client === 'claude' ? [...files, MANAGED] : files) {
    const text = readOr(file);
    if (text === undefined) continue;
    try {
      lookInto(setup, client, file, text, given);
    } catch (error) {
      setup.off.push(`${file} cannot be read: ${(error as Error).message}`);
    }
  }
  if (client === 'codex') lookAtTrust(setup, given);
  return setup;
}

function lookInto(setup: HookSetup, client: ClientName, file: string, text: string, given: Given): void {
  const settings = jsonValue(readJsonNodes(text)) as Record<string, unknown>;
  const ours = hooksIn(text, file);
  if (ours.length > 0) {
    const events = new Set(ours.map(({ event }) => event));
    const gone = ours.flatMap(({ command }) => pathsIn(command)).find((path) => !given.exists(path));
    setup.files.push({
      file,
      missing: installedHooks(client).flatMap(({ event }) => (events.has(event) ? [] : [event])),
      outdated: ours.some(({ command }) => lineNumberOf(command) !== LINE_NUMBER),
      ...(gone !== undefined && { gone }),
    });
  }
  for (const { event, timeout } of invalidTimeouts(text, client, file))
    setup.off.push(
      `${file}: the time-out ${JSON.stringify(timeout)} of a ${event} hook makes ${client} leave hooks out`,
    );
  const enabled = objectAt(settings, 'enabledPlugins');
  if (Object.entries(enabled).some(([name, on]) => name.startsWith('lockstep@') && on === true))
    setup.plugin = true;
  for (const name of ['disableAllHooks', 'allowManagedHooksOnly'])
    if (client === 'claude' && settings[name] === true)
      setup.off.push(`${file}: \`${name}\` switches our hooks off`);
  const { enabled: isOn, disabled } = objectAt(settings, 'hooksConfig');
  if (client !== 'gemini') return;
  if (isOn === false) setup.off.push(`${file}: \`hooksConfig.enabled: false\` switches all hooks off`);
  if (Array.isArray(disabled) && disabled.includes('lockstep'))
    setup.off.push(`${file}: \`hooksConfig.disabled\` names our hooks`);
}

/** The paths of Node and of the program that a line starts. */
function pathsIn(command: string): string[] {
  const [, words = ''] = /then set -- (.*?); else/.exec(command) ?? [];
  return words.split(/ (?=')/).map((word) => word.slice(1, -1).replaceAll(`'\\''`, "'"));
}

/** Codex keeps a hash of each hook that was agreed to; the one that judges calls stands for all. */
function lookAtTrust(setup: HookSetup, { environment }: Given): void {
  const config = readOr(join(clientHome('codex', environment), 'config.toml')) ?? '';
  if (/^\s*hooks\s*=\s*false/m.test(config))
    setup.off.push('config.toml: `features.hooks = false` switches hooks off');
  const [ours] = setup.files.flatMap(({ file }) => {
    const settings = jsonValue(readJsonNodes(readOr(file) ?? '{}')) as { hooks?: { PreToolUse?: object[] } };
    return (settings.hooks?.PreToolUse ?? []).filter((group) => JSON.stringify(group).includes('hook codex'));
  });
  if (ours !== undefined) setup.trusted = config.includes(fingerprint('pre_tool_use', ours));
}

/** As codex has it: over the hook as JSON, keys in order. */
function fingerprint(event_name: string, group: object): string {
  const { hooks, ...rest } = group as { hooks: object[] };
  const whole = { event_name, ...rest, hooks: hooks.map((hook) => ({ async: false, ...hook })) };
  const sorted = JSON.stringify(whole, (_, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
  return `sha256:${createHash('sha256').update(sorted).digest('hex')}`;
}

function objectAt(settings: Record<string, unknown>, key: string): Record<string, unknown> {
  const value = settings[key];
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function readOr(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
