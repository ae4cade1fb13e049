// tree: the tags of a text as blocks in blocks, and all that is wrong with them at once.

import { type Path, pathOf, wordsOf } from './path.ts';
import { type Problem, type Tag, type Token, tokensOf } from './tags.ts';

export type Part =
  | { kind: 'text'; text: string; start: number; end: number }
  | { kind: 'value'; path: Path; start: number; end: number }
  | Block;

export interface Block {
  kind: 'block';
  /** `section`: Mustache's `{{#x}}`, which is a test, a list or a context, by what the value is. */
  verb: 'if' | 'unless' | 'each' | 'with' | 'section';
  /** Absent: there is none that can be read, which was told. */
  path?: Path;
  /** `as |item index|`. */
  names: readonly string[];
  body: Part[];
  /** What stands after `{{else}}`. */
  otherwise: Part[];
  start: number;
  end: number;
}

interface Open {
  block: Block;
  /** What closes it. */
  name: string;
  tag: Tag;
  /** What comes next goes there. */
  into: Part[];
  /** Made by `{{else if x}}`: the same tag closes it and the block it stands in. */
  chained: boolean;
  divided: boolean;
}

const VERBS = ['if', 'unless', 'each', 'with'] as const;
/** More than anybody writes; and it keeps what is made of it well within what a template may nest. */
const DEEPEST = 20;
/** A tag with more in it than this is none. */
const LONGEST = 500;
/** As many as are read. */
const MOST_PROBLEMS = 100;

export function parse(source: string): { parts: Part[]; problems: Problem[] } {
  const { tokens, problems } = tokensOf(source);
  return { parts: new Parser(problems).parse(tokens), problems };
}

class Parser {
  readonly #problems: Problem[];
  readonly #root: Part[] = [];
  readonly #open: Open[] = [];

  constructor(problems: Problem[]) {
    this.#problems = problems;
  }

  parse(tokens: readonly Token[]): Part[] {
    for (const token of tokens) {
      if (token.kind === 'text') this.#into.push(token);
      else this.#place(token);
    }
    for (const { tag, name, chained } of this.#open) {
      if (chained) continue;
      const message = `\`{{${tag.sign}${tag.content.trim()}}}\` is never closed`;
      this.#problem(tag, 'template-unclosed', message, `Close it with \`{{/${name}}}\`.`);
    }
    return this.#root;
  }

