// ways: the steps of the two workflows that come with the dialect, in the order of every way through them.

import type { Json, JsonObject } from '../../src/model/json.ts';
import { decides } from './walk.ts';

export const SLICES = [{ name: 'Parse codes' }, { name: 'Apply them' }];

export const STOPS: Record<string, Json> = Object.fromEntries(
  ['phase-2d-loop-decision', 'phase-4b-loop-decision', 'phase-7c-loop-decision'].map((id) => [
    id,
    decides('stop'),
  ]),
);

export const DEEP = ['find-tensions', 'make-candidates', 'compare-and-recommend'].map(
  (id) => `phase-1b-design-deep/${id}`,
);
export const review = (pass: number) =>
  [
    'phase-2a-pre-assessment',
    'phase-2b-design-review-core/check-tradeoffs',
    'phase-2b-design-review-core/write-findings',
    'phase-2c-synthesize-design-review',
    'phase-2d-loop-decision',
  ].map((id) => `phase-2-design-review#${pass}/${id}`);
export const audit = (pass: number) =>
  ['phase-4a-audit-and-refocus', 'phase-4b-loop-decision'].map((id) => `phase-4-plan-audit#${pass}/${id}`);
export const slice = (index: number, ...ids: string[]) =>
  ids.map((id) => `phase-6-implement-slices[${index}]/phase-6${id}-slice`);
export const BUILT = [...slice(0, 'a-implement', 'b-verify'), ...slice(1, 'a-implement', 'b-verify')];
export const final = (pass: number) =>
  [
    'phase-7a-final-verification-core/verify-criteria',
    'phase-7a-final-verification-core/write-findings',
    'phase-7b-fix-and-summarize',
    'phase-7c-loop-decision',
  ].map((id) => `phase-7-final-verification#${pass}/${id}`);

export const AUTHORING_WAYS: [name: string, found: JsonObject, left: string[]][] = [
  ['QUICK', { rigorMode: 'QUICK', userExperience: 'beginner' }, ['phase-4-review', 'phase-6-optimization']],
  ['STANDARD', { rigorMode: 'STANDARD', userExperience: 'beginner' }, ['phase-6-optimization']],
  ['THOROUGH', { rigorMode: 'THOROUGH', userExperience: 'advanced', workflowComplexity: 'Complex' }, []],
];

export const authoringPath = (...left: string[]): string[] =>
  [
    'phase-0-discovery-loop#1/phase-0a-discover',
    'phase-0-discovery-loop#1/phase-0b-discovery-decision',
    'phase-1-design',
    'phase-2-draft',
    'phase-3-validation-loop#1/phase-3a-validate-and-fix',
    'phase-3-validation-loop#1/phase-3b-validation-decision',
    'phase-4-review',
    'phase-5-trial',
    'phase-6-optimization',
    'phase-7-handoff',
  ].filter((step) => !left.includes(step));
