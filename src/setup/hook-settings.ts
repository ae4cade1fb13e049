// hook-settings: the hooks of Lockstep in a client's settings: put in, taken out, looked at. (text) → text.
// S1. Nothing else in the text changes.
// S2. What was put in before, by whichever version, is replaced: it is there once.
// S3. Taken out means: the text as it was, but for a list or map that was empty and is empty again.

import { hookLine, isHookLine, type OwnCommand } from '../clients/hook-line.ts';
import { type InstalledHook, installedHooks } from '../clients/hooks.ts';
import { Fault } from '../model/fault.ts';
import type { ClientName, HookKind } from '../model/live-session.ts';
import {
  insertItem,
  type JsonContainer,
  type JsonItem,
  type JsonNode,
  jsonValue,
  member,
  readJsonNodes,
  removeItem,
} from '../text/json-edit.ts';

export interface HookSettings {
  client: ClientName;
  own: OwnCommand | undefined;
  /** What is refused when nobody answers. */
  isClosed(kind: HookKind): boolean;
}

/** Lists and maps that were not there before, as paths (`hooks`, `hooks/Stop`): they go when they are empty again. */
export interface Installed {
  text: string;
  made: string[];
}

/** Fault `settings-unreadable`: it is no JSON, or what hooks belong into has another shape. */
export function withHooks(text: string, settings: HookSettings, file: string): Installed {
  if (text.trim() !== '' && areInstalled(text, settings, file)) return { text, made: [] };
  let changed = text.trim() === '' || text.trim() === '\uFEFF' ? '{}\n' : withoutHooks(text, [], file);
  const made: string[] = [];
  if (member(rootOf(changed, file), 'hooks') === undefined) {
    made.push('hooks');
    changed = insertItem(changed, rootOf(changed, file), '"hooks": {}');
  }
  for (const hook of installedHooks(settings.client)) {
    const hooks = containerIn(member(rootOf(changed, file), 'hooks'), 'object', 'hooks', file);
    const group = JSON.stringify(groupOf(hook, settings), null, 2);
    const list = member(hooks, hook.event);
    if (list === undefined) {
      made.push(`hooks/${hook.event}`);
      const indented = group.replaceAll('\n', '\n  ');
      changed = insertItem(changed, hooks, `${JSON.stringify(hook.event)}: [\n  ${indented}\n]`);
    } else {
      changed = insertItem(changed, containerIn(list, 'array', `hooks.${hook.event}`, file), group);
    }
  }
  return { text: changed, made };
}

/** All of them as this version writes them, and no other of ours. */
function areInstalled(text: string, settings: HookSettings, file: string): boolean {
  const wanted = installedHooks(settings.client).map(
    (hook) => [hook.event, groupOf(hook, settings)] as const,
  );
  const found = [...hooksOf(rootOf(text, file))].filter(({ hook }) => isHookLine(textIn(hook, 'command')));
  return (
    found.length === wanted.length &&
    wanted.every(([event, group]) =>
      found.some(
        (each) =>
          each.event === event && JSON.stringify(jsonValue(each.group.node)) === JSON.stringify(group),
      ),
    )
  );
}

/** `made`: as `withHooks` told. */
export function withoutHooks(text: string, made: readonly string[], file: string): string {
  let changed = text;
  for (;;) {
    const found = ourHook(rootOf(changed, file));
    if (!found) break;
    const { list, group, hooks, hook } = found;
    changed = hooks.items.length === 1 ? removeItem(changed, list, group) : removeItem(changed, hooks, hook);
  }
  for (const path of [...made].reverse()) {
    const root = rootOf(changed, file);
    const [, event] = path.split('/');
    const parent = event === undefined ? root : member(root, 'hooks')?.node;
    const item = member(parent, event ?? 'hooks');
    if (parent?.kind !== 'object' || item === undefined || !isEmpty(item.node)) continue;
    changed = removeItem(changed, parent, item);
  }
  return changed;
}

export interface HookSeen {
  event: string;
  command: string;
  timeout: unknown;
}

/** Our hooks that are in it. */
export function hooksIn(text: string, file: string): HookSeen[] {
  return [...commandsIn(rootOf(text, file))].filter(({ command }) => isHookLine(command));
}

/** Every hook with a time-out that the client does not take, whose ever it is: it takes ours with it. */
export function invalidTimeouts(text: string, client: ClientName, file: string): HookSeen[] {
  return [...commandsIn(rootOf(text, file))].filter(
    ({ timeout }) => timeout !== undefined && !takesTimeout(client, timeout),
  );
}

function takesTimeout(client: ClientName, timeout: unknown): boolean {
  if (typeof timeout !== 'number' || !(timeout > 0)) return false;
  if (client === 'gemini') return timeout <= 2 ** 31 - 1;
  return client === 'claude' || (Number.isInteger(timeout) && timeout <= 1e10);
}

function groupOf(
  { event: _, kind, matcher, timeout }: InstalledHook,
  { client, own, isClosed }: HookSettings,
) {
  const command = hookLine(client, isClosed(kind), own);
  const name = client === 'gemini' ? { name: 'lockstep' } : {};
  return {
    ...(matcher !== undefined && { matcher }),
    hooks: [{ type: 'command', ...name, command, timeout }],
  };
}

function rootOf(text: string, file: string): JsonContainer {
  let root: JsonNode;
  try {
    root = readJsonNodes(text);
  } catch (error) {
    throw unreadable(file, `unexpected ${(error as Error).message}`);
  }
  if (root.kind === 'object') return root;
  throw unreadable(file, 'it is not a JSON object');
}

function containerIn(
  item: JsonItem | undefined,
  kind: 'object' | 'array',
  what: string,
  file: string,
): JsonContainer {
  if (item?.node.kind === kind) return item.node;
  throw unreadable(file, `\`${what}\` is not ${kind === 'object' ? 'a map' : 'a list'}`);
}

function unreadable(file: string, why: string): Fault {
  return new Fault('settings-unreadable', `${file} cannot be changed: ${why}`, {
    hint: 'Nothing was written. Mend the file, then try again.',
    exitCode: 2,
  });
}

function isEmpty(node: JsonNode): boolean {
  return node.kind !== 'value' && node.items.length === 0;
}

function* hooksOf(root: JsonNode) {
  const hooks = member(root, 'hooks')?.node;
  for (const list of hooks?.kind === 'object' ? hooks.items : []) {
    for (const group of list.node.kind === 'array' ? list.node.items : []) {
      const inner = member(group.node, 'hooks')?.node;
      for (const hook of inner?.kind === 'array' ? inner.items : [])
        yield {
          event: list.key ?? '',
          list: list.node as JsonContainer,
          group,
          hooks: inner as JsonContainer,
          hook,
        };
    }
  }
}

function ourHook(root: JsonNode) {
  for (const found of hooksOf(root)) if (isHookLine(textIn(found.hook, 'command'))) return found;
  return undefined;
}

function* commandsIn(root: JsonNode): Generator<HookSeen> {
  for (const { event, hook } of hooksOf(root)) {
    const timeout = member(hook.node, 'timeout')?.node;
    const value = timeout?.kind === 'value' ? timeout.value : timeout && 'a list or map';
    yield { event, command: textIn(hook, 'command'), timeout: value };
  }
}

function textIn(item: JsonItem, key: string): string {
  const node = member(item.node, key)?.node;
  return node?.kind === 'value' && typeof node.value === 'string' ? node.value : '';
}
