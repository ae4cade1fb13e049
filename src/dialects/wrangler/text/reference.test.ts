// The translation against a plain interpreter of what Mustache and Handlebars say, over texts and contexts that nobody
// thought of.

import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { tries } from '../../../../test/support/tries.ts';
import { renderText } from '../../../expressions/expressions.ts';
import type { Json } from '../../../model/json.ts';
import { report } from '../../../source/diagnostics.ts';
import { readMarkdown } from '../../../source/read/markdown.ts';
import { sourceText } from '../../../source/read/source.ts';
import type { Path } from './path.ts';
import { translateText } from './translate.ts';
import { type Part, parse } from './tree.ts';

type Found = Json | undefined;
interface Context {
  value: Found;
  data?: { index: number; key: Json; first: boolean; last: boolean };
  names: Map<string, Found>;
}

function own(value: Found, key: string): Found {
  if (Array.isArray(value)) return /^\d+$/.test(key) ? value[Number(key)] : undefined;
  if (typeof value !== 'object' || value === null || /^\d+$/.test(key)) return undefined;
  return Object.hasOwn(value, key) ? (value[key] as Json) : undefined;
}

function along(value: Found, keys: readonly string[]): Found {
  return keys.reduce((at: Found, key, index) => {
    const counts = key === 'length' && index === keys.length - 1;
    if (counts && Array.isArray(at)) return at.length;
    if (counts && typeof at === 'string') return Array.from(at).length;
    return own(at, key);
  }, value);
}

function has(value: Found, key: string): boolean {
  return own(value, key) !== undefined;
}

function read(path: Path, roots: Record<string, Json>, contexts: readonly Context[]): Found {
  const seen = contexts.slice(0, Math.max(contexts.length - path.up, 0));
  if (path.data === 'root') return along(roots, path.keys);
  if (path.data !== undefined) return seen.findLast(({ data }) => data)?.data?.[path.data];
  const nearest = seen.at(-1);
  if (nearest && (path.own || path.up > 0)) return along(nearest.value, path.keys);
  const [head, ...rest] = path.keys;
  if (head === undefined) return undefined;
  for (const { value, names } of [...seen].reverse()) {
    if (names.has(head)) return along(names.get(head), rest);
    if (has(value, head)) return along(own(value, head), rest);
  }
  return along(own(roots, head), rest);
}

const holds = (value: Found) => (Array.isArray(value) ? value.length > 0 : Boolean(value));
const shown = (value: Found) =>
  value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value);

function rendered(parts: readonly Part[], roots: Record<string, Json>, contexts: readonly Context[]): string {
  const inner = (all: readonly Part[], more: Context[] = []) => rendered(all, roots, [...contexts, ...more]);
  return parts
    .map((part) => {
      if (part.kind === 'text') return part.text;
      const value = part.path && read(part.path, roots, contexts);
      if (part.kind === 'value') return shown(value);
      const { verb, body, otherwise } = part;
      if (verb === 'if' || verb === 'unless')
        return inner(holds(value) === (verb === 'if') ? body : otherwise);
      const items: [Json, Json][] = Array.isArray(value)
        ? verb === 'with'
          ? [[0, value]]
          : value.map((item, index) => [index, item])
        : verb === 'each'
          ? typeof value === 'object' && value !== null
            ? Object.entries(value as Record<string, Json>)
            : []
          : [[0, value as Json]];
      if (items.length === 0 || (verb !== 'each' && !holds(value))) return inner(otherwise);
      return items
        .map(([key, item], index) => {
          const data = { index, key, first: index === 0, last: index === items.length - 1 };
          const given = new Map<string, Found>([item, key].map((each, at) => [part.names[at] ?? '', each]));
          given.delete('');
          return inner(body, [{ value: item, names: given, ...(verb !== 'with' && { data }) }]);
        })
        .join('');
    })
    .join('');
}

const path = fc.constantFrom(
  ...['a', 'b', 'c', 'a.b', 'b.a', 'a.b.c', 'a.length', 'b.c.length', 'a.0', 'this', '.', 'this.a', './b'],
  ...['../a', '../b.c', '@root.a', '@index', '@first', '@last', '@key', '@../index', 'x', 'n'],
);
const { text } = fc.letrec<{ text: string; part: string }>((tie) => ({
  text: fc.array(tie('part'), { maxLength: 4 }).map((parts) => parts.join('')),
  part: fc.oneof(
    { maxDepth: 4 },
    fc.oneof(
      fc.constantFrom(' t ', 'x\n', '{', '\n', '- '),
      path.map((name) => `<{{${name}}}>`),
      path.map((name) => `<{{{ ${name} }}}>`),
    ),
    fc
      .tuple(fc.constantFrom('if', 'unless', 'each', 'with'), path, tie('text'), tie('text'))
      .map(([verb, name, body, other]) => `{{#${verb} ${name}}}${body}{{else}}${other}{{/${verb}}}`),
    fc.tuple(path, tie('text')).map(([name, body]) => `{{#each ${name} as |x n|}}${body}{{/each}}`),
    fc
      .tuple(fc.constantFrom('a', 'b.a', 'this'), tie('text'))
      .map(([name, body]) => `{{#${name}}}${body}{{/${name}}}`),
    fc.tuple(fc.constantFrom('a', 'c'), tie('text')).map(([name, body]) => `{{^${name}}}${body}{{/${name}}}`),
  ),
}));

const scalar = fc.constantFrom<Json>(null, true, false, 0, 1, 2.5, '', 'x', '{{a}}');
const names = fc.constantFrom('a', 'b', 'c', 'length', '0');
const { value } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    scalar,
    fc.array(tie('value'), { minLength: 1, maxLength: 3 }),
    fc.dictionary(names, tie('value'), { minKeys: 1, maxKeys: 4 }),
    fc.constantFrom<Json>([], {}),
  ),
}));
const roots = fc.record({ a: value, b: value, c: scalar }, { requiredKeys: ['a'] });

it('a translated text renders what a plain interpreter of Mustache and Handlebars renders', () => {
  fc.assert(
    fc.property(text, roots, (template, { ...given }) => {
      const page = readMarkdown(sourceText('p.md', template), report());
      if (page === undefined) return;
      const { parts } = parse(String(page.body.value));
      const { body } = translateText(page.body, report());
      const result = renderText(String(body.value), {
        lookup: (root) => own(given, root),
        fact: () => undefined,
      });
      expect(result).toEqual({ kind: 'value', value: rendered(parts, given, []) });
    }),
    { numRuns: tries(600, 120) },
  );
});
