// evaluated: what bash evaluates although it stands in quotes. In arithmetic, in the index of an array and after `${!`, a text
// is an expression: `[[ 'a[$(rm x)]' -eq 1 ]]` runs `rm x`, and `x='a[$(rm y)]'; echo $((x))` runs `rm y`.
// Both lists ask here, so that they never differ about it.

import { constantOf, possibleWords } from './possible-words.ts';
import type { Block, Command, Part, Redirection, Simple, Word } from './tree.ts';

export interface Evaluation {
  /** Something of the script is evaluated that is no plain number. */
  evaluates: boolean;
  /** A quoted text holds what would run if it were evaluated. */
  hides: boolean;
  /** Names that arithmetic may set, as far as they are written out. */
  sets: string[];
}

export function evaluationIn(script: readonly Command[]): Evaluation {
  const found = new Finder();
  found.script(script, false);
  return { evaluates: found.evaluates, hides: found.hides, sets: found.evaluates ? found.sets : [] };
}

/** Of a command that may run by this name, with these arguments: bash evaluates a name of a variable that has an index. */
export function evaluatesArguments(name: string, texts: readonly (string | undefined)[]): boolean {
  if (name === 'let') return true;
  if (name === 'test' || name === '[')
    return texts.some((text, at) => (text === undefined ? mayBeOperator(texts, at) : /^-[vR]$/.test(text)));
  const flag = FLAGS[name];
  if (flag !== undefined) return texts.some((text) => text !== undefined && flag.test(text));
  if (!/^(?:read|mapfile|readarray|unset|declare|typeset|local)$/.test(name)) return false;
  return texts.some((text) => text === undefined || /\[|^[-+]\w*[inaAC]/.test(text));
}

/** The options with which these take the name of a variable. */
const FLAGS: Readonly<Record<string, RegExp>> = { printf: /^-v/, wait: /^-\w*p/, readonly: /^-\w*[aA]/ };
const BINARY = /^(?:=|==|!=|=~|<|>|-eq|-ne|-lt|-le|-gt|-ge|-nt|-ot|-ef|-a|-o|\]|\))$/;

/** `[ $x 'a[…]' ]`: it may be `-v`. */
function mayBeOperator(texts: readonly (string | undefined)[], at: number): boolean {
  const next = texts[at + 1];
  return at + 1 < texts.length && !/^-[a-zA-Z]$/.test(texts[at - 1] ?? '') && !BINARY.test(next ?? '');
}

const COMPARES = /^-(?:eq|ne|lt|le|gt|ge|v|R)$/;
/** Escapes that `printf` makes a `$` or a backquote of count too. */
const HIDDEN = /\$\(|`|\$$|\[[^\]]*\\(?:x24|0?44|u0*24|x60|0?140)/;
/** A number, or all items of an array. */
const PLAIN_INDEX = /^[\s\d:@*\]-]*$/;
const ASSIGNS =
  /([A-Za-z_]\w*)\s*(?:\[[^\]]*\]\s*)?(?:(?:[-+*/%&|^]|<<|>>)?=(?!=)|\+\+|--)|(?:\+\+|--)\s*([A-Za-z_]\w*)/g;

class Finder {
  evaluates = false;
  hides = false;
  readonly sets: string[] = [];

  /** `isKept`: what is printed becomes the value of a variable. */
  script(script: readonly Command[], isKept: boolean): void {
    for (const command of script) this.#command(command, isKept);
  }

  #command(command: Command, isKept: boolean): void {
    if (command.kind === 'pipeline') return this.script(command.parts, isKept);
    const reads = command.kind === 'block' || READERS.has(nameOf(command));
    for (const redirection of command.redirections) this.#redirection(redirection, isKept || reads);
    if (command.kind === 'simple') return this.#simple(command, isKept);
    this.#block(command, isKept);
  }

  /** What a heredoc says is no text of a variable, unless something reads it into one. */
  #redirection({ target, body }: Redirection, isRead: boolean): void {
    this.#parts(target.parts, false);
    const hid = this.hides;
    this.#parts(body ?? [], false);
    if (!isRead) this.hides = hid;
  }

  #simple(command: Simple, isKept: boolean): void {
    for (const { value, items = [], subscript } of command.assignments) {
      if (subscript !== undefined) this.#evaluated(subscript);
      this.#parts([...(value?.parts ?? []), ...(subscript ?? [])], true);
      for (const item of items) {
        if (item.source.startsWith('[')) this.#evaluated(item.parts);
        this.#parts(item.parts, true);
      }
    }
    const words = command.words.map(textOf);
    // `command printf -v`, and `exec {b[x]}>f`.
    if (words.slice(0, 3).some((word, at) => evaluatesArguments(word ?? '', words.slice(at + 1))))
      this.evaluates = true;
    if (command.words.some(({ source }) => /^\{\w+\[/.test(source))) this.evaluates = true;
    for (const { parts } of command.words) this.#parts(parts, isKept);
  }

  #block({ form, name, words, body }: Block, isKept: boolean): void {
    const isArithmetic = form === 'arithmetic' || (form === 'for' && name === undefined);
    const compares = form === 'conditional' && words.some((word) => COMPARES.test(textOf(word) ?? ''));
    for (const { parts } of words) {
      if (isArithmetic || compares) this.#evaluated(parts);
      else if (form === 'for') this.#note(parts);
      this.#parts(parts, form === 'for' || isKept);
    }
    this.script(body, isKept);
  }

  #parts(parts: readonly Part[], isKept: boolean): void {
    for (const part of parts) {
      if (part.kind === 'command') this.script(part.script, isKept);
      if (part.kind === 'text' && part.quote !== 'none' && HIDDEN.test(part.text)) this.hides = true;
      if (part.kind === 'arithmetic' || (part.kind === 'parameter' && part.isEvaluated))
        this.#evaluated(part.inner);
      if (part.kind === 'arithmetic' || part.kind === 'parameter') this.#parts(part.inner, isKept);
    }
  }

  #evaluated(parts: readonly Part[]): void {
    if (parts.length > 0 && parts.every((part) => part.kind === 'text' && PLAIN_INDEX.test(part.text)))
      return;
    this.evaluates = true;
    this.#note(parts);
  }

  #note(parts: readonly Part[]): void {
    const text = parts.map((part) => (part.kind === 'text' ? part.text : '')).join('');
    for (const [, before, after] of text.matchAll(ASSIGNS)) this.sets.push(before ?? after ?? '');
  }
}

const READERS = new Set('read mapfile readarray'.split(' '));

function nameOf({ words }: Simple): string {
  return textOf(words[0]) ?? '';
}

/** Undefined: it depends. */
function textOf(word: Word | undefined): string | undefined {
  return word === undefined ? undefined : constantOf(possibleWords(word, new Map())[0] ?? []);
}
