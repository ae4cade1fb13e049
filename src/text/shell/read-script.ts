// read-script: a shell line → its commands, or why they cannot be told for sure.
// Owns: the grammar of commands as bash and dash read them alike. Never: expands, looks anything up, guesses.
//
// R1. The line is read whole or not at all: at the first thing that is not followed for sure, it is unclear.
// R2. Where bash and a POSIX shell would read different commands (`[[ ]]`, `(( ))`), both readings are in the tree.
// R3. The body of a heredoc is data. Unless its delimiter is quoted, substitutions in it are read.
// R4. Time is linear in the length of the line; depth is bounded.

import { holesInside } from './parts-of.ts';
import {
  type Assignment,
  type Block,
  type Command,
  HOLE,
  type Part,
  type Redirection,
  type Script,
  type Word,
} from './tree.ts';
import { Unclear } from './unclear.ts';
import { Parts, type Progress, WordReader } from './word-reader.ts';

export type ShellReading =
  | { kind: 'script'; script: Script /** Values that stand where no word is: in comments. */; stray: Part[] }
  | { kind: 'unclear'; why: string; at: number };

/** `isTemplate`: HOLE stands for a value. In any other line it is a character that has no business there. */
export function readScript(line: string, isTemplate = false): ShellReading {
  if (!isTemplate && line.includes(HOLE))
    return { kind: 'unclear', why: 'it holds a private character', at: line.indexOf(HOLE) };
  try {
    const reader = new ScriptReader(line, 0, { count: 0, nesting: 0 });
    return { kind: 'script', script: reader.readAll(), stray: reader.stray };
  } catch (thrown) {
    if (thrown instanceof Unclear) return { kind: 'unclear', why: thrown.message, at: thrown.at };
    throw thrown;
  }
}

