// workspace: agents that work at the same time and may write share no workspace (rule 6).
//
// A tool writes if it is Write, Edit or NotebookEdit, or an MCP tool whose own name does not say that it only reads
// (it begins with get, list, read, search, find, fetch, query, describe, show, view or count, or is one of these after
// a plural: `issues_get`). Without an allow list all of them are there, the MCP tools if the step is given
// `mcp_servers`. Our own tools that change issues write nothing of the workspace: only a gate may not have them, because it
// looks and does nothing else. `deny` takes a tool away only as a whole: `Write(docs/**)` in it leaves the rest of Write.

import type { Diagnostic } from '../../model/diagnostic.ts';
import { changesIssues, ownToolsNamed } from '../../model/own-tools.ts';
import { parseToolItem, WRITING_TOOLS as WRITING } from '../../model/tool-policy.ts';
import type { PromptWork, Step, Workflow } from '../../model/workflow.ts';
import { type Spot, stepsOf } from '../flow/outline.ts';
import { covers } from '../resolve/tools.ts';
import { problem, type Subject } from './subject.ts';

const VERBS = 'get|list|read|search|find|fetch|query|describe|show|view|count';
/** After a plural they can only be verbs: `create_list` and `update_view` are something else. */
const READS_ONLY = new RegExp(`^(?:(?:${VERBS})(?![a-z])|[a-z]*[a-rt-z]s_(?:${VERBS})$)`);

export function checkWorkspaces(subject: Subject): Diagnostic[] {
  return subject.outline.spots.filter(isConcurrent).flatMap((block) => {
    const looked = new Set<Workflow>();
    const writers = stepsOf(block.step).flatMap((child) => writersIn(child, block, subject, looked));
    if (writers.length === 0) return [];
    const names = [...new Set(writers.map(({ name }) => `\`${name}\``))];
    const tools = [...new Set(writers.flatMap(({ tools: each }) => each))];
    const who = names.length === 1 ? `${names[0]} runs` : `${names.join(', ')} run`;
    return [
      problem(subject, 'error', [block.step], {
        code: 'shared-workspace',
        message: isGate(block)
          ? `a gate only looks, and ${names.join(', ')} may use ${tools.join(', ')}`
          : `${who} beside others in \`${block.step.id}\`, in one workspace, and may use ${tools.join(', ')}`,
        hint: remedy(block),
      }),
    ];
  });
}

function isGate({ step: { work } }: Spot): boolean {
  return work.kind === 'parallel' && work.gates !== undefined;
}

function isConcurrent(spot: Spot): boolean {
  const { work, workspace } = spot.step;
  // A gate only looks, also where it is alone.
  if (isGate(spot)) return true;
  if (work.kind === 'parallel') return (work.concurrency ?? work.steps.length) > 1 && work.steps.length > 1;
  return work.kind === 'each' && work.concurrency > 1 && workspace !== 'worktree';
}

function remedy(block: Spot): string {
  const { step } = block;
  const [own, one] =
    step.work.kind === 'each'
      ? ['give every pass a worktree (`workspace: worktree`)', 'leave `concurrency` out']
      : ['give each a worktree (`workspace: worktree`)', 'let them run one after the other'];
  const read =
    'Let them only read (`tools: { allow: [Read, Grep, Glob] }` or `deny: [Write, Edit, NotebookEdit]`)';
  return isGate(block) ? `${read}.` : `${read}, ${own}, or ${one}.`;
}

interface Writer {
  name: string;
  tools: string[];
}

/** Agents at any depth, those of called workflows included (each of these once), down to what has a worktree of its own. */
function writersIn(step: Step, block: Spot, { called }: Subject, looked: Set<Workflow>): Writer[] {
  const found: Writer[] = [];
  const look = (one: Step, name: string): void => {
    if (one.workspace === 'worktree') return;
    const actions = [...one.enter, ...one.exit, ...one.next.flatMap((rule) => rule.do)];
    for (const { work } of [one, ...actions]) {
      const tools = work.kind === 'prompt' ? writingTools(work, isGate(block)) : [];
      if (tools.length > 0) found.push({ name, tools });
    }
    for (const child of stepsOf(one)) look(child, `${name}/${child.id}`);
    const inner = one.work.kind === 'workflow' ? called[one.work.workflow] : undefined;
    if (!inner || looked.has(inner)) return;
    looked.add(inner);
    for (const child of inner.steps) look(child, `${name}/${child.id}`);
  };
  look(step, `${block.step.id}/${step.id}`);
  return found;
}

function writingTools({ performer: { tools, params } }: PromptWork, isOfGate: boolean): string[] {
  const denied = tools.deny
    .flatMap((item) => parseToolItem(item) ?? [])
    .filter(({ pattern }) => pattern === undefined);
  const isDenied = (tool: string) => denied.some((item) => covers(item, { tool }));
  const named = (tools.allow ?? everyTool(params)).flatMap((item) => parseToolItem(item)?.tool ?? []);
  const servers = serversOf(params);
  const writes = (tool: string) => {
    const own = ownToolsNamed(tool, servers);
    if (own.length > 0) return isOfGate && changesIssues(own) ? [tool] : [];
    return writingNames(tool);
  };
  return [...new Set(named.flatMap(writes))].filter((tool) => !isDenied(tool));
}

function everyTool(params: PromptWork['performer']['params']): readonly string[] {
  return [...WRITING, ...serversOf(params).map((name) => `mcp__${name}__*`)];
}

function serversOf({ mcp_servers: servers }: PromptWork['performer']['params']): string[] {
  return typeof servers === 'object' && servers !== null ? Object.keys(servers) : [];
}

/** The writing tools that an item of an allow list lets through. */
function writingNames(tool: string): string[] {
  if (tool.startsWith('mcp__')) {
    const own = tool.split('__').slice(2).join('__');
    return READS_ONLY.test(own.charAt(0).toLowerCase() + own.slice(1)) ? [] : [tool];
  }
  return WRITING.filter((name) => covers({ tool }, { tool: name }));
}
