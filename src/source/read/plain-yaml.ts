// plain-yaml: reads YAML as people mostly write it, and JSON, straight into nodes: many times quicker than the whole language,
// which is most of what a short command does.
// P1. What it reads is what yaml.ts reads, to the offset. A text that is wrong, or holds anything not known here, is left to that
//     one: the answer is then undefined, and nothing is reported.
// P2. Known: maps of plain keys, lists, flow maps and lists, texts on one line with or without quotes, `|` and `>` blocks of plain
//     lines, comments between lines, anchors and aliases. No tabs, no carriage returns, no documents, no tags, no empty values.

import { DEEPEST } from './limits.ts';
import type { MapEntry, Node, ScalarNode, ScalarStyle } from './node.ts';
import type { SourceText } from './source.ts';

/** Beyond these, limits might be reached that yaml.ts tells of. */
const LONGEST = 256 * 1024;
const MOST_NODES = 20_000;
const DEEPEST_PLAIN = DEEPEST / 2 - 10;
const LONGEST_KEY = 200;

const STRANGE = /[\t\r\uFEFF\u0085\u2028\u2029]/;
const DOCUMENT = /^(?:---|\.\.\.|%)/m;
const KEY = /[A-Za-z_$][\w$.-]*(?=:(?: |\n|$))/y;
const SPACES = / */y;
const BLANKS = /[ \n]*/y;
const LINE_END = /(?: +#[^\n]*| *)(?:\n|$)/y;
const NAME = /[&*]([\w-]+)(?=[ \n,\]}]|$)/y;
const SINGLE = /'((?:[^'\n]|'')*)'/y;
const DOUBLE = /"((?:[^"\\\n]|\\["\\/bfnrt])*)"/y;
const FLOW_PLAIN = /(?:[^\s,[\]{}#&*!|>'"%@`:?-]|-(?=[^\s,[\]{}#:]))(?:[^,[\]{}\n#:]|:(?=[^\s,[\]{}]))*/y;
const BLOCK_HEAD = /([|>])(-?)(?: +#[^\n]*| *)\n/y;
const INDICATOR = /^(?:[?:,[\]{}#&*!|>'"%@`]|-(?: |$))/;
const NULL = /^(?:~|[Nn]ull|NULL)$/;
const BOOLEAN = /^(?:[Tt]rue|TRUE|[Ff]alse|FALSE)$/;
const WHOLE_NUMBER = /^(?:0|-?[1-9][0-9]{0,14})$/;
/** Every number of the core schema, and some that are none. */
const NUMERIC =
  /^(?:[-+]?(?:[0-9]+|[0-9]*\.[0-9]*)(?:[eE][-+]?[0-9]+)?|0o[0-7]+|0x[0-9a-fA-F]+|[-+]?\.(?:inf|nan))$/i;

class NotPlain extends Error {}

export function readPlainYaml(source: SourceText, start: number, end: number): Node | undefined {
  const { text } = source;
  if (end - start > LONGEST) return undefined;
  const excerpt = start === 0 && end === text.length ? text : text.slice(start, end);
  if (STRANGE.test(excerpt) || DOCUMENT.test(excerpt)) return undefined;
  try {
    return new PlainReader(source, excerpt, start).read();
  } catch (error) {
    if (error instanceof NotPlain) return undefined;
    throw error;
  }
}

class PlainReader {
  readonly #source: SourceText;
  readonly #text: string;
  /** Where the text begins in the source. */
  readonly #start: number;
  readonly #anchors = new Map<string, { node: Node; weight: number }>();
  /** Where we stand. Between values: at the first character of a line that says something. */
  #at = 0;
  /** How far that line is indented; -1 when there is none left. */
  #indent = 0;
  #lineStart = 0;
  /** Where what was read last ends. */
  #end = 0;
  #nodes = 0;
  #depth = 0;
  /** Inside something that has an anchor. */
  #anchored = 0;

  constructor(source: SourceText, text: string, start: number) {
    this.#source = source;
    this.#text = text;
    this.#start = start;
  }

  read(): Node {
    this.#nextLine();
    if (this.#indent < 0) throw new NotPlain();
    const node = this.#block(-1);
    if (this.#indent >= 0) throw new NotPlain();
    return node;
  }

  /** A value that begins with this line. `outer`: how far what it belongs to is indented. */
  #block(outer: number): Node {
    if (this.#isItem()) return this.#list(this.#indent);
    const key = this.#match(KEY);
    return key === undefined ? this.#inline(outer) : this.#map(this.#indent, key);
  }

  /** `key` begins here, in this column. */
  #map(column: number, first: string): Node {
    this.#enter();
    const start = this.#at;
    const entries = new Map<string, MapEntry>();
    let key: string | undefined = first;
    do {
      if (key === undefined || key.length > LONGEST_KEY || entries.has(key)) throw new NotPlain();
      const keyStart = this.#at;
      this.#at += key.length;
      const keyNode = this.#plain(key, keyStart);
      if (typeof keyNode.value !== 'string') throw new NotPlain();
      this.#at++;
      entries.set(key, { key, keyNode, value: this.#value(column, true) });
      key = this.#indent === column ? this.#match(KEY) : undefined;
    } while (this.#indent === column);
    if (this.#indent > column) throw new NotPlain();
    this.#depth--;
    return { ...this.#place(start, this.#end), kind: 'map', entries };
  }

  #list(column: number): Node {
    this.#enter();
    const start = this.#at;
    const items: Node[] = [];
    while (this.#indent === column && this.#isItem()) {
      this.#at++;
      items.push(this.#value(column, false));
    }
    if (this.#indent > column) throw new NotPlain();
    this.#depth--;
    return { ...this.#place(start, this.#end), kind: 'list', items };
  }

  /** What follows `key:` or `-`, up to the next line that says something. */
  #value(outer: number, ofKey: boolean): Node {
    this.#skip(SPACES);
    if (this.#text[this.#at] !== '&') return this.#unnamed(outer, ofKey, !ofKey);
    const name = this.#name();
    this.#skip(SPACES);
    const before = this.#nodes;
    this.#anchored++;
    const node = this.#unnamed(outer, ofKey, false);
    this.#anchored--;
    this.#anchors.set(name, { node, weight: this.#nodes - before });
    return node;
  }

  #unnamed(outer: number, ofKey: boolean, mayBeMap: boolean): Node {
    if (this.#match(LINE_END) !== undefined) {
      this.#endLine();
      const isDeeper = this.#indent > outer || (ofKey && this.#indent === outer && this.#isItem());
      if (!isDeeper) throw new NotPlain();
      return this.#block(outer);
    }
    const key = mayBeMap ? this.#match(KEY) : undefined;
    return key === undefined ? this.#inline(outer) : this.#map(this.#at - this.#lineStart, key);
  }

  /** A value that begins on this line, with the end of its last one. */
  #inline(outer: number): Node {
    const first = this.#text[this.#at];
    if (first === '|' || first === '>') return this.#blockScalar(outer);
    const isPlain = first !== '{' && first !== '[' && first !== '"' && first !== "'" && first !== '*';
    const node = isPlain ? this.#plainLine() : this.#flow(outer);
    this.#endLine();
    // Deeper: the value goes on there.
    if (this.#indent > outer) throw new NotPlain();
    return node;
  }

  #plainLine(): Node {
    const start = this.#at;
    const newline = this.#text.indexOf('\n', start);
    const end = newline < 0 ? this.#text.length : newline;
    const line = this.#text.slice(start, end);
    const mark = line.indexOf(' #');
    const written = (mark < 0 ? line : line.slice(0, mark)).trimEnd();
    if (written === '' || INDICATOR.test(written) || written.includes(': ') || written.endsWith(':'))
      throw new NotPlain();
    const node = this.#plain(written, start);
    if (mark >= 0) node.comment = { start: this.#start + start + mark + 1, end: this.#start + end };
    this.#at = end;
    return node;
  }

  #blockScalar(outer: number): Node {
    const start = this.#at;
    BLOCK_HEAD.lastIndex = start;
    const head = BLOCK_HEAD.exec(this.#text);
    if (head === null) throw new NotPlain();
    this.#at += head[0].length;
    SPACES.lastIndex = this.#at;
    const margin = SPACES.exec(this.#text)?.[0] ?? '';
    if (margin.length <= outer || margin === '') throw new NotPlain();
    const lines: string[] = [];
    /** Lines without a word at the end do not count. */
    let kept = 0;
    for (let at = this.#at; at < this.#text.length; ) {
      const newline = this.#text.indexOf('\n', at);
      if (newline < 0) throw new NotPlain();
      if (newline === at) lines.push('');
      else if (this.#text.startsWith(margin, at)) {
        lines.push(this.#text.slice(at + margin.length, newline));
        if (lines.at(-1)?.trimStart() === '') throw new NotPlain();
        kept = lines.length;
        this.#at = newline + 1;
      } else if (this.#text.slice(at, newline).trimStart() === '') throw new NotPlain();
      else break;
      at = newline + 1;
    }
    lines.length = kept;
    const isFolded = head[1] === '>';
    if (
      kept === 0 ||
      (isFolded && lines.some((line) => line === '' || line.startsWith(' ') || line.endsWith(' ')))
    )
      throw new NotPlain();
    const value = lines.join(isFolded ? ' ' : '\n') + (head[2] === '-' ? '' : '\n');
    const node = this.#scalar(value, isFolded ? 'folded' : 'literal', value, start, this.#at);
    this.#nextLine();
    if (this.#indent > outer) throw new NotPlain();
    return node;
  }

  /** In quotes or brackets, or an alias; in brackets also a plain text. Lines that go on must be deeper than `outer`. */
  #flow(outer: number): Node {
    const start = this.#at;
    switch (this.#text[start]) {
      case '{':
        return this.#flowMap(start, outer);
      case '[':
        return this.#flowList(start, outer);
      case '"':
      case "'":
        return this.#quoted();
      case '*':
        return this.#alias();
      default: {
        const written = this.#match(FLOW_PLAIN)?.trimEnd();
        if (written === undefined || this.#depth === 0) throw new NotPlain();
        this.#at += written.length;
        return this.#plain(written, start);
      }
    }
  }

  #flowMap(start: number, outer: number): Node {
    this.#enter();
    const entries = new Map<string, MapEntry>();
    this.#open(outer);
    while (this.#text[this.#at] !== '}') {
      const keyNode = this.#flowKey();
      const key = String(keyNode.value);
      if (typeof keyNode.value !== 'string' || key === '' || key.length > LONGEST_KEY || entries.has(key))
        throw new NotPlain();
      this.#blanks(outer);
      entries.set(key, { key, keyNode, value: this.#flow(outer) });
      this.#separator('}', outer);
    }
    this.#depth--;
    this.#end = ++this.#at;
    return { ...this.#place(start, this.#at), kind: 'map', entries };
  }

  /** With its colon. */
  #flowKey(): ScalarNode {
    const first = this.#text[this.#at];
    if (first === '"' || first === "'") {
      const node = this.#quoted();
      if (this.#text[this.#at] !== ':') throw new NotPlain();
      this.#at++;
      return node;
    }
    const start = this.#at;
    const key = this.#match(KEY);
    if (key === undefined) throw new NotPlain();
    this.#at += key.length;
    const node = this.#plain(key, start);
    this.#at++;
    return node;
  }

  #flowList(start: number, outer: number): Node {
    this.#enter();
    const items: Node[] = [];
    this.#open(outer);
    while (this.#text[this.#at] !== ']') {
      items.push(this.#flow(outer));
      this.#separator(']', outer);
    }
    this.#depth--;
    this.#end = ++this.#at;
    return { ...this.#place(start, this.#at), kind: 'list', items };
  }

  #open(outer: number): void {
    this.#at++;
    this.#blanks(outer);
  }

  /** A comma and then a value, or the end. */
  #separator(close: string, outer: number): void {
    this.#blanks(outer);
    if (this.#text[this.#at] === close) return;
    if (this.#text[this.#at] !== ',') throw new NotPlain();
    this.#open(outer);
    if (this.#text[this.#at] === close) throw new NotPlain();
  }

  #blanks(outer: number): void {
    const from = this.#at;
    this.#skip(BLANKS);
    const newline = this.#text.lastIndexOf('\n', this.#at - 1);
    if (newline < from) return;
    this.#lineStart = newline + 1;
    if (this.#at - this.#lineStart <= outer) throw new NotPlain();
  }

  #quoted(): ScalarNode {
    const start = this.#at;
    const isDouble = this.#text[start] === '"';
    const pattern = isDouble ? DOUBLE : SINGLE;
    pattern.lastIndex = start;
    const [written, inside] = pattern.exec(this.#text) ?? [];
    if (written === undefined || inside === undefined) throw new NotPlain();
    this.#at += written.length;
    const value = !isDouble
      ? inside.replaceAll("''", "'")
      : inside.includes('\\')
        ? (JSON.parse(written) as string)
        : inside;
    return this.#scalar(value, isDouble ? 'double' : 'single', value, start, this.#at);
  }

  #alias(): Node {
    const known = this.#anchors.get(this.#name());
    if (known === undefined || this.#anchored > 0) throw new NotPlain();
    this.#count(known.weight);
    this.#end = this.#at;
    return known.node;
  }

  /** Of an anchor or alias. */
  #name(): string {
    NAME.lastIndex = this.#at;
    const [written, name] = NAME.exec(this.#text) ?? [];
    if (written === undefined || name === undefined) throw new NotPlain();
    this.#at += written.length;
    return name;
  }

  #plain(written: string, start: number): ScalarNode {
    let value: ScalarNode['value'] = written;
    if (NULL.test(written)) value = null;
    else if (BOOLEAN.test(written)) value = written[0] === 't' || written[0] === 'T';
    else if (WHOLE_NUMBER.test(written)) value = Number(written);
    else if (NUMERIC.test(written)) throw new NotPlain();
    return this.#scalar(value, 'plain', written, start, start + written.length);
  }

  #scalar(
    value: ScalarNode['value'],
    style: ScalarStyle,
    written: string,
    start: number,
    end: number,
  ): ScalarNode {
    this.#count(1);
    this.#end = end;
    return { ...this.#place(start, end), kind: 'scalar', value, style, written };
  }

  #place(start: number, end: number) {
    return { source: this.#source, start: this.#start + start, end: this.#start + end };
  }

  #enter(): void {
    this.#count(1);
    if (++this.#depth > DEEPEST_PLAIN) throw new NotPlain();
  }

  #count(nodes: number): void {
    this.#nodes += nodes;
    if (this.#nodes > MOST_NODES) throw new NotPlain();
  }

  #isItem(): boolean {
    const next = this.#text[this.#at + 1];
    return this.#text[this.#at] === '-' && (next === ' ' || next === '\n');
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    return pattern.exec(this.#text)?.[0];
  }

  #skip(pattern: RegExp): void {
    this.#at += this.#match(pattern)?.length ?? 0;
  }

  /** Nothing else may stand on this line. */
  #endLine(): void {
    const rest = this.#match(LINE_END);
    if (rest === undefined) throw new NotPlain();
    this.#at += rest.length;
    this.#nextLine();
  }

  /** From the beginning of a line to the next that says something. */
  #nextLine(): void {
    for (;;) {
      this.#lineStart = this.#at;
      this.#skip(SPACES);
      const first = this.#text[this.#at];
      if (first === undefined) {
        this.#indent = -1;
        return;
      }
      if (first !== '\n' && first !== '#') break;
      const newline = this.#text.indexOf('\n', this.#at);
      this.#at = newline < 0 ? this.#text.length : newline + 1;
    }
    this.#indent = this.#at - this.#lineStart;
  }
}
