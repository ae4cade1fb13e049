// tools: what a phase may use, as the lists of ours.

import { type BuiltEntry, built } from '../../source/build-nodes.ts';
import { type Node, nodeSpan, stringOf } from '../../source/read/node.ts';
import type { Exits } from './exits.ts';
import { type ForeignPhase, itemsOf } from './outline.ts';
import type { Translation } from './translation.ts';

const WRITING = ['Write', 'Edit', 'NotebookEdit', 'MultiEdit', 'Bash'];

/** undefined: all of them. */
function listed(phase: ForeignPhase, key: string, { to }: Translation): Node[] | undefined {
  const node = to.get(phase.node, key);
  if (node === undefined) return undefined;
  if (node.kind === 'scalar') return isAll(node) ? undefined : [node];
  const items = itemsOf(node);
  return items.some(isAll) ? undefined : [...items];
}

function isAll(node: Node): boolean {
  return ['all', '*'].includes(stringOf(node) ?? '');
}

export function toolsOf(phase: ForeignPhase, translation: Translation): BuiltEntry[] {
  const { to } = translation;
  const allow = listed(phase, 'allowed_tools', translation);
  const blocked = to.get(phase.node, 'blocked_tools');
  const deny =
    blocked === undefined
      ? []
      : (listed(phase, 'blocked_tools', translation) ?? [built(blocked).scalar('*')]);
  if (allow === undefined && deny.length === 0) return [];
  const make = built(to.get(phase.node, 'allowed_tools') ?? blocked ?? phase.node);
  const key = (name: string) => to.entry(phase.node, name)?.keyNode;
  return [
    [
      'tools',
      make.map([
        ['allow', allow && make.list(allow), key('allowed_tools')],
        ['deny', deny.length === 0 ? undefined : make.list(deny), key('blocked_tools')],
      ]),
      key('allowed_tools') ?? key('blocked_tools'),
    ],
  ];
}

function mayUse(phase: ForeignPhase, tool: string, translation: Translation): boolean {
  const names = (nodes: Node[] | undefined) => nodes?.map((node) => stringOf(node) ?? '');
  const allow = names(listed(phase, 'allowed_tools', translation));
  const deny = names(listed(phase, 'blocked_tools', translation)) ?? [];
  const isAllowed = allow === undefined || allow.some((item) => item === tool || item.startsWith(`${tool}(`));
  return isAllowed && !deny.includes(tool);
}

export function mayWrite(phase: ForeignPhase, translation: Translation): boolean {
  return WRITING.some((tool) => mayUse(phase, tool, translation));
}

/** A phase that wants a file, and has no tool that makes one. */
export function reportOutOfReach(phase: ForeignPhase, { artifacts }: Exits, translation: Translation): void {
  if (mayWrite(phase, translation)) return;
  for (const pattern of artifacts)
    translation.to.report.warn(
      'artifact-out-of-reach',
      nodeSpan(pattern),
      `the phase "${phase.name}" wants a file, and has no tool that can make one: only a person, or the file that is there already, lets it end`,
      'Allow `Write(…)` with the pattern in `allowed_tools` of this phase, and take `Write` out of `blocked_tools`.',
    );
}
