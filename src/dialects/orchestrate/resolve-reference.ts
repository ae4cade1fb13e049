// resolve-reference: `${name}` → the expression that gives its value. What can be known at load is known at load.
// Precedence: run, loop, steps, context. What names nothing becomes a value that is absent: the step fails and says so.

import type { Conforming } from '../../source/grammar/conform.ts';
import { type Node, stringOf } from '../../source/read/node.ts';
import { absent, called, member } from '../native-text.ts';
import type { Context } from './context.ts';
import type { Flow } from './flow.ts';
import { type ForeignList, type ForeignStep, listsFrom, suggestStep } from './outline.ts';

/** Where a text stands: in a step, or at the end of every pass of a loop. */
export type Place = { list: ForeignList; step: ForeignStep } | { list: ForeignList; step?: undefined };

export function placeOf(step: ForeignStep): Place {
  return { list: step.list, step };
}

export type Resolved =
  | { kind: 'value'; cel: string }
  /** It names nothing; `why` ends a sentence. */
  | { kind: 'absent'; cel: string; why: string; hint?: string }
  /** There is no such namespace, on purpose. */
  | { kind: 'env' };

const RUN: Readonly<Record<string, string>> = {
  id: 'run.id',
  root: 'run.root',
  timestamp_utc: 'run.started',
};
const LOOP: Readonly<Record<string, string>> = { index: 'pass.index', total: 'pass.total' };

export class References {
  readonly #to: Conforming;
  readonly #flow: Flow;
  readonly #context: Context;

  constructor(flow: Flow, context: Context, to: Conforming) {
    this.#flow = flow;
    this.#context = context;
    this.#to = to;
  }

  /** `at` is where it is written: an undeclared key of the context is declared there. */
  resolve(name: string, place: Place, at: Node): Resolved {
    const [space = '', ...rest] = name.split('.');
    const path = rest.join('.');
    if (space === 'run' && rest.length > 0)
      return oneOf(RUN, name, path, '`run` has `id`, `root` and `timestamp_utc`');
    const item = this.#item(name, place);
    if (item !== undefined) return item;
    switch (rest.length > 0 ? space : '') {
      case 'loop':
        if (place.list.owner === undefined) return nothing(name, 'it stands in no loop');
        return oneOf(LOOP, name, path, '`loop` has `index` and `total`');
      case 'steps':
        return this.#step(name, path, place);
      case 'context': {
        const read = this.#context.read(path, at);
        if (read === undefined) return nothing(name, 'no key can be called that');
        return { kind: 'value', cel: read.isDeclared ? read.cel : called(read.cel, name) };
      }
      case 'env':
        return { kind: 'env' };
      default:
        return nothing(
          name,
          'nothing has this name here',
          `Where it is meant for a shell, or as it stands, write \`$\${${name}}\`.`,
        );
    }
  }

