// translate: a Mustache or Handlebars text → a template of ours that renders what that text does: what is not there is
// nothing, and no value makes it fail. Names are looked up from the inside out, as Mustache does.
//
// What differs on purpose: nothing is escaped as HTML, and lists and maps are written as JSON.

import { built, type Piece } from '../../../source/build-nodes.ts';
import type { Report } from '../../../source/diagnostics.ts';
import { nameProblem } from '../../../source/grammar/name.ts';
import { locateIn, type ScalarNode } from '../../../source/read/node.ts';
import { braceParts, celText, member } from '../../native-text.ts';
import type { Path } from './path.ts';
import { type Block, type Part, parse } from './tree.ts';

export interface TranslatedText {
  body: ScalarNode;
  /** Every name that the text may read from outside. */
  names: ReadonlySet<string>;
}

export function translateText(node: ScalarNode, report: Report): TranslatedText {
  const source = String(node.value ?? '');
  const { parts, problems } = parse(source);
  const writer = new Writer();
  writer.all(parts, []);
  const locate = locateIn(node);
  for (const { code, message, start, end, hint } of [...problems, ...writer.problems])
    report[code === 'template-unbound' ? 'warn' : 'error'](code, locate(start, end), message, hint);
  const body: ScalarNode = { ...built(node).text(writer.pieces), lenient: { quiet: writer.quiet } };
  return { body, names: writer.names };
}

/** What a block has opened: the value that names inside are looked up in first. */
interface Frame {
  /** A variable that holds `{ key, value, index, first, last }`. */
  entry: string;
  /** Whether it goes over a list: only then is there an index. */
  counts: boolean;
  /** Names that the block gave. */
  names: ReadonlyMap<string, string>;
}

/** What only live sessions have. */
const LIVE = ['event', 'session'];
/** What CEL reads as the name of a type, where nothing else is called that. */
const TYPES = 'bool bytes double int list map null_type string type uint'.split(' ');

class Writer {
  readonly pieces: Piece[] = [];
  readonly names = new Set<string>();
  readonly quiet: { start: number; end: number }[] = [];
  readonly problems: {
    code: 'template-unbound';
    message: string;
    start: number;
    end: number;
    hint?: string;
  }[] = [];
  #length = 0;

  all(parts: readonly Part[], frames: readonly Frame[]): void {
    for (const part of parts) {
      if (part.kind === 'text') this.#text(part);
      else if (part.kind === 'value') this.#value(part, frames);
      else this.#block(part, frames);
    }
  }

