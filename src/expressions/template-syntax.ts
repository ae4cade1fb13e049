// template-syntax: template text → its parts, and all that is wrong with its tags at once.

import { closest } from '../text/closest-name.ts';
import { BoundedCache } from './bounded-cache.ts';
import { parseCel } from './syntax.ts';
import { type Expression, type Token, tokensOf } from './template-token.ts';
import type { ExpressionProblem } from './type.ts';

export type Part =
  | { kind: 'text'; text: string }
  | { kind: 'output'; expression: Expression }
  | { kind: 'if'; branches: Branch[] }
  | { kind: 'for'; variable: string; list: Expression; body: Part[] };

interface Branch {
  /** Absent: `else`. */
  test?: Expression;
  body: Part[];
}

export interface TemplateTree {
  readonly parts: readonly Part[];
  readonly problems: readonly ExpressionProblem[];
}

type Tag = Extract<Token, { kind: 'tag' }>;
interface Open {
  tag: Tag;
  part: Extract<Part, { kind: 'if' | 'for' }>;
}

const TAGS = ['if', 'elsif', 'else', 'endif', 'for', 'endfor', 'raw', 'endraw'];
const ALIASES: Record<string, string> = {
  elif: 'elsif',
  elseif: 'elsif',
  end: 'endif',
  fi: 'endif',
  each: 'for',
  foreach: 'for',
  unless: 'if',
};
const DEEPEST = 50;

/** Whoever looks at a workflow asks for the same texts again. */
const trees = new BoundedCache<TemplateTree>(1_000_000, parse);

export function parseTemplate(source: string): TemplateTree {
  return trees.get(source);
}

function parse(source: string): TemplateTree {
  const { tokens, problems } = tokensOf(source);
  const parts: Part[] = [];
  const open: Open[] = [];
  let into = parts;
  for (const token of tokens) {
    if (token.kind === 'text') into.push(token);
    else if (token.kind === 'output') into.push({ kind: 'output', expression: token.expression });
    else {
      place(token, into, open, problems);
      into = innermost(open) ?? parts;
    }
  }
  for (const { tag } of open) problems.push(neverClosed(tag));
  return { parts, problems };
}

/** The list that what comes next belongs to. */
function innermost(open: Open[]): Part[] | undefined {
  const last = open.at(-1);
  if (!last) return undefined;
  return last.part.kind === 'for' ? last.part.body : last.part.branches.at(-1)?.body;
}

function place(tag: Tag, into: Part[], open: Open[], problems: ExpressionProblem[]): void {
  switch (tag.name) {
    case 'if': {
      enter(tag, { kind: 'if', branches: [{ test: tag.rest, body: [] }] }, into, open, problems);
      return;
    }
    case 'for': {
      enter(tag, forPart(tag, problems), into, open, problems);
      return;
    }
    case 'elsif':
    case 'else':
      branch(tag, open, problems);
      return;
    case 'endif':
    case 'endfor':
      close(tag, open, problems);
      return;
    case 'endraw':
      problems.push(problem(tag, '`{% endraw %}` closes nothing', 'Open it with `{% raw %}`.'));
      return;
    default:
      problems.push(unknown(tag));
  }
}

function enter(
  tag: Tag,
  part: Open['part'],
  into: Part[],
  open: Open[],
  problems: ExpressionProblem[],
): void {
  if (open.length === DEEPEST)
    problems.push(problem(tag, `more than ${DEEPEST} tags are open inside each other`));
  // Past the limit it is only kept to be closed: nothing that goes through the parts goes deeper.
  if (open.length < DEEPEST) into.push(part);
  open.push({ tag, part });
}

function forPart(tag: Tag, problems: ExpressionProblem[]): Extract<Part, { kind: 'for' }> {
  const { source, offset } = tag.rest;
  const [head = '', variable = ''] = /^\s*([A-Za-z_]\w*)\s+in\b/.exec(source) ?? [];
  if (variable === '')
    problems.push(problem(tag, '`for` needs a name and a list', 'Write `{% for x in list %}`.'));
  else if (!isName(variable))
    problems.push(problem(tag, `\`${variable}\` is a reserved word and cannot be a name`));
  return {
    kind: 'for',
    variable,
    list: { source: source.slice(head.length), offset: offset + head.length },
    body: [],
  };
}

function isName(word: string): boolean {
  const parsed = parseCel(word);
  return parsed.kind === 'parsed' && parsed.ast.op === 'id';
}

function branch(tag: Tag, open: Open[], problems: ExpressionProblem[]): void {
  const part = open.at(-1)?.part;
  if (part?.kind !== 'if') {
    problems.push(problem(tag, `\`{% ${tag.name} %}\` stands outside of an \`if\``));
    return;
  }
  const afterElse = part.branches.some(({ test }) => test === undefined);
  if (afterElse) problems.push(problem(tag, `\`{% ${tag.name} %}\` comes after \`{% else %}\``));
  if (tag.name === 'elsif') part.branches.push({ test: tag.rest, body: [] });
  else {
    part.branches.push({ body: [] });
    nothingMore(tag, problems);
  }
}

function close(tag: Tag, open: Open[], problems: ExpressionProblem[]): void {
  const last = open.at(-1);
  const closes = tag.name.slice(3);
  if (last?.part.kind !== closes) {
    const instead = last
      ? `\`{% ${last.tag.name} %}\` is open and needs \`{% end${last.tag.name} %}\` first.`
      : undefined;
    problems.push(problem(tag, `\`{% ${tag.name} %}\` closes nothing`, instead));
    // The one that was meant, so that a slip does not make a problem of all that follows.
    const meant = open.findLastIndex(({ part }) => part.kind === closes);
    if (meant >= 0) open.length = meant;
    return;
  }
  nothingMore(tag, problems);
  open.pop();
}

function nothingMore(tag: Tag, problems: ExpressionProblem[]): void {
  if (tag.rest.source.trim() !== '') {
    const hint = tag.name === 'else' ? 'A further condition is `{% elsif … %}`.' : undefined;
    problems.push(
      problem(tag, `\`${tag.name}\` stands alone: \`${tag.rest.source.trim()}\` cannot follow it`, hint),
    );
  }
}

function unknown(tag: Tag): ExpressionProblem {
  const meant = (Object.hasOwn(ALIASES, tag.name) ? ALIASES[tag.name] : undefined) ?? closest(tag.name, TAGS);
  const hint = meant
    ? `Did you mean \`${meant}\`?`
    : 'There are if, elsif, else, endif, for, endfor, raw and endraw; text that is meant as it stands goes between {% raw %} and {% endraw %}.';
  if (/^[-+]|[-+]$/.test(tag.name)) {
    const { start, end } = tag;
    const message = `\`${tag.name}\` is not a tag: white space around tags is kept as it stands`;
    return { code: 'template-tag', message, start, end, hint: 'Write the tag without the sign.' };
  }
  const message = tag.name === '' ? 'the tag is empty' : `there is no tag \`${tag.name}\``;
  return { code: 'template-tag', message, start: tag.start, end: tag.end, hint };
}

function neverClosed(tag: Tag): ExpressionProblem {
  const message = `\`{% ${tag.name} %}\` is never closed`;
  return {
    code: 'template-unclosed',
    message,
    start: tag.start,
    end: tag.end,
    hint: `Close it with \`{% end${tag.name} %}\`.`,
  };
}

function problem(tag: Tag, message: string, hint?: string): ExpressionProblem {
  const { start, end } = tag;
  return hint
    ? { code: 'template-syntax', message, start, end, hint }
    : { code: 'template-syntax', message, start, end };
}
