// agent: `agents/<name>.md` → who it is; and with the step and the defaults, who performs a prompt.
// For model, provider and each parameter the step comes first, then the agent, then what a
// person said (`--model`), then `defaults`.

import type { FileNeed, LoadedFile } from '../../model/library.ts';
import { AGENT_TOOLS, OWN_SERVER, ownToolsNamed } from '../../model/own-tools.ts';
import { isKnownTool, KNOWN_TOOLS, parseToolItem, type ToolItem } from '../../model/tool-policy.ts';
import type { Performer, ToolPolicy } from '../../model/workflow.ts';
import type { TemplateSyntax } from '../../source/dialect.ts';
import { conform } from '../../source/grammar/conform.ts';
import { agentShape } from '../../source/grammar/workflow-shape.ts';
import {
  headSpan,
  type MapNode,
  type Node,
  nodeSpan,
  type ScalarNode,
  stringOf,
} from '../../source/read/node.ts';
import { didYouMean } from '../../text/closest-name.ts';
import { type Compilation, needFor } from '../compilation.ts';
import { definitionPage } from './page.ts';
import { intersectTools } from './tools.ts';

interface AgentDefinition {
  matter: MapNode | undefined;
  body: ScalarNode;
}

export interface ResolvedPerformer {
  performer: Omit<Performer, 'params'>;
  /** The agent's body, whose templates are checked where it is used. */
  system?: ScalarNode;
  /** The same of its parameters. */
  params: [string, Node][];
}

/** `step` is the map of the step, or absent for what a workflow does by itself. */
export function resolvePerformer(
  step: Node | undefined,
  workflow: MapNode,
  compilation: Compilation,
): ResolvedPerformer {
  const { to } = compilation;
  const defaults = to.get(workflow, 'defaults');
  const reference = to.get(step, 'agent') ?? to.get(defaults, 'agent');
  const agent = reference && findAgent(reference, compilation);
  const matter = agent?.definition.matter;
  const first = (key: string, said?: string) =>
    stringOf(to.get(step, key)) ?? stringOf(to.get(matter, key)) ?? said ?? stringOf(to.get(defaults, key));
  const [provider, model] = [first('provider'), first('model', compilation.defaultModel)];
  const performer: ResolvedPerformer['performer'] = {
    ...(agent && {
      agent: { name: agent.name, source: agent.source, system: String(agent.definition.body.value) },
    }),
    ...(provider !== undefined && { provider }),
    ...(model !== undefined && { model }),
    tools: toolsFor(workflow, matter, step, compilation),
  };
  const params = mergedParams([defaults, matter, step], compilation);
  return agent ? { performer, params, system: agent.definition.body } : { performer, params };
}

function findAgent(
  node: Node,
  compilation: Compilation,
): { name: string; source: number; definition: AgentDefinition } | undefined {
  const { to } = compilation;
  // A file beside the workflow, perhaps in another language.
  const at = node.kind === 'map' ? to.get(node, 'template') : node;
  const reference = stringOf(at);
  if (at === undefined || reference === undefined) return undefined;
  const need: FileNeed =
    at === node
      ? needFor('agent', reference, node)
      : { by: 'path', kind: 'agent', path: reference, from: at.source.id };
  const file = compilation.want(need, at, 'missing-agent');
  if (file === undefined) return undefined;
  const source = compilation.source('agent', reference, file);
  const syntax = stringOf(to.get(node, 'syntax')) as TemplateSyntax | undefined;
  const definition = readAgent(file, syntax, compilation);
  const name = stringOf(compilation.to.get(definition?.matter, 'name')) ?? reference;
  return definition && { name, source, definition };
}

function readAgent(
  file: LoadedFile,
  syntax: TemplateSyntax | undefined,
  compilation: Compilation,
): AgentDefinition | undefined {
  return compilation.once(`${syntax ?? ''} agent`, file, () => {
    const page = definitionPage(file, 'agent', compilation, syntax);
    if (page === undefined) return undefined;
    if (page.matter !== undefined) conform(page.matter, agentShape, 'the front matter', compilation.to);
    return { matter: page.matter?.kind === 'map' ? page.matter : undefined, body: page.body };
  });
}

/** Lists are held against each other item by item. */
const MOST_TOOLS = 200;

/** One level: a parameter is a value, not something to merge. */
function mergedParams(
  places: readonly (Node | undefined)[],
  { to, parameters }: Compilation,
): [string, Node][] {
  const merged = new Map<string, Node>();
  for (const place of places) {
    const params = to.get(place, 'params');
    if (params?.kind !== 'map') continue;
    for (const { key, value } of params.entries.values()) if (to.fits(value)) merged.set(key, value);
  }
  for (const key of merged.keys()) parameters.add(key);
  return [...merged];
}

