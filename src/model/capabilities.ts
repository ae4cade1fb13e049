// capabilities: which client can be held to what, and how. Data: the load check (`guard-unenforceable`), `doctor` and
// the table in docs/agents.md read it, and a test holds each agent's `can` to it.

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
    'tools.allow': full('PreToolUse hook; tools that fire none are not given'),
    'tools.deny': full('PreToolUse hook; without Write and Edit the sandbox is read-only'),
    'tools.patterns': full('PreToolUse hook'),
    'rules.block': full('PreToolUse hook'),
    'rules.ask': full(ASKED),
    'rules.warn': full('recorded'),
    'rules.rewrite': none('its hooks cannot change an input'),
    'read-only': full(`read-only sandbox; ${COMPARED}`),
    'system-prompt': full('developer instructions'),
    model: full('-m'),
    schema: partly('asked for, not held to: we validate'),
    session: full('exec resume'),
    mcp: full('mcp_servers of its configuration'),
    'setting-sources': none('no such notion'),
    'permission-mode': partly('a sandbox mode'),
    'max-turns': none('no such setting'),
    usage: full('turn.completed, cumulative over a session'),
    cost: none('it tells no price'),
  },
  gemini: {
    'tools.allow': full('policy file and BeforeTool hook'),
    'tools.deny': full('policy file and BeforeTool hook'),
    'tools.patterns': full('BeforeTool hook'),
    'rules.block': full('BeforeTool hook'),
    'rules.ask': full(ASKED),
    'rules.warn': full('recorded'),
    'rules.rewrite': none('not relied on'),
    'read-only': full(`policy file; ${COMPARED}`),
    'system-prompt': partly('put in front of the prompt'),
    model: full('-m'),
    schema: none('put into the prompt; we validate'),
    session: full('--resume'),
    mcp: full('mcpServers of its settings'),
    'setting-sources': none('no such notion'),
    'permission-mode': partly('an approval mode'),
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
