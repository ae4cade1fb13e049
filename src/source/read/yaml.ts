// yaml: text → node tree, or what is wrong with the text. Also reads JSON, which is YAML.
// Y1. No text makes it throw, recurse without bound, or take more than bounded time and memory.
// Y2. Every node knows its offsets.   Y3. Nothing vanishes: tags, second documents, repeated keys are reported.
// Y4. A merge key (`<<: *base`) is read as other readers of YAML do: what a map says itself goes before.

import type { CST, Pair, Scalar, Node as YamlNode } from 'yaml';
import { Composer, type Document, isAlias, isMap, isNode, isPair, isScalar, isSeq, Parser } from 'yaml';
import { inexactNumber, WRITE_AS_TEXT } from '../../text/exact-number.ts';
import type { Report } from '../diagnostics.ts';
import { checkCharacters } from './characters.ts';
import { lexer } from './lexer.ts';
import { DEEPEST, MOST_TOKENS, MOST_VALUES } from './limits.ts';
import type { MapEntry, Node, ScalarNode, ScalarStyle } from './node.ts';
import { readPlainYaml } from './plain-yaml.ts';
import type { SourceText } from './source.ts';
import { reportSyntax } from './yaml-problem.ts';
import { braces, customTag } from './yaml-trap.ts';

/** Part of a source: front matter is YAML inside a Markdown file. */
export interface Excerpt {
  source: SourceText;
  start: number;
  end: number;
}

export function readYaml(source: SourceText, report: Report): Node | undefined {
  return readExcerpt({ source, start: 0, end: source.text.length }, report);
}

export function readExcerpt(excerpt: Excerpt, report: Report): Node | undefined {
  if (!checkCharacters(excerpt.source, report)) return undefined;
  return readPlainYaml(excerpt.source, excerpt.start, excerpt.end) ?? readAnyYaml(excerpt, report);
}

/** The whole language. */
export function readAnyYaml(excerpt: Excerpt, report: Report): Node | undefined {
  const tokens = tokensOf(excerpt, report);
  if (tokens === undefined) return undefined;
  const documents = compose(excerpt, tokens);
  const [document, second] = documents;
  const errors = documents.flatMap(({ errors }) => errors);
  if (errors.length > 0) {
    reportSyntax(errors, tokens, excerpt, report);
    return undefined;
  }
  if (second !== undefined) {
    const at = excerpt.start + second.range[0];
    report.error(
      'yaml-documents',
      excerpt.source.span(at, at + 3),
      'a second document starts here (`---`), and would not be read',
      'Keep one document in a file.',
    );
  }
  if (document?.contents == null) {
    report.error('file-empty', excerpt.source.span(excerpt.start, excerpt.start), 'there is nothing in here');
    return undefined;
  }
  return convert(document.contents, excerpt, report);
}

/** Stops at the first sign of a text made to exhaust us: the parser recurses only over what we let through. */
function tokensOf({ source, start, end }: Excerpt, report: Report): CST.Token[] | undefined {
  const parser = new Parser();
  const tokens: CST.Token[] = [];
  let seen = 0;
  for (const lexeme of lexer().lex(source.text.slice(start, end))) {
    for (const token of parser.next(lexeme)) tokens.push(token);
    seen++;
    if (parser.stack.length > DEEPEST + 2) {
      const at = start + parser.offset;
      report.error(
        'yaml-too-deep',
        source.span(at, at),
        `lists and maps are nested deeper than ${DEEPEST} here`,
      );
      return undefined;
    }
    if (seen > MOST_TOKENS) {
      const at = start + parser.offset;
      report.error(
        'file-too-large',
        source.span(at, at),
        'there are too many values in this file to be a definition',
      );
      return undefined;
    }
  }
  for (const token of parser.end()) tokens.push(token);
  return tokens;
}

function compose({ start, end }: Excerpt, tokens: CST.Token[]): Document.Parsed[] {
  const composer = new Composer({
    strict: true,
    // Ours names both places, and is not quadratic.
    uniqueKeys: false,
    schema: 'core',
    version: '1.2',
    keepSourceTokens: true,
    logLevel: 'silent',
    prettyErrors: false,
  });
  return [...composer.compose(tokens, true, end - start)];
}

interface Converting {
  excerpt: Excerpt;
  report: Report;
  anchors: Map<string, { node: Node; weight: number; height: number } | 'open'>;
  /** So far, with every alias written out. */
  weight: number;
  refused: boolean;
  /** How deep we are, and how deep the part just converted goes below that. */
  depth: number;
  height: number;
  /** A key is a text as it is written, whatever it looks like. */
  isKey: boolean;
}

