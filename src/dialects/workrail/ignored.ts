// ignored: fields that real files have and that mean nothing here. They are told of, so that whoever wrote them knows.

import type { Conforming } from '../../source/grammar/conform.ts';
import { type MapNode, type Node, nodeSpan } from '../../source/read/node.ts';
import type { ForeignStep } from './outline.ts';
import { itemsOf } from './prompt.ts';

const WORKFLOW = {
  tags: 'workflows are listed by name',
  tips: 'nothing shows them',
  autoRecognitionPatterns: 'a workflow is chosen by its name',
  about: 'what people read about it is `description`',
  examples: 'nothing shows them',
  metricsProfile: 'every run is measured the same way',
  modelTier: 'a model is chosen by its name: `lockstep run --model`',
  validatedAgainstSpecVersion: 'a workflow is checked each time it is loaded',
  extensionPoints: 'nothing can be put in their place; what stands in `{{wr.…}}` stays as it is',
};

const STEP = {
  modelTier: 'a model is chosen by its name: `lockstep run --model`',
  hasValidation: 'what is checked stands in `validationCriteria`',
  audit: 'every step is on record',
  functionCalls: 'an agent is not told to call functions; say it in the prompt',
};

/** Of loops and calls of templates. */
const AROUND = Object.fromEntries(
  ['prompt', 'agentRole', 'guidance', 'askForFiles', 'functionReferences'].map((field) => [
    field,
    'only the steps inside are given to an agent',
  ]),
);

const DELEGATION = {
  modelTier: STEP.modelTier,
  allowedTools: 'a workflow says itself what its agents may use',
};

export function reportIgnored(document: MapNode, steps: readonly ForeignStep[], to: Conforming): void {
  tell(document, WORKFLOW, to);
  for (const { node, kind } of steps) {
    tell(node, STEP, to);
    if (kind === 'loop' || kind === 'template') tell(node, AROUND, to);
    for (const each of itemsOf(to.get(node, 'parallelDelegations'))) tell(each, DELEGATION, to);
  }
}

function tell(node: Node, fields: Readonly<Record<string, string>>, to: Conforming): void {
  for (const [field, why] of Object.entries(fields)) {
    const entry = to.entry(node, field);
    if (entry !== undefined)
      to.report.warn('field-ignored', nodeSpan(entry.keyNode), `\`${field}\` has no effect here: ${why}`);
  }
}
