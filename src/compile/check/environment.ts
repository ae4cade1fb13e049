// environment: what a text may name, and of what type it is (language.md, "Roots"; rules 1 and 2).
// Only what the text asks for is looked up: a workflow of a thousand steps is not laid out for each of its texts.

import { references, type Type, type TypeEnvironment } from '../../expressions/expressions.ts';
import { ANY, INT, joined, STRING } from '../../expressions/type-relations.ts';
import type { Step } from '../../model/workflow.ts';
import { closest } from '../closest.ts';
import { around, parallelBetween, type Spot } from '../flow/outline.ts';
import type { Moment, Site } from '../site.ts';
import { type Binding, bindingsOf } from './binding.ts';
import { whyNoRoot, whyNoStep, whyNotSeen } from './denial.ts';
import { canHaveHappened, type Position, positionOf } from './position.ts';
import {
  inputType,
  objectType,
  outputType,
  passType,
  resultType,
  type Typing,
  valueType,
} from './result-type.ts';
import type { Subject } from './subject.ts';

export interface Environments {
  /** For a text of the workflow. */
  of(site: Site): TypeEnvironment;
  /** The type of a step's output. */
  output(step: Step): Type;
  /** Whether the step can have ended before this moment of the other. */
  canHaveRun(spot: Spot, before: Spot, moment: Moment): boolean;
}

const RUN = objectType(['id', 'root', 'started', 'branch', 'workspace'].map((key) => [key, STRING]));
const PASS = objectType(['index', 'number', 'total'].map((key) => [key, INT]));
const LIVE: Record<string, Type> = {
  event: objectType(
    ['name', 'tool', 'input', 'error', 'text', 'file', 'command', 'prompt', 'source', 'reason'].map((key) => [
      key,
      ANY,
    ]),
  ),
  session: objectType([
    ['files_read', { kind: 'list', of: STRING }],
    ['files_modified', { kind: 'list', of: STRING }],
    ...['errors', 'tool_calls', 'elapsed', 'title', 'previous_summary', 'handoff'].map(
      (key): [string, Type] => [key, ANY],
    ),
  ]),
};
const LIVE_MOMENTS = new Set<Moment>(['rule', 'event', 'enter', 'exit', 'next']);
/** How many steps are offered where a name is unknown. */
const OFFERED = 12;

/** What a text asks for: root and first member. */
type Asked = readonly { root: string; path: readonly string[] }[];

