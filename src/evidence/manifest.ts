// manifest: what of a package.json says how tests are run: scripts that the test command comes to, what a script or an
// install runs besides, settings of runners, and where a runner itself comes from.

import { isObject, type Json, type JsonObject } from '../model/json.ts';

export interface SettingChange {
  /** `scripts.test`. */
  setting: string;
  old?: string;
  now?: string;
}

const SETTINGS = ['workspaces', 'jest', 'mocha', 'vitest', 'ava', 'tap', 'nyc', 'c8', 'imports'];
/** What `npm ci` runs: a script there can change the runner. */
const AT_INSTALL = ['preinstall', 'install', 'postinstall', 'prepare'];
const RUNNERS =
  /^(?:vitest|jest|mocha|ava|tap|tape|jasmine|karma|playwright|tsx|ts-node|cross-env|npm-run-all|@jest\/.*|@vitest\/.*|@playwright\/test)$/;
/** Not from a registry: whoever wrote the manifest wrote the runner. */
const ELSEWHERE = /^(?:file:|link:|portal:|patch:|git|https?:|npm:|\.|\/|workspace:|github:)/;

export function manifestChanges(old: string, now: string, command: string): SettingChange[] {
  const [before, after] = [parsed(old), parsed(now)];
  if (before === undefined) return [];
  if (after === undefined) return [{ setting: 'the file', now: 'is not JSON any more' }];
  const names = new Set([...scriptsOf(before, command), ...scriptsOf(after, command), ...AT_INSTALL]);
  return [
    ...[...names].flatMap((name) => change(`scripts.${name}`, script(before, name), script(after, name))),
    ...SETTINGS.flatMap((name) => change(name, before[name], after[name])),
    ...runnerChanges(before, after),
  ];
}

/** The lines that the command comes to, with what runs before and after each. */
export function commandLines(manifest: string, command: string): string[] {
  const value = parsed(manifest);
  if (value === undefined) return [];
  return [...scriptsOf(value, command)].flatMap((name) => script(value, name) ?? []);
}

/** Names of scripts: those of the command, and all that they name in turn. */
function scriptsOf(manifest: JsonObject, command: string): Set<string> {
  const found = new Set<string>();
  const waiting = namedScripts(command);
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (found.has(name)) continue;
    found.add(name);
    const line = script(manifest, name);
    if (line === undefined) continue;
    waiting.push(`pre${name}`, `post${name}`, ...namedScripts(line));
  }
  return found;
}

const RUNS =
  /\b(?:npm|pnpm|yarn|bun)\b((?:\s+(?:-[\w-]+(?:=\S+)?|run|run-script|exec|workspaces?|foreach|recursive))*)\s+([\w:.@/-]+)/g;
const RUNS_ALL = /\b(?:run-s|run-p|npm-run-all)\b([^&|;]*)/g;

function namedScripts(line: string): string[] {
  const names = [...line.matchAll(RUNS)].flatMap(([, , name]) => (name === 't' ? 'test' : (name ?? [])));
  const all = [...line.matchAll(RUNS_ALL)].flatMap(([, words]) =>
    (words ?? '').split(/\s+/).filter((word) => /^[\w:.-]+$/.test(word) && !word.startsWith('-')),
  );
  // `npm test -w web`: the flag's value is taken for a name above, and the command for a flag's.
  const test = /\b(?:npm|pnpm|yarn|bun)\b[^&|;]*\btest\b/.test(line) ? ['test'] : [];
  return [...names, ...all, ...test];
}

function runnerChanges(before: JsonObject, after: JsonObject): SettingChange[] {
  const kinds = ['dependencies', 'devDependencies', 'optionalDependencies', 'overrides', 'resolutions'];
  return kinds.flatMap((kind) => {
    const [old, now] = [mapOf(before[kind]), mapOf(after[kind])];
    return Object.keys(now)
      .filter((name) => RUNNERS.test(name))
      .flatMap((name) => {
        const to = typeof now[name] === 'string' ? now[name] : JSON.stringify(now[name]);
        return ELSEWHERE.test(to) || kind === 'overrides' || kind === 'resolutions'
          ? change(`${kind}.${name}`, old[name], now[name])
          : [];
      });
  });
}

/** Dependencies that came, went, or are wanted in another version: shown, and nothing more. */
export function dependencyChanges(old: string, now: string): string[] {
  const [before, after] = [parsed(old) ?? {}, parsed(now) ?? {}];
  return ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'].flatMap((kind) => {
    const [was, is] = [mapOf(before[kind]), mapOf(after[kind])];
    return [...new Set([...Object.keys(was), ...Object.keys(is)])].flatMap((name) =>
      change(name, was[name], is[name]).map(
        ({ old, now }) => `${name} ${old ?? '(new)'} → ${now ?? '(gone)'}`,
      ),
    );
  });
}

/** Today's, with what defines the tests as base has it: so that base's tests run as base runs them, on today's dependencies. */
export function withDefinitionsOf(base: string, now: string): string {
  const [before, after] = [parsed(base), parsed(now)];
  if (before === undefined || after === undefined) return now;
  const merged: JsonObject = { ...after };
  for (const name of ['scripts', ...SETTINGS]) {
    if (before[name] === undefined) delete merged[name];
    else merged[name] = before[name];
  }
  return `${JSON.stringify(merged, null, 2)}\n`;
}

function script(manifest: JsonObject, name: string): string | undefined {
  const scripts = mapOf(manifest.scripts);
  const line = Object.hasOwn(scripts, name) ? scripts[name] : undefined;
  return typeof line === 'string' ? line : undefined;
}

function change(setting: string, old: Json | undefined, now: Json | undefined): SettingChange[] {
  const [was, is] = [told(old), told(now)];
  if (was === is) return [];
  return [{ setting, ...(was !== undefined && { old: was }), ...(is !== undefined && { now: is }) }];
}

function told(value: Json | undefined): string | undefined {
  return value === undefined || typeof value === 'string' ? value : JSON.stringify(value);
}

function mapOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

function parsed(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