const RESERVED = new Set(
  'if then else elif fi while until do done for select case esac in function { } ! time coproc [['.split(' '),
);
const RESERVED_WORD = /(?:[a-z]+|\[\[|[{}!])(?=[ \t\n;&|<>()]|\\\n|$)/y;
const REDIRECTION = /([0-9]+|\{[A-Za-z_]\w*\})?(<<<|<<-|<<|<>|<&|<(?!\()|>>|>\||>&|>(?!\()|&>>|&>)/y;
const ASSIGNED = /[A-Za-z_][A-Za-z0-9_]*(?=\+?=|\[)/y;
const ARRAY = /[A-Za-z_][A-Za-z0-9_]*\+?=\(/y;
const JOINT = /&&|\|\||\|&|;;&|;;|;&|[;&|\n]/y;

interface Pending {
  redirection: Redirection;
  delimiter: string;
  isLiteral: boolean;
  isIndented: boolean;
}

class ScriptReader extends WordReader {
  readonly stray: Part[] = [];
  #pending: Pending[] = [];
  /** A POSIX shell's reading: `[[` is a command like any other. */
  readonly #isPlain: boolean;

  constructor(source: string, depth: number, holes: Progress, isPlain = false) {
    super(source, depth, holes);
    this.#isPlain = isPlain;
  }

  readAll(): Script {
    const script = this.#readCommands([]);
    if (this.char() !== '') this.unclear(`\`${this.char()}\` stands where a command should begin`);
    if (this.#pending.length > 0) this.unclear('a heredoc has no text');
    return script;
  }

  protected readInner(text: string): Script {
    return new ScriptReader(text, this.depth + 1, this.holes, this.#isPlain).readAll();
  }

  protected readUntilBracket(): Script {
    const start = this.at;
    const inner = new ScriptReader(this.source, this.depth + 1, this.holes, this.#isPlain);
    inner.at = this.at;
    const script = inner.#readCommands([]);
    if (inner.char() !== ')') this.unclear('a `(` is never closed', start);
    if (inner.#pending.length > 0) this.unclear('a heredoc has no text', start);
    this.stray.push(...inner.stray);
    // Whose text the lines inside would be, shells do not agree.
    if (this.#pending.length > 0 && this.source.slice(start, inner.at).includes('\n'))
      this.unclear('a substitution of several lines follows a heredoc', start);
    this.at = inner.at + 1;
    return script;
  }

  /** Up to the end of the text, a `)`, `;;`, or one of these words in the place of a command. */
  #readCommands(ends: readonly string[]): Command[] {
    const commands: Command[] = [];
    let joint: string | undefined;
    for (;;) {
      this.#skipSpace();
      const character = this.char();
      if (character === '' || character === ')' || this.isNext(';;') || this.isNext(';&')) return commands;
      const word = this.#reserved();
      if (word !== undefined && ends.includes(word)) return commands;
      const command = this.#readPipeline();
      if (joint === '&&') command.isAfterSuccess = true;
      commands.push(command);
      this.skipBlanks();
      this.#skipComment();
      const before = this.at;
      joint = this.match(JOINT);
      if (joint === undefined) {
        // `if a; then { b; } fi`: the end of a block needs no `;` before a keyword.
        if (endsWithBlock(commands.at(-1)) && this.#reserved() !== undefined) continue;
        if (this.char() !== '' && this.char() !== ')') this.unclear(`\`${this.char()}\` follows a command`);
      } else if (joint.startsWith(';;') || joint === ';&' || joint === '\n') this.at = before;
      else if (joint === '&&' || joint === '||') {
        this.#skipSpace();
        if (this.char() === '' || this.char() === ')') this.unclear(`no command follows \`${joint}\``);
      }
    }
  }

  #readPipeline(): Command {
    const parts: Command[] = [];
    for (;;) {
      for (let word = this.#reserved(); word === '!' || word === 'time'; word = this.#reserved()) {
        this.at += word.length;
        this.skipBlanks();
        // A program of that name has more options than the keyword.
        if (word === 'time' && this.char() === '-' && !this.isNext('-p'))
          this.unclear('`time` may be a program here');
        if (word === 'time') this.match(/-p(?=[ \t]|\\\n)/y);
        this.skipBlanks();
      }
      parts.push(this.nested(() => this.#readCommand()));
      this.skipBlanks();
      if (this.char() !== '|' || this.char(1) === '|') break;
      this.at += this.char(1) === '&' ? 2 : 1;
      this.#skipSpace();
    }
    return parts.length === 1 ? (parts[0] as Command) : { kind: 'pipeline', parts };
  }

  #readCommand(): Command {
    const start = this.at;
    if (this.char() === '(')
      return this.char(1) === '(' && !this.#isPlain ? this.#readArithmeticCommand() : this.#readSubshell();
    const word = this.#reserved();
    if (word === undefined) return this.#readSimple();
    this.at += word.length;
    switch (word) {
      case '{':
        return this.#block('group', start, {}, () => this.#bodyUntil('}'));
      case 'if':
        return this.#block('if', start, {}, () => this.#readIf());
      case 'while':
      case 'until':
        return this.#block('while', start, {}, () => [...this.#bodyUntil('do'), ...this.#bodyUntil('done')]);
      case 'for':
      case 'select':
        return this.#readFor(start);
      case 'case':
        return this.#readCase(start);
      case 'function':
        return this.#readFunction(start);
      case '[[':
        return this.#readConditional(start);
      case 'coproc':
        return this.#readCoprocess(start);
      default:
        return this.unclear(`\`${word}\` stands where a command should begin`, start);
    }
  }

  #block(form: Block['form'], start: number, more: Partial<Block>, body: () => Command[]): Block {
    const commands = body();
    const redirections: Redirection[] = [];
    this.skipBlanks();
    while (this.#readRedirection(redirections)) this.skipBlanks();
    const text = this.source.slice(start, this.at).trim();
    return { kind: 'block', form, text, words: [], otherwise: [], ...more, body: commands, redirections };
  }

  #bodyUntil(...ends: string[]): Command[] {
    const start = this.at;
    const commands = this.#readCommands(ends);
    const word = this.#reserved();
    if (word === undefined || !ends.includes(word)) this.unclear(`\`${ends[0]}\` is missing`, start);
    this.at += word.length;
    return commands;
  }

  #readIf(): Command[] {
    const commands = [...this.#bodyUntil('then')];
    for (;;) {
      commands.push(...this.#readCommands(['elif', 'else', 'fi']));
      const word = this.#reserved();
      if (word !== 'elif' && word !== 'else' && word !== 'fi') this.unclear('`fi` is missing');
      this.at += word.length;
      if (word === 'fi') return commands;
      if (word === 'else') return [...commands, ...this.#bodyUntil('fi')];
      commands.push(...this.#bodyUntil('then'));
    }
  }

  #readFor(start: number): Block {
    this.skipBlanks();
    if (this.isNext('((')) {
      // To a POSIX shell this is an error, so it runs nothing.
      this.at += 2;
      return this.#loopBody(start, { words: [{ source: '', parts: this.readArithmeticText() }] });
    }
    const name = this.match(/[A-Za-z_]\w*/y);
    if (name === undefined) this.unclear('`for` is followed by something that is no name');
    this.#skipSpace();
    const words: Word[] = [];
    if (this.match(/in(?=[ \t\n;])/y) !== undefined) {
      for (this.skipBlanks(); !/[;\n]|^$/.test(this.char()); this.skipBlanks()) {
        words.push(this.readWord() ?? this.unclear('`for` has something in its list that is no word'));
      }
    } else words.push(ALL_ARGUMENTS);
    return this.#loopBody(start, { name, words });
  }

  #loopBody(start: number, more: Partial<Block>): Block {
    return this.#block('for', start, more, () => {
      this.skipBlanks();
      if (this.char() === ';') this.at++;
      this.#skipSpace();
      if (this.#reserved() === '{') this.unclear('a `for` without `do` is read by some shells only');
      if (this.#reserved() !== 'do') this.unclear('`do` is missing');
      this.at += 2;
      return this.#bodyUntil('done');
    });
  }

  #readCase(start: number): Block {
    this.skipBlanks();
    const words: Word[] = [this.readWord() ?? this.unclear('`case` has no word')];
    this.#skipSpace();
    if (this.match(/in(?=[ \t\n])/y) === undefined) this.unclear('`in` is missing');
    return this.#block('case', start, { words }, () => {
      const body: Command[] = [];
      for (;;) {
        this.#skipSpace();
        if (this.#reserved() === 'esac') {
          this.at += 4;
          return body;
        }
        this.#readPatterns(words);
        body.push(...this.#readCommands(['esac']));
        this.match(/;;&|;;|;&/y);
      }
    });
  }

  #readPatterns(words: Word[]): void {
    if (this.char() === '(') this.at++;
    for (;;) {
      this.skipBlanks();
      words.push(this.readWord() ?? this.unclear('a pattern of `case` is missing'));
      this.skipBlanks();
      const next = this.char();
      this.at++;
      if (next === ')') return;
      if (next !== '|') this.unclear('a pattern of `case` is not closed');
    }
  }

  /** `coproc command`, `coproc NAME { … }`. To a POSIX shell it is a program with arguments. */
  #readCoprocess(start: number): Block {
    this.skipBlanks();
    this.match(/[A-Za-z_]\w*[ \t]+(?=[({]|(?:while|until|for|if|case)\s)/y);
    this.skipBlanks();
    return this.#block('group', start, {}, () => [this.nested(() => this.#readCommand())]);
  }

  #readFunction(start: number): Block {
    this.skipBlanks();
    const name = this.match(/[A-Za-z_][\w:.-]*/y) ?? this.unclear('`function` has no name');
    this.skipBlanks();
    this.match(/\([ \t]*\)/y);
    return this.#functionBody(start, name);
  }

  #functionBody(start: number, name: string): Block {
    this.#skipSpace();
    return this.#block('function', start, { name }, () => {
      const body = this.nested(() => this.#readCommand());
      if (body.kind !== 'block') this.unclear('the body of a function is not in `{ }`', start);
      return [body];
    });
  }

  #readSubshell(): Block {
    const start = this.at;
    this.at++;
    return this.#block('subshell', start, {}, () => this.readUntilBracket());
  }

  #readArithmeticCommand(): Block {
    const start = this.at;
    const { parts, commands } = this.#alternative(start, () => {
      this.at += 2;
      return this.readArithmeticText();
    });
    return this.#block(
      'arithmetic',
      start,
      { words: [{ source: '', parts }], otherwise: commands },
      () => [],
    );
  }

  /** `[[ … ]]`: words and operators, up to the `]]`. */
  #readConditional(start: number): Block {
    const words: Word[] = [];
    const { commands } = this.#alternative(start, () => {
      let isPattern = false;
      for (;;) {
        this.#skipSpace();
        if (this.char() === '') this.unclear('a `[[` is never closed', start);
        if (this.match(/\]\](?=[ \t\n;&|<>()]|$)/y) !== undefined) return [];
        const operator = isPattern ? undefined : this.match(/&&|\|\||[()<>]/y);
        if (operator !== undefined) {
          words.push({ source: operator, parts: [{ kind: 'text', text: operator, quote: 'none' }] });
          continue;
        }
        const word = this.#readConditionalWord(isPattern);
        words.push(word);
        isPattern = /^(?:=~|==|=|!=)$/.test(word.source);
      }
    });
    return this.#block('conditional', start, { words, otherwise: commands }, () => []);
  }

  /** A pattern or regular expression may have brackets and bars in it, and blanks inside brackets. */
  #readConditionalWord(isPattern: boolean): Word {
    let brackets = 0;
    const word = this.readWord((character) => {
      if (isPattern && character === '(') brackets++;
      else if (isPattern && character === ')' && brackets > 0) brackets--;
      else if (character === '\n' || character === ';' || character === '&') return true;
      else if (brackets > 0 || (isPattern && character === '|')) return false;
      else return /[ \t<>()|]/.test(character);
      return false;
    });
    return word ?? this.unclear('`[[ ]]` holds something that is no word');
  }

  /** Reads on as bash does, and takes what it read once more as a POSIX shell would: as plain commands. */
  #alternative(start: number, read: () => Part[]): { parts: Part[]; commands: Command[] } {
    const parts = read();
    if (this.#isPlain || this.depth > 3) return { parts, commands: [] };
    const text = this.source.slice(start, this.at);
    try {
      return {
        parts,
        commands: new ScriptReader(
          text,
          this.depth + 1,
          { count: 0, nesting: this.holes.nesting },
          true,
        ).readAll(),
      };
    } catch (thrown) {
      // To that shell it is an error, so it runs nothing.
      if (thrown instanceof Unclear) return { parts, commands: [] };
      throw thrown;
    }
  }

  #readSimple(): Command {
    const start = this.at;
    const [assignments, words, redirections]: [Assignment[], Word[], Redirection[]] = [[], [], []];
    let end = start;
    for (;;) {
      this.skipBlanks();
      if (this.char() === '#') break;
      if (
        !this.#readRedirection(redirections) &&
        !(this.#mayAssign(words) && this.#readAssignment(assignments))
      ) {
        const word = this.readWord();
        if (word === undefined) break;
        words.push(word);
      }
      end = this.at;
    }
    const [first] = words;
    if (first === undefined && assignments.length + redirections.length === 0)
      this.unclear(`\`${this.char()}\` stands where a command should begin`);
    if (this.char() === '(') return this.#readDefinition(start, assignments, words, redirections);
    if (first !== undefined) this.#refuseHidden(first, start);
    return { kind: 'simple', text: this.source.slice(start, end), assignments, words, redirections };
  }

  /** Before a command; after `declare` and its like only arrays, which are no words. */
  #mayAssign(words: readonly Word[]): boolean {
    if (words.length === 0) return true;
    if (!/^(?:declare|typeset|local|export|readonly)$/.test(words[0]?.source ?? '')) return false;
    ARRAY.lastIndex = this.at;
    return ARRAY.test(this.source);
  }

  /** `name() { … }` */
  #readDefinition(
    start: number,
    assignments: Assignment[],
    words: Word[],
    redirections: Redirection[],
  ): Block {
    const name = /^[A-Za-z_][\w:.-]*$/.exec(words[0]?.source ?? '')?.[0];
    const isAlone = words.length === 1 && assignments.length + redirections.length === 0;
    if (name === undefined || !isAlone || this.match(/\([ \t]*\)/y) === undefined)
      this.unclear('a `(` stands inside a command');
    return this.#functionBody(start, name);
  }

  /** A line continuation can hide a keyword or an assignment from a reader, and not from a shell. */
  #refuseHidden(word: Word, at: number): void {
    if (!word.source.includes('\\\n')) return;
    const [only] = word.parts;
    if (only?.kind !== 'text' || only.quote !== 'none') return;
    if (RESERVED.has(only.text) || /^\w+(?:\[|\+?=)/.test(only.text))
      this.unclear('a keyword or an assignment is broken over two lines', at);
  }

  #readAssignment(assignments: Assignment[]): boolean {
    const start = this.at;
    const name = this.match(ASSIGNED);
    if (name === undefined) return false;
    const subscript = new Parts();
    if (this.char() === '[') {
      const { count, nesting } = this.holes;
      try {
        this.readSubscript(subscript);
      } catch (thrown) {
        if (!(thrown instanceof Unclear)) throw thrown;
        this.at = start;
        this.holes.count = count;
        this.holes.nesting = nesting;
        return false;
      }
      if (!this.isNext('=') && !this.isNext('+=')) {
        this.at = start;
        this.holes.count = count;
        return false;
      }
    }
    const isAppended = this.char() === '+';
    this.at += isAppended ? 2 : 1;
    const target = { name, isAppended, ...(subscript.list.length > 0 && { subscript: subscript.list }) };
    if (this.char() === '(') assignments.push({ ...target, items: this.#readItems() });
    else assignments.push({ ...target, value: this.readWord() ?? { source: '', parts: [] } });
    return true;
  }

  /** `(a b c)` of an array. */
  #readItems(): Word[] {
    const items: Word[] = [];
    this.at++;
    for (;;) {
      this.#skipSpace();
      if (this.char() === ')') break;
      const item = this.readWord();
      if (item === undefined) this.unclear('an array holds something that is no word');
      // `[index]=value`: the index is arithmetic.
      if (item.source.startsWith('[') && item.parts.some(({ kind }) => kind === 'hole'))
        this.unclear('a value stands in an array with indexes');
      // Bash loses a quoted quote there (5.2), so that the line would end in a syntax error.
      if (this.depth > 0 && holesInside(item.parts).length > 0)
        this.unclear('a value stands in an array inside a substitution');
      items.push(item);
    }
    this.at++;
    return items;
  }

  #readRedirection(redirections: Redirection[]): boolean {
    REDIRECTION.lastIndex = this.at;
    const found = REDIRECTION.exec(this.source);
    if (found === null) return false;
    this.at += found[0].length;
    this.skipBlanks();
    const operator = found[2] as Redirection['operator'];
    const target = this.readWord() ?? this.unclear(`nothing follows \`${operator}\``);
    const redirection: Redirection = {
      operator,
      target,
      ...(found[1] !== undefined && { descriptor: found[1] }),
    };
    redirections.push(redirection);
    if (operator === '<<' || operator === '<<-') this.#awaitBody(redirection);
    if (operator === '>&' || operator === '<&') this.#refuseExpanded(target);
    return true;
  }

  /** Bash expands the target of `>&` twice, so that quotes do not keep a `$( )` in it from running. */
  #refuseExpanded({ parts }: Word): void {
    for (const part of parts) {
      if (part.kind === 'hole') part.place = 'descriptor';
      else if (part.kind !== 'text' && part.quote !== 'none' && part.kind !== 'parameter')
        this.unclear('the target of `>&` is read twice');
      else if (part.kind === 'text' && /[$`]/.test(part.text))
        this.unclear('the target of `>&` is read twice');
    }
  }

  #awaitBody(redirection: Redirection): void {
    const { parts } = redirection.target;
    let delimiter = '';
    for (const part of parts) {
      if (part.kind === 'hole') part.place = 'heredoc-delimiter';
      else if (part.kind !== 'text') this.unclear('the delimiter of a heredoc is no plain word');
      else delimiter += part.text;
    }
    if (delimiter === '' || delimiter.includes('\n'))
      this.unclear('the delimiter of a heredoc is no plain word');
    this.#pending.push({
      redirection,
      delimiter,
      isLiteral: /['"\\]/.test(redirection.target.source),
      isIndented: redirection.operator === '<<-',
    });
  }

  /** Blanks, comments and ends of lines, with the heredocs that follow a line. */
  #skipSpace(): void {
    for (;;) {
      this.skipBlanks();
      this.#skipComment();
      if (this.char() !== '\n') return;
      this.at++;
      for (const pending of this.#pending.splice(0)) pending.redirection.body = this.#readBody(pending);
    }
  }

  #skipComment(): void {
    if (this.char() !== '#') return;
    const parts = new Parts();
    while (this.char() !== '' && this.char() !== '\n') {
      if (this.char() === HOLE) this.readHole(parts, 'none', 'comment');
      else if (this.char() < ' ' && this.char() !== '\t') this.unclear('a comment holds a control character');
      else this.at++;
    }
    this.stray.push(...parts.list);
  }

  #readBody({ delimiter, isLiteral, isIndented }: Pending): Part[] {
    const start = this.at;
    const end = new DelimiterWatch(delimiter);
    let text = '';
    for (;;) {
      if (this.at >= this.source.length)
        this.unclear(`the heredoc is never ended by \`${delimiter}\``, start);
      const newline = this.source.indexOf('\n', this.at);
      const lineEnd = newline === -1 ? this.source.length : newline;
      const raw = this.source.slice(this.at, lineEnd);
      const line = isIndented ? raw.replace(/^\t+/, '') : raw;
      if (!isLiteral && end.isJoined(raw, line))
        this.unclear('lines that a backslash joins may end a heredoc', this.at);
      if (line === delimiter) {
        this.at = lineEnd;
        break;
      }
      text += `${line}\n`;
      this.at = Math.min(lineEnd + 1, this.source.length);
      if (newline === -1) this.unclear(`the heredoc is never ended by \`${delimiter}\``, start);
    }
    if (text.includes('\0')) this.unclear('a heredoc holds a NUL character', start);
    const parts = new BodyReader(text, this.depth + 1, this.holes, this.#isPlain).readBody(isLiteral);
    // A value in a substitution could still hold the line that ends the heredoc.
    for (const hole of holesInside(parts)) hole.place = 'heredoc';
    return parts;
  }

  /** The keyword that stands here in the place of a command. */
  #reserved(): string | undefined {
    RESERVED_WORD.lastIndex = this.at;
    const word = RESERVED_WORD.exec(this.source)?.[0];
    if (word === undefined || !RESERVED.has(word)) return undefined;
    return word === '[[' && this.#isPlain ? undefined : word;
  }
}

