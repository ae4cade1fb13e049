// expectation: what a shape takes, what a node is, and both in words.

import type { Node, ScalarNode } from '../read/node.ts';
import { DURATIONS, SIZES } from './measure.ts';
import { shorten } from './name.ts';
import type { Shape } from './shape.ts';

type Kind = 'text' | 'number' | 'boolean' | 'null' | 'list' | 'map';

function kindOf(node: Node): Kind {
  if (node.kind !== 'scalar') return node.kind;
  if (node.value === null) return 'null';
  return typeof node.value === 'string' ? 'text' : (typeof node.value as 'number' | 'boolean');
}

/** Whether what stands there is of the right sort at all; not yet whether it is right. */
export function accepts(shape: Shape, node: Node): boolean {
  return kindsOf(shape).includes(kindOf(node));
}

function kindsOf(shape: Shape): readonly Kind[] {
  switch (shape.kind) {
    case 'text':
    case 'name':
    case 'choice':
    case 'duration':
    case 'each':
      return ['text'];
    case 'literal':
      return shape.loose ? ['text', 'number', 'boolean'] : ['text'];
    case 'argument':
      return ['text', 'number', 'boolean'];
    case 'cel':
      return ['text', 'boolean'];
    case 'integer':
    case 'number':
      return ['number'];
    case 'version':
      return ['number', 'text', 'boolean', 'null'];
    case 'size':
      return ['text', 'number'];
    case 'boolean':
      return ['boolean'];
    case 'list':
      return ['list'];
    case 'record':
    case 'object':
    case 'variants':
    case 'json-map':
    case 'open':
      return ['map'];
    case 'schema':
      return ['text', 'map'];
    case 'json':
      return ['text', 'number', 'boolean', 'null', 'list', 'map'];
    case 'either':
      return shape.of.flatMap(kindsOf);
    case 'later':
      return kindsOf(shape.shape());
  }
}

/** `must be …` */
export function expected(shape: Shape): string {
  switch (shape.kind) {
    case 'text':
    case 'argument':
    case 'literal':
      return 'a text';
    case 'cel':
      return 'an expression';
    case 'each':
      return '`name in list`';
    case 'name':
      return shape.rule === 'reference' || shape.rule === 'prompt' ? 'a name or a path' : 'a name';
    case 'integer':
      return 'a whole number';
    case 'number':
      return 'a number';
    case 'version':
      return '1';
    case 'boolean':
      return 'true or false';
    case 'duration':
      return `a duration such as ${DURATIONS}`;
    case 'size':
      return SIZES;
    case 'choice':
      return orList(shape.of.map((each) => `\`${each}\``));
    case 'list':
      return 'a list';
    case 'record':
    case 'json-map':
    case 'open':
      return 'a map';
    case 'object':
      return `a map with ${orList(
        Object.keys(shape.fields).map((key) => `\`${key}\``),
        5,
      )}`;
    case 'variants':
      return shape.name === 'step' || shape.name === 'action'
        ? `a map with ${shape.name === 'step' ? '`id` and ' : ''}a verb`
        : `a map with ${orList(shape.branches.map(({ marks }) => `\`${marks.at(-1)}\``))}`;
    case 'either':
      return orList(shape.of.map(expected));
    case 'schema':
      return 'the name of a schema, a path, or JSON Schema';
    case 'json':
      return 'a value';
    case 'later':
      return expected(shape.shape());
  }
}

/** What an item of a list is called, where it has a name of its own. */
export function aName(shape: Shape): string | undefined {
  if (shape.kind === 'later') return aName(shape.shape());
  const name = shape.kind === 'variants' || shape.kind === 'object' ? shape.name : undefined;
  return name === undefined ? undefined : `${/^[aeiou]/.test(name) ? 'an' : 'a'} ${name}`;
}

export function found(node: Node): string {
  return {
    text: 'a text',
    number: 'a number',
    boolean: 'a boolean',
    null: 'empty',
    list: 'a list',
    map: 'a map',
  }[kindOf(node)];
}

export function given(node: Node): string {
  return node.kind === 'scalar' ? `\`${shorten((node as ScalarNode).written)}\`` : 'this';
}

export function orList(items: readonly string[], most = 20): string {
  if (items.length > most) return `${items.slice(0, most).join(', ')} …`;
  if (items.length < 2) return items.join('');
  return `${items.slice(0, -1).join(', ')} or ${items.at(-1)}`;
}
