// text: a Jinja text as a template of ours, and a condition as CEL. Each piece points at the foreign part it was made from.

import { built, type Piece } from '../../source/build-nodes.ts';
import type { Report } from '../../source/diagnostics.ts';
import { placeWithin, type ScalarNode, stringOf } from '../../source/read/node.ts';
import { braceParts, celText } from '../native-text.ts';
import { reportProblem, Translator } from './expression.ts';
import { type Expression, parseExpression } from './expression-syntax.ts';
import { listOrNone } from './functions.ts';
import { bindingName, loopSpace, type Scope, type Space } from './names.ts';
import { type Part, parseText } from './text-syntax.ts';
import { type Value, value } from './value.ts';

export interface Reading {
  scope: Scope;
  report: Report;
  /** Names that were told of already. */
  told: Set<string>;
}

/** What stands between the braces, where the whole text is one `{{ }}`. */
const SOLE = /^\s*\{\{-?([\s\S]*?)-?\}\}\s*$/;

/** A test. undefined: it cannot be read, and that was reported. */
export function translateCondition(node: ScalarNode, reading: Reading): Value | undefined {
  const [text, offset] = bare(node);
  return attempt(node, offset, reading, () => translator(node, offset, reading).truth(parseExpression(text)));
}

/** A value: a text that is one `{{ }}` keeps its type. undefined: it is no such text, or cannot be read. */
export function soleExpression(node: ScalarNode, reading: Reading): Value | undefined {
  const text = stringOf(node);
  if (text === undefined || !SOLE.test(text) || parseText(text).parts.length !== 1) return undefined;
  const [inside, offset] = bare(node);
  return attempt(node, offset, reading, () =>
    translator(node, offset, reading).value(parseExpression(inside)),
  );
}

/** An expression without braces: `source: task_list.tasks`. */
export function namedValue(node: ScalarNode, reading: Reading): Value | undefined {
  const [text, offset] = bare(node);
  return attempt(node, offset, reading, () => translator(node, offset, reading).value(parseExpression(text)));
}

/** A text as one CEL expression: a pattern of files. */
export function textAsCel(node: ScalarNode, reading: Reading): string | undefined {
  const text = stringOf(node) ?? node.written;
  const { parts, problem } = parseText(text);
  if (problem || parts.some(({ kind }) => kind !== 'text' && kind !== 'value')) {
    problem && reportText(problem, node, reading.report);
    return undefined;
  }
  const made = parts.map((part) => {
    if (part.kind === 'text') return celText(part.text);
    if (part.kind !== 'value') return undefined;
    const found = attempt(node, part.start, reading, () =>
      translator(node, part.start, reading).value(parseExpression(part.source)),
    );
    return found && (parts.length === 1 || found.kind === 'text' ? found.cel : `text(${found.cel})`);
  });
  return made.includes(undefined) ? undefined : made.join(' + ') || '""';
}

/** As a template of ours. */
export function translateText(node: ScalarNode, reading: Reading): ScalarNode {
  return built(node).text(textPieces(node, reading));
}

export function textPieces(node: ScalarNode, reading: Reading): Piece[] {
  const text = (stringOf(node) ?? node.written).trimEnd();
  const { parts, problem } = parseText(text);
  if (problem) reportText(problem, node, reading.report);
  const scope = { ...reading.scope, isText: true };
  return new Writer(node, { ...reading, scope }).pieces(parts);
}

function bare(node: ScalarNode): [text: string, offset: number] {
  const text = stringOf(node) ?? node.written;
  const found = SOLE.exec(text);
  return found ? [found[1] ?? '', text.indexOf(found[1] ?? '', text.indexOf('{{') + 2)] : [text, 0];
}

function attempt<T>(node: ScalarNode, offset: number, { report }: Reading, make: () => T): T | undefined {
  try {
    return make();
  } catch (problem) {
    reportProblem(problem, node, offset, report);
    return undefined;
  }
}

function translator(node: ScalarNode, offset: number, { scope, report, told }: Reading): Translator {
  return new Translator(scope, (name, start, end, hint) => {
    const key = `${name} ${node.start} ${offset + start}`;
    if (told.has(key)) return;
    told.add(key);
    const place = placeWithin(node, offset + start, offset + end);
    report.warn(
      'unknown-name',
      node.source.span(place.start, place.end),
      `nothing gives \`${name}\` a value: it is not there, and counts as false`,
      hint,
    );
  });
}

