// text-syntax: a Jinja text as a tree of its tags.

import { type Expression, parseFor } from './expression-syntax.ts';
import { ExpressionProblem } from './expression-token.ts';

interface At {
  start: number;
  end: number;
}

export type Part = At &
  (
    | { kind: 'text'; text: string }
    /** `start` is where the source of the expression begins. */
    | { kind: 'value'; source: string }
    | { kind: 'if'; branches: { test?: string; start: number; end: number; inside: Part[] }[] }
    | { kind: 'for'; names: string[]; list: Expression; inside: Part[]; otherwise?: Part[] }
  );

export interface TextProblem extends At {
  code: string;
  message: string;
}

export interface ParsedText {
  parts: Part[];
  /** The first that was met; what could be read until then is there. */
  problem?: TextProblem;
}

class Problem extends Error {
  readonly what: TextProblem;

  constructor(what: TextProblem) {
    super(what.message);
    this.what = what;
  }
}

type Tag = At & { kind: 'text' | 'value' | 'tag'; text: string; inner: number };

export function parseText(text: string): ParsedText {
  const parts: Part[] = [];
  try {
    const tags = tagsOf(text);
    const reader = new Reader(tags, text);
    reader.until([], parts);
    return { parts };
  } catch (problem) {
    if (problem instanceof Problem) return { parts, problem: problem.what };
    if (problem instanceof ExpressionProblem)
      return {
        parts,
        problem: {
          code: 'condition-syntax',
          message: problem.message,
          start: problem.start,
          end: problem.end,
        },
      };
    throw problem;
  }
}

/** In order, with the white space that `-` takes away gone. */
function tagsOf(text: string): Tag[] {
  const tags: Tag[] = [];
  let done = 0;
  let trims = false;
  const plain = (end: number, trimsEnd: boolean) => {
    let [from, to] = [done, end];
    if (trims) while (from < to && /\s/.test(text.charAt(from))) from++;
    if (trimsEnd) while (to > from && /\s/.test(text.charAt(to - 1))) to--;
    if (to > from) tags.push({ kind: 'text', text: text.slice(from, to), start: from, end: to, inner: from });
  };
  for (;;) {
    const start = nextOpening(text, done);
    if (start < 0) break;
    const sign = text.charAt(start + 1);
    const end = closing(text, start, sign);
    const trimsBefore = text.charAt(start + 2) === '-';
    plain(start, trimsBefore);
    const from = start + (trimsBefore ? 3 : 2);
    trims = text.charAt(end - 3) === '-' && end - 3 >= from;
    const inside = text.slice(from, end - (trims ? 3 : 2));
    if (sign !== '#')
      tags.push({ kind: sign === '{' ? 'value' : 'tag', text: inside, start, end, inner: from });
    done = end;
    if (sign === '%' && inside.trim() === 'raw') {
      const found = /\{%-?\s*endraw\s*-?%\}/g;
      found.lastIndex = end;
      const last = found.exec(text);
      if (last === null)
        throw new Problem({
          code: 'template-unclosed',
          message: '`{% raw %}` has no `{% endraw %}`',
          start,
          end,
        });
      tags.pop();
      plain(last.index, false);
      done = last.index + last[0].length;
      trims = last[0].endsWith('-%}');
    }
  }
  plain(text.length, false);
  return tags;
}

function nextOpening(text: string, from: number): number {
  const found = /\{[{%#]/g;
  found.lastIndex = from;
  return found.exec(text)?.index ?? -1;
}

/** Past the end of a tag; texts inside of it may hold anything. */
function closing(text: string, start: number, sign: string): number {
  const end = sign === '{' ? '}}' : `${sign}}`;
  let quote = '';
  for (let at = start + 2; at < text.length; at++) {
    const letter = text.charAt(at);
    if (quote !== '') {
      if (letter === '\\') at++;
      else if (letter === quote) quote = '';
    } else if (sign !== '#' && (letter === '"' || letter === "'")) quote = letter;
    else if (text.startsWith(end, at)) return at + 2;
  }
  throw new Problem({
    code: 'template-unclosed',
    message: `\`{${sign}\` has no \`${end}\``,
    start,
    end: start + 2,
  });
}

const DEEPEST = 40;

class Reader {
  readonly #tags: readonly Tag[];
  readonly #text: string;
  #at = 0;
  #depth = 0;

  constructor(tags: readonly Tag[], text: string) {
    this.#tags = tags;
    this.#text = text;
  }

  /** Reads into `parts` up to a tag whose word is one of these. */
  until(
    words: readonly string[],
    parts: Part[],
    opened?: Tag,
  ): { word: string; rest: string; tag: Tag } | undefined {
    if (++this.#depth > DEEPEST)
      throw new Problem({ code: 'template-syntax', message: 'tags are nested too deep', start: 0, end: 1 });
    for (let tag = this.#tags[this.#at++]; tag; tag = this.#tags[this.#at++]) {
      const { start, end } = tag;
      if (tag.kind === 'text') parts.push({ kind: 'text', text: tag.text, start, end });
      else if (tag.kind === 'value') parts.push({ kind: 'value', source: tag.text, start: tag.inner, end });
      else {
        const [, word = '', rest = ''] = /^\s*(\w+)\s*([\s\S]*?)\s*$/.exec(tag.text) ?? [];
        if (words.includes(word)) {
          this.#depth--;
          return { word, rest, tag };
        }
        parts.push(this.#block(word, rest, tag));
      }
    }
    if (opened !== undefined)
      throw new Problem({
        code: 'template-unclosed',
        message: `\`{%${opened.text}%}\` has no end`,
        start: opened.start,
        end: opened.end,
      });
    this.#depth--;
    return undefined;
  }

  #block(word: string, rest: string, tag: Tag): Part {
    if (word === 'if') return this.#if(rest, tag);
    if (word === 'for') return this.#for(rest, tag);
    const hint = word === 'set' ? ': a value is kept with the action `set_variable`' : '';
    throw new Problem({
      code: 'template-tag',
      message: `there is no tag \`{% ${word} %}\` here${hint}`,
      start: tag.start,
      end: tag.end,
    });
  }

  #if(test: string, tag: Tag): Part {
    const branches: (Part & { kind: 'if' })['branches'] = [];
    let [at, source]: [Tag, string | undefined] = [tag, test];
    for (;;) {
      const inside: Part[] = [];
      const next = this.until(['elif', 'else', 'endif'], inside, tag);
      const start = source === undefined ? at.start : this.#text.indexOf(source, at.inner);
      branches.push({ ...(source !== undefined && { test: source }), start, end: at.end, inside });
      if (next === undefined || next.word === 'endif')
        return { kind: 'if', branches, start: tag.start, end: (next?.tag ?? tag).end };
      at = next.tag;
      source = next.word === 'elif' ? next.rest : undefined;
    }
  }

  #for(head: string, tag: Tag): Part {
    const offset = this.#text.indexOf(head, tag.inner);
    let made: ReturnType<typeof parseFor>;
    try {
      made = parseFor(head);
    } catch (problem) {
      if (!(problem instanceof ExpressionProblem)) throw problem;
      throw new Problem({
        code: 'condition-syntax',
        message: problem.message,
        start: offset + problem.start,
        end: offset + Math.max(problem.end, problem.start + 1),
      });
    }
    const inside: Part[] = [];
    const next = this.until(['else', 'endfor'], inside, tag);
    const otherwise: Part[] = [];
    if (next?.word === 'else') this.until(['endfor'], otherwise, tag);
    const end = tag.end;
    return { kind: 'for', ...made, inside, ...(next?.word === 'else' && { otherwise }), start: offset, end };
  }
}
