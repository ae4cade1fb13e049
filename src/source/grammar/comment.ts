// comment: ` #` after a plain text starts a YAML comment. In an expression that is seldom what was meant, and where
// the cut leaves a quote or a bracket open it certainly is not.

import type { ScalarNode } from '../read/node.ts';
import type { Conforming } from './conform.ts';

export function checkComment(
  node: ScalarNode,
  as: 'expression' | 'template' | 'command',
  label: string,
  to: Conforming,
): boolean {
  const { comment, source } = node;
  if (comment === undefined || typeof node.value !== 'string') return true;
  const cut = as === 'template' ? isOpenTemplate(node.value) : isOpen(node.value);
  const span = source.span(comment.start, comment.end);
  if (cut) {
    const line = source.text.slice(node.start, comment.end).replace(/\s+/g, ' ');
    to.report.error(
      'yaml-comment',
      span,
      `\` #\` starts a comment here and cuts ${label} off in the middle`,
      `Put the whole text in single quotes: '${line.replaceAll("'", "''")}'`,
    );
    return to.bad(node);
  }
  if (as === 'expression') {
    to.report.warn(
      'yaml-comment',
      span,
      `this is a comment and no part of ${label}`,
      'Put the expression in single quotes, so that everybody sees where it ends.',
    );
  }
  return true;
}

function isOpenTemplate(text: string): boolean {
  return text.lastIndexOf('{{') > text.lastIndexOf('}}') || text.lastIndexOf('{%') > text.lastIndexOf('%}');
}

/** A quote or a bracket that is never closed. */
function isOpen(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === '"' || character === "'") {
      at++;
      while (at < text.length && text[at] !== character) at += text[at] === '\\' ? 2 : 1;
      if (at >= text.length) return true;
    } else if ('([{'.includes(character)) depth++;
    else if (')]}'.includes(character)) depth--;
  }
  return depth > 0;
}
