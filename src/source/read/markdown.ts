// markdown: a file with YAML front matter between two `---` lines, and a body. The front matter may be missing.

import type { Report } from '../diagnostics.ts';
import { checkCharacters } from './characters.ts';
import type { MapNode, Node, ScalarNode } from './node.ts';
import type { SourceText } from './source.ts';
import { readExcerpt } from './yaml.ts';

export interface MarkdownFile {
  /** Absent where there is none, or where it could not be read (which was reported). */
  matter?: Node;
  body: ScalarNode;
}

export function readMarkdown(source: SourceText, report: Report): MarkdownFile | undefined {
  if (!checkCharacters(source, report)) return undefined;
  const { text } = source;
  const open = /^---[ \t]*\r?\n/.exec(text);
  if (open === null) return { body: bodyNode(source, 0) };
  const start = open[0].length;
  const close = findClose(text, start);
  if (close === undefined) {
    report.error(
      'front-matter-open',
      source.span(0, 3),
      'the front matter that starts here is never closed',
      'Close it with a line `---`.',
    );
    return undefined;
  }
  const body = bodyNode(source, close.after);
  if (text.slice(start, close.at).trim() === '') return { matter: emptyMap(source, start), body };
  const matter = readExcerpt({ source, start, end: close.at }, report);
  return matter === undefined ? { body } : { matter, body };
}

function findClose(text: string, start: number): { at: number; after: number } | undefined {
  const fence = /^---[ \t]*(?:\r?\n|$)/gm;
  fence.lastIndex = start;
  const found = fence.exec(text);
  return found === null ? undefined : { at: found.index, after: found.index + found[0].length };
}

/** Without the blank lines around it, and with plain line ends. */
function bodyNode(source: SourceText, from: number): ScalarNode {
  const raw = source.text.slice(from);
  const lead = /^(?:[ \t]*\r?\n)*/.exec(raw)?.[0].length ?? 0;
  const start = from + lead;
  const end = Math.max(start, source.text.trimEnd().length);
  const written = source.text.slice(start, end);
  return {
    kind: 'scalar',
    source,
    start,
    end,
    value: written.replaceAll('\r\n', '\n'),
    style: 'body',
    written,
  };
}

function emptyMap(source: SourceText, at: number): MapNode {
  return { kind: 'map', source, start: at, end: at, entries: new Map() };
}
