// word-reader: the words of a shell line, with their quotes and expansions. It follows what bash and dash read alike
// and throws Unclear at the rest.
//
// W1. Only space and tab are blanks. An unquoted control character, or a space of another kind, is unclear: shells differ
//     about it, and people cannot see it.
// W2. `${…}` is one unit. No `#`, `;` or blank inside it ends anything.
// W3. Whatever runs inside a word (`$( )`, backquotes, `<( )`) is read as a script of its own.

import { holesInside } from './parts-of.ts';
import { HOLE, type HolePlace, type Part, type Quote, type Script, type Word } from './tree.ts';
import { Unclear } from './unclear.ts';

const DEEPEST = 40;
const BLANK = /[ \t]/;
const META = /[ \t\n;&|<>()]/;
const NAME = /[A-Za-z_][A-Za-z0-9_]*/y;
const NUMBER = /[0-9]+/y;
/** Control characters, spaces that are no blanks, and characters without width. */
const ODD =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u00a0\u00ad\u1680\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff\ud800-\udfff]/;

/** How far the reading of a line has come. */
export interface Progress {
  count: number;
  nesting: number;
}

export abstract class WordReader {
  protected readonly source: string;
  protected at = 0;
  protected readonly depth: number;
  /** Shared by the readers of one line. Holes are numbered in the order in which they stand in it. */
  protected readonly holes: Progress;

  constructor(source: string, depth: number, holes: Progress) {
    if (depth > DEEPEST) throw new Unclear('it is nested too deeply', 0);
    this.source = source;
    this.depth = depth;
    this.holes = holes;
  }

  /** Reads something that may hold more of its kind. */
  protected nested<T>(read: () => T): T {
    this.holes.nesting++;
    if (this.holes.nesting > 4 * DEEPEST) this.unclear('it is nested too deeply');
    const result = read();
    this.holes.nesting--;
    return result;
  }

  /** Reads commands up to the `)` that closes them, and past it. */
  protected abstract readUntilBracket(): Script;
  /** Reads another text as a script: the inside of backquotes. */
  protected abstract readInner(text: string): Script;

  protected char(ahead = 0): string {
    return this.source.charAt(this.at + ahead);
  }

  protected isNext(text: string): boolean {
    return this.source.startsWith(text, this.at);
  }

  protected unclear(why: string, at = this.at): never {
    throw new Unclear(why, at);
  }