/** The command of a pattern that has no `*`: it means that command and nothing after it. Options may stand anywhere. */
function exactCommand(parsed: ToolItem | undefined): string | undefined {
  if (parsed?.tool !== 'Bash' || parsed.pattern === undefined) return undefined;
  const command = parsed.pattern.trim();
  return command === '' || command.includes('*') || /(?:^|\s)-/.test(command) ? undefined : command;
}

export function toolPolicy(tools: Node | undefined, { to, report }: Compilation): ToolPolicy {
  const items = (key: string): string[] | undefined => {
    const list = to.get(tools, key);
    if (list?.kind !== 'list') return undefined;
    if (list.items.length > MOST_TOOLS) {
      report.error(
        'bad-tool',
        headSpan(list),
        `more than ${MOST_TOOLS} tools in one list`,
        'Name them with `*`.',
      );
    }
    return list.items.slice(0, MOST_TOOLS).flatMap((item) => {
      const text = to.fits(item) ? stringOf(item) : undefined;
      if (text === undefined) return [];
      const parsed = parseToolItem(text);
      const unknown = parsed && whyUnknown(parsed.tool, key);
      if (unknown) report.warn('unknown-tool', nodeSpan(item), unknown.message, unknown.hint);
      const command = key === 'deny' ? exactCommand(parsed) : undefined;
      if (command !== undefined && !list.items.some((one) => stringOf(one)?.startsWith(`Bash(${command} *`)))
        report.warn(
          'narrow-denial',
          nodeSpan(item),
          `\`${text}\` denies only \`${command}\` without arguments`,
          `Write \`Bash(${command} *)\`.`,
        );
      if (parsed === undefined) {
        report.error(
          'bad-tool',
          nodeSpan(item),
          `"${text}" does not name a tool`,
          'Write `Tool` or `Tool(pattern)`.',
        );
      }
      return [text];
    });
  };
  const allow = items('allow');
  const deny = items('deny') ?? [];
  return allow === undefined ? { deny } : { allow, deny };
}

/** Undefined: it is known, or may be. */
function whyUnknown(tool: string, key: string): { message: string; hint: string } | undefined {
  if (ownToolsNamed(tool).length > 0) return undefined;
  const [, own] = tool.split('__');
  if (tool.startsWith('mcp__') && own === OWN_SERVER)
    return {
      message: `"${tool}" is no tool that an agent of a run is given by Lockstep: \`${key}\` says nothing with it`,
      hint:
        didYouMean(tool.split('__').slice(2).join('__'), AGENT_TOOLS) ??
        `There are ${AGENT_TOOLS.join(', ')}.`,
    };
  if (isKnownTool(tool)) return undefined;
  return {
    message: `"${tool}" is no tool that Lockstep knows: unless the client has one of that name, \`${key}\` says nothing with it`,
    hint:
      didYouMean(tool, [...KNOWN_TOOLS, ...AGENT_TOOLS]) ??
      'Tools are Read, Write, Edit, NotebookEdit, Bash, Grep, Glob, LS, WebFetch, WebSearch and Task, whichever the client.',
  };
}

/** Workflow and agent first, once for each pair: many steps share them. */
function toolsFor(
  workflow: MapNode,
  matter: MapNode | undefined,
  step: Node | undefined,
  compilation: Compilation,
): ToolPolicy {
  const known = compilation.tools.get(workflow) ?? new Map<MapNode | undefined, ToolPolicy>();
  compilation.tools.set(workflow, known);
  const both = known.get(matter) ?? meet([workflow, matter], matter ?? workflow, compilation);
  known.set(matter, both);
  const own = compilation.to.get(step, 'tools');
  if (own === undefined) return { ...both };
  return meetWith(both, toolPolicy(own, compilation), own, compilation);
}

function meet(places: readonly (Node | undefined)[], at: Node, compilation: Compilation): ToolPolicy {
  const [first = { deny: [] }, second = { deny: [] }] = places.map((place) =>
    toolPolicy(compilation.to.get(place, 'tools'), compilation),
  );
  return meetWith(first, second, compilation.to.get(at, 'tools') ?? at, compilation);
}

function meetWith(one: ToolPolicy, other: ToolPolicy, at: Node, { report }: Compilation): ToolPolicy {
  const { policy, unclear } = intersectTools([one, other]);
  for (const [left, right] of unclear.slice(0, MOST_TOOLS)) {
    report.warn(
      'tools-unclear',
      headSpan(at),
      `\`${left}\` and \`${right}\` are both allow lists here, and neither covers the other, so together they allow nothing`,
      'Write the tools that are meant into the step.',
    );
  }
  return policy;
}