  get #into(): Part[] {
    return this.#open.at(-1)?.into ?? this.#root;
  }

  #place(tag: Tag): void {
    const content = tag.content.trim();
    if (content.length > LONGEST && tag.sign !== '!') {
      this.#problem(tag, 'template-syntax', `more than ${LONGEST} characters in one tag`);
      return;
    }
    switch (tag.sign) {
      case '!':
        return;
      case '>':
        this.#partial(tag);
        return;
      case '=':
        this.#problem(tag, 'template-syntax', 'other delimiters than `{{ }}` cannot be set here');
        return;
      case '*':
        this.#problem(tag, 'template-helper', 'decorators (`{{*…}}`) are not read');
        return;
      case '/':
        this.#close(tag, content);
        return;
      case '^':
        if (content === '') this.#divide(tag, '');
        else this.#begin(tag, 'unless', content, content);
        return;
      case '#':
        this.#block(tag, content);
        return;
      default:
        if (content === 'else' || /^else\s/.test(content)) this.#divide(tag, content.slice(4).trim());
        else this.#value(tag, content);
    }
  }

  #partial(tag: Tag): void {
    const name = tag.content.trim();
    this.#problem(
      tag,
      'template-partial',
      `\`{{> ${name}}}\`: a text cannot take in another one`,
      'Write its words here, or give them with `input` from a step.',
    );
  }

  #value(tag: Tag, content: string): void {
    const path = this.#path(tag, content);
    if (path !== undefined) this.#into.push({ kind: 'value', path, start: tag.start, end: tag.end });
  }

  #block(tag: Tag, content: string): void {
    if (/^[>*]/.test(content)) {
      this.#partial({ ...tag, content: content.slice(1) });
      this.#enter(tag, content.slice(1).trim().split(/\s/)[0] ?? '', 'section', undefined, []);
      return;
    }
    const [first = '', ...rest] = wordsOf(content);
    const verb = VERBS.find((each) => each === first);
    if (verb !== undefined) this.#begin(tag, verb, rest.join(' '), first);
    else this.#begin(tag, 'section', content, first);
  }

  /** `argument`: the path, and what follows it. */
  #begin(tag: Tag, verb: Block['verb'], argument: string, name: string): void {
    const [, subject = argument, bars = ''] = /^(.*?)\s+as\s+\|([^|]*)\|$/.exec(argument) ?? [];
    const path = this.#path(tag, subject, verb === 'section' ? undefined : verb);
    const names = bars.split(/\s+/).filter((each) => each !== '');
    this.#enter(tag, name, verb, path, names);
  }

  #enter(
    tag: Tag,
    name: string,
    verb: Block['verb'],
    path: Path | undefined,
    names: string[],
    chained = false,
  ): void {
    const { start, end } = tag;
    const block: Block = {
      kind: 'block',
      verb,
      ...(path && { path }),
      names,
      body: [],
      otherwise: [],
      start,
      end,
    };
    if (this.#open.length === DEEPEST)
      this.#problem(tag, 'template-syntax', `more than ${DEEPEST} blocks are open inside each other`);
    // Past the limit it is only kept to be closed.
    if (this.#open.length < DEEPEST) this.#into.push(block);
    this.#open.push({ block, name, tag, into: block.body, chained, divided: false });
  }

  /** `{{else}}`, `{{^}}`, `{{else if x}}`. */
  #divide(tag: Tag, chain: string): void {
    const open = this.#open.at(-1);
    if (open === undefined || open.divided) {
      const message = open ? 'a second `{{else}}` in one block' : '`{{else}}` stands outside of a block';
      this.#problem(tag, 'template-syntax', message);
      return;
    }
    open.divided = true;
    open.into = open.block.otherwise;
    if (chain === '') return;
    const [first = '', ...rest] = wordsOf(chain);
    const verb = VERBS.find((each) => each === first);
    if (verb === undefined) {
      this.#problem(tag, 'template-helper', `\`{{else ${first}}}\` cannot follow`, HELPERS);
      return;
    }
    const path = this.#path(tag, rest.join(' '), verb);
    this.#enter(tag, open.name, verb, path, [], true);
  }

  #close(tag: Tag, name: string): void {
    const meant = this.#open.findLastIndex((open) => !open.chained && open.name === name);
    const last = this.#open.findLast((open) => !open.chained);
    if (meant < 0 || this.#open[meant] !== last) {
      const hint =
        last && `\`{{${last.tag.sign}${last.name}}}\` is open and is closed with \`{{/${last.name}}}\`.`;
      this.#problem(tag, 'template-syntax', `\`{{/${name}}}\` closes nothing`, hint);
    }
    // The one that was meant, so that a slip does not make a problem of all that follows.
    if (meant >= 0) this.#open.length = meant;
  }

  #path(tag: Tag, text: string, verb?: string): Path | undefined {
    const [first, ...others] = wordsOf(text);
    if (first === undefined) {
      const message = verb === undefined ? 'the tag is empty' : `\`#${verb}\` needs a name`;
      this.#problem(tag, 'template-syntax', message);
      return undefined;
    }
    if (others.length > 0 || /^[("']/.test(first)) {
      const message = `\`${shortened(text)}\` calls a helper, and there are none beside the blocks`;
      this.#problem(tag, 'template-helper', message, HELPERS);
      return undefined;
    }
    const path = pathOf(first);
    if (path === undefined) {
      const hint =
        'Write a name, such as `task.title`; braces that are meant as they stand are written `\\{{`.';
      this.#problem(tag, 'template-syntax', `\`${shortened(first)}\` is not a name`, hint);
    }
    return path;
  }

  #problem({ start, end }: Tag, code: Problem['code'], message: string, hint?: string): void {
    if (this.#problems.length < MOST_PROBLEMS)
      this.#problems.push({ code, message, start, end, ...(hint !== undefined && { hint }) });
  }
}

const HELPERS = 'There are #if, #unless, #each and #with, with one name each, and {{#name}} and {{^name}}.';

function shortened(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
