// bindings: what the expressions of an open step may name (language.md, "Roots" and rule 1).

import type { Bindings, LazyMap } from '../expressions/evaluation.ts';
import type { Need } from '../model/entry.ts';
import type { Json, JsonObject } from '../model/json.ts';
import type { OpenStep, Pass, Scope, State, StepResult } from '../model/state.ts';
import { cutsAt, cutsOf, hasCutInputs, type Touched, watched } from './cut.ts';
import { eventValue, sessionValue } from './session-value.ts';
import { runFactsAt } from './worktree.ts';

export function factKey(need: Need): string {
  return `${need.kind}:${need.pattern}`;
}

function shownResult(result: StepResult, touched: Touched | undefined): Json | LazyMap {
  const { session: _session, cuts, error, ...shown } = result;
  const all = { ...shown, error: error === null ? null : { class: error.class, message: error.message } };
  if (!cuts || !touched) return all;
  return {
    lazy: true,
    // A map of our own may hold one: expressions read both alike.
    get: (key) => (key === 'output' ? watched(all.output, cuts, touched) : (all as JsonObject)[key]) as Json,
    keys: () => Object.keys(all),
  };
}

/** `steps`: the nearest scope that has the id, latest visit (rule 2). */
function stepsOf(scope: Scope, touched: Touched | undefined): LazyMap {
  return {
    lazy: true,
    get(id) {
      for (let at: Scope | undefined = scope; at; at = at.parent) {
        const result = at.steps.get(id);
        if (result) return shownResult(result, touched) as Json;
      }
      return undefined;
    },
    *keys() {
      const seen = new Set<string>();
      for (let at: Scope | undefined = scope; at; at = at.parent) {
        for (const id of at.steps.keys()) {
          if (!seen.has(id)) yield id;
          seen.add(id);
        }
      }
    },
  };
}

function varsOf(scope: Scope, touched: Touched | undefined): LazyMap {
  const { vars } = scope;
  return {
    lazy: true,
    get: (key) => watched(vars.get(key), cutsAt(scope, 'vars', key), touched) as Json | undefined,
    keys: () => vars.keys(),
  };
}

function inputsOf(scope: Scope, touched: Touched | undefined): Json | LazyMap {
  const { inputs } = scope;
  if (!touched || !hasCutInputs(scope)) return inputs;
  return {
    lazy: true,
    get: (key) =>
      Object.hasOwn(inputs, key)
        ? (watched(inputs[key], cutsAt(scope, 'inputs', key), touched) as Json | undefined)
        : undefined,
    keys: () => Object.keys(inputs),
  };
}

function passOf(open: OpenStep): Pass | undefined {
  const { work } = open.step;
  if (work.kind === 'loop' && open.stage === 'work') {
    // `while` looks ahead at the pass to come, `until` back at the one that ran.
    const number = work.test.kind === 'while' ? open.pass + 1 : open.pass;
    return { index: number - 1, number, total: work.max };
  }
  for (let at: OpenStep | undefined = open; at; at = at.list.owner) {
    if (at.scope !== at.list.scope) return at.scope.pass;
    if (at.list.pass) return at.list.pass;
    if (at.list.owner?.step.work.kind === 'workflow') return undefined;
  }
  return undefined;
}

/** With the pass of the nearest `each`, which a loop inside of it would hide. */
function shownPass(open: OpenStep, scope: Scope): Json | undefined {
  const pass = passOf(open);
  if (pass === undefined) return undefined;
  for (let at: Scope | undefined = scope; at; at = at.parent) {
    if (at.pass) return { ...pass, each: { ...at.pass } };
  }
  return { ...pass };
}

export interface ExtraNames {
  /** Names only this text sees. */
  local?: Map<string, Json>;
  /** A prompt that declares inputs sees nothing but those and `run`. */
  only?: boolean;
  /** Told of what was made from a part of an output, once it is read. */
  touched?: Touched;
  /** Without an open step: where `run.workspace` is looked at from. */
  at?: OpenStep;
}

/** Without an open step: the view of the run's end, for `outputs`. */
export function bindingsAt(state: State, scope: Scope, open?: OpenStep, extra: ExtraNames = {}): Bindings {
  return {
    fact: (need) => open?.facts?.get(factKey(need))?.value,
    lookup(root) {
      const local = extra.local?.get(root);
      if (local !== undefined || (extra.only && root !== 'run')) return local;
      switch (root) {
        case 'inputs':
          return inputsOf(scope, extra.touched);
        case 'vars':
          return varsOf(scope, extra.touched);
        case 'steps':
          return stepsOf(scope, extra.touched);
        case 'run':
          return runFactsAt(state, open ?? extra.at) as unknown as Json;
        case 'pass':
          return open && shownPass(open, scope);
        case 'output':
          return open && watched(open.outcome?.output, cutsOf(open), extra.touched);
        case 'status':
          return open?.status;
        case 'event':
          return eventValue(state);
        case 'session':
          return sessionValue(state);
      }
      for (let at: Scope | undefined = scope; at; at = at.parent) {
        const value = at.names.get(root);
        if (value !== undefined) return watched(value, at.cuts && cutsAt(at, 'names', root), extra.touched);
      }
      return undefined;
    },
  };
}
