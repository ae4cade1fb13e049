// read-xml: an XML document → its elements. Strict, and no more than reports need: elements, attributes, text, CDATA,
// comments and processing instructions; the five named entities and numbers. A document type is refused: it could name
// files, and grow without end.

export interface XmlElement {
  name: string;
  attributes: Readonly<Record<string, string>>;
  children: XmlElement[];
  /** All text directly in it. */
  text: string;
}

export type ReadXml = { root: XmlElement } | { problem: string };

const DEEPEST = 100;
const NAME = /[\p{L}_:][\p{L}\p{N}_:.-]*/uy;
const SPACE = /\s*/y;
const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

class Malformed extends Error {}

export function readXml(source: string): ReadXml {
  const reader = new Reader(source.replace(/^\uFEFF/, ''));
  try {
    return { root: reader.document() };
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    return { problem: error.message };
  }
}

class Reader {
  readonly #source: string;
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  document(): XmlElement {
    const top: XmlElement = { name: '', attributes: {}, children: [], text: '' };
    const open = [top];
    while (this.#at < this.#source.length) {
      const inside = open.at(-1) as XmlElement;
      const next = this.#source.indexOf('<', this.#at);
      const text = this.#source.slice(this.#at, next < 0 ? undefined : next);
      if (inside === top && text.trim() !== '') this.#fail('there is text outside the root element');
      inside.text += this.#decoded(text);
      this.#at += text.length;
      if (next < 0) break;
      if (this.#skips('<!--', '-->') || this.#skips('<?', '?>')) continue;
      if (this.#source.startsWith('<![CDATA[', this.#at)) {
        const from = this.#at + 9;
        inside.text += this.#source.slice(from, this.#passes(']]>') - 3);
      } else if (this.#source.startsWith('<!', this.#at)) {
        this.#fail('it has a document type, which is not read');
      } else if (this.#source.startsWith('</', this.#at)) {
        this.#closes(open);
      } else this.#opens(open, top);
    }
    if (open.length > 1) this.#fail(`<${open.at(-1)?.name}> is not closed`);
    return top.children[0] ?? this.#fail('it has no element');
  }

  #opens(open: XmlElement[], top: XmlElement): void {
    this.#at += 1;
    const inside = open.at(-1) as XmlElement;
    if (inside === top && top.children.length > 0) this.#fail('it has two root elements');
    if (open.length > DEEPEST) this.#fail(`its elements are more than ${DEEPEST} deep`);
    const element: XmlElement = {
      name: this.#name(),
      attributes: this.#attributes(),
      children: [],
      text: '',
    };
    inside.children.push(element);
    if (this.#source.startsWith('/>', this.#at)) this.#at += 2;
    else if (this.#source[this.#at] === '>') {
      this.#at += 1;
      open.push(element);
    } else this.#fail(`<${element.name}> does not end`);
  }

  #closes(open: XmlElement[]): void {
    this.#at += 2;
    const name = this.#name();
    this.#space();
    if (this.#source[this.#at] !== '>') this.#fail(`</${name}> does not end`);
    this.#at += 1;
    const closed = open.pop();
    if (open.length === 0 || closed?.name !== name) this.#fail(`</${name}> closes nothing that is open`);
  }

  #attributes(): Record<string, string> {
    const found = new Map<string, string>();
    for (;;) {
      const from = this.#at;
      this.#space();
      const sign = this.#source[this.#at];
      if (sign === undefined || sign === '>' || sign === '/') return Object.fromEntries(found);
      if (this.#at === from) this.#fail('there is no space before an attribute');
      const name = this.#name();
      this.#space();
      if (this.#source[this.#at] !== '=') this.#fail(`the attribute ${name} has no value`);
      this.#at += 1;
      this.#space();
      const quote = this.#source[this.#at];
      if (quote !== '"' && quote !== "'") this.#fail(`the attribute ${name} has no quotes`);
      const end = this.#source.indexOf(quote as string, this.#at + 1);
      const value = this.#source.slice(this.#at + 1, end);
      if (end < 0 || value.includes('<') || found.has(name)) this.#fail(`the attribute ${name} is malformed`);
      found.set(name, this.#decoded(value));
      this.#at = end + 1;
    }
  }

  #decoded(text: string): string {
    return text.replace(/&([^;&\s]*);?/g, (whole, name: string) => {
      if (!whole.endsWith(';')) return this.#fail('there is an & that begins no entity');
      if (Object.hasOwn(ENTITIES, name)) return ENTITIES[name] as string;
      const number = /^#(?:x([0-9a-f]{1,6})|(\d{1,7}))$/i.exec(name);
      const code = number === null ? -1 : number[1] ? Number.parseInt(number[1], 16) : Number(number[2]);
      if (code < 0 || code > 0x10ffff) return this.#fail(`&${name}; is not known`);
      return String.fromCodePoint(code);
    });
  }

  #name(): string {
    NAME.lastIndex = this.#at;
    const [name] = NAME.exec(this.#source) ?? [];
    if (name === undefined) return this.#fail('a name is missing');
    this.#at += name.length;
    return name;
  }

  #space(): void {
    SPACE.lastIndex = this.#at;
    this.#at += SPACE.exec(this.#source)?.[0].length ?? 0;
  }

  #skips(opening: string, closing: string): boolean {
    if (!this.#source.startsWith(opening, this.#at)) return false;
    this.#passes(closing);
    return true;
  }

  /** Goes on behind it. */
  #passes(mark: string): number {
    const end = this.#source.indexOf(mark, this.#at);
    if (end < 0) this.#fail(`"${mark}" is missing`);
    this.#at = end + mark.length;
    return this.#at;
  }

  #fail(why: string): never {
    const line = this.#source.slice(0, this.#at).split('\n').length;
    throw new Malformed(`${why} (line ${line})`);
  }
}
