// view: what is there at a position, and of what type (language.md, "Roots"; rules 1 and 2).

import { references, type Type } from '../../expressions/expressions.ts';
import { ANY, INT, joined, STRING } from '../../expressions/type-relations.ts';
import type { Step } from '../../model/workflow.ts';
import { around, parallelBetween, type Spot, stepsOf } from '../flow/outline.ts';
import type { Moment } from '../site.ts';
import { type Binding, bindingsOf } from './binding.ts';
import {
  canHaveHappened,
  type Happening,
  isInScope,
  isPassMoment,
  type Position,
  positionOf,
} from './position.ts';
import {
  inputType,
  objectType,
  outputType,
  passType,
  resultType,
  type Typing,
  valueType,
} from './result-type.ts';
import { EVENT, SESSION } from './session-type.ts';
import type { Subject } from './subject.ts';

const RUN = objectType(['id', 'root', 'started', 'branch', 'workspace'].map((key) => [key, STRING]));
const PASS_FIELDS = ['index', 'number', 'total'].map((key): [string, Type] => [key, INT]);
const PASS = objectType(PASS_FIELDS);
const EACH_PASS = objectType([...PASS_FIELDS, ['each', PASS]]);
/** What a run as a whole gives back belongs to no session. */
const WITHOUT_SESSION: readonly Moment[] = ['outputs'];

/** Of a name that more than this many steps bind, nothing is said but that it is there. */
const MOST_JOINED = 50;
const DEEPEST = 50;

export class View {
  readonly bindings: ReadonlyMap<string, readonly Binding[]>;
  readonly #subject: Subject;
  readonly #inputs: Type;
  readonly #vars: Type;
  readonly #outputs = new Map<Step, Type>();
  readonly #typing: Typing;
  /** How many outputs are being looked at, each because of the one before. */
  #depth = 0;

  constructor(subject: Subject) {
    const { workflow, flow } = subject;
    this.#subject = subject;
    this.bindings = bindingsOf(flow);
    this.#inputs = objectType(Object.entries(workflow.inputs).map(([key, input]) => [key, inputType(input)]));
    const vars = objectType(Object.entries(workflow.vars).map(([key, value]) => [key, valueType(value)]));
    this.#vars = keepsExtra(subject) ? { ...vars, open: true } : vars;
    this.#typing = { called: subject.called, itemType: (step) => this.#item(step) };
  }

  /** Everything that has a name of its own; `steps` is asked for one by one. */
  root(name: string, at: Position): Type | undefined {
    switch (name) {
      case 'inputs':
        return this.#inputs;
      case 'vars':
        return this.#vars;
      case 'run':
        return RUN;
      case 'pass':
        return isInPass(at) ? (at.scope ? EACH_PASS : PASS) : undefined;
      case 'output':
        return this.#ownOutput(at);
      case 'status':
        return at.spot && (at.moment === 'exit' || at.moment === 'next') ? STRING : undefined;
      case 'event':
        return WITHOUT_SESSION.includes(at.moment) ? undefined : EVENT;
      case 'session':
        return WITHOUT_SESSION.includes(at.moment) ? undefined : SESSION;
      default:
        return this.#bound(name, at);
    }
  }

  /** `steps.<id>`; undefined where no step of that id can have ended. */
  step(id: string, at: Position): Type | undefined {
    const named = this.#subject.outline.named(id);
    const type = this.#joined(named, at, {
      isSeen: (spot) => this.canHaveRun(spot, at),
      typeOf: (spot) => this.output(spot.step),
    });
    const hasBranch = named.some(({ step }) => step.workspace === 'worktree' && step.work.kind !== 'each');
    return type && resultType(type, hasBranch);
  }

  canHaveRun(spot: Spot, at: Position): boolean {
    if (!isInScope(spot.scope, at)) return false;
    const { flow } = this.#subject;
    const nodes = (['done', 'failed', 'skipped', 'left'] as const).flatMap((kind) => flow.of(spot, kind));
    return this.#sees(spot, spot.scope ? { nodes, scope: spot.scope } : { nodes }, at);
  }

  output(step: Step): Type {
    const known = this.#outputs.get(step);
    if (known) return known;
    // A list that depends on its own outcome, or on a long row of others: nothing is known of it.
    this.#outputs.set(step, ANY);
    if (this.#depth >= DEEPEST) return ANY;
    this.#depth++;
    const type = outputType(step, this.#typing);
    this.#depth--;
    this.#outputs.set(step, type);
    return type;
  }

  #sees(spot: Spot | undefined, it: Happening, at: Position): boolean {
    if (spot && at.spot && parallelBetween(spot, at.spot)) return false;
    return canHaveHappened(it, at, this.#subject.flow);
  }

  #ownOutput({ spot, moment }: Position): Type | undefined {
    if (!spot || !['done', 'exit', 'next'].includes(moment)) return undefined;
    return isPassMoment(spot, moment) ? passType(stepsOf(spot.step), this.#typing) : this.output(spot.step);
  }

  /** The name of an `each` around it, or what steps and actions have bound. */
  #bound(name: string, at: Position): Type | undefined {
    for (let scope = at.scope; scope; scope = scope.scope) {
      if (scope.step.work.kind === 'each' && scope.step.work.name === name) return this.#item(scope.step);
    }
    return this.#joined(this.bindings.get(name) ?? [], at, {
      isSeen: (one) => this.#sees(one.spot, one, at),
      typeOf: ({ by, spot }) => (by === 'step' && spot ? this.output(spot.step) : ANY),
    });
  }

  /** One type for what may come from any of these, as far as it is seen. */
  #joined<T extends { scope?: Spot }>(
    all: readonly T[],
    at: Position,
    { isSeen, typeOf }: { isSeen(one: T): boolean; typeOf(one: T): Type },
  ): Type | undefined {
    const near = all.filter(({ scope }) => isInScope(scope, at));
    if (near.length > MOST_JOINED) return near.some(isSeen) ? ANY : undefined;
    const [first, ...others] = near.filter(isSeen).map(typeOf);
    return first && others.reduce((type, each) => joined(type, each), first);
  }

  /** Known where the list is a plain path, `plan.tasks`, to something that has a type. */
  #item(step: Step): Type {
    if (step.work.kind !== 'each') return ANY;
    const [only, ...others] = references(step.work.list, 'cel');
    const isPath = only && others.length === 0 && only.end - only.start === step.work.list.trim().length;
    if (!isPath) return ANY;
    const { flow, outline } = this.#subject;
    const at = positionOf(flow, outline.at(step), 'work');
    const [id = '', ...rest] = only.path;
    let type = only.root === 'steps' ? this.step(id, at) : this.root(only.root, at);
    for (const key of only.root === 'steps' ? rest : only.path) type = memberType(type, key);
    return type?.kind === 'list' ? type.of : ANY;
  }
}

/** Some step puts keys into vars that are not declared. */
function keepsExtra({ outline }: Subject): boolean {
  return outline.spots.some(({ step }) => step.merge?.extra === 'keep');
}

function isInPass({ spot, moment }: Position): boolean {
  if (!spot) return false;
  const repeats = ({ step }: Spot) => step.work.kind === 'each' || step.work.kind === 'loop';
  return moment === 'until' || isPassMoment(spot, moment) || around(spot).some(repeats);
}

function memberType(type: Type | undefined, key: string): Type | undefined {
  if (type?.kind === 'object') return Object.hasOwn(type.fields, key) ? type.fields[key] : undefined;
  return type?.kind === 'map' ? type.of : undefined;
}
