// yaml-trap: what is valid YAML and never what its writer meant. Each gets a message of its own.

import { isMap, isScalar, type YAMLMap, type Node as YamlNode } from 'yaml';
import type { Span } from '../../model/diagnostic.ts';
import type { SourceText } from './source.ts';

interface Trap {
  span: Span;
  message: string;
  hint: string;
}
interface Within {
  source: SourceText;
  start: number;
}

const STANDARD_TAG = /^tag:yaml\.org,2002:(?:str|int|float|bool|null|map|seq)$/;

/** `if: !ready` has the tag `!ready` and no value at all. */
export function customTag(
  tag: string | undefined,
  { source, start }: Within,
  node: number,
): Trap | undefined {
  if (tag === undefined || STANDARD_TAG.test(tag)) return undefined;
  let at = Math.max(start, source.text.lastIndexOf('!', node - 1));
  if (source.text[at - 1] === '!') at--;
  return tagTrap(source, at);
}

export function tagTrap(source: SourceText, at: number): Trap {
  const line = source.text.slice(at, at + 500).split(/\r?\n/, 1)[0] ?? '';
  const text = line.replace(/\s+#.*$/, '').trimEnd();
  return {
    span: source.span(at, at + text.length),
    message: `\`${/^\S*/.exec(text)?.[0] ?? '!'}\` is a YAML tag here, and would vanish`,
    hint: `Put the text in single quotes: '${text.replaceAll("'", "''")}'`,
  };
}

/** `title: {{ x }}` is a map whose only key is a map. */
export function braces(
  yaml: YAMLMap,
  { source }: Within,
  place: { start: number; end: number },
): Trap | undefined {
  const [pair, more] = yaml.items;
  if (!yaml.flow || pair === undefined || more !== undefined) return undefined;
  if (!isMap(pair.key as YamlNode) || !isNothing(pair.value)) return undefined;
  return bracesTrap(source, place.start, place.end);
}

export function bracesTrap(source: SourceText, start: number, end: number): Trap {
  const text = source.text.slice(start, end).replace(/\s+/g, ' ').trim();
  return {
    span: source.span(start, end),
    message: '`{{` without quotes starts a YAML map, not a template',
    hint: `Put the text in quotes: '${text.replaceAll("'", "''")}'`,
  };
}

function isNothing(value: unknown): boolean {
  return value === null || value === undefined || (isScalar(value) && value.value === null);
}
