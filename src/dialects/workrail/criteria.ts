// criteria: `validationCriteria` as expressions about the notes: what they contain, match, how long they are, what they are
// as JSON.

import type { JsonObject } from '../../model/json.ts';
import { headSpan, type MapNode, type Node, stringOf, toJson } from '../../source/read/node.ts';
import { celText } from '../native-text.ts';
import { compared, conditionOf, joined, negated, simple, type Test } from './condition.ts';
import type { Requirement } from './contract.ts';
import { schemaTest } from './criteria-schema.ts';
import type { ForeignStep } from './outline.ts';
import type { Translation } from './translation.ts';

const NOTES = 'default(output.notesMarkdown, "")';

export function criteriaOf(step: ForeignStep, translation: Translation): Requirement[] {
  const node = translation.to.get(step.node, 'validationCriteria');
  const all = node?.kind === 'list' ? node.items : node ? [node] : [];
  return all.flatMap((each) => {
    const test = each.kind === 'map' ? criterion(each, step, translation) : undefined;
    return test ? [{ is: test.text, else: messageOf(each, translation).join(' ') }] : [];
  });
}

function criterion(node: MapNode, step: ForeignStep, translation: Translation): Test | undefined {
  const { to } = translation;
  const whether = to.get(node, 'condition');
  const test = composed(node, step, translation);
  if (test === undefined || whether === undefined) return test;
  const applies = conditionOf(whether, { ...translation, step, claimed: true });
  return applies && joined([negated(applies), test], '||');
}

function composed(node: MapNode, step: ForeignStep, translation: Translation): Test | undefined {
  const { to } = translation;
  const of = (each: Node) => (each.kind === 'map' ? criterion(each, step, translation) : undefined);
  for (const [field, by] of [
    ['and', '&&'],
    ['or', '||'],
  ] as const) {
    const parts = to.get(node, field);
    if (parts?.kind !== 'list') continue;
    const tests = parts.items.map(of);
    return tests.includes(undefined) ? undefined : joined(tests as Test[], by);
  }
  const not = to.get(node, 'not');
  if (not !== undefined) {
    const inner = of(not);
    return inner && negated(inner);
  }
  return rule(node, translation);
}

function rule(node: MapNode, { to }: Translation): Test | undefined {
  const type = stringOf(to.get(node, 'type'));
  const given = (field: string) => {
    const value = to.get(node, field);
    return value?.kind === 'scalar' && value.value !== null ? String(value.value) : undefined;
  };
  const missing = (field: string): undefined => {
    if (to.entry(node, field) === undefined)
      to.report.error(
        'missing-field',
        headSpan(node),
        `a criterion of the type "${type}" needs \`${field}\``,
      );
    return undefined;
  };
  switch (type) {
    case 'contains': {
      const value = given('value');
      return value === undefined ? missing('value') : simple(`${NOTES}.contains(${celText(value)})`);
    }
    case 'regex': {
      const pattern = given('pattern') ?? given('value');
      if (pattern === undefined) return missing('pattern');
      const flags = [...new Set(given('flags') ?? '')].filter((flag) => 'ims'.includes(flag)).join('');
      return simple(`${NOTES}.matches(${celText(flags === '' ? pattern : `(?${flags})${pattern}`)})`);
    }
    case 'length': {
      const [min, max] = [given('min'), given('max')];
      if (min === undefined && max === undefined) return missing('min');
      return joined(
        [
          ...(min === undefined ? [] : [compared(`size(${NOTES}) >= ${min}`)]),
          ...(max === undefined ? [] : [compared(`size(${NOTES}) <= ${max}`)]),
        ],
        '&&',
      );
    }
    case 'schema': {
      const schema = to.get(node, 'schema');
      if (schema === undefined) return missing('schema');
      return schemaTest(`parse_json(${NOTES})`, toJson(schema) as JsonObject, schema, to.report);
    }
    default:
      if (to.entry(node, 'type') === undefined)
        to.report.error('missing-field', headSpan(node), 'a criterion needs `type`, `and`, `or` or `not`');
      return undefined;
  }
}

/** What its author says; else what is asked for. */
function messageOf(node: Node, translation: Translation): string[] {
  const { to } = translation;
  const own = stringOf(to.get(node, 'message'));
  if (own !== undefined) return [plain(own)];
  for (const field of ['and', 'or'] as const) {
    const parts = to.get(node, field);
    if (parts?.kind === 'list') return parts.items.flatMap((each) => messageOf(each, translation));
  }
  const not = to.get(node, 'not');
  if (not !== undefined)
    return messageOf(not, translation).map((message) => message.replace(/^The notes must /, '$&not '));
  return [plain(asked(stringOf(to.get(node, 'type')) ?? '', node))];
}

function asked(type: string, node: Node): string {
  const { value, pattern, min, max } = toJson(node) as JsonObject;
  switch (type) {
    case 'contains':
      return `The notes must contain "${value}".`;
    case 'regex':
      return `The notes must match ${pattern ?? value}.`;
    case 'length':
      return `The notes must have ${min ?? 0} characters or more${max === undefined ? '' : `, and ${max} at most`}.`;
    default:
      return 'The notes must be JSON of the shape that the step describes.';
  }
}

/** A message is a template of ours, and theirs is a plain text. */
function plain(text: string): string {
  return text.replace(/\{(?=[{%])/g, '{ ');
}
