// reader: evaluates the texts of one step. What cannot be had interrupts the decision: a look at the world that
// nobody took yet (Unobserved), or a value that is not there (Unevaluable, rule 16). `decide` turns both into entries.

import type { Bindings, Evaluation } from '../expressions/evaluation.ts';
import {
  absences,
  evaluate,
  render,
  renderDeep,
  renderNamed,
  renderText,
  renderWords,
  test,
} from '../expressions/expressions.ts';
import type { ResolvedCommand } from '../model/command.ts';
import type { Need } from '../model/entry.ts';
import type { Json, JsonObject } from '../model/json.ts';
import type { OpenStep, Scope, State } from '../model/state.ts';
import type { Cel, CommandLine, Template, Templated } from '../model/workflow.ts';
import { bindingsAt, type ExtraNames } from './bindings.ts';

export class Unobserved {
  readonly needs: Need[];
  constructor(needs: Need[]) {
    this.needs = needs;
  }
}

export class Unevaluable {
  readonly message: string;
  /** The first value that is not there, if that is why. */
  readonly absent: string | undefined;
  constructor(message: string, absent?: string) {
    this.message = message;
    this.absent = absent;
  }
}

/** Gathers what is not there and reads on, so that all of it is found. What is decided then means nothing. */
export type Absent = Set<string>;

interface Sight {
  /** The world could not be looked at, and why; it is not looked at again. */
  unseen?: string | undefined;
  absent?: Absent | undefined;
}

export interface Reader {
  value(cel: Cel): Json;
  test(cel: Cel): boolean;
  text(template: Template): string;
  /** One `{{ }}` and nothing else keeps its type. */
  rendered(template: Template): Json;
  /** Each a text; one that is a single `{{ }}` may give a list of them. */
  texts(templates: readonly Template[]): string[];
  deep(value: Templated): Json;
  map(values: Record<string, Templated>): JsonObject;
  command(line: CommandLine): ResolvedCommand;
}

export function readerFor(state: State, open: OpenStep, extra?: ExtraNames, absent?: Absent): Reader {
  return reader(bindingsAt(state, open.scope, open, extra), { unseen: open.unseen, absent });
}

/** `at`: the step that a called workflow is the work of. */
export function readerOfScope(
  state: State,
  scope: Scope,
  extra?: Pick<ExtraNames, 'at' | 'touched'>,
): Reader {
  return reader(bindingsAt(state, scope, undefined, extra), {});
}

function reader(bindings: Bindings, { unseen, absent }: Sight): Reader {
  /** `instead`: the value to read on with. */
  function settled<T>(evaluation: Evaluation<T>, source: Templated, kind: 'cel' | 'template', instead: T): T {
    switch (evaluation.kind) {
      case 'value':
        return evaluation.value;
      case 'needs':
        throw unseen === undefined ? new Unobserved(evaluation.needs) : new Unevaluable(unseen);
      case 'error':
        if (!absent || evaluation.absent === undefined)
          throw new Unevaluable(evaluation.message, evaluation.absent);
        for (const name of absences(source, kind, bindings)) absent.add(name);
        return instead;
    }
  }
  const shellLine = (line: Template): string =>
    String(settled<Json>(render(line, bindings, { quote: 'shell' }), line, 'template', ''));
  const self: Reader = {
    value: (cel) => settled<Json>(evaluate(cel, bindings), cel, 'cel', []),
    test: (cel) => settled(test(cel, bindings), cel, 'cel', false),
    text: (template) => settled(renderText(template, bindings), template, 'template', ''),
    rendered: (template) => settled<Json>(render(template, bindings), template, 'template', null),
    texts: (templates) =>
      templates.flatMap((template) => {
        const value = self.rendered(template);
        const isList = Array.isArray(value) && value.every((item) => typeof item === 'string');
        return isList ? (value as string[]) : [self.text(template)];
      }),
    deep: (value) => settled<Json>(renderDeep(value, bindings), value, 'template', null),
    map(values) {
      // A copy has its own members from the start, whatever they are called; each is then given its value.
      const rendered = { ...values } as JsonObject;
      for (const key of Object.keys(rendered)) rendered[key] = self.deep(values[key] as Templated);
      return rendered;
    },
    command(line) {
      if (line.kind === 'shell') return { kind: 'shell', line: shellLine(line.line) };
      if (line.kind === 'input') return resolveInput(line, self);
      // Decided for nothing but what is not there: a person sees where it stands.
      const nothing = absent ? line.argv.map((word) => renderNamed(word, bindings) ?? word) : [];
      return {
        kind: 'argv',
        argv: settled(renderWords(line.argv, bindings, line.script), [...line.argv], 'template', nothing),
      };
    },
  };
  return self;
}

/** An input that is the command. */
function resolveInput(line: CommandLine & { kind: 'input' }, read: Reader): ResolvedCommand {
  const value = read.value(line.expression);
  if (typeof value === 'string' && value.trim() !== '') return { kind: 'shell', line: value };
  if (Array.isArray(value) && value.length > 0 && value.every((word) => typeof word === 'string')) {
    return { kind: 'argv', argv: value as string[] };
  }
  throw new Unevaluable(
    `\`${line.expression}\` is not a command: it must be a line of text or a list of words`,
  );
}