  /** Braces that would open something in our language, alone or with what follows, are given as a text that has them. */
  #text({ text, start, end }: Part & { kind: 'text' }): void {
    for (const { text: part, opens } of braceParts(text, true))
      this.#write(opens ? `{{ ${celText(part)} }}` : part, start, end);
  }

  #value({ path, start, end }: Part & { kind: 'value' }, frames: readonly Frame[]): void {
    const cel = this.#read(path, frames, start, end);
    if (cel !== undefined) this.#cel(`{{ default(${cel}, "") }}`, frames, start, end);
  }

  #block(block: Block, frames: readonly Frame[]): void {
    const { verb, path, start, end } = block;
    const cel = (path && this.#read(path, frames, start, end)) ?? 'null';
    if (verb === 'if' || verb === 'unless') {
      const test = holds(cel);
      this.#branches(verb === 'if' ? test : `!(${test})`, block, frames, () => this.all(block.body, frames));
      return;
    }
    const entry = `at_${frames.length + 1}_`;
    const list = verb === 'each' ? `entries(${cel})` : verb === 'with' ? once(cel) : oneOrMany(cel);
    const [item, second] = block.names;
    const names = new Map<string, string>();
    if (item !== undefined) names.set(item, `${entry}.value`);
    if (second !== undefined) names.set(second, `${entry}.key`);
    const inside = [...frames, { entry, counts: verb !== 'with', names }];
    const loop = () => {
      this.#cel(`{% for ${entry} in ${list} %}`, frames, start, end);
      this.all(block.body, inside);
      this.#write('{% endfor %}', start, end);
    };
    if (block.otherwise.length === 0) loop();
    else this.#branches(`size(${list}) > 0`, block, frames, loop);
  }

  #branches(test: string, block: Block, frames: readonly Frame[], body: () => void): void {
    const { otherwise, start, end } = block;
    this.#cel(`{% if ${test} %}`, frames, start, end);
    body();
    if (otherwise.length > 0) {
      this.#write('{% else %}', start, end);
      this.all(otherwise, frames);
    }
    this.#write('{% endif %}', start, end);
  }

  /** undefined: nothing can ever stand for it. */
  #read(path: Path, frames: readonly Frame[], start: number, end: number): string | undefined {
    const at = Math.max(frames.length - path.up, 0);
    const seen = frames.slice(0, at);
    if (path.data === 'root') return this.#along(path.keys, [], start, end);
    if (path.data !== undefined) {
      const frame = seen.findLast(({ counts }) => counts);
      return frame
        ? `${frame.entry}.${path.data}`
        : this.#unbound(`@${path.data}`, start, end, 'It is there inside `#each`.');
    }
    const nearest = seen.at(-1);
    // `../x` looks into that context and no further.
    if (nearest !== undefined && (path.own || path.up > 0))
      return follow(`${nearest.entry}.value`, path.keys);
    return this.#along(path.keys, seen, start, end);
  }

  /** The first part of a path is looked for from the inside out, the rest in what that is. */
  #along(
    [head, ...rest]: readonly string[],
    frames: readonly Frame[],
    start: number,
    end: number,
  ): string | undefined {
    if (head === undefined)
      return this.#unbound('this', start, end, 'It is there inside `#each`, `#with` and `{{#name}}`.');
    let found = nameOf(head);
    if (found !== undefined && !frames.some(({ names }) => names.has(head))) this.names.add(head);
    for (const { entry, names } of frames) {
      const given = names.get(head);
      const own = follow(`${entry}.value`, [head]);
      found = given ?? (found === undefined ? own : `(default(has(${own}), false) ? ${own} : ${found})`);
    }
    return found === undefined ? this.#unbound(head, start, end) : follow(found, rest);
  }

  #unbound(name: string, start: number, end: number, hint?: string): undefined {
    const message = `nothing can be called \`${name}\` here, so it renders as nothing`;
    this.problems.push({
      code: 'template-unbound',
      message,
      start,
      end,
      ...(hint !== undefined && { hint }),
    });
    return undefined;
  }

  /** Inside a context a name that nothing outside has is what one expects. */
  #cel(text: string, frames: readonly Frame[], start: number, end: number): void {
    const from = this.#length;
    this.#write(text, start, end);
    if (frames.length > 0) this.quiet.push({ start: from, end: this.#length });
  }

  #write(text: string, start: number, end: number): void {
    this.pieces.push({ text, from: [start, end] });
    this.#length += text.length;
  }
}

/** A name with hyphens is bound with `_` in their place. */
function nameOf(written: string): string | undefined {
  const name = written.replaceAll('-', '_');
  if (nameProblem(name, 'variable') !== undefined || LIVE.includes(name)) return undefined;
  return TYPES.includes(name) ? `(type(${name}) == type(type(1)) ? null : ${name})` : name;
}

/** `a.0` is an item, `a.length` how many there are where `a` is a list or a text. */
function follow(from: string, keys: readonly string[]): string {
  return keys.reduce((cel, key, index) => {
    if (/^\d{1,9}$/.test(key)) return `${cel}[${Number(key)}]`;
    if (key === 'length' && index === keys.length - 1)
      return `cel.bind(it, ${cel}, type(it) == list || type(it) == string ? size(it) : it.length)`;
    return member(cel, key);
  }, from);
}

/** As there: an empty list holds no more than nothing does. */
function holds(cel: string): string {
  return `cel.bind(it, default(${cel}, null), truthy(it) && (type(it) != list || size(it) > 0))`;
}

function once(cel: string): string {
  return `cel.bind(it, default(${cel}, null), truthy(it) && (type(it) != list || size(it) > 0) ? entries([it]) : [])`;
}

function oneOrMany(cel: string): string {
  return `cel.bind(it, default(${cel}, null), type(it) == list ? entries(it) : truthy(it) ? entries([it]) : [])`;
}
