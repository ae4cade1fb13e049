// names: what a name of that language stands for where it is read: a variable, what a step has put out, or, after a
// `per-task`, what a step of its last task has put out. There every step sees everything; here an `each` keeps its names
// to itself, so what is read after it is carried out through `vars`.

import type { Json } from '../../model/json.ts';
import type { Conforming } from '../../source/grammar/conform.ts';
import { nodeSpan, placeWithin, type ScalarNode, stringOf } from '../../source/read/node.ts';
import { didYouMean } from '../../text/closest-name.ts';
import { member } from '../native-text.ts';
import type { Path } from './condition-syntax.ts';
import { blocksAround, type ForeignStep, type Outline, tasksAround } from './outline.ts';
import { VARIABLES, variable, variableValue } from './variables.ts';

interface Found {
  /** The step that puts it out, seen from here. */
  kind: 'here' | 'carried';
  by: ForeignStep;
}

export class Names {
  readonly #to: Conforming;
  readonly #bound = new Map<string, ForeignStep[]>();
  /** What each step keeps in `vars`, for whoever reads it and does not see the step. */
  readonly carried = new Map<ForeignStep, Set<string>>();

  constructor(outline: Outline, to: Conforming) {
    this.#to = to;
    for (const step of outline.all) {
      const node = to.get(step.node, 'output');
      const name = stringOf(node);
      if (node === undefined || name === undefined) continue;
      if (VARIABLES.includes(name)) {
        to.report.error(
          'bad-name',
          nodeSpan(node),
          `\`output\`: "${name}" is always there, and is not what a step puts out`,
          'Give the output another name.',
        );
      } else this.#bound.set(name, [...(this.#bound.get(name) ?? []), step]);
    }
  }

