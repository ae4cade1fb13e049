// build: (workflow) → its graph. One function per thing that happens to a step; the blocks are in build-block.ts.

import type { OnFail, Step, Workflow } from '../../model/workflow.ts';
import { blockWork } from './build-block.ts';
import type { Builder, Exits } from './builder.ts';
import { type EndStatus, readCondition, shorten } from './condition.ts';
import type { Flow, FlowEdge, FlowNode, NodeKind } from './graph.ts';
import { jump } from './jump.ts';
import { around, outline, type Spot, stepsOf } from './outline.ts';

/** Why a step is left out before its `if` is looked at: `--skip-step`, `--skip-checks`. */
export interface Skip {
  why: string;
  /** On every visit; otherwise on some. */
  always: boolean;
}
export type Skipper = (spot: Spot) => Skip | undefined;

export function buildFlow(
  workflow: Workflow,
  skipped: Skipper = () => undefined,
  throughSwitchedOff = false,
): Flow {
  const shape = outline(workflow);
  const nodes: FlowNode[] = [];
  const bySpot = new Map<Spot, Map<NodeKind, FlowNode[]>>();

  const node = (kind: NodeKind, spot?: Spot): FlowNode => {
    const made: FlowNode = { index: nodes.length, kind, out: [], in: [] };
    nodes.push(made);
    if (!spot) return made;
    made.spot = spot;
    const kinds = bySpot.get(spot) ?? new Map<NodeKind, FlowNode[]>();
    bySpot.set(spot, kinds);
    const others = kinds.get(kind);
    if (others) others.push(made);
    else kinds.set(kind, [made]);
    return made;
  };
  const builder: Builder = {
    outline: shape,
    throughSwitchedOff,
    node,
    the: (kind, spot) => bySpot.get(spot)?.get(kind)?.[0] ?? node(kind, spot),
    edge(from, to, how, { says, knows = [] } = {}) {
      const edge: FlowEdge = says === undefined ? { from, to, how, knows } : { from, to, how, says, knows };
      from.out.push(edge);
      to.in.push(edge);
    },
    step: (spot, exits) => buildStep(builder, spot, exits, { finish, skipped }),
    list(steps, exits) {
      const spots = steps.map((step) => shape.at(step));
      const arrivals = spots.map((spot) => builder.the('arrive', spot));
      for (const [index, spot] of spots.entries()) {
        builder.step(spot, { follow: arrivals[index + 1] ?? exits.follow, fail: exits.fail });
      }
      return arrivals[0] ?? exits.follow;
    },
  };

  const begin = node('begin');
  const finish = node('finish');
  const broken = node('broken');
  builder.edge(begin, builder.list(workflow.steps, { follow: finish, fail: broken }), 'on');
  const of = (spot: Spot, kind: NodeKind) => bySpot.get(spot)?.get(kind) ?? [];
  return { outline: shape, nodes, begin, finish, broken, of };
}

const flows = new WeakMap<Workflow, Flow>();

/** The graph of a workflow as it stands, built once. */
export function flowOf(workflow: Workflow): Flow {
  const flow = flows.get(workflow) ?? buildFlow(workflow);
  flows.set(workflow, flow);
  return flow;
}

const whole = new WeakMap<Workflow, Flow>();

/**
 * The graph for questions about a text in its place: what would have run before it, if it were reached. A step that is
 * switched off has its place as before, and is right or wrong as before.
 */
export function wholeFlowOf(workflow: Workflow): Flow {
  const known = whole.get(workflow);
  if (known) return known;
  const plain = flowOf(workflow);
  const isEntry = ({ kind }: FlowNode) => kind === 'arrive' || kind === 'start' || kind === 'pass';
  const isWhole = plain.nodes.every((node) => node.in.length > 0 || !isEntry(node));
  const flow = isWhole ? plain : buildFlow(workflow, undefined, true);
  whole.set(workflow, flow);
  return flow;
}

interface Surroundings {
  finish: FlowNode;
  skipped: Skipper;
}

function buildStep(builder: Builder, spot: Spot, exits: Exits, surroundings: Surroundings): void {
  const { the, edge, node } = builder;
  const { step } = spot;
  arrive(builder, spot, exits, surroundings.skipped);

  const [start, worked, done, failed] = [
    the('start', spot),
    the('worked', spot),
    the('done', spot),
    the('failed', spot),
  ];
  const isBlock = stepsOf(step).length > 0;
  // It broke; a step inside it failed, and it goes on from there when it runs again; it was not accepted.
  const failures: Failure[] = [{ node: failed, again: true, refused: false }];
  const another = (kind: Omit<Failure, 'node'>): FlowNode => {
    const made = node('failed', spot);
    failures.push({ node: made, ...kind });
    return made;
  };
  const refused = step.done || step.work.kind === 'loop' ? another({ again: true, refused: true }) : failed;
  const says = step.work.kind === 'loop' ? step.work.exhausted : undefined;
  const spent = says === undefined ? refused : another({ again: true, refused: true, policy: says });
  if (isBlock)
    blockWork(builder, spot, { inside: another({ again: false, refused: false }), refused: spent });
  else edge(start, worked, 'on');
  edge(worked, done, 'on');
  if (canBreak(step)) edge(start, failed, 'on');
  if (step.done || step.output === 'vars') edge(worked, failed, 'on');
  if (step.done) edge(worked, refused, 'on');

  const jumps = (rule: number, from: FlowNode, knows: readonly string[]) =>
    leaveByGoto(builder, spot, from, { rule, knows, finish: surroundings.finish });
  const named = isBlock ? {} : { says: spot.path };
  const mayNotEvaluate = next(spot, 'done', {
    jumps: (rule, knows) => jumps(rule, done, knows),
    ends: (knows) => edge(done, exits.follow, 'done', { ...named, knows }),
  });
  for (const failure of failures) {
    next(spot, 'failed', {
      jumps: (rule, knows) => jumps(rule, failure.node, knows),
      ends: (knows) => onFail(builder, spot, failure, { exits, knows }),
    });
  }
  if (!mayNotEvaluate) return;
  // A `when` that cannot be evaluated fails the step; the rules are not asked again.
  const unruled = node('failed', spot);
  edge(done, unruled, 'on');
  onFail(builder, spot, { node: unruled, again: true, refused: false }, { exits, knows: [] });
}

