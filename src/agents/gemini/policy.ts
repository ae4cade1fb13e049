// policy: what of a list of tools can be said to Gemini beforehand, as rules of its policy engine. Only denials: the user's
// own policies stay in force beside them. A tool denied whole is not even offered to the model.
// What depends on the call, and every tool that is not known here, is the hook's to judge.

import { BUILT_IN } from '../../clients/gemini/tools.ts';
import { isWithheld, parseToolItem } from '../../model/tool-policy.ts';
import type { ToolPolicy } from '../../model/workflow.ts';

interface Rule {
  toolName: string | string[];
  mcpName?: string;
}

/** The text of a policy file; undefined: there is nothing to say. `alsoDeny`: more of Gemini's own names. */
export function policyFor(tools: ToolPolicy, alsoDeny: readonly string[] = []): string | undefined {
  const rules: Rule[] = [];
  const withheld = Object.keys(BUILT_IN).filter((name) => isWithheld(tools, BUILT_IN[name] as string));
  const names = [...new Set([...withheld, ...alsoDeny])];
  if (names.length > 0) rules.push({ toolName: names });
  if (withholdsAllMcp(tools)) rules.push({ toolName: '*', mcpName: '*' });
  else rules.push(...tools.deny.flatMap(mcpRule));
  return rules.length === 0 ? undefined : rules.map(written).join('\n');
}

/** No item of the allow list can be about a tool of a server; or all of them are denied. */
function withholdsAllMcp({ allow, deny }: ToolPolicy): boolean {
  const nameOf = (item: string) => parseToolItem(item)?.tool ?? '';
  if (deny.some((item) => /^(\*|mcp__\*)$/.test(item.trim()))) return true;
  return allow !== undefined && !allow.some((item) => /^(mcp__|[^*]*\*)/.test(nameOf(item)));
}

function mcpRule(item: string): Rule[] {
  const parsed = parseToolItem(item);
  const [, server, tool] = /^mcp__([^*]+?)__([^*]+|\*)$/.exec(parsed?.tool ?? '') ?? [];
  if (parsed?.pattern !== undefined || server === undefined || tool === undefined) return [];
  return [{ toolName: tool, mcpName: server }];
}

function written({ toolName, mcpName }: Rule): string {
  return [
    '[[rule]]',
    `toolName = ${JSON.stringify(toolName)}`,
    ...(mcpName === undefined ? [] : [`mcpName = ${JSON.stringify(mcpName)}`]),
    'decision = "deny"',
    'priority = 999',
    'denyMessage = "This step may not use this tool."',
    '',
  ].join('\n');
}
