// yaml-problem: the parser's errors in our words, at our positions, without the echoes of the first.

import type { CST, YAMLParseError } from 'yaml';
import type { Report } from '../report.ts';
import { MOST_SYNTAX_ERRORS } from './limits.ts';
import type { Excerpt } from './yaml.ts';
import { bracesTrap } from './yaml-trap.ts';

export function reportSyntax(
  errors: readonly YAMLParseError[],
  tokens: readonly CST.Token[],
  excerpt: Excerpt,
  report: Report,
): void {
  const { source, start, end } = excerpt;
  const lines = new Set<number>();
  for (const error of errors) {
    const from = Math.min(start + error.pos[0], end);
    const to = Math.min(Math.max(start + error.pos[1], from), end);
    const span = source.span(from, to);
    if (lines.has(span.line)) continue;
    if (lines.size === MOST_SYNTAX_ERRORS) return;
    lines.add(span.line);
    const trap = bracesNear(excerpt, from);
    if (trap !== undefined) {
      report.error('yaml-braces', trap.span, trap.message, trap.hint);
    } else if (error.code === 'TAB_AS_INDENT') {
      report.error('yaml-tab', span, 'a tab is used as indentation', 'Indent with spaces.');
    } else if (/^Missing closing .quote/.test(error.message)) {
      const open = start + (startOfText(tokens, error.pos[0]) ?? error.pos[0]);
      const quote = source.text[open] ?? 'quote';
      report.error(
        'yaml-syntax',
        source.span(open, open + 1),
        `the ${quote} that starts here is never closed`,
      );
    } else {
      const { message, hint } = inOurWords(error);
      report.error('yaml-syntax', span, message, hint);
    }
  }
}

/** Where the quoted text starts that ends (for want of a quote, with the file) at `end`. */
function startOfText(tokens: readonly CST.Token[], end: number): number | undefined {
  const pending: unknown[] = [...tokens];
  while (pending.length > 0) {
    const token = pending.pop();
    if (typeof token !== 'object' || token === null) continue;
    const { type, offset, source, items, key, value } = token as Record<string, unknown>;
    const quoted = type === 'double-quoted-scalar' || type === 'single-quoted-scalar';
    if (quoted && typeof offset === 'number' && offset + String(source).length === end) return offset;
    if (Array.isArray(items)) for (const item of items) pending.push(item);
    pending.push(key, value);
  }
  return undefined;
}

/** A line whose value begins with an unquoted `{{`, at or just above the error. */
function bracesNear({ source, start }: Excerpt, at: number): ReturnType<typeof bracesTrap> | undefined {
  let lineStart = source.text.lastIndexOf('\n', at - 1) + 1;
  for (let tried = 0; tried < 2 && lineStart >= start; tried++) {
    const line = source.text.slice(lineStart).split(/\r?\n/, 1)[0] ?? '';
    const found = /^(\s*(?:- +)*(?:[\w."'-]+ *: +)?)\{\{/.exec(line);
    if (found !== null) {
      const from = lineStart + (found[1] ?? '').length;
      return bracesTrap(source, from, lineStart + line.trimEnd().length);
    }
    if (lineStart === 0) return undefined;
    lineStart = source.text.lastIndexOf('\n', lineStart - 2) + 1;
  }
  return undefined;
}

function inOurWords(error: YAMLParseError): { message: string; hint?: string } {
  const said = lowerFirst(error.message);
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

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