  /** `own`: in `failWhen` a step's own output has its name already. undefined: nothing is called that; it was reported. */
  resolve(path: Path, step: ForeignStep, at: ScalarNode, field: string, own = false): string | undefined {
    const { root, keys } = path;
    const read = (from: string) => this.#along(path, from);
    if (own && root === stringOf(this.#to.get(step.node, 'output'))) return read('output');
    const inTask = tasksAround(step).length > 0;
    const known = variable(root, keys.map(String), { inTask, isCheck: own });
    if (known !== undefined) return known;
    const found = this.#find(root, step);
    if (found?.kind === 'here') return read(nativeName(root));
    if (found !== undefined) return read(this.#carry(root));
    const place = placeWithin(at, path.start, path.start + root.length);
    this.#to.report.error(
      'unknown-name',
      place.source.span(place.start, place.end),
      `\`${field}\`: nothing is called "${root}"`,
      didYouMean(root, [...this.#bound.keys(), ...VARIABLES]) ??
        'It is the `output` of a step, or one of the variables that are always there.',
    );
    return undefined;
  }

  /** For what the text of a prompt reads; undefined: it sees it by itself, or nothing is called that. */
  value(root: string, step: ForeignStep): Json | undefined {
    if (this.isTask(root, step)) return undefined;
    const known = this.variable(root, step);
    if (known !== undefined) return known;
    const found = this.#find(root, step);
    if (found === undefined || !isBefore(found.by, step)) return undefined;
    const isGroup = this.#groups(root).length > 0;
    if (found.kind === 'here')
      return isGroup ? `{{ default(reviews(${nativeName(root)}), null) }}` : undefined;
    return isGroup ? `{{ reviews(${this.#carry(root)}) }}` : `{{ ${this.#carry(root)} }}`;
  }

  /** In a group a step is known by its name; beside them stands what their reviews come to together. */
  #along({ root, keys }: Path, from: string): string {
    const groups = this.#groups(root);
    const inside = groups.flatMap(({ body }) => body?.steps ?? []);
    const [first, ...rest] = keys;
    const known = inside.find(({ name, id }) => name === first || id === first);
    const follow = (so: string, key: string | number) =>
      typeof key === 'number' ? `${so}[${key}]` : member(so, key);
    if (groups.length === 0) return keys.reduce(follow, from);
    if (known !== undefined) return rest.reduce(follow, member(from, known.id));
    return keys.reduce(follow, `reviews(${from})`);
  }

  #groups(root: string): ForeignStep[] {
    return (this.#bound.get(root) ?? []).filter(({ kind }) => kind === 'parallel');
  }

  /** What is always there, as a value that a step is given. */
  variable(root: string, step: ForeignStep): Json | undefined {
    return variableValue(root, { inTask: tasksAround(step).length > 0 });
  }

  isTask(root: string, step: ForeignStep): boolean {
    return root === 'task' && tasksAround(step).length > 0;
  }

  /** Whether a step has put it out before this one begins, if all goes well. */
  isThere(root: string, step: ForeignStep): boolean {
    return (this.#bound.get(root) ?? []).some((by) => isVisible(by, step) && isBefore(by, step));
  }

  /** Whether it can have been put out when the step is reached, or nothing is called that. */
  canBeThere(root: string, step: ForeignStep): boolean {
    if (VARIABLES.includes(root) || !this.#bound.has(root)) return true;
    const loops = new Set(blocksAround(step).filter(({ kind }) => kind === 'loop'));
    const isEarlier = (by: ForeignStep) =>
      by !== step && (by.order < step.order || blocksAround(by).some((block) => loops.has(block)));
    return (this.#bound.get(root) ?? []).some(isEarlier);
  }

  #find(root: string, step: ForeignStep): Found | undefined {
    const all = this.#bound.get(root) ?? [];
    const here = all.find((by) => isVisible(by, step));
    const first = all.find((by) => isBefore(by, step)) ?? all[0];
    const by = here === undefined ? first : this.#newer(all, step);
    if (by !== undefined) return { kind: 'carried', by };
    return here && { kind: 'here', by: here };
  }

  /** What is seen from here may have been put out anew in a `per-task` since. A task has names of its own first. */
  #newer(all: readonly ForeignStep[], step: ForeignStep): ForeignStep | undefined {
    const around = tasksAround(step);
    const seen = all.filter((by) => isVisible(by, step));
    if (around.length > 0 && seen.some((by) => tasksAround(by).length === around.length)) return undefined;
    // What a `per-task` puts out itself comes after everything in it.
    const closed = seen.filter((by) => by.kind === 'per-task' && isBefore(by, step));
    return all.find(
      (by) =>
        !seen.includes(by) &&
        isBefore(by, step) &&
        !closed.some((block) => by.order < block.order || blocksAround(by).includes(block)),
    );
  }

  /** What was put out last counts, whichever step that turns out to be: each that puts it out keeps it. */
  #carry(root: string): string {
    for (const by of this.#bound.get(root) ?? []) {
      // At the end of a `per-task` nothing can be kept: that is done at the end of a pass, of the one around it.
      const keeper = by.kind === 'per-task' ? tasksAround(by)[0] : by;
      if (keeper) this.carried.set(keeper, (this.carried.get(keeper) ?? new Set()).add(root));
    }
    return member('vars', nativeName(root));
  }
}

/** Names there may have hyphens; ours would read them as a subtraction. */
export function nativeName(name: string): string {
  return name.replaceAll('-', '_');
}

function isVisible(by: ForeignStep, step: ForeignStep): boolean {
  const around = new Set(tasksAround(step));
  return tasksAround(by).every((task) => around.has(task));
}

/** Written before it and not beside it; or in the same loop, where it was done in the pass before. */
function isBefore(by: ForeignStep, step: ForeignStep): boolean {
  const around = new Set([step, ...blocksAround(step)]);
  const shared = blocksAround(by).filter((block) => around.has(block));
  if (shared[0]?.kind === 'parallel') return false;
  return around.has(by) ? false : by.order < step.order || shared.some(({ kind }) => kind === 'loop');
}
