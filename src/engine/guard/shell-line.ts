// shell-line: which commands a shell line would run, as far as the text tells. It expands nothing.
// Two readers want different things of it: who allows must be sure of every command (`isClear`), who denies looks at
// whatever may be one.

export interface SimpleCommand {
  /** As written, spaces trimmed. */
  text: string;
  /** Quotes taken off. */
  words: string[];
  /** The words without those that redirections are to or from. */
  plain: string[];
  /** What `<<<` hands to it. */
  handed: string[];
  /** It redirects its output to a file. */
  writes: boolean;
}

export interface ShellLine {
  commands: SimpleCommand[];
  /** False: there is something in it that this reader does not follow. */
  isClear: boolean;
}

/** Words before a command that are not part of it. */
const KEYWORDS = new Set([
  'if',
  'then',
  'else',
  'elif',
  'fi',
  'while',
  'until',
  'do',
  'done',
  '{',
  '}',
  '!',
  'time',
]);
const UNFOLLOWED = new Set(['case', 'select', 'function', 'coproc', '[[']);

export function readShellLine(line: string): ShellLine {
  const reading = new Reading(line);
  reading.read();
  return { commands: reading.commands, isClear: reading.isClear };
}

class Reading {
  readonly commands: SimpleCommand[] = [];
  isClear = true;
  readonly #line: string;
  #at = 0;
  #start = 0;
  #words: string[] = [];
  #plain: string[] = [];
  #handed: string[] = [];
  /** The redirection whose target the next word is. */
  #redirecting: string | undefined;
  #word: string | undefined;
  #writes = false;

  constructor(line: string) {
    this.#line = line;
  }

  read(): void {
    while (this.#at < this.#line.length) this.#next();
    this.#endCommand(this.#at);
  }

  #next(): void {
    const letter = this.#line.charAt(this.#at);
    const rest = this.#line.slice(this.#at, this.#at + 3);
    if (letter === '\\') return this.#escape();
    if (letter === "'") return this.#singleQuote();
    if (letter === '"') return this.#doubleQuote();
    if (rest.startsWith('$(') || rest.startsWith('<(') || rest.startsWith('>('))
      return this.#substitution(2, ')');
    if (letter === '`') return this.#substitution(1, '`');
    if (rest.startsWith("$'")) return this.#escapedQuote();
    if (rest.startsWith('$"')) {
      // Translated by the shell: hardly ever into something else.
      this.isClear = false;
      this.#at++;
      return this.#doubleQuote();
    }
    if (letter === '#' && this.#word === undefined) return this.#comment();
    if (letter === '<' || letter === '>') return this.#redirection(letter);
    if (letter === '&' && this.#line.charAt(this.#at + 1) === '>') {
      this.#at++;
      return this.#redirection('>');
    }
    if (letter === ' ' || letter === '\t' || letter === '\r') {
      this.#endWord();
      this.#at++;
      return;
    }
    if (/[;&|()\n]/.test(letter)) {
      this.#endCommand(this.#at);
      this.#at++;
      this.#start = this.#at;
      return;
    }
    this.#word = (this.#word ?? '') + letter;
    this.#at++;
  }

  #escape(): void {
    const escaped = this.#line.charAt(this.#at + 1);
    if (escaped === '') this.isClear = false;
    if (escaped !== '\n') this.#word = (this.#word ?? '') + escaped;
    this.#at += 2;
  }

