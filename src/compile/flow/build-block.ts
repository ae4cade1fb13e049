// build-block: the work of a step that holds steps, from its `start` to its `worked` or `failed` (rules 5 and 6).

import type { EachWork, LoopWork, Step } from '../../model/workflow.ts';
import type { Builder } from './builder.ts';
import { literalLength, readCondition, shorten } from './condition.ts';
import { type FlowNode, reach } from './graph.ts';
import { type Spot, stepsOf } from './outline.ts';

/** Where a block ends when a step inside it fails, and when it is not accepted. */
interface Ends {
  inside: FlowNode;
  refused: FlowNode;
}

export function blockWork(builder: Builder, spot: Spot, ends: Ends): void {
  const failed = ends.inside;
  const { work } = spot.step;
  switch (work.kind) {
    case 'sequence':
      sequence(builder, spot, failed);
      break;
    case 'parallel':
      parallel(builder, spot, failed);
      break;
    case 'loop':
      if (work.test.kind === 'while') whileLoop(builder, spot, work, ends);
      else untilLoop(builder, spot, work, ends);
      break;
    case 'each':
      each(builder, spot, work, failed);
      break;
    default:
      return;
  }
  if (spot.step.timeout !== undefined) timeout(builder, spot);
}

function sequence({ the, edge, list }: Builder, spot: Spot, failed: FlowNode): void {
  const body = list(stepsOf(spot.step), { follow: the('worked', spot), fail: failed });
  edge(the('start', spot), body, 'on');
}

/** All children run; in which order their steps come is open. Who asks about it looks at the branches. */
function parallel({ the, edge, list }: Builder, spot: Spot, failed: FlowNode): void {
  const worked = the('worked', spot);
  const branches = stepsOf(spot.step).map((child) => {
    const branch = list([child], { follow: worked, fail: failed });
    edge(the('start', spot), branch, 'on');
    return branch;
  });
  // It waits for all of them: one that always leaves by goto lets it neither succeed nor fail.
  const isOutside = (node: FlowNode) => node.spot === spot;
  const ends = branches.map((branch) => reach(branch, 'out', ({ from }) => !isOutside(from)));
  const endings = [...worked.in];
  if (!ends.every((seen) => seen.has(worked))) cut(worked);
  if (!ends.every((seen) => seen.has(worked) || seen.has(failed))) cut(failed);
  // Another branch may have failed: then what ended well is part of a block that did not.
  else if (ends.some((seen) => seen.has(failed))) {
    for (const { from, how, ...told } of endings) edge(from, failed, how, told);
  }
}

/** Nothing leads there. */
function cut(node: FlowNode): void {
  for (const edge of node.in.splice(0)) edge.from.out.splice(edge.from.out.indexOf(edge), 1);
}

function whileLoop(
  { the, edge, list, throughSwitchedOff }: Builder,
  spot: Spot,
  work: LoopWork,
  ends: Ends,
): void {
  const [start, test, worked] = [the('start', spot), the('test', spot), the('worked', spot)];
  // The first test stands apart from the later ones: only it can mean that there was no pass at all.
  const condition = readCondition(work.test.cel);
  const truth = condition.truth();
  const enters = truth !== 'no' || throughSwitchedOff;
  const body = list(work.steps, { follow: test, fail: ends.inside });
  if (enters) edge(start, body, 'on', { knows: condition.whenTrue });
  if (truth !== 'yes') {
    edge(start, worked, 'no pass', {
      says: `${spot.path}: no pass (while: ${shorten(work.test.cel)})`,
      knows: condition.whenFalse,
    });
    edge(test, worked, 'loop over', { knows: condition.whenFalse });
  }
  if (enters) repeat({ the, edge }, spot, { body, refused: ends.refused }, condition.whenTrue);
  // The steps stay reachable, so that they are looked at as any others.
  if (enters && work.max === 0) {
    edge(start, ends.refused, 'exhausted', {
      says: `${spot.path}: no pass is allowed`,
      knows: condition.whenTrue,
    });
  }
  if (truth === 'maybe') {
    edge(start, the('failed', spot), 'on');
    edge(test, the('failed', spot), 'on');
  }
}

function untilLoop({ the, edge, list }: Builder, spot: Spot, work: LoopWork, ends: Ends): void {
  const [test, worked] = [the('test', spot), the('worked', spot)];
  const condition = readCondition(work.test.cel);
  const truth = condition.truth();
  const body = list(work.steps, { follow: test, fail: ends.inside });
  edge(the('start', spot), body, 'on');
  if (truth !== 'no') edge(test, worked, 'loop over', { knows: condition.whenTrue });
  if (truth !== 'yes') repeat({ the, edge }, spot, { body, refused: ends.refused }, condition.whenFalse);
  if (truth === 'maybe') edge(test, the('failed', spot), 'on');
}

/** The test asks for more: another pass, or none is left and the loop has failed. */
function repeat(
  { the, edge }: Pick<Builder, 'the' | 'edge'>,
  spot: Spot,
  { body, refused }: { body: FlowNode; refused: FlowNode },
  knows: readonly string[],
): void {
  const { work } = spot.step;
  const test = the('test', spot);
  if (work.kind === 'loop' && work.max > 1) {
    edge(test, body, 'loop again', { says: `${spot.path}: another pass`, knows });
  }
  edge(test, refused, 'exhausted', { says: `${spot.path}: passes used up`, knows });
}

function each(
  { the, edge, list, node, throughSwitchedOff }: Builder,
  spot: Spot,
  work: EachWork,
  failed: FlowNode,
): void {
  const [start, pass, passed, worked] = [
    the('start', spot),
    the('pass', spot),
    the('passed', spot),
    the('worked', spot),
  ];
  // A pass that fails ends too (`exit` runs around it); whether the others go on is the block's `on_fail`.
  const passFailed = node('passed', spot);
  edge(pass, list(work.steps, { follow: passed, fail: passFailed }), 'on');
  const length = literalLength(work.list);
  if (length !== 'none' || throughSwitchedOff) edge(start, pass, 'pass');
  if (length !== 'some') edge(start, worked, 'no items', { says: `${spot.path}: no items` });
  edge(passed, worked, 'done');
  edge(passed, pass, 'pass', { says: `${spot.path}: next item` });
  edge(passFailed, failed, 'on');
  // A pass is not begun when an item it depends on has failed.
  if (work.order === 'dependencies') edge(pass, passFailed, 'on');
  if (spot.step.onFail !== 'continue') return;
  // The others go on; at the end the block has failed all the same, and is continued past.
  edge(passFailed, pass, 'pass', { says: `${spot.path}: pass failed, next item` });
  edge(passed, failed, 'on');
}

/** Time may run out at any step inside. */
function timeout({ the, edge, outline }: Builder, spot: Spot): void {
  const walk = (steps: readonly Step[]): void => {
    for (const step of steps) {
      const says = `${spot.path} ran out of time`;
      edge(the('start', outline.at(step)), the('failed', spot), 'timeout', { says });
      walk(stepsOf(step));
    }
  };
  walk(stepsOf(spot.step));
}
