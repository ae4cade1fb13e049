// capabilities: which client can be held to what, and how. Data: the load check (`guard-unenforceable`), `doctor` and
// the table in docs/agents.md read it, and a test holds each agent's `can` to it.

import type { Rule, ToolPolicy } from './workflow.ts';

export type Client = 'claude' | 'codex' | 'gemini' | 'command' | 'script';

export type Capability =
  // what binds the agent's hands
  | 'tools.allow'
  | 'tools.deny'
  | 'tools.patterns'
  | 'rules.block'
  | 'rules.ask'
  | 'rules.warn'
  | 'rules.rewrite'
  | 'read-only'
  // what it can be given, and what it tells
  | 'system-prompt'
  | 'model'
  | 'schema'
  | 'session'
  | 'mcp'
  | 'setting-sources'
  | 'permission-mode'
  | 'max-turns'
  | 'usage'
  | 'cost';

/** full: always. partly: see `how`; what is not covered counts as not enforced. none: not at all. */
export interface Support {
  level: 'full' | 'partly' | 'none';
  /** By what means, or what is missing: a short phrase. */
  how: string;
}

const full = (how: string): Support => ({ level: 'full', how });
const partly = (how: string): Support => ({ level: 'partly', how });
const none = (how: string): Support => ({ level: 'none', how });

const ASKED = 'denied, with the question as the reason: nobody is asked in the middle of a turn';
const COMPARED = 'git is compared before and after';

export const CAPABILITIES: Readonly<Record<Client, Readonly<Record<Capability, Support>>>> = {
  claude: {
    'tools.allow': full('PreToolUse hook'),
    'tools.deny': full('PreToolUse hook; a tool denied whole is not given'),
    'tools.patterns': full('PreToolUse hook'),
    'rules.block': full('PreToolUse hook'),
    'rules.ask': full(ASKED),
    'rules.warn': full('recorded, and told to the model'),
    'rules.rewrite': full('updatedInput of the PreToolUse hook'),
    'read-only': full(COMPARED),
    'system-prompt': full('appended to its own'),
    model: full('model'),
    schema: full('a StructuredOutput tool'),
    session: full('resume'),
    mcp: full('mcp config'),
    'setting-sources': full('setting sources'),
    'permission-mode': full('permission mode'),
    'max-turns': full('max turns'),
    usage: full('result message'),
    cost: partly('unknown for a model whose price it does not know'),
  },
  codex: {
    'tools.allow': full('PreToolUse hook; a plain `cat`, `ls` or `rg` counts as Read, LS or Grep'),
    'tools.deny': full('PreToolUse hook; without Write and Edit the sandbox is read-only'),
    'tools.patterns': full('PreToolUse hook'),
    'rules.block': full('PreToolUse hook; input to a command that is running is not judged again'),
    'rules.ask': full(ASKED),
    'rules.warn': full('recorded, and told to the model'),
    'rules.rewrite': full('updatedInput of the PreToolUse hook'),
    'read-only': full(`read-only sandbox; ${COMPARED}`),
    'system-prompt': full('developer instructions'),
    model: full('-m'),
    schema: partly('asked for in strict mode, else in the prompt; not held to: we validate'),
    session: full('exec resume'),
    mcp: full('mcp_servers of its configuration'),
    'setting-sources': partly('project: trusted or not; the configuration of its user is always loaded'),
    'permission-mode': full('a sandbox mode'),
    'max-turns': none('no such setting'),
    usage: full('turn.completed, cumulative over a session'),
    cost: none('it tells no price'),
  },
  gemini: {
    'tools.allow': full('BeforeTool hook; what is not listed is not given'),
    'tools.deny': full('BeforeTool hook; a tool denied whole is not given'),
    'tools.patterns': full('BeforeTool hook'),
    'rules.block': full('BeforeTool hook'),
    'rules.ask': full(ASKED),
    'rules.warn': full('recorded'),
    'rules.rewrite': full('tool_input of the BeforeTool hook'),
    'read-only': full(COMPARED),
    'system-prompt': full('context appended to its own'),
    model: full('-m'),
    schema: none('put into the prompt; we validate'),
    session: full('--resume'),
    mcp: full('mcpServers of its settings'),
    'setting-sources': none('those of its user and of the project are always loaded'),
    'permission-mode': full('an approval mode'),
    'max-turns': full('maxSessionTurns of its settings'),
    usage: full('stats of the result'),
    cost: none('it tells no price'),
  },
  command: {
    'tools.allow': none('a command does as it likes'),
    'tools.deny': none('a command does as it likes'),
    'tools.patterns': none('a command does as it likes'),
    'rules.block': none('its calls are not seen'),
    'rules.ask': none('its calls are not seen'),
    'rules.warn': none('its calls are not seen'),
    'rules.rewrite': none('its calls are not seen'),
    'read-only': full(COMPARED),
    'system-prompt': partly('`{{ system }}`, else in front of the prompt'),
    model: partly('`{{ model }}`'),
    schema: none('put into the prompt; we validate'),
    session: none('every dispatch is a fresh one'),
    mcp: partly('`{{ mcp_servers }}`'),
    'setting-sources': partly('`{{ setting_sources }}`'),
    'permission-mode': partly('`{{ permission_mode }}`'),
    'max-turns': partly('`{{ max_turns }}`'),
    usage: none('it tells none'),
    cost: none('it tells none'),
  },
  script: {
    'tools.allow': full('asked before each act'),
    'tools.deny': full('asked before each act'),
    'tools.patterns': full('asked before each act'),
    'rules.block': full('asked before each act'),
    'rules.ask': full(ASKED),
    'rules.warn': full('recorded'),
    'rules.rewrite': full('the rewritten act is done'),
    'read-only': full(COMPARED),
    'system-prompt': full('not looked at'),
    model: full('not looked at'),
    schema: full('`output`'),
    session: full('an id that goes on'),
    mcp: full('not looked at'),
    'setting-sources': full('not looked at'),
    'permission-mode': full('not looked at'),
    'max-turns': full('not looked at'),
    usage: full('as scripted'),
    cost: full('as scripted'),
  },
};

/** A template of the workflow's own goes before a client of that name. Undefined: nobody knows such a provider. */
export function clientOf(provider: string, templates: Readonly<Record<string, unknown>>): Client | undefined {
  if (Object.hasOwn(templates, provider)) return 'command';
  return Object.hasOwn(CAPABILITIES, provider) && provider !== 'command' ? (provider as Client) : undefined;
}

/** What somebody has to be able to enforce who is bound by these. */
export function demands({ allow, deny }: ToolPolicy, rules: readonly Rule[]): Capability[] {
  const asked: [Capability, boolean][] = [
    ['tools.allow', allow !== undefined],
    ['tools.deny', deny.length > 0],
    ['tools.patterns', [...(allow ?? []), ...deny].some((item) => item.includes('('))],
    ['rules.block', rules.some((rule) => rule.block !== undefined)],
    ['rules.ask', rules.some((rule) => rule.ask !== undefined)],
    ['rules.warn', rules.some((rule) => rule.warn !== undefined)],
    ['rules.rewrite', rules.some((rule) => rule.rewrite !== undefined)],
  ];
  return asked.filter(([, isAsked]) => isAsked).map(([capability]) => capability);
}

/** Of these, what the client cannot be held to. */
export function shortfalls(client: Client, asked: readonly Capability[]): Capability[] {
  return asked.filter((capability) => CAPABILITIES[client][capability].level !== 'full');
}