  #singleQuote(): void {
    const end = this.#line.indexOf("'", this.#at + 1);
    if (end === -1) return this.#unended();
    this.#word = (this.#word ?? '') + this.#line.slice(this.#at + 1, end);
    this.#at = end + 1;
  }

  /** `$'…'`: with escapes as in C. */
  #escapedQuote(): void {
    this.isClear = false;
    const [whole, inside = ''] = /^\$'((?:[^'\\]|\\[\s\S])*)'/.exec(this.#line.slice(this.#at)) ?? [];
    if (whole === undefined) return this.#unended();
    this.#word = (this.#word ?? '') + unescaped(inside);
    this.#at += whole.length;
  }

  #doubleQuote(): void {
    this.#at++;
    this.#word ??= '';
    for (;;) {
      const letter = this.#line.charAt(this.#at);
      if (letter === '') return this.#unended();
      if (letter === '"') {
        this.#at++;
        return;
      }
      if (letter === '\\') this.#escape();
      else if (this.#line.startsWith('$(', this.#at)) this.#substitution(2, ')');
      else if (letter === '`') this.#substitution(1, '`', /\\([`\\$"])/g);
      else {
        this.#word += letter;
        this.#at++;
      }
    }
  }

  /** What is inside runs too; to the command around it, it is some text. */
  #substitution(opening: number, closing: ')' | '`', escapes = /\\([`\\$])/g): void {
    const isTicked = closing === '`';
    const end = isTicked ? endOfQuote(this.#line, this.#at) : closingBracket(this.#line, this.#at + opening);
    const inside = this.#line.slice(this.#at + opening, end === -1 ? undefined : end);
    // Backticks inside backticks are written with a backslash, which is gone before anything is read.
    const inner = readShellLine(isTicked ? inside.replace(escapes, '$1') : inside);
    this.commands.push(...inner.commands);
    if (!inner.isClear) this.isClear = false;
    if (end === -1) return this.#unended();
    this.#word = (this.#word ?? '') + this.#line.slice(this.#at, end + 1);
    this.#at = end + 1;
  }

  #redirection(letter: '<' | '>'): void {
    // `2>`, `{name}>`: this is no word of the command.
    if (this.#word !== undefined && /^(?:\d+|\{\w+\})$/.test(this.#word)) this.#word = undefined;
    this.#endWord();
    const operator = /^(?:<<<|<<-?|<>|<&|<|>>|>\||>&|>)/.exec(this.#line.slice(this.#at))?.[0] ?? letter;
    this.#at += operator.length;
    // The text that follows is input, some of which a shell would run: not followed.
    if (operator.startsWith('<<')) this.isClear = false;
    const target = /^[ \t]*([^\s;&|()<>]*)/.exec(this.#line.slice(this.#at))?.[1] ?? '';
    const isFile = target !== '/dev/null' && !(operator.endsWith('&') && /^(?:\d+|-)$/.test(target));
    if ((letter === '>' || operator === '<>') && isFile) this.#writes = true;
    // The target stays in the text of the command and is read on as a word: it may hold a substitution.
    this.#redirecting = operator;
  }

  #comment(): void {
    const end = this.#line.indexOf('\n', this.#at);
    this.#endCommand(this.#at);
    this.#at = end === -1 ? this.#line.length : end;
    this.#start = this.#at;
  }

  #unended(): void {
    this.isClear = false;
    this.#word = (this.#word ?? '') + this.#line.slice(this.#at);
    this.#at = this.#line.length;
  }

  #endWord(): void {
    if (this.#word === undefined) return;
    // `if rm x; then …`: what follows the word is the command.
    if (this.#words.length === 0 && KEYWORDS.has(this.#word) && this.#redirecting === undefined) {
      this.#start = this.#at;
    } else {
      this.#words.push(this.#word);
      if (this.#redirecting === undefined) this.#plain.push(this.#word);
      else if (this.#redirecting === '<<<') this.#handed.push(this.#word);
    }
    this.#redirecting = undefined;
    this.#word = undefined;
  }

  #endCommand(end: number): void {
    this.#endWord();
    const [first = ''] = this.#words;
    if (UNFOLLOWED.has(first)) this.isClear = false;
    if (this.#words.length > 0 && !(first === 'for' && this.#words[2] === 'in')) {
      const text = this.#line.slice(this.#start, end).trim();
      const [words, plain, handed] = [this.#words, this.#plain, this.#handed];
      this.commands.push({ text, words, plain, handed, writes: this.#writes });
    }
    this.#words = [];
    this.#plain = [];
    this.#handed = [];
    this.#redirecting = undefined;
    this.#writes = false;
  }
}

function closingBracket(line: string, from: number): number {
  let depth = 1;
  for (let at = from; at < line.length; at++) {
    const letter = line.charAt(at);
    if (letter === '\\') at++;
    else if (letter === "'" || letter === '"') {
      const end = endOfQuote(line, at);
      if (end === -1) return -1;
      at = end;
    } else if (letter === '(') depth++;
    else if (letter === ')') {
      depth--;
      if (depth === 0) return at;
    }
  }
  return -1;
}

function endOfQuote(line: string, from: number): number {
  const quote = line.charAt(from);
  for (let at = from + 1; at < line.length; at++) {
    if (line.charAt(at) === quote) return at;
    if (quote !== "'" && line.charAt(at) === '\\') at++;
  }
  return -1;
}

const LETTERS: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '\x07',
  b: '\b',
  e: '\x1b',
};

function unescaped(text: string): string {
  const escapes = /\\(?:x([\da-fA-F]{1,2})|u([\da-fA-F]{1,4})|U([\da-fA-F]{1,8})|([0-7]{1,3})|([\s\S]))/g;
  return text.replace(escapes, (_, byte, short, long, octal, letter) => {
    if (letter !== undefined) return LETTERS[letter] ?? letter;
    const code = octal === undefined ? Number.parseInt(byte ?? short ?? long, 16) : Number.parseInt(octal, 8);
    return code <= 0x10ffff ? String.fromCodePoint(code) : '';
  });
}

/** Words that run the words after them; with their options, roughly. */
const WRAPPERS = new Set(
  (
    'sudo doas env command builtin exec nohup time nice ionice timeout xargs parallel stdbuf setsid watch busybox ' +
    'coproc function for'
  ).split(' '),
);
/** These add arguments of their own to what they run. */
const FEEDERS = new Set(['xargs', 'parallel']);
const SHELLS = new Set(['sh', 'bash', 'dash', 'zsh', 'ksh', 'ash', 'fish', 'su']);
const DEEPEST = 4;

/**
 * Every way to read what a line runs: each command as written and word by word, without what is put before it
 * (assignments, redirections, `sudo`, `env`, a folder), and what is handed to another shell, `eval`, `xargs` or
 * `find -exec`.
 */
export function everyReading(line: string, depth = 0): string[] {
  const readings: string[] = [];
  for (const { text, words, plain, handed } of readShellLine(line).commands) {
    readings.push(text, words.join(' '), plain.join(' '));
    let isFed = false;
    // The name as it would be without its folder, at every place where a command may begin.
    for (const from of beginnings(plain)) {
      const [name = '', ...others] = plain.slice(from);
      const base = baseOf(name);
      const reading = [base, ...others].join(' ');
      readings.push(reading);
      if (isFed) readings.push(`${reading} …`);
      if (FEEDERS.has(base)) isFed = true;
      if (depth >= DEEPEST) continue;
      for (const script of scripts(base, others, handed)) readings.push(...everyReading(script, depth + 1));
    }
  }
  return readings;
}

/** What the command reads as lines of shell. */
function scripts(base: string, others: readonly string[], handed: readonly string[]): string[] {
  if (base === 'eval') return [others.join(' ')];
  if (!SHELLS.has(base)) return [];
  const flag = others.findIndex((word) => /^(?:-[A-Za-z]*c[A-Za-z]*|--command)$/.test(word));
  if (flag === -1) return [...handed];
  // More options may follow, and values of theirs: `bash -c -o pipefail -- "rm x"`.
  const rest = others.slice(flag + 1).filter((word) => !/^[-+]/.test(word));
  return [...rest.slice(0, 3), ...handed];
}

function baseOf(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1);
}

function beginnings(words: readonly string[]): number[] {
  const found: number[] = [];
  let at = 0;
  while (at < words.length && /^[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=/.test(words[at] as string)) at++;
  found.push(at);
  const first = words[at] ?? '';
  // After a wrapper any word may be the command: which of them are options and values, only it knows. An option comes
  // first where `time`, a word of the shell, stood before it.
  if (WRAPPERS.has(baseOf(first)) || first.startsWith('-')) {
    for (let next = at + 1; next < words.length; next++) found.push(next);
  }
  words.forEach((word, index) => {
    if (/^-(?:exec|execdir|ok|okdir)$/.test(word)) found.push(index + 1);
  });
  return found;
}