  protected match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.source)?.[0];
    if (found !== undefined) this.at += found.length;
    return found;
  }

  protected skipBlanks(): void {
    for (;;) {
      if (BLANK.test(this.char())) this.at++;
      else if (this.isNext('\\\n')) this.at += 2;
      else return;
    }
  }

  /** Undefined: no word begins here. */
  protected readWord(
    isEnd: (character: string) => boolean = (character) => META.test(character),
  ): Word | undefined {
    const start = this.at;
    const parts = new Parts();
    if (this.char() === '#') this.unclear('a comment stands where a word should be');
    for (;;) {
      const character = this.char();
      if (character === '') break;
      if ((character === '<' || character === '>') && this.char(1) === '(') this.readProcess(parts);
      else if (isEnd(character)) break;
      else this.readPiece(character, parts);
    }
    if (this.at === start) return undefined;
    const source = this.source.slice(start, this.at);
    // Nothing but a line continuation.
    if (parts.list.length === 0 && !/['"]/.test(source)) return undefined;
    return { source, parts: parts.list };
  }

  /** One unit of a word outside of quotes. */
  protected readPiece(character: string, parts: Parts): void {
    switch (character) {
      case '\\':
        return this.readEscape(parts);
      case "'":
        return this.readSingle(parts);
      case '"':
        return this.nested(() => this.readDouble(parts));
      case '$':
        return this.readDollar(parts, 'none');
      case '`':
        return this.readBackquote(parts, 'none');
      case HOLE:
        return this.readHole(parts, 'none', 'word');
      default:
        if (ODD.test(character) && !this.isPair())
          this.unclear('it holds a control character or an unusual space');
        parts.text(character, 'none');
        this.at++;
    }
  }

  /** One character beyond the basic plane is two in the source. */
  private isPair(): boolean {
    const code = this.source.codePointAt(this.at) ?? 0;
    const before = this.at > 0 ? (this.source.codePointAt(this.at - 1) ?? 0) : 0;
    return code > 0xffff || before > 0xffff;
  }

  protected readHole(parts: Parts, quote: Quote, place: HolePlace): void {
    // Inside double quotes `$x{{ }}` would be another variable, whose name goes on with the value.
    const isName =
      quote === 'double' &&
      place === 'word' &&
      parts.list.at(-1)?.kind === 'parameter' &&
      this.source.charAt(this.at - 1) !== '}';
    parts.list.push({ kind: 'hole', index: this.holes.count++, quote, place: isName ? 'after-name' : place });
    this.at++;
  }

  private readEscape(parts: Parts): void {
    const escaped = this.char(1);
    if (escaped === '') this.unclear('it ends with a backslash');
    this.at++;
    if (escaped === '\n') {
      this.at++;
    } else if (escaped === HOLE) {
      this.readHole(parts, 'none', 'after-backslash');
    } else {
      if (ODD.test(escaped) && !this.isPair())
        this.unclear('it holds a control character or an unusual space');
      parts.text(escaped, 'single');
      this.at++;
    }
  }

  private readSingle(parts: Parts): void {
    const start = this.at;
    this.at++;
    parts.text('', 'single');
    for (;;) {
      const character = this.char();
      if (character === '' || character === '\0') this.unclear("a ' is never closed", start);
      if (character === "'") break;
      if (character === HOLE) this.readHole(parts, 'single', 'word');
      else {
        const end = nextOf(this.source, this.at, /['\u{f8f0}\0]/gu);
        parts.text(this.source.slice(this.at, end), 'single');
        this.at = end;
      }
    }
    this.at++;
  }

  private readDouble(parts: Parts): void {
    const start = this.at;
    this.at++;
    parts.text('', 'double');
    for (;;) {
      const character = this.char();
      if (character === '' || character === '\0') this.unclear('a " is never closed', start);
      if (character === '"') break;
      this.readQuotedPiece(character, parts, /[$`"\\\n]/);
    }
    this.at++;
  }

  /** One unit of a text in which only `$`, backquotes and some backslashes count: double quotes, heredocs. */
  protected readQuotedPiece(character: string, parts: Parts, escapable: RegExp): void {
    if (character === '\\') {
      const escaped = this.char(1);
      if (escaped === HOLE) {
        this.at++;
        this.readHole(parts, 'double', 'after-backslash');
      } else if (escaped !== '' && escapable.test(escaped)) {
        if (escaped !== '\n') parts.text(escaped, 'double');
        this.at += 2;
      } else {
        parts.text('\\', 'double');
        this.at++;
      }
    } else if (character === '$') this.readDollar(parts, 'double');
    else if (character === '`') this.readBackquote(parts, 'double');
    else if (character === HOLE) this.readHole(parts, 'double', 'word');
    else {
      const end = nextOf(this.source, this.at + 1, /["\\$`\u{f8f0}\0]/gu);
      parts.text(this.source.slice(this.at, end), 'double');
      this.at = end;
    }
  }

  private readDollar(parts: Parts, quote: Quote): void {
    const next = this.char(1);
    if (next === '(')
      return this.nested(() =>
        this.char(2) === '(' ? this.readArithmetic(parts, quote) : this.readSubstitution(parts, quote),
      );
    if (next === '{') return this.nested(() => this.readBraced(parts, quote));
    if (quote === 'none' && next === "'") return this.readAnsi(parts);
    if (quote === 'none' && next === '"') this.unclear('`$"…"` is a text that the shell translates');
    if (next === '[') this.unclear('`$[…]` is read by some shells only');
    this.at++;
    if (next === '\\' && this.char(1) === '\n') this.unclear('a line is continued inside an expansion');
    if (next === HOLE) {
      parts.text('$', quote);
      return this.readHole(parts, quote, 'after-dollar');
    }
    const name = this.match(NAME) ?? (/[0-9@*#?$!-]/.test(next) ? next : undefined);
    if (name === undefined) return parts.text('$', quote);
    if (!/^[A-Za-z_]/.test(name)) this.at++;
    parts.list.push({ kind: 'parameter', name, isPlain: true, quote, inner: [] });
  }

  private readSubstitution(parts: Parts, quote: Quote): void {
    this.at += 2;
    parts.list.push({ kind: 'command', form: '$(', quote, script: this.readUntilBracket() });
  }

  private readProcess(parts: Parts): void {
    const form = this.char() === '<' ? '<(' : '>(';
    this.at += 2;
    parts.list.push({ kind: 'command', form, quote: 'none', script: this.readUntilBracket() });
  }

  /** Inside backquotes a backslash before a backquote, backslash or dollar is gone before anything is read. */
  private readBackquote(parts: Parts, quote: Quote): void {
    const start = this.at;
    const escapable = quote === 'double' ? /[`\\$"]/ : /[`\\$]/;
    let inner = '';
    this.at++;
    while (this.char() !== '`') {
      const character = this.char();
      if (character === '') this.unclear('a ` is never closed', start);
      if (character === HOLE) this.readHole(parts, quote, 'backquote');
      else if (character === '\\' && this.char(1) !== '' && escapable.test(this.char(1))) {
        inner += this.char(1);
        this.at += 2;
      } else {
        inner += character;
        this.at++;
      }
    }
    this.at++;
    parts.list.push({ kind: 'command', form: '`', quote, script: this.readInner(inner) });
  }

  /** `$'…'`: escapes as in C. A POSIX shell ends it at the first quote, so an escaped one is unclear. */
  private readAnsi(parts: Parts): void {
    const start = this.at;
    this.at += 2;
    const end = this.source.indexOf("'", this.at);
    const inside = this.source.slice(this.at, end);
    if (end === -1) this.unclear("a ' is never closed", start);
    if (inside.includes(HOLE)) {
      for (const character of inside) if (character === HOLE) this.readHole(parts, 'single', 'ansi-quote');
    }
    if (/\\$/.test(inside.replace(/\\\\/g, '')))
      this.unclear("`$'…\\'…'` is read by some shells only", start);
    const text = unescaped(inside, () =>
      this.unclear('it holds an escape that shells read differently', start),
    );
    parts.list.push({ kind: 'text', text, quote: 'single', posix: `$${inside}` });
    this.at = end + 1;
  }

  /** `$((…))`. Where the brackets do not close together it may be `$( ( … ) … )`: shells differ. */
  private readArithmetic(parts: Parts, quote: Quote): void {
    this.at += 3;
    const inner = this.readArithmeticText();
    parts.list.push({ kind: 'arithmetic', quote, inner });
  }

  /** Up to the `))` that ends it, and past it. */
  protected readArithmeticText(): Part[] {
    const start = this.at;
    const inner = new Parts();
    for (let depth = 2; ; ) {
      const character = this.char();
      if (character === '') this.unclear('a `((` is never closed', start);
      if (character === '(') depth++;
      if (character === ')') {
        depth--;
        if (depth === 1) {
          if (this.char(1) !== ')')
            this.unclear('`((` may open arithmetic or a subshell: put a space between the two', start);
          // Bash looks for the end by counting brackets, whatever they belong to; if that does not end here, it reads a
          // subshell instead: `$((rm + $(case a in a) echo 1;; esac)))` runs `rm`.
          if (!hasPairedBrackets(this.source.slice(start, this.at)))
            this.unclear('brackets inside `(( ))` are not in pairs, so that it may be a subshell', start);
          this.at += 2;
          markHoles(inner.list, 'arithmetic');
          return inner.list;
        }
      }
      if (character === '$') this.readDollar(inner, 'double');
      else if (character === '`') this.readBackquote(inner, 'double');
      else if (character === HOLE) this.readHole(inner, 'double', 'arithmetic');
      else if (character === "'" || character === '"' || character === '\\' || character === '#')
        this.readArithmeticOddity(character, inner);
      else {
        if (character !== '\n' && ODD.test(character) && !this.isPair())
          this.unclear('it holds a control character or an unusual space');
        inner.text(character, 'double');
        this.at++;
      }
    }
  }

  /** `16#ff` and quoted names are fine; what could hide a bracket is not. */
  private readArithmeticOddity(character: string, inner: Parts): void {
    if (character === '"') return this.nested(() => this.readDouble(inner));
    if (character === '#' && /[\w}]/.test(this.source.charAt(this.at - 1))) {
      inner.text(character, 'double');
      this.at++;
      return;
    }
    this.unclear('quotes or comments inside `(( ))` are read differently by different shells');
  }

  /** `${…}` */
  private readBraced(parts: Parts, quote: Quote): void {
    const start = this.at;
    this.at += 2;
    const inner = new Parts();
    const prefix = this.match(/[!#](?=[A-Za-z0-9_@*#?$!-])/y) ?? '';
    const name = this.match(NAME) ?? this.match(NUMBER) ?? this.match(/[@*#?$!-]/y);
    if (name === undefined) this.unclear('`${` is followed by something that is no name', start);
    const hasSubscript = this.char() === '[';
    if (hasSubscript) this.readSubscript(inner);
    const isPlain = prefix === '' && !hasSubscript && this.char() === '}';
    // `${x:-…}` and its like: what may stand instead of the value.
    const isDefault = /^:?[-=+?]/.test(this.source.slice(this.at, this.at + 2));
    const isEvaluated = prefix === '!' || hasSubscript || (this.char() === ':' && !isDefault);
    if (this.isNext('@P')) this.unclear('`${…@P}` runs what its value says', start);
    for (;;) {
      const character = this.char();
      if (character === '') this.unclear('a `${` is never closed', start);
      if (character === '}') break;
      if (character === HOLE) this.readHole(inner, quote, 'expansion');
      else if (quote === 'double') this.readOperandInQuotes(character, inner, isDefault);
      else if ((character === '<' || character === '>') && this.char(1) === '(') this.readProcess(inner);
      else this.readPiece(character, inner);
    }
    this.at++;
    markHoles(
      inner.list.filter(({ kind }) => kind !== 'command'),
      'expansion',
    );
    parts.list.push({
      kind: 'parameter',
      name: prefix === '!' ? '!' : name,
      isPlain,
      ...(isEvaluated && { isEvaluated }),
      quote,
      inner: inner.list,
    });
  }

  /** Inside double quotes a `'` counts with some operators only; in a default it is a character like any other. */
  private readOperandInQuotes(character: string, inner: Parts, isDefault: boolean): void {
    if (character === "'" && !isDefault)
      this.unclear('a \' inside "${…}" is read differently by different shells');
    if (character === '"') return this.nested(() => this.readDouble(inner));
    this.readQuotedOperand(character, inner);
  }

  private readQuotedOperand(character: string, inner: Parts): void {
    if (character === '\\' && this.char(1) !== '') {
      if (this.char(1) === HOLE) this.unclear('a value stands inside `${ }`');
      inner.text(this.char(1), 'double');
      this.at += 2;
    } else if (character === '$') this.readDollar(inner, 'double');
    else if (character === '`') this.readBackquote(inner, 'double');
    else {
      inner.text(character, 'double');
      this.at++;
    }
  }

  /** `[…]` of an array: arithmetic, in which substitutions run. */
  protected readSubscript(parts: Parts): void {
    const start = this.at;
    const inner = new Parts();
    this.at++;
    for (let depth = 1; depth > 0; ) {
      const character = this.char();
      if (character === '' || character === '\n') this.unclear('a `[` is never closed', start);
      if (character === HOLE) this.readHole(inner, 'double', 'subscript');
      else if (character === '$' || character === '`') this.readQuotedOperand(character, inner);
      else if (character === '"' || character === "'" || character === '\\') this.readPiece(character, inner);
      else {
        if (character === '[') depth++;
        if (character === ']') depth--;
        inner.text(character, 'double');
        this.at++;
      }
    }
    markHoles(inner.list, 'subscript');
    parts.list.push(...inner.list);
  }
}

/** What a value stands in counts, not the quotes around it there. */
function markHoles(parts: readonly Part[], place: HolePlace): void {
  for (const hole of holesInside(parts)) if (hole.place === 'word') hole.place = place;
}

/** Collects the parts of a word; neighbours that are quoted alike become one. */
export class Parts {
  readonly list: Part[] = [];

  text(text: string, quote: Quote): void {
    const last = this.list.at(-1);
    if (last?.kind === 'text' && last.quote === quote && last.posix === undefined) last.text += text;
    else this.list.push({ kind: 'text', text, quote });
  }
}

function nextOf(source: string, from: number, pattern: RegExp): number {
  pattern.lastIndex = from;
  return pattern.exec(source)?.index ?? source.length;
}

const LETTERS: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '\x07',
  b: '\b',
  e: '\x1b',
  E: '\x1b',
  f: '\f',
  v: '\v',
  '\\': '\\',
  "'": "'",
  '"': '"',
  '?': '?',
};

function unescaped(text: string, odd: () => never): string {
  const escapes = /\\(?:x([\da-fA-F]{1,2})|u([\da-fA-F]{1,4})|U([\da-fA-F]{1,8})|([0-7]{1,3})|([\s\S]))/g;
  return text.replace(escapes, (_, byte, short, long, octal, letter) => {
    if (letter !== undefined) return LETTERS[letter] ?? odd();
    const code = octal === undefined ? Number.parseInt(byte ?? short ?? long, 16) : Number.parseInt(octal, 8);
    // A NUL ends the text in bash.
    if (code === 0 || code > 0x7f) return code === 0 || code > 0x10ffff ? odd() : String.fromCodePoint(code);
    return String.fromCharCode(code);
  });
}

function hasPairedBrackets(text: string): boolean {
  let depth = 0;
  for (const character of text) {
    if (character === '(') depth++;
    if (character === ')') depth--;
    if (depth < 0) return false;
  }
  return depth === 0;
}
