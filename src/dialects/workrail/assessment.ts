// assessment: judgements that a step hands in as an artifact, a level for each dimension, and what follows from one.

import { nodeSpan, stringOf } from '../../source/read/node.ts';
import { didYouMean } from '../../text/closest-name.ts';
import { celText, celValue, member } from '../native-text.ts';
import type { Requirement } from './contract.ts';
import type { ForeignStep } from './outline.ts';
import { itemsOf } from './prompt.ts';
import type { Translation } from './translation.ts';

interface Assessment {
  id: string;
  dimensions: { id: string; levels: string[] }[];
}

export function assessmentsOf(step: ForeignStep, translation: Translation): Requirement[] {
  const { to, document } = translation;
  const all = itemsOf(to.get(document, 'assessments')).map((node): Assessment => {
    const dimensions = itemsOf(to.get(node, 'dimensions')).map((each) => ({
      id: stringOf(to.get(each, 'id')) ?? '',
      levels: itemsOf(to.get(each, 'levels')).flatMap((level) => stringOf(level) ?? []),
    }));
    return { id: stringOf(to.get(node, 'id')) ?? '', dimensions };
  });
  const referred = itemsOf(to.get(step.node, 'assessmentRefs')).flatMap((node) => {
    const name = stringOf(node) ?? '';
    const found = all.find(({ id }) => id === name);
    if (found) return [found];
    const names = all.map(({ id }) => id);
    to.report.error(
      'unknown-name',
      nodeSpan(node),
      `${step.label} refers to the assessment "${name}", which there is not`,
      didYouMean(name, names) ?? `There are ${names.join(', ') || 'none'}.`,
    );
    return [];
  });
  return [...referred.map(handedIn), ...consequences(step, referred, translation)];
}

function handedIn({ id, dimensions }: Assessment): Requirement {
  const levels = dimensions.map(
    (dimension) => `${celValue(dimension.levels)}.exists(level, same(${levelOf(dimension.id)}, level))`,
  );
  const shown = dimensions.map((dimension) => `"${dimension.id}" (${dimension.levels.join(' | ')})`);
  return {
    is: `default(output.artifacts, []).exists(it, ${[isOf(id), ...levels].join(' && ')})`,
    else: `Hand in an artifact of the kind "wr.assessment" with "assessmentId": "${id}" and, in "dimensions", a level for ${shown.join(', ')}.`,
  };
}

/** A level is a text, or stands beside its reasons. */
function levelOf(dimension: string): string {
  const value = member('it.dimensions', dimension);
  return `default(${value}.level, ${value})`;
}

function isOf(id: string): string {
  return `same(it.kind, "wr.assessment") && same(it.assessmentId, ${celText(id)})`;
}

function consequences(
  step: ForeignStep,
  referred: readonly Assessment[],
  { to }: Translation,
): Requirement[] {
  return itemsOf(to.get(step.node, 'assessmentConsequences')).flatMap((node) => {
    const when = to.get(node, 'when');
    const level = stringOf(to.get(when, 'anyEqualsLevel'));
    const guidance = stringOf(to.get(to.get(node, 'effect'), 'guidance'));
    const only = stringOf(to.get(when, 'forAssessment'));
    if (level === undefined || guidance === undefined) return [];
    return referred
      .filter(({ id }) => only === undefined || only === id)
      .map(({ id, dimensions }) => {
        const some = dimensions.map((dimension) => `same(${levelOf(dimension.id)}, ${celText(level)})`);
        return {
          is: `!default(output.artifacts, []).exists(it, ${isOf(id)} && ${some.length > 1 ? `(${some.join(' || ')})` : some[0]})`,
          else: guidance.replace(/\{(?=[{%])/g, '{ '),
        };
      });
  });
}