  #item(name: string, { list }: Place): Resolved | undefined {
    for (const { alias } of listsFrom(list)) {
      if (alias === undefined) continue;
      if (name === alias.name) return { kind: 'value', cel: alias.native };
      if (!name.startsWith(`${alias.name}.`)) continue;
      // `loop.index` and `loop.total` are what they are, whatever the items are called.
      if (alias.name === 'loop' && Object.hasOwn(LOOP, name.slice('loop.'.length))) continue;
      const keys = name.slice(alias.name.length + 1).split('.');
      if (alias.lines) return nothing(name, 'the items are lines of text, which have no fields');
      return { kind: 'value', cel: called(keys.reduce(member, alias.native), name) };
    }
    return undefined;
  }

  /** What `items_from` points at: `steps.<Name>.lines` and the like, whatever items are called around it. */
  list(pointer: string, place: Place): Resolved {
    return this.#step(pointer, pointer.slice('steps.'.length), place, 'list');
  }

  #step(name: string, path: string, place: Place, as: 'text' | 'list' = 'text'): Resolved {
    const found = this.stepOf(path, place.list);
    if (found === undefined)
      return nothing(name, 'there is no such step here', suggestStep(path.split('.')[0] ?? '', place.list));
    const { step, field } = found;
    if (!this.#canHaveRun(step, place)) return nothing(name, `"${step.name}" cannot have run before`);
    return this.#field(step, field, name, as);
  }

  /** Names may have dots: the longest that is a step counts. */
  stepOf(path: string, list: ForeignList): { step: ForeignStep; field: string } | undefined {
    for (const { byName } of listsFrom(list)) {
      for (let dot = path.lastIndexOf('.'); dot > 0; dot = path.lastIndexOf('.', dot - 1)) {
        const step = byName.get(path.slice(0, dot));
        if (step !== undefined) return { step, field: path.slice(dot + 1) };
      }
    }
    return undefined;
  }

  #canHaveRun(step: ForeignStep, { list, step: here }: Place): boolean {
    if (here === undefined && step.list === list) return this.#flow.endsPass(step);
    return this.#flow.canHaveEnded(step, here ?? list.owner);
  }

  /** What a step has for later ones depends on how its output was read. */
  #field(step: ForeignStep, field: string, name: string, wanted: 'text' | 'list'): Resolved {
    const result = member('steps', step.id);
    const [head = '', ...keys] = field.split('.');
    if (step.kind === 'for_each' || step.kind === undefined)
      return nothing(name, `"${step.name}" is a loop, and has no result of its own`);
    // Where nothing is jumped over every step before has run, and its result is there.
    const told = (cel: string) => (this.#flow.jumps ? called(cel, name) : cel);
    if (keys.length === 0 && head === 'exit_code') {
      const code = `${result}.exit_code`;
      if (!this.#flow.isConditional(step)) return { kind: 'value', cel: told(code) };
      const otherwise = `default(${result}.status, "") == "skipped" ? 0 : ${absent(name)}`;
      return { kind: 'value', cel: `default(${code}, ${otherwise})` };
    }
    if (keys.length === 0 && (head === 'duration_ms' || head === 'duration'))
      return { kind: 'value', cel: told(`${result}.duration_ms`) };
    if (step.kind === 'wait_for') return nothing(name, `"${step.name}" only waits, and has no output`);
    return this.#output(step, [head, keys], name, wanted);
  }

  /** Nothing is no list, and that is told; but it must not become the text "null". */
  #output(
    step: ForeignStep,
    [head, keys]: [string, string[]],
    name: string,
    wanted: 'text' | 'list',
  ): Resolved {
    const as = stringOf(this.#to.get(step.node, 'output_capture')) ?? 'text';
    const result = member('steps', step.id);
    const value = `${result}.output`;
    const kept = this.#keepsText(step);
    const isText = wanted === 'text';
    if (head === 'json' && as === 'json') {
      const json = keys.reduce(member, this.#json(step, isText && keys.length === 0, name));
      return { kind: 'value', cel: keys.length > 0 || this.#flow.jumps ? called(json, name) : json };
    }
    if (keys.length > 0) return nothing(name, `only \`json\` has fields, not \`${head}\``);
    if (head === 'output' && as === 'json' && kept) {
      return { kind: 'value', cel: `(truthy(${result}.parse_error) ? ${value} : ${absent(name)})` };
    }
    if ((head === 'output' && as === 'text') || (head === 'lines' && as === 'lines')) {
      const missing = isText && this.#flow.mayHaveNothing(step);
      const cel = missing ? `default(${value}, ${absent(name)})` : value;
      return { kind: 'value', cel: missing || !this.#flow.jumps ? cel : called(value, name) };
    }
    const has = as === 'text' ? 'output' : as;
    const what = ['output', 'lines', 'json'].includes(head)
      ? `"${step.name}" has \`${has}\`, since its output is read as ${as}`
      : `a step has \`${has}\`, \`exit_code\` and \`duration_ms\``;
    return nothing(name, what);
  }

  /** A text beside a failure is what could not be read; fields of it, or of nothing, are missed anyway. */
  #json(step: ForeignStep, isWhole: boolean, name: string): string {
    const result = member('steps', step.id);
    const value = `${result}.output`;
    const tests: string[] = [];
    if (this.#keepsText(step)) tests.push(`truthy(${result}.parse_error)`);
    if (isWhole)
      tests.push(
        `default(${result}.status, "done") != "done" && (${value} == null || text(${value}) == ${value})`,
      );
    return tests.length === 0 ? value : `(${tests.join(' || ')} ? ${absent(name)} : ${value})`;
  }

  #keepsText(step: ForeignStep): boolean {
    const allowed = this.#to.get(step.node, 'allow_parse_error');
    return allowed?.kind === 'scalar' && allowed.value === true;
  }
}

function oneOf(fields: Readonly<Record<string, string>>, name: string, key: string, why: string): Resolved {
  const cel = Object.hasOwn(fields, key) ? fields[key] : undefined;
  return cel === undefined ? nothing(name, why) : { kind: 'value', cel };
}

function nothing(name: string, why: string, hint?: string): Resolved {
  return { kind: 'absent', cel: absent(name), why, ...(hint !== undefined && { hint }) };
}
