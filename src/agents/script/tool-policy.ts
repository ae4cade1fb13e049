// tool-policy: may a tool be used so? Deny wins; an absent allow list is all, an empty one none (rule 8).
// An item is a tool, or a tool with what it may touch: `Write(docs/**)`, `Bash(npm *)`.

import picomatch from 'picomatch';
import type { ToolPolicy } from '../../model/workflow.ts';

export function allows(policy: ToolPolicy, tool: string, subject: string): boolean {
  if (policy.deny.some((item) => covers(item, tool, subject))) return false;
  return policy.allow === undefined || policy.allow.some((item) => covers(item, tool, subject));
}

function covers(item: string, tool: string, subject: string): boolean {
  const [, name, pattern] = /^([^()]+?)\s*(?:\((.*)\))?$/s.exec(item.trim()) ?? [];
  if (name !== tool && name !== '*') return false;
  if (pattern === undefined) return true;
  return tool === 'Bash' ? lineMatches(pattern, subject) : picomatch(pattern, { dot: true })(subject);
}

/** `*` is anything; Claude's `npm test:*` is `npm test` and whatever follows. */
function lineMatches(pattern: string, line: string): boolean {
  const parts = pattern.replace(/:\*$/, '*').split('*');
  if (parts.length === 1) return line === pattern;
  const first = parts[0] as string;
  const last = parts.at(-1) as string;
  if (!line.startsWith(first) || !line.endsWith(last)) return false;
  let at = first.length;
  for (const part of parts.slice(1, -1)) {
    const found = line.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return at + last.length <= line.length;
}