export function environmentsFor(subject: Subject): Environments {
  const { workflow, flow, outline } = subject;
  const bindings = bindingsOf(flow);
  const inputs = objectType(Object.entries(workflow.inputs).map(([key, input]) => [key, inputType(input)]));
  const vars = objectType(Object.entries(workflow.vars).map(([key, value]) => [key, valueType(value)]));
  const outputs = new Map<Step, Type>();

  const typing: Typing = { called: subject.called, itemType };
  function output(step: Step): Type {
    const known = outputs.get(step);
    if (known) return known;
    // A list that depends on its own outcome: nothing is known of it.
    outputs.set(step, ANY);
    const type = outputType(step, typing);
    outputs.set(step, type);
    return type;
  }

  function itemType(step: Step): Type {
    if (step.work.kind !== 'each') return ANY;
    const [only, ...others] = references(step.work.list, 'cel');
    const isPath = only && others.length === 0 && only.end - only.start === step.work.list.trim().length;
    if (!isPath) return ANY;
    const at = positionOf(flow, outline.at(step), 'work');
    const { roots } = environmentAt(at, [only]);
    let type = Object.hasOwn(roots, only.root) ? roots[only.root] : undefined;
    for (const key of only.path) type = memberType(type, key);
    return type?.kind === 'list' ? type.of : ANY;
  }

  const canSee = (spot: Spot, at: Position) =>
    !(at.spot && parallelBetween(spot, at.spot)) &&
    canHaveHappened(
      {
        nodes: (['done', 'failed', 'skipped', 'left'] as const).flatMap((kind) => flow.of(spot, kind)),
        ...(spot.scope && { scope: spot.scope }),
      },
      at,
    );

  function environmentAt(at: Position, asked: Asked): TypeEnvironment {
    const roots: Record<string, Type> = { inputs, vars, run: RUN };
    const denied: Record<string, string> = {};
    addMoment(roots, at);
    if (asked.some(({ root }) => root === 'steps')) roots.steps = stepsType(at, asked);
    for (const { root } of asked) {
      if (Object.hasOwn(roots, root)) continue;
      const type = namedType(root, at);
      const why = type ? undefined : (whyNoRoot(root) ?? whyUnbound(root, at));
      if (type) roots[root] = type;
      else if (why !== undefined) denied[root] = why;
    }
    const isMisspelt = ({ root }: Asked[number]) =>
      !Object.hasOwn(roots, root) && !Object.hasOwn(denied, root);
    if (asked.some(isMisspelt)) offerNames(roots, at, asked);
    return { roots, denied };
  }

  /** What could have been meant. */
  function offerNames(roots: Record<string, Type>, at: Position, asked: Asked): void {
    roots.steps ??= stepsType(
      at,
      asked.map(({ root }) => ({ root: 'steps', path: [root] })),
    );
    for (const name of bindings.keys()) {
      const type = namedType(name, at);
      if (type) roots[name] ??= type;
    }
  }

  function addMoment(roots: Record<string, Type>, { moment, spot }: Position): void {
    const isPass = spot?.step.work.kind === 'each' && (moment === 'enter' || moment === 'exit');
    if (spot && ['done', 'exit', 'next'].includes(moment)) {
      roots.output = isPass ? passType(stepsIn(spot), typing) : output(spot.step);
      if (moment !== 'done') roots.status = STRING;
    }
    const repeats = (block: Spot) => block.step.work.kind === 'each' || block.step.work.kind === 'loop';
    if (spot && (isPass || moment === 'until' || around(spot).some(repeats))) roots.pass = PASS;
    if (LIVE_MOMENTS.has(moment)) Object.assign(roots, LIVE);
  }

  /** The name of an `each` around it, or what steps and actions have bound. */
  function namedType(name: string, at: Position): Type | undefined {
    for (let scope = at.scope; scope; scope = scope.scope) {
      if (scope.step.work.kind === 'each' && scope.step.work.name === name) return itemType(scope.step);
    }
    const types = (bindings.get(name) ?? []).filter((one) => isBound(one, at)).map(typeOfBinding);
    const [first, ...others] = types;
    return first && others.reduce((all, each) => joined(all, each), first);
  }

  const isBound = (binding: Binding, at: Position) =>
    !(at.spot && binding.spot && parallelBetween(binding.spot, at.spot)) && canHaveHappened(binding, at);
  const typeOfBinding = ({ by, spot }: Binding) => (by === 'step' && spot ? output(spot.step) : ANY);

  function whyUnbound(name: string, at: Position): string | undefined {
    const [binding] = bindings.get(name) ?? [];
    if (binding?.spot) {
      return whyNotSeen(
        subject,
        binding.spot,
        at,
        `\`${name}\` is bound by step \`${binding.spot.step.id}\`, which`,
      );
    }
    const each = outline.spots.find(({ step }) => step.work.kind === 'each' && step.work.name === name);
    return each && `\`${name}\` is there only inside \`each\` \`${each.step.id}\``;
  }

  function stepsType(at: Position, asked: Asked): Type {
    const fields = new Map<string, Type>();
    const denied: Record<string, string> = {};
    const show = (id: string): boolean => {
      const types = outline
        .named(id)
        .filter((spot) => canSee(spot, at))
        .map((spot) => resultType(output(spot.step)));
      const [first, ...others] = types;
      if (first)
        fields.set(
          id,
          others.reduce((all, each) => joined(all, each), first),
        );
      return first !== undefined;
    };
    let isComplete = true;
    for (const {
      root,
      path: [id],
    } of asked) {
      if (root !== 'steps' || (id !== undefined && show(id))) continue;
      if (id === undefined) return { kind: 'map', of: resultType(ANY) };
      isComplete = false;
      const why = whyNoStep(subject, id, at);
      if (why !== undefined) denied[id] = why;
      const near = closest(
        id,
        outline.spots.map(({ step }) => step.id),
      );
      if (near !== undefined) show(near);
    }
    if (!isComplete) offerSome(at, show);
    return { ...objectType([...fields]), denied };
  }

  /** The steps just before it. */
  function offerSome(at: Position, show: (id: string) => boolean): void {
    const here = at.spot ? outline.spots.indexOf(at.spot) : outline.spots.length;
    for (const { step } of outline.spots.slice(Math.max(0, here - OFFERED), here)) show(step.id);
  }

  return {
    output,
    canHaveRun: (spot, before, moment) => canSee(spot, positionOf(flow, before, moment)),
    of({ source, kind, step, moment, local, only }) {
      const locals = Object.fromEntries(local.map((name) => [name, ANY]));
      const asked = references(source, kind).filter(({ root }) => !Object.hasOwn(locals, root));
      if (only) return { roots: locals, denied: whyOnly(asked) };
      const { roots, denied } = environmentAt(positionOf(flow, step && outline.at(step), moment), asked);
      return { roots: { ...roots, ...locals }, denied };
    },
  };
}

function stepsIn({ step }: Spot): readonly Step[] {
  return 'steps' in step.work ? step.work.steps : [];
}

function memberType(type: Type | undefined, key: string): Type | undefined {
  if (type?.kind === 'object') return Object.hasOwn(type.fields, key) ? type.fields[key] : undefined;
  return type?.kind === 'map' ? type.of : undefined;
}

const EVERYWHERE = ['inputs', 'vars', 'steps', 'run'];

function whyOnly(asked: Asked): Record<string, string> {
  const roots = asked.map(({ root }) => root).filter((root) => EVERYWHERE.includes(root));
  const why = (root: string) =>
    `\`${root}\` is not seen here: this prompt declares its inputs, and sees only those`;
  return Object.fromEntries(roots.map((root) => [root, why(root)]));
}
