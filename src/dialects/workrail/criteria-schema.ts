// criteria-schema: JSON Schema → an expression, for notes that are to be JSON. What the expression could not say is refused,
// so that no check is lost in silence.

import { isObject, type Json, type JsonObject } from '../../model/json.ts';
import type { Report } from '../../source/diagnostics.ts';
import { headSpan, type Node } from '../../source/read/node.ts';
import { celText, celValue, member } from '../native-text.ts';
import { compared, joined, simple, type Test } from './condition.ts';

const TYPES: Readonly<Record<string, string>> = {
  object: 'map',
  array: 'list',
  string: 'string',
  boolean: 'bool',
  null: 'null_type',
};
const ANNOTATIONS = ['$schema', '$id', 'title', 'description', 'examples', 'default', 'additionalProperties'];
const DEEPEST = 8;

/** undefined: it asks for something that cannot be said, which was reported. */
export function schemaTest(value: string, schema: JsonObject, at: Node, report: Report): Test | undefined {
  const refused = new Set<string>();
  const test = joined(testsOf(value, schema, refused, 0), '&&');
  if (refused.size === 0) return simple(`default(${test.text}, false)`);
  const names = [...refused].map((each) => `\`${each}\``).join(', ');
  report.error(
    'criteria-schema',
    headSpan(at),
    `a schema of the notes cannot ask for ${names} here`,
    'It has `type`, `properties`, `required`, `items`, `enum`, `const`, `pattern`, and lengths and bounds.',
  );
  return undefined;
}

function testsOf(value: string, schema: JsonObject, refused: Set<string>, depth: number): Test[] {
  if (depth > DEEPEST) refused.add('so many levels');
  if (depth > DEEPEST) return [];
  return Object.entries(schema).flatMap(([keyword, given]) =>
    keywordTests(value, keyword, given, refused, depth),
  );
}

function keywordTests(
  value: string,
  keyword: string,
  given: Json,
  refused: Set<string>,
  depth: number,
): Test[] {
  const op = (text: string): Test[] => [compared(text)];
  switch (keyword) {
    case 'type':
      return [typeTest(value, given)];
    case 'required':
      return (given as string[]).map((key) => simple(`has(${member(value, key)})`));
    case 'properties':
      return Object.entries(given as JsonObject).flatMap(([key, inner]) => {
        const tests = isObject(inner) ? testsOf(member(value, key), inner, refused, depth + 1) : [];
        if (tests.length === 0) return [];
        return [joined([simple(`!has(${member(value, key)})`), joined(tests, '&&')], '||')];
      });
    case 'items': {
      const name = `item${depth}`;
      const tests = isObject(given) ? testsOf(name, given, refused, depth + 1) : [];
      return tests.length === 0 ? [] : [simple(`${value}.all(${name}, ${joined(tests, '&&').text})`)];
    }
    case 'enum':
      return op(`${value} in ${celValue(given)}`);
    case 'const':
      return op(`${value} == ${celValue(given)}`);
    case 'pattern':
      return [simple(`${value}.matches(${celText(String(given))})`)];
    case 'minLength':
    case 'minItems':
    case 'minProperties':
      return op(`size(${value}) >= ${given}`);
    case 'maxLength':
    case 'maxItems':
    case 'maxProperties':
      return op(`size(${value}) <= ${given}`);
    case 'minimum':
      return op(`${value} >= ${celValue(given)}`);
    case 'maximum':
      return op(`${value} <= ${celValue(given)}`);
    default:
      if (!ANNOTATIONS.includes(keyword)) refused.add(keyword);
      return [];
  }
}

function typeTest(value: string, given: Json): Test {
  const types = (Array.isArray(given) ? given : [given]).map(String);
  return joined(
    types.map((type): Test => {
      if (type === 'integer') return compared(`type(${value}) == int`);
      if (type === 'number') return { text: `type(${value}) == int || type(${value}) == double`, by: '||' };
      return compared(`type(${value}) == ${TYPES[type] ?? 'map'}`);
    }),
    '||',
  );
}