function reportText(
  problem: { code: string; message: string; start: number; end: number },
  node: ScalarNode,
  report: Report,
): void {
  const place = placeWithin(node, problem.start, problem.end);
  report.error(problem.code, node.source.span(place.start, place.end), problem.message);
}

class Writer {
  readonly #node: ScalarNode;
  readonly #reading: Reading;

  constructor(node: ScalarNode, reading: Reading) {
    this.#node = node;
    this.#reading = reading;
  }

  pieces(parts: readonly Part[]): Piece[] {
    return parts.flatMap((part) => this.#piece(part));
  }

  #piece(part: Part): Piece[] {
    switch (part.kind) {
      case 'text':
        return braceParts(part.text, true).map(({ text, opens }) =>
          this.#made(opens ? `{{ ${celText(text)} }}` : text, part),
        );
      case 'value': {
        const found = this.#value(part.source, part.start);
        return found ? [this.#made(`{{ ${shown(found)} }}`, part)] : [];
      }
      case 'if':
        return this.#if(part);
      case 'for':
        return this.#for(part);
    }
  }

  #made(text: string, { start, end }: { start: number; end: number }): Piece {
    return { text, at: placeWithin(this.#node, start, Math.max(end, start + 1)) };
  }

  #value(source: string, start: number): Value | undefined {
    return attempt(this.#node, start, this.#reading, () =>
      this.#translator(start).value(parseExpression(source)),
    );
  }

  #translator(start: number): Translator {
    return translator(this.#node, start, this.#reading);
  }

  #if(part: Part & { kind: 'if' }): Piece[] {
    const pieces = part.branches.flatMap(({ test, start, end, inside }, index): Piece[] => {
      if (test === undefined) return [this.#made('{% else %}', { start, end }), ...this.pieces(inside)];
      const holds = attempt(this.#node, start, this.#reading, () =>
        this.#translator(start).truth(parseExpression(test)),
      );
      const tag = `{% ${index === 0 ? 'if' : 'elsif'} ${holds?.cel ?? 'false'} %}`;
      return [this.#made(tag, { start, end }), ...this.pieces(inside)];
    });
    return [...pieces, this.#made('{% endif %}', part)];
  }

  #for(part: Part & { kind: 'for' }): Piece[] {
    const { names, list, start } = part;
    const translate = this.#translator(start);
    const found = attempt(this.#node, start, this.#reading, () => this.#items(list, names, translate));
    if (found === undefined) return [];
    const { cel, locals } = found;
    const scope = { ...this.#reading.scope, locals: new Map([...this.#reading.scope.locals, ...locals]) };
    const inside = new Writer(this.#node, { ...this.#reading, scope }).pieces(part.inside);
    const whole = [
      this.#made(`{% for ${found.name} in ${cel} %}`, part),
      ...inside,
      this.#made('{% endfor %}', part),
    ];
    if (part.otherwise === undefined) return whole;
    return [
      this.#made(`{% if size(${cel}) > 0 %}`, part),
      ...whole,
      this.#made('{% else %}', part),
      ...this.pieces(part.otherwise),
      this.#made('{% endif %}', part),
    ];
  }

  /** With `loop`, or with two names, the items come with their keys. */
  #items(list: Expression, names: readonly string[], translate: Translator) {
    const [first = 'item', second] = names;
    const of = list.kind === 'method' && list.name === 'items' ? list.of : list;
    const all = listOrNone(translate.value(of), translate);
    const name = bindingName(first);
    const entries = value(`${name}.value`);
    const item = (found: Value): Value => ({ ...found, nullable: true });
    if (second !== undefined || of !== list) {
      const locals = new Map<string, Value | Space>([
        [first, value(`${name}.key`, 'text')],
        [second ?? 'value', item(entries)],
        ['loop', loopSpace(name, all.cel)],
      ]);
      return { name, cel: `entries(${all.cel})`, locals };
    }
    if (this.#usesLoop()) {
      const locals = new Map<string, Value | Space>([
        [first, item(entries)],
        ['loop', loopSpace(name, all.cel)],
      ]);
      return { name, cel: `entries(${all.cel})`, locals };
    }
    return { name, cel: all.cel, locals: new Map<string, Value | Space>([[first, item(value(name))]]) };
  }

  #usesLoop(): boolean {
    return /\bloop\.\w/.test(stringOf(this.#node) ?? '');
  }
}

/** In a text what is not there renders as nothing. */
function shown(found: Value): string {
  return found.absent || found.nullable ? `default(${found.cel}, "")` : found.cel;
}
