// tools: allow lists intersect, deny lists unite (rule 8).
//
// An item is a tool (`Read`), a tool with what it may touch (`Write(docs/**)`, `Bash(npm test *)`), or a name with `*`
// in it (`mcp__github__*`). Two items meet in the narrower one, where one of them covers the other:
//   Write            with  Write(docs/**)      →  Write(docs/**)
//   Bash(npm *)      with  Bash(npm test *)    →  Bash(npm test *)
//   mcp__github__*   with  mcp__github__get    →  mcp__github__get
//   mcp__lockstep__* with  mcp__wrangler__issues_get  →  mcp__wrangler__issues_get (the same tool: model/own-tools.ts)
// Two patterns that overlap without one covering the other (`Write(docs/**)` with `Write(**/*.md)`) have no item that
// says what they share. Such a pair allows nothing, which is safe, and is reported, so that somebody writes it out.

import { firstSpelling } from '../../model/own-tools.ts';
import { parseToolItem, type ToolItem } from '../../model/tool-policy.ts';
import type { ToolPolicy } from '../../model/workflow.ts';

export interface Intersection {
  policy: ToolPolicy;
  /** Pairs that may overlap, and that no item can say. */
  unclear: [string, string][];
}

/** Longer items are compared as they stand: matching takes the product of both lengths. */
const LONGEST = 200;

export function intersectTools(policies: readonly ToolPolicy[]): Intersection {
  const unclear: [string, string][] = [];
  let allow: string[] | undefined;
  for (const policy of policies) {
    if (policy.allow === undefined) continue;
    allow = allow === undefined ? unique(policy.allow) : meetLists(allow, policy.allow, unclear);
  }
  const deny = unique(policies.flatMap((policy) => policy.deny));
  return { policy: allow === undefined ? { deny } : { allow, deny }, unclear };
}

function meetLists(left: readonly string[], right: readonly string[], unclear: [string, string][]): string[] {
  const others = right.map((text) => ({ text, item: parseToolItem(text) }));
  const met: string[] = [];
  for (const one of left) {
    const item = parseToolItem(one);
    for (const other of others) {
      if (item === undefined || other.item === undefined) {
        if (one === other.text) met.push(one);
        continue;
      }
      const narrower = meet(item, other.item);
      if (narrower === 'unclear') unclear.push([one, other.text]);
      else if (narrower !== undefined) met.push(narrower === item ? one : written(narrower));
    }
  }
  return unique(met);
}

function written({ tool, pattern }: ToolItem): string {
  return pattern === undefined ? tool : `${tool}(${pattern})`;
}

function meet(left: ToolItem, right: ToolItem): ToolItem | 'unclear' | undefined {
  if (covers(right, left)) return left;
  if (covers(left, right)) return right;
  const wider = isNameOf(left, right);
  if (!wider && !isNameOf(right, left)) return undefined;
  // A name and a pattern, each narrower than the other's: `mcp__*(x)` with `mcp__a` is `mcp__a(x)`.
  if (left.pattern !== undefined && right.pattern !== undefined) return 'unclear';
  const pattern = left.pattern ?? right.pattern;
  const tool = wider ? right.tool : left.tool;
  return pattern === undefined ? { tool } : { tool, pattern };
}

/** Whether everything that `narrow` allows, `wide` allows too. */
export function covers(wide: ToolItem, narrow: ToolItem): boolean {
  if (!isNameOf(wide, narrow)) return false;
  if (wide.pattern === undefined) return true;
  if (narrow.pattern === undefined) return false;
  if (wide.pattern === narrow.pattern) return true;
  return wildcard(wide.pattern, narrow.pattern, narrow.tool !== 'Bash');
}

/** Our own tools go by several names. */
function isNameOf(wide: ToolItem, narrow: ToolItem): boolean {
  return wildcard(firstSpelling(wide.tool), firstSpelling(narrow.tool), false);
}

/**
 * Whether a pattern matches another pattern taken as text, which is then narrower: whatever the `*` of the other
 * stands for is matched by a `*` of this one. For paths `*` stays within a folder and `**` does not, so a `**` of the
 * other one can only be matched by a `**`.
 */
function wildcard(wide: string, narrow: string, paths: boolean): boolean {
  if (wide === narrow || !wide.includes('*')) return wide === narrow;
  if (wide.length > LONGEST || narrow.length > LONGEST) return false;
  const pieces = tokens(wide, paths);
  const letters = tokens(narrow, paths);
  // reach[j]: the pieces so far can match exactly the first j letters.
  let reach = Array.from({ length: letters.length + 1 }, (_, index) => index === 0);
  for (const piece of pieces) {
    const next: boolean[] = [];
    for (let at = 0; at <= letters.length; at++) {
      const before = at > 0 ? letters[at - 1] : undefined;
      if (piece === '**') next[at] = (reach[at] ?? false) || (at > 0 && (next[at - 1] ?? false));
      else if (piece === '*') {
        const within = !paths || (before !== '/' && before !== '**');
        next[at] = (reach[at] ?? false) || (at > 0 && within && (next[at - 1] ?? false));
      } else next[at] = at > 0 && piece === before && (reach[at - 1] ?? false);
    }
    reach = next;
  }
  return reach[letters.length] ?? false;
}

function tokens(pattern: string, paths: boolean): string[] {
  return paths ? (pattern.match(/\*\*|[\s\S]/g) ?? []) : pattern.replace(/:\*$/, '*').split('');
}

function unique(items: readonly string[]): string[] {
  return [...new Set(items)];
}
