// workflow: a checked document → Workflow. The root gathers the workflows it calls, all sources and all refusals.

import type { LoadedFile } from '../../model/library.ts';
import type { Action, SessionEvent, Source, Workflow, WorkspaceMode } from '../../model/workflow.ts';
import { EVENTS } from '../../source/grammar/workflow-shape.ts';
import { type MapNode, type Node, nodeSpan, setKey, stringOf } from '../../source/read/node.ts';
import type { Compilation, CompiledSource } from '../compilation.ts';
import { toolPolicy } from '../resolve/agent.ts';
import { nameOf, workflowNode } from '../resolve/workflow-file.ts';
import { lowerActions } from './action.ts';
import { lowerOnFail, lowerRules } from './around.ts';
import { Lowering } from './lowering.ts';
import { checkProviders } from './provider.ts';
import {
  lowerGuard,
  lowerInputs,
  lowerLimits,
  lowerPolicy,
  lowerProviders,
  lowerReferences,
  lowerVars,
} from './settings.ts';
import { lowerSteps } from './step.ts';
import { choiceOf, itemsOf, present } from './values.ts';

/** Calls inside calls; deeper is nobody's intention. */
const DEEPEST = 30;

/** The workflows on the way from the root to the one that is being lowered. */
interface Family {
  chain: { file: LoadedFile; name: string }[];
  called: Map<string, { key: string; workflow: Workflow }>;
}

/** undefined: the file holds no workflow at all. */
export function lowerRoot(file: LoadedFile, compilation: Compilation): Workflow | undefined {
  compilation.source('workflow', file.path, file);
  const node = workflowNode(file, compilation);
  if (node === undefined) return undefined;
  const family: Family = { chain: [], called: new Map() };
  const workflow = lowerFile(file, node, family, compilation);
  for (const { key, workflow: called } of family.called.values()) setKey(workflow.workflows, key, called);
  workflow.sources = compilation.sources.map(withoutText);
  const [main] = workflow.sources;
  if (main !== undefined) main.name = workflow.name;
  workflow.refused = compilation.refused;
  return workflow;
}

/** The hash stays unmade until it is asked for. */
function withoutText(read: CompiledSource): Source {
  const { kind, name, layer, path, dialect } = read;
  return {
    ...{ kind, name, layer, path },
    get hash() {
      return read.hash;
    },
    ...(dialect && { dialect }),
  };
}

function calledWorkflow(
  file: LoadedFile,
  reference: string,
  at: Node,
  family: Family,
  compilation: Compilation,
): { key: string; workflow: Workflow } | undefined {
  const circle = family.chain.findIndex((link) => link.file.id === file.id);
  if (circle >= 0 || family.chain.length > DEEPEST) {
    const names = family.chain.slice(Math.max(circle, 0)).map((link) => `${link.name} (${link.file.path})`);
    const message =
      circle < 0
        ? `workflows call each other more than ${DEEPEST} deep`
        : `workflows call each other in a circle: ${[...names, family.chain[circle]?.name].join(' → ')}`;
    compilation.report.error('workflow-circle', nodeSpan(at), message, 'A part that repeats is a `loop`.');
    return undefined;
  }
  const known = family.called.get(file.id);
  if (known !== undefined) return known;
  compilation.source('workflow', reference, file);
  const node = workflowNode(file, compilation);
  if (node === undefined) return undefined;
  const workflow = lowerFile(file, node, family, compilation);
  const called = { key: freeKey(reference, family), workflow };
  family.called.set(file.id, called);
  return called;
}

/** Paths of two files may read the same. */
function freeKey(reference: string, { called }: Family): string {
  const taken = new Set([...called.values()].map(({ key }) => key));
  let key = reference;
  for (let number = 2; taken.has(key); number++) key = `${reference} (${number})`;
  return key;
}

function lowerFile(file: LoadedFile, node: MapNode, family: Family, compilation: Compilation): Workflow {
  const { to } = compilation;
  const get = (key: string) => to.get(node, key);
  const workflow: Workflow = present({
    lockstep: 1,
    name: nameOf(node, file),
    description: stringOf(get('description')),
    sources: [],
    inputs: lowerInputs(get('inputs'), compilation),
    vars: lowerVars(get('vars'), compilation),
    limits: lowerLimits(get('limits'), compilation),
    onFail: lowerOnFail(get('on_fail')),
    workspace: choiceOf<WorkspaceMode>(get('workspace')) ?? 'here',
    guard: lowerGuard(get('guard'), compilation),
    invariants: itemsOf(get('invariants')).flatMap((item) => lowerInvariant(item, compilation)),
    policy: lowerPolicy(get('policy'), compilation),
    providers: lowerProviders(get('providers'), compilation),
    references: lowerReferences(get('references'), compilation),
    guidance: [],
    tools: toolPolicy(get('tools'), compilation),
    rules: [],
    events: {},
    outputs: {},
    steps: [],
    workflows: {},
    refused: [],
  });
  compilation.place(workflow, node);
  const chain = [...family.chain, { file, name: workflow.name }];
  const lowering = new Lowering(compilation, workflow, node, {
    steps: lowerSteps,
    workflow: (called, reference, at) =>
      calledWorkflow(called, reference, at, { ...family, chain }, compilation),
  });
  fillIn(workflow, node, lowering);
  checkProviders(get('providers'), workflow.providers, compilation);
  return workflow;
}

/** What holds expressions, which need the workflow they belong to. */
function fillIn(workflow: Workflow, node: MapNode, lowering: Lowering): void {
  const { to, compilation } = lowering;
  const get = (key: string) => to.get(node, key);
  workflow.guidance = lowering.texts(get('guidance'), { path: '', moment: 'workflow' });
  workflow.rules = lowerRules(get('rules'), { path: '', moment: 'rule' }, lowering);
  const events = get('events');
  if (events !== undefined)
    compilation.needsSession('`events`', to.entry(node, 'events')?.keyNode ?? node, '');
  workflow.events = lowerEvents(events, lowering);
  workflow.steps = lowerSteps(get('steps'), '', lowering);
  workflow.outputs = lowering.record(get('outputs'), { path: '', moment: 'outputs' });
  const outputs = get('outputs');
  if (outputs !== undefined) compilation.place(workflow.outputs, outputs);
}

function lowerEvents(node: Node | undefined, lowering: Lowering): Partial<Record<SessionEvent, Action[]>> {
  const events: Partial<Record<SessionEvent, Action[]>> = {};
  for (const event of EVENTS as SessionEvent[]) {
    const actions = lowering.to.get(node, event);
    if (actions !== undefined) events[event] = lowerActions(actions, { path: '', moment: 'event' }, lowering);
  }
  return events;
}

function lowerInvariant(item: Node, compilation: Compilation): Workflow['invariants'] {
  const every = stringOf(compilation.to.get(item, 'every'));
  const after = stringOf(compilation.to.get(item, 'after'));
  return every === undefined || after === undefined ? [] : [compilation.place({ every, after }, item)];
}