/**
 * Bash joins the lines of a body at a backslash before it looks for the end; dash looks first. Where the two would end the
 * body at different places, the line is unclear: one runs as a command what the other takes for text.
 */
class DelimiterWatch {
  readonly #delimiter: string;
  /** The lines so far that a backslash joins to the next: as they stand, and without tabs before each of them. */
  #joined: { raw: string; bare: string } | undefined;

  constructor(delimiter: string) {
    this.#delimiter = delimiter;
  }

  /** Whether this line ends the body in one of the two ways, being joined to the one before it. */
  isJoined(raw: string, bare: string): boolean {
    const before = this.#joined;
    const joined = { raw: (before?.raw ?? '') + raw, bare: (before?.bare ?? '') + bare };
    const goesOn = /(?:^|[^\\])(?:\\\\)*\\$/.test(raw);
    this.#joined = goesOn ? { raw: joined.raw.slice(0, -1), bare: joined.bare.slice(0, -1) } : undefined;
    if (before === undefined) return false;
    return [bare, joined.raw, joined.raw.replace(/^\t+/, ''), joined.bare].includes(this.#delimiter);
  }
}

function endsWithBlock(command: Command | undefined): boolean {
  return command?.kind === 'pipeline' ? endsWithBlock(command.parts.at(-1)) : command?.kind === 'block';
}

class BodyReader extends ScriptReader {
  readBody(isLiteral: boolean): Part[] {
    const parts = new Parts();
    while (this.char() !== '') {
      if (this.char() === HOLE) this.readHole(parts, 'double', 'heredoc');
      else if (isLiteral) {
        const hole = this.source.indexOf(HOLE, this.at);
        const end = hole === -1 ? this.source.length : hole;
        parts.text(this.source.slice(this.at, end), 'single');
        this.at = end;
      } else if (this.char() === '"') {
        parts.text('"', 'double');
        this.at++;
      } else this.readQuotedPiece(this.char(), parts, /[$`\\\n]/);
    }
    return parts.list;
  }
}

const ALL_ARGUMENTS: Word = {
  source: '"$@"',
  parts: [{ kind: 'parameter', name: '@', isPlain: true, quote: 'double', inner: [] }],
};