function convert(contents: YamlNode, excerpt: Excerpt, report: Report): Node | undefined {
  const converting: Converting = {
    excerpt,
    report,
    anchors: new Map(),
    weight: 0,
    refused: false,
    depth: 0,
    height: 0,
    isKey: false,
  };
  const node = nodeOf(contents, converting);
  return converting.refused ? undefined : node;
}

function nodeOf(yaml: YamlNode, converting: Converting): Node {
  const { anchors } = converting;
  if (isAlias(yaml)) return aliased(yaml.source, yaml, converting);
  const anchor = (yaml as { anchor?: string }).anchor;
  const before = converting.weight;
  converting.weight++;
  if (anchor !== undefined) anchors.set(anchor, 'open');
  const deepest = converting.height;
  converting.height = converting.depth;
  converting.depth++;
  const node = plainNode(yaml, converting);
  converting.depth--;
  const height = converting.height - converting.depth;
  if (anchor !== undefined) anchors.set(anchor, { node, weight: converting.weight - before, height });
  converting.height = Math.max(deepest, converting.height, converting.depth);
  return node;
}

function plainNode(yaml: YamlNode, converting: Converting): Node {
  const { excerpt, report } = converting;
  const place = placeOf(yaml, excerpt);
  const tag = customTag(yaml.tag, excerpt, place.start);
  if (tag !== undefined) {
    report.error('yaml-tag', tag.span, tag.message, tag.hint);
    return brokenScalar(place);
  }
  if (isScalar(yaml)) return scalarNode(yaml, place, converting);
  if (isSeq(yaml)) {
    return {
      ...place,
      kind: 'list',
      items: yaml.items.map((item) => childNode(item, place.start, converting)),
    };
  }
  if (!isMap(yaml)) return brokenScalar(place);
  const template = braces(yaml, excerpt, place);
  if (template !== undefined) {
    report.error('yaml-braces', template.span, template.message, template.hint);
    return brokenScalar(place);
  }
  return {
    ...place,
    kind: 'map',
    entries: entriesOf(yaml.items as Pair<YamlNode, YamlNode | null>[], place.start, converting),
  };
}

function childNode(item: unknown, near: number, converting: Converting): Node {
  if (item === null || item === undefined) return emptyScalar(converting.excerpt.source, near);
  return nodeOf(item as YamlNode, converting);
}

function aliased(name: string, yaml: YamlNode, converting: Converting): Node {
  const { excerpt, report, anchors } = converting;
  const place = placeOf(yaml, excerpt);
  const span = excerpt.source.span(place.start, place.end);
  if (converting.refused) return brokenScalar(place);
  const target = anchors.get(name);
  if (target === undefined || target === 'open') {
    const why = target === 'open' ? 'contains itself' : 'is not an anchor above it';
    report.error(
      'yaml-alias',
      span,
      `the alias \`*${name}\` ${why}`,
      'A plain text that starts with `*` needs quotes.',
    );
    return brokenScalar(place);
  }
  converting.height = Math.max(converting.height, converting.depth + target.height);
  converting.weight += target.weight;
  if (converting.depth + target.height > DEEPEST) {
    converting.refused = true;
    const message = `with its aliases, lists and maps are nested deeper than ${DEEPEST} here`;
    report.error('yaml-too-deep', span, message);
  } else if (converting.weight > MOST_VALUES) {
    converting.refused = true;
    report.error('yaml-alias', span, `the aliases of this file stand for more than ${MOST_VALUES} values`);
  }
  return target.node;
}

function entriesOf(
  pairs: Pair<YamlNode, YamlNode | null>[],
  near: number,
  converting: Converting,
): Map<string, MapEntry> {
  const { excerpt, report } = converting;
  const entries = new Map<string, MapEntry>();
  for (const pair of pairs) {
    converting.isKey = isScalar(pair.key);
    const keyNode = pair.key === null ? emptyScalar(excerpt.source, near) : nodeOf(pair.key, converting);
    converting.isKey = false;
    const value = childNode(pair.value, keyNode.end, converting);
    if (keyNode.kind !== 'scalar' || keyNode.broken || keyNode.written === '') {
      if (keyNode.kind === 'scalar' && keyNode.broken) continue;
      report.error('yaml-key', excerpt.source.span(keyNode.start, keyNode.end), 'a key must be a plain text');
      continue;
    }
    const key = typeof keyNode.value === 'string' ? keyNode.value : keyNode.written;
    const first = entries.get(key);
    if (first === undefined) {
      entries.set(key, { key, keyNode, value });
      continue;
    }
    const { line } = first.keyNode.source.span(first.keyNode.start, first.keyNode.end);
    report.error(
      'yaml-duplicate-key',
      excerpt.source.span(keyNode.start, keyNode.end),
      `the key \`${key}\` is here a second time; the first is on line ${line}`,
      'Keep one of them.',
    );
  }
  mergeInto(entries, converting);
  return entries;
}

