// json-edit: a JSON text that a person keeps, changed without touching anything else in it. Comments, commas before a closing
// bracket, a byte order mark and any spacing are let be.
// J1. An insertion takes nothing away: the old text is what is left when the inserted pieces are taken out.
// J2. A removal takes one item, the comma that belongs to it, and the white space before it.

export type JsonNode = JsonContainer | { kind: 'value'; start: number; end: number; value: unknown };

export interface JsonContainer {
  kind: 'object' | 'array';
  /** From the opening bracket to after the closing one. */
  start: number;
  end: number;
  items: JsonItem[];
}

export interface JsonItem {
  /** Of members of an object. */
  key?: string;
  /** From the key, where there is one. */
  start: number;
  node: JsonNode;
  /** Where the comma after it is. */
  comma?: number;
}

/** Throws a SyntaxError that says where. Of a key that is there twice the last one counts, as everywhere. */
export function readJsonNodes(text: string): JsonNode {
  const reader = new Reader(text);
  const node = reader.node(0);
  reader.blank();
  if (reader.at < text.length) throw reader.unexpected();
  return node;
}

export function member(node: JsonNode | undefined, key: string): JsonItem | undefined {
  return node?.kind === 'object' ? node.items.findLast((item) => item.key === key) : undefined;
}

export function jsonValue(node: JsonNode): unknown {
  if (node.kind === 'value') return node.value;
  if (node.kind === 'array') return node.items.map((item) => jsonValue(item.node));
  return Object.fromEntries(node.items.map((item) => [item.key, jsonValue(item.node)]));
}

/** The text with an item more at the end of the container. `written` is JSON, with a key in an object; its lines are indented. */
export function insertItem(text: string, container: JsonContainer, written: string): string {
  const line = text.includes('\r\n') ? '\r\n' : '\n';
  const outer = indentationAt(text, container.start);
  const last = container.items.at(-1);
  const inner = last ? indentationAt(text, last.start) : `${outer}${unitOf(text)}`;
  const lines = written.split('\n').join(`${line}${inner}`);
  const item = `${line}${inner}${lines}`;
  if (!last) {
    const close = container.end - 1;
    const isBare = text.slice(container.start + 1, close).trim() === '';
    const after = isBare && !text.slice(container.start + 1, close).includes('\n') ? `${line}${outer}` : '';
    // Behind a comment that is in it; a comment up to the end of its line ends there.
    const at = isBare ? container.start + 1 : close;
    return `${text.slice(0, at)}${item}${isBare ? after : `${line}${outer}`}${text.slice(at)}`;
  }
  // Who ends a list with a comma goes on doing so.
  if (last.comma !== undefined)
    return `${text.slice(0, last.comma + 1)}${item},${text.slice(last.comma + 1)}`;
  return `${text.slice(0, last.node.end)},${item}${text.slice(last.node.end)}`;
}

/** (J2) */
export function removeItem(text: string, container: JsonContainer, item: JsonItem): string {
  const index = container.items.indexOf(item);
  const previous = container.items[index - 1];
  const end = item.comma === undefined ? item.node.end : item.comma + 1;
  let start = item.start;
  while (/\s/.test(text[start - 1] ?? '')) start -= 1;
  const isOnly = container.items.length === 1;
  if (isOnly) {
    let after = end;
    while (/\s/.test(text[after] ?? '')) after += 1;
    const isBare = start === container.start + 1 && after === container.end - 1;
    return `${text.slice(0, start)}${text.slice(isBare ? after : end)}`;
  }
  const isLast = index === container.items.length - 1 && item.comma === undefined;
  const rest = text.slice(end);
  if (!isLast || previous?.comma === undefined) return `${text.slice(0, start)}${rest}`;
  return `${text.slice(0, previous.comma)}${text.slice(previous.comma + 1, start)}${rest}`;
}

function indentationAt(text: string, at: number): string {
  const line = text.slice(text.lastIndexOf('\n', at - 1) + 1, at);
  return /^\s*/.exec(line)?.[0].replace('\uFEFF', '') ?? '';
}

/** Of the first line that is indented. */
function unitOf(text: string): string {
  return /\n([\t ]+)\S/.exec(text)?.[1] ?? '  ';
}

const LITERALS: Record<string, unknown> = { true: true, false: false, null: null };
const WORD = /-?[\w.+-]+/y;
const TEXT = /"(?:[^"\\\u0000-\u001f]|\\.)*"/y;
const BLANK = /(?:\s|\uFEFF|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y;
const DEEPEST = 200;

class Reader {
  at = 0;
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  blank(): void {
    BLANK.lastIndex = this.at;
    BLANK.exec(this.text);
    this.at = BLANK.lastIndex;
  }

  node(depth: number): JsonNode {
    this.blank();
    if (depth > DEEPEST) throw this.unexpected();
    const start = this.at;
    const char = this.text[this.at];
    if (char === '{' || char === '[') return this.container(char, depth);
    if (char === '"') {
      const value = this.string();
      return { kind: 'value', start, end: this.at, value };
    }
    WORD.lastIndex = this.at;
    const word = WORD.exec(this.text)?.[0] ?? '';
    if (word === '') throw this.unexpected();
    const value = word in LITERALS ? LITERALS[word] : this.number(word);
    this.at += word.length;
    return { kind: 'value', start, end: this.at, value };
  }

  private number(word: string): number {
    if (!/^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(word)) throw this.unexpected();
    return Number(word);
  }

  private string(): string {
    TEXT.lastIndex = this.at;
    const written = TEXT.exec(this.text)?.[0];
    if (written === undefined) throw this.unexpected();
    const value = JSON.parse(written) as string;
    this.at += written.length;
    return value;
  }

  private container(open: '{' | '[', depth: number): JsonContainer {
    const start = this.at;
    const close = open === '{' ? '}' : ']';
    const items: JsonItem[] = [];
    this.at += 1;
    for (this.blank(); this.text[this.at] !== close; this.blank()) {
      const last = items.at(-1);
      if (last && last.comma === undefined) throw this.unexpected();
      const item = this.item(open, depth);
      this.blank();
      if (this.text[this.at] === ',') {
        item.comma = this.at;
        this.at += 1;
      }
      items.push(item);
    }
    this.at += 1;
    return { kind: open === '{' ? 'object' : 'array', start, end: this.at, items };
  }

  private item(open: '{' | '[', depth: number): JsonItem {
    const start = this.at;
    if (open === '[') return { start, node: this.node(depth + 1) };
    const key = this.string();
    this.blank();
    if (this.text[this.at] !== ':') throw this.unexpected();
    this.at += 1;
    return { key, start, node: this.node(depth + 1) };
  }

  unexpected(): SyntaxError {
    const before = this.text.slice(0, this.at).split('\n');
    const found = this.at < this.text.length ? JSON.stringify(this.text[this.at]) : 'the end';
    return new SyntaxError(`${found} at line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`);
  }
}
