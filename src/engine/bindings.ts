// bindings: what the expressions of an open step may name (language.md, "Roots" and rule 1).

import type { Bindings, LazyMap } from '../expressions/evaluation.ts';
import type { Need } from '../model/entry.ts';
import type { Json } from '../model/json.ts';
import type { OpenStep, Pass, Scope, State, StepResult } from '../model/state.ts';
import { runFactsAt } from './worktree.ts';

export function factKey(need: Need): string {
  return `${need.kind}:${need.pattern}`;
}

function shownResult(result: StepResult): Json {
  const { session: _session, error, ...shown } = result;
  return { ...shown, error: error === null ? null : { class: error.class, message: error.message } };
}

/** `steps`: the nearest scope that has the id, latest visit (rule 2). */
function stepsOf(scope: Scope): LazyMap {
  return {
    lazy: true,
    get(id) {
      for (let at: Scope | undefined = scope; at; at = at.parent) {
        const result = at.steps.get(id);
        if (result) return shownResult(result);
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

function mapOf(values: Map<string, Json>): LazyMap {
  return { lazy: true, get: (key) => values.get(key), keys: () => values.keys() };
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
          return scope.inputs;
        case 'vars':
          return mapOf(scope.vars);
        case 'steps':
          return stepsOf(scope);
        case 'run':
          return runFactsAt(state, open ?? extra.at) as unknown as Json;
        case 'pass':
          return open && shownPass(open, scope);
        case 'output':
          return open?.outcome?.output;
        case 'status':
          return open?.status;
        case 'event':
        case 'session':
          return undefined;
      }
      for (let at: Scope | undefined = scope; at; at = at.parent) {
        const value = at.names.get(root);
        if (value !== undefined) return value;
      }
      return undefined;
    },
  };
}