/** `<<` as it stands; in quotes it is a key like any other. Of several maps the first that has a key gives it. */
function mergeInto(entries: Map<string, MapEntry>, { excerpt, report }: Converting): void {
  const merge = entries.get('<<');
  if (merge?.keyNode.style !== 'plain') return;
  entries.delete('<<');
  const { value } = merge;
  for (const map of value.kind === 'list' ? value.items : [value]) {
    if (map.kind === 'map') {
      for (const entry of map.entries.values()) if (!entries.has(entry.key)) entries.set(entry.key, entry);
    } else if (map.kind === 'list' || !map.broken) {
      const { start, end } = merge.keyNode;
      report.error(
        'yaml-merge',
        excerpt.source.span(start, end),
        'a merge key takes a map, or a list of maps',
        'Give it an alias of a map: `<<: *name`.',
      );
    }
  }
}

type Place = Pick<ScalarNode, 'source' | 'start' | 'end'>;

function placeOf(yaml: YamlNode, { source, start }: Excerpt): Place {
  return { source, start: start + (yaml.range?.[0] ?? 0), end: start + endOf(yaml) };
}

/** A block ends with the last value in it, and not with the blank lines and comments after that. */
function endOf(yaml: YamlNode): number {
  let last = yaml;
  while ((isMap(last) || isSeq(last)) && !last.flow) {
    const item: unknown = last.items.at(-1);
    const inner = isPair(item) ? (item.value ?? item.key) : item;
    if (!isNode(inner)) break;
    last = inner;
  }
  return last.range?.[1] ?? 0;
}

const STYLES: Record<string, ScalarStyle> = {
  PLAIN: 'plain',
  QUOTE_SINGLE: 'single',
  QUOTE_DOUBLE: 'double',
  BLOCK_LITERAL: 'literal',
  BLOCK_FOLDED: 'folded',
};

function scalarNode(yaml: Scalar, place: Place, { excerpt, report, isKey }: Converting): ScalarNode {
  const style = STYLES[yaml.type ?? 'PLAIN'] ?? 'plain';
  const written = style === 'plain' ? (yaml.source ?? '') : String(yaml.value);
  // `-0` is zero, and JSON that is written again has no other way to say so.
  const value = yaml.value === 0 ? 0 : yaml.value;
  if (typeof value === 'number' && !isKey) {
    const inexact = numberProblem(yaml.source ?? String(value), value);
    if (inexact !== undefined) {
      report.error('yaml-number', place.source.span(place.start, place.end), inexact, WRITE_AS_TEXT);
      return brokenScalar(place);
    }
  }
  const scalar =
    value === null || typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number';
  const node: ScalarNode = { ...place, kind: 'scalar', value: scalar ? value : written, style, written };
  const comment = style === 'plain' ? commentAfter(yaml) : undefined;
  if (comment !== undefined) {
    const start = excerpt.start + comment.offset;
    node.comment = { start, end: start + comment.source.length };
  }
  return node;
}

function numberProblem(written: string, value: number): string | undefined {
  return /^[+-]?\.(?:inf|nan)$/i.test(written)
    ? `${written} is not a number that JSON can hold`
    : inexactNumber(written, value);
}

/** On the same line only. */
function commentAfter(yaml: Scalar): CST.SourceToken | undefined {
  const token = (yaml as { srcToken?: { end?: CST.SourceToken[] } }).srcToken;
  for (const part of token?.end ?? []) {
    if (part.type === 'comment') return part;
    if (part.type === 'newline') return undefined;
  }
  return undefined;
}

function emptyScalar(source: SourceText, at: number): ScalarNode {
  return { kind: 'scalar', source, start: at, end: at, value: null, style: 'plain', written: '' };
}

function brokenScalar(place: Place): ScalarNode {
  return { ...place, kind: 'scalar', value: null, style: 'plain', written: '', broken: true };
}
