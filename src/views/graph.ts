// graph: a workflow drawn: as a Mermaid flowchart, or as a tree of text.
// Every block has one node where it begins and one where it ends, so no edge ever touches a subgraph itself: Mermaid
// refuses edges between a subgraph and what lies in it.

import type { Step, Work, Workflow } from '../model/workflow.ts';
import { stepsInside, workText } from './definition/describe.ts';
import { type TreeNode, treeLines } from './definition/tree.ts';
import { nextText } from './plan.ts';
import { staticTitle } from './step-record.ts';
import { type Look, piece, renderLines } from './text/line.ts';
import { plain } from './text/plain.ts';
import { symbols } from './text/symbols.ts';
import { truncate } from './text/width.ts';

/** Where the flow enters and leaves a step. */
interface Ends {
  entry: string;
  exit: string;
}

interface Drawing {
  root: Workflow;
  lines: string[];
  edges: string[];
  nodes: number;
  /** Jumps, drawn last: their targets may not have nodes yet. */
  jumps: { from: string; targets: Targets; to: string; label: string }[];
}

/** Steps a goto may name: those of its own list, then of the lists around it; at last where `end` leads. */
interface Targets {
  steps: Map<string, Ends>;
  around?: Targets;
  end: string;
}

const LONGEST_LABEL = 60;
const SAFE = /^[A-Za-z0-9 _.,:/()=+\-!?*'\u00a1-\uffff]$/;

/** Quoted, with everything that could mean something to Mermaid as a character code. */
function label(text: string): string {
  const short = truncate(plain(text).trim(), LONGEST_LABEL);
  const codes = [...short].map((one) => (SAFE.test(one) || one.length > 1 ? one : `#${one.codePointAt(0)};`));
  return codes.join('');
}

const SHAPES: Partial<Record<Work['kind'], [string, string]>> = {
  run: ['[["', '"]]'],
  ask: ['{{"', '"}}'],
  wait: ['(["', '"])'],
  call: ['[/"', '"/]'],
};

export function mermaidGraph(workflow: Workflow): string {
  const drawing: Drawing = { root: workflow, lines: [], edges: [], nodes: 0, jumps: [] };
  const first = node(drawing, '  ', '(["', 'start', '"])');
  const last = `n${++drawing.nodes}`;
  const ends = drawList(drawing, workflow.steps, { steps: new Map(), end: last }, '  ');
  drawing.edges.push(`${first} --> ${ends?.entry ?? last}`);
  if (ends) edgeOn(drawing, workflow.steps, ends.exit, last);
  drawing.lines.push(`  ${last}(["end"])`);
  for (const jump of drawing.jumps) drawJump(drawing, jump);
  return ['flowchart TD', ...drawing.lines, ...drawing.edges.map((edge) => `  ${edge}`), ''].join('\n');
}

function node(drawing: Drawing, indent: string, open: string, text: string, close: string): string {
  const id = `n${++drawing.nodes}`;
  drawing.lines.push(`${indent}${id}${open}${text}${close}`);
  return id;
}

/** To what follows, unless the last step always jumps elsewhere. */
function edgeOn(drawing: Drawing, steps: Step[], from: string, to: string): void {
  const last = steps[steps.length - 1];
  if (!last || !alwaysJumps(last)) drawing.edges.push(`${from} --> ${to}`);
}

function alwaysJumps(step: Step): boolean {
  return step.next.some((next) => next.when === undefined && next.goto !== undefined);
}

function drawList(drawing: Drawing, steps: Step[], targets: Targets, indent: string): Ends | undefined {
  let first: string | undefined;
  let previous: { step: Step; exit: string } | undefined;
  for (const step of steps) {
    const ends = drawStep(drawing, step, targets, indent);
    targets.steps.set(step.id, ends);
    first ??= ends.entry;
    if (previous) edgeOn(drawing, [previous.step], previous.exit, ends.entry);
    previous = { step, exit: ends.exit };
  }
  return first === undefined || !previous ? undefined : { entry: first, exit: previous.exit };
}

function drawStep(drawing: Drawing, step: Step, targets: Targets, indent: string): Ends {
  const ends = drawWork(drawing, step, targets, indent);
  for (const next of step.next) {
    if (next.goto === undefined) continue;
    const when = next.when === undefined ? '' : `when ${next.when}`;
    drawing.jumps.push({ from: ends.exit, targets, to: next.goto, label: when });
  }
  return ends;
}

function drawWork(drawing: Drawing, step: Step, targets: Targets, indent: string): Ends {
  const { work } = step;
  const condition = step.if === undefined ? '' : `<br/>${label(`if ${step.if}`)}`;
  const title = staticTitle(step);
  const head = label(title === step.id ? step.id : `${step.id}: ${title}`);
  if (!('steps' in work) && work.kind !== 'workflow') {
    const [open, close] = SHAPES[work.kind] ?? ['["', '"]'];
    const id = node(drawing, indent, open, `${head}<br/>${label(workText(work))}${condition}`, close);
    return { entry: id, exit: id };
  }
  drawing.lines.push(
    `${indent}subgraph n${++drawing.nodes}["${head} - ${label(workText(work))}${condition}"]`,
  );
  drawing.lines.push(`${indent}  direction TB`);
  const ends = drawBlock(drawing, work, targets, `${indent}  `);
  drawing.lines.push(`${indent}end`);
  return ends;
}

function drawBlock(drawing: Drawing, work: Work, around: Targets, indent: string): Ends {
  const steps = stepsInside(work, drawing.root);
  if (work.kind === 'parallel') return drawParallel(drawing, steps, around, indent);
  if (work.kind === 'workflow') {
    const exit = node(drawing, indent, '(("', 'return', '"))');
    const ends = drawList(drawing, steps, { steps: new Map(), end: exit }, indent);
    if (ends) edgeOn(drawing, steps, ends.exit, exit);
    return { entry: ends?.entry ?? exit, exit };
  }
  const ends = drawList(drawing, steps, { steps: new Map(), around, end: around.end }, indent);
  if (!ends) {
    const id = node(drawing, indent, '["', 'nothing', '"]');
    return { entry: id, exit: id };
  }
  if (work.kind === 'loop') drawing.edges.push(`${ends.exit} -->|"next pass"| ${ends.entry}`);
  if (work.kind === 'each') drawing.edges.push(`${ends.exit} -->|"next item"| ${ends.entry}`);
  return ends;
}

function drawParallel(drawing: Drawing, steps: Step[], around: Targets, indent: string): Ends {
  const entry = node(drawing, indent, '(("', 'fork', '"))');
  const exit = node(drawing, indent, '(("', 'join', '"))');
  for (const step of steps) {
    // A sibling of a parallel is no place to jump to.
    const ends = drawStep(drawing, step, { steps: new Map(), around, end: around.end }, indent);
    drawing.edges.push(`${entry} --> ${ends.entry}`);
    edgeOn(drawing, [step], ends.exit, exit);
  }
  if (steps.length === 0) drawing.edges.push(`${entry} --> ${exit}`);
  return { entry, exit };
}

function drawJump(drawing: Drawing, jump: Drawing['jumps'][number]): void {
  let to: string | undefined = jump.to === 'end' ? jump.targets.end : undefined;
  for (let at: Targets | undefined = jump.targets; at && to === undefined; at = at.around) {
    to = at.steps.get(jump.to)?.entry;
  }
  if (to === undefined) return;
  drawing.edges.push(`${jump.from} -.->${jump.label === '' ? '' : `|"${label(jump.label)}"|`} ${to}`);
}

// ── As a tree ───────────────────────────────────────────────────────────────────────────────────

export function textGraph(workflow: Workflow, look: Look): string {
  const marks = symbols(look.unicode);
  const nodeOf = (step: Step): TreeNode => {
    const title = staticTitle(step);
    return {
      line: [
        piece(step.id, 'strong'),
        piece(title === step.id ? '' : `  ${title}`),
        piece(`  ${workText(step.work)}`, 'dim'),
      ],
      details: [
        ...(step.if === undefined ? [] : [`if ${plain(step.if)}`]),
        ...step.next.map((next) => `${marks.arrow} ${nextText(next)}`),
      ],
      children: stepsInside(step.work, workflow).map(nodeOf),
    };
  };
  const lines = treeLines(workflow.steps.map(nodeOf), marks, look.width);
  return renderLines([[piece(workflow.name, 'strong')], ...lines], look);
}
