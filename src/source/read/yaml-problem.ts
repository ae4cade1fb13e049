// yaml-problem: the parser's errors in our words, at our positions, without the echoes of the first.

import type { CST, YAMLParseError } from 'yaml';
import type { Span } from '../../model/diagnostic.ts';
import type { Report } from '../diagnostics.ts';
import { MOST_SYNTAX_ERRORS } from './limits.ts';
import type { Excerpt } from './yaml.ts';
import { bracesTrap, tagTrap } from './yaml-trap.ts';

interface Problem {
  code: string;
  span: Span;
  message: string;
  hint?: string;
}

export function reportSyntax(
  errors: readonly YAMLParseError[],
  tokens: readonly CST.Token[],
  excerpt: Excerpt,
  report: Report,
): void {
  const lines = new Set<number>();
  let tabs = false;
  for (const error of errors) {
    const { line } = excerpt.source.span(excerpt.start + error.pos[0], excerpt.start + error.pos[1]);
    const tab = error.code === 'TAB_AS_INDENT';
    if (lines.has(line) || (tab && tabs)) continue;
    if (lines.size === MOST_SYNTAX_ERRORS) return;
    lines.add(line);
    tabs ||= tab;
    const { code, span, message, hint } = problemOf(error, tokens, excerpt);
    lines.add(span.line);
    report.error(code, span, message, hint);
  }
}

function problemOf(error: YAMLParseError, tokens: readonly CST.Token[], excerpt: Excerpt): Problem {
  const { source, start, end } = excerpt;
  const from = Math.min(start + error.pos[0], end);
  const span = source.span(from, Math.min(Math.max(start + error.pos[1], from), end));
  const trap = trapNear(excerpt, from);
  if (trap !== undefined) return trap;
  if (error.code === 'TAB_AS_INDENT') {
    return { code: 'yaml-tab', span, message: 'a tab is used as indentation', hint: 'Indent with spaces.' };
  }
  return unclosed(error, tokens, excerpt) ?? { code: 'yaml-syntax', span, ...inOurWords(error) };
}

/** A line whose value begins with an unquoted `{{` or `!`, at or just above the error. */
function trapNear({ source, start }: Excerpt, at: number): Problem | undefined {
  let lineStart = source.text.lastIndexOf('\n', at - 1) + 1;
  for (let tried = 0; tried < 2 && lineStart >= start; tried++) {
    const line = source.text.slice(lineStart).split(/\r?\n/, 1)[0] ?? '';
    const [, lead, mark] = /^(\s*(?:- +)*(?:[\w."'-]+ *: +)?)(\{\{|!(?!!))/.exec(line) ?? [];
    if (lead !== undefined) {
      const from = lineStart + lead.length;
      return mark === '!'
        ? { code: 'yaml-tag', ...tagTrap(source, from) }
        : { code: 'yaml-braces', ...bracesTrap(source, from, lineStart + line.trimEnd().length) };
    }
    if (lineStart === 0) return undefined;
    lineStart = source.text.lastIndexOf('\n', lineStart - 2) + 1;
  }
  return undefined;
}

/** A quote or a bracket that is never closed is shown where it opens; so is a comment that swallowed the other end. */
function unclosed(
  error: YAMLParseError,
  tokens: readonly CST.Token[],
  { source, start }: Excerpt,
): Problem | undefined {
  if (/^Missing closing .quote/.test(error.message)) {
    const quoted = allTokens(tokens).find(
      ({ type, offset, source: text }) =>
        /quoted/.test(type) && offset + (text ?? '').length === error.pos[0],
    );
    return quoted && { code: 'yaml-syntax', ...neverClosed(source.text, start + quoted.offset, source) };
  }
  if (!/^Flow (?:map|sequence)/.test(error.message)) return undefined;
  const all = allTokens(tokens);
  const open = all
    .filter(isOpenFlow)
    .reduce<LooseToken | undefined>(
      (last, token) => (token.offset >= (last?.offset ?? 0) ? token : last),
      undefined,
    );
  if (open === undefined) return undefined;
  const comment = all.find(({ type, offset }) => type === 'comment' && offset > open.offset);
  if (comment === undefined)
    return { code: 'yaml-syntax', ...neverClosed(source.text, start + open.offset, source) };
  const at = start + comment.offset;
  return {
    code: 'yaml-comment',
    span: source.span(at, at + (comment.source ?? '').length),
    message: `\` #\` starts a comment here, and the \`${source.text[start + open.offset]}\` before it is never closed`,
    hint: 'A text that contains ` #` needs quotes.',
  };
}

function neverClosed(text: string, at: number, source: Excerpt['source']): Omit<Problem, 'code'> {
  return {
    span: source.span(at, at + 1),
    message: `the ${text[at] ?? 'quote'} that opens here is never closed`,
  };
}

interface LooseToken {
  type: string;
  offset: number;
  source?: string;
  end?: LooseToken[];
}

function isOpenFlow({ type, end }: LooseToken): boolean {
  return type === 'flow-collection' && !end?.some((part) => /^flow-(?:map|seq)-end$/.test(part.type));
}

/** Without recursion; the order is no matter. */
function allTokens(tokens: readonly CST.Token[]): LooseToken[] {
  const found: LooseToken[] = [];
  const pending: unknown[] = [...tokens];
  while (pending.length > 0) {
    const token = pending.pop();
    if (typeof token !== 'object' || token === null) continue;
    const { type, offset, items, key, value, start, sep, end } = token as Record<string, unknown>;
    if (typeof type === 'string' && typeof offset === 'number') found.push(token as LooseToken);
    for (const list of [items, start, sep, end])
      if (Array.isArray(list)) for (const item of list) pending.push(item);
    pending.push(key, value);
  }
  return found.sort((a, b) => a.offset - b.offset);
}

function inOurWords(error: YAMLParseError): { message: string; hint?: string } {
  const said = error.message.charAt(0).toLowerCase() + error.message.slice(1);
  switch (error.code) {
    case 'BLOCK_AS_IMPLICIT_KEY':
      return {
        message: 'a second `: ` on this line cannot be read',
        hint: 'A text that contains `: ` needs quotes; a nested map goes on lines of its own.',
      };
    case 'BAD_SCALAR_START':
      return { message: said, hint: 'Put the text in quotes.' };
    case 'MULTILINE_IMPLICIT_KEY':
      return { message: said, hint: 'Is a `:` missing, or the indentation of the next line wrong?' };
    case 'BAD_INDENT':
      return { message: said, hint: 'Look at the indentation and the brackets above.' };
    case 'RESOURCE_EXHAUSTION':
      return { message: 'the text is too complicated to be read here' };
    default:
      return { message: said };
  }
}