interface Failure {
  node: FlowNode;
  /** Whether running it again begins at its `if`. */
  again: boolean;
  /** The work was there and not accepted: without `on_fail` that waits for a person. */
  refused: boolean;
  /** Said of this failure alone, before `on_fail`. */
  policy?: OnFail;
}

/** Whether the step can fail by itself: a block that only holds others cannot, unless it has something to evaluate. */
function canBreak({ work, title = '' }: Step): boolean {
  return !['sequence', 'parallel', 'loop'].includes(work.kind) || /\{[{%]/.test(title);
}

/** The `if`: a step is entered, skipped, or fails because its condition cannot be evaluated. */
function arrive(
  { the, edge, throughSwitchedOff }: Builder,
  spot: Spot,
  exits: Exits,
  skipper: Skipper,
): void {
  const { step } = spot;
  const [here, start, skipped] = [the('arrive', spot), the('start', spot), the('skipped', spot)];
  const skip = skipper(spot);
  const gate = gateSkip(step);
  if (skip || gate !== undefined) edge(here, skipped, 'on');
  const condition = readCondition(step.if);
  const truth = condition.truth();
  if (!skip?.always) {
    if (truth !== 'no' || throughSwitchedOff) edge(here, start, 'on', { knows: condition.whenTrue });
    if (truth !== 'yes') edge(here, skipped, 'on', { knows: condition.whenFalse });
    if (truth === 'maybe') edge(here, the('failed', spot), 'on');
  }
  const why = skip?.why ?? gate ?? `if: ${shorten(step.if)}`;
  edge(skipped, exits.follow, 'skipped', { says: `${spot.path} skipped (${why})` });
}

/** A gate that need not run, and why. */
function gateSkip({ gate }: Step): string | undefined {
  if (!gate || (gate.enabled && gate.run === 'always' && gate.again === 'always')) return undefined;
  if (!gate.enabled) return 'enabled: false';
  return gate.run === 'always' ? `again: ${gate.again}` : `run: ${gate.run}`;
}

/**
 * The first rule that holds wins; one without `goto`, or none, lets the step end as it does by itself.
 * Answers whether a rule is asked whose value is not known here.
 */
function next(
  { step }: Spot,
  status: EndStatus,
  to: { jumps(rule: number, knows: readonly string[]): void; ends(knows: readonly string[]): void },
): boolean {
  let before: string[] = [];
  let asks = false;
  for (const [index, rule] of step.next.entries()) {
    const condition = readCondition(rule.when);
    const truth = condition.truth(status);
    if (truth === 'no') continue;
    const knows = [...before, ...condition.whenTrue];
    if (rule.goto === undefined) to.ends(knows);
    else to.jumps(index, knows);
    if (truth === 'yes') return asks;
    asks = true;
    before = [...before, ...condition.whenFalse];
  }
  to.ends(before);
  return asks;
}

function leaveByGoto(
  { node, the, edge, outline }: Builder,
  spot: Spot,
  from: FlowNode,
  how: { rule: number; knows: readonly string[]; finish: FlowNode },
): void {
  const goto = spot.step.next[how.rule]?.goto ?? '';
  const found = jump(outline, spot, goto);
  // A target that does not exist is reported by check; here it leads nowhere.
  if (!found) return;
  const says = `${spot.path}${from.kind === 'failed' ? ' failed' : ''} (goto: ${goto})`;
  // Each jump has its own chain of left blocks: a shared one would let it come out where another jump leads.
  let last = from;
  for (const block of found.leaves) {
    const left = node('left', block);
    edge(last, left, 'goto', last === from ? { says, knows: how.knows } : {});
    last = left;
  }
  const target = found.target ? the('arrive', found.target) : how.finish;
  edge(last, target, 'goto', last === from ? { says, knows: how.knows } : {});
}

function onFail(
  { node, the, edge }: Builder,
  spot: Spot,
  failure: Failure,
  { exits, knows }: { exits: Exits; knows: readonly string[] },
): void {
  const failed = failure.node;
  const policy = failure.policy ?? spot.step.onFail ?? (failure.refused ? 'pause' : 'stop');
  const again = (from: FlowNode) => {
    if (failure.again) edge(from, the('arrive', spot), 'again', { says: `${spot.path} again` });
  };
  if (policy === 'continue') {
    edge(failed, exits.follow, 'continued', { says: `${spot.path} failed, continued`, knows });
    return;
  }
  if (policy === 'stop') {
    edge(failed, exits.fail, 'stopped', { says: `${spot.path} failed`, knows });
    if (canBeResumed(spot)) again(failed);
    return;
  }
  const held = node('held', spot);
  edge(failed, held, 'on', { knows });
  again(held);
  edge(held, the('done', spot), 'accepted', { says: `${spot.path} accepted by a person` });
  edge(held, exits.fail, 'rejected', { says: `${spot.path} failed by a person` });
}

/** Whether a failure that stops may be tried again: it reaches a person, or ends the run, before a block goes on past it. */
function canBeResumed(spot: Spot): boolean {
  const catches = around(spot).find(({ step }) => step.onFail === 'continue' || step.onFail === 'pause');
  return catches?.step.onFail !== 'continue';
}
