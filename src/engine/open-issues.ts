// open-issues: a loop is exhausted: what do the reviews that its test reads still ask for? So that who is asked can decide.

import { references } from '../expressions/expressions.ts';
import type { Json, JsonObject } from '../model/json.ts';
import type { Cel } from '../model/workflow.ts';
import { Unevaluable, Unobserved } from './reader.ts';
import { issueText, openIssues } from './review.ts';
import type { Turn } from './turn.ts';

/** A question is read by a person; the journal has them all. */
const MOST = 20;

export function openIssueTexts(turn: Turn, test: Cel): string[] {
  const read = new Set<string>();
  for (const { root, path } of references(test, 'cel')) {
    if (root !== 'steps') read.add(root);
    else if (path[0] !== undefined) read.add(`steps[${JSON.stringify(path[0])}].output`);
  }
  const issues = [...read].flatMap((cel): JsonObject[] => openIssues(readable(turn, cel)) ?? []);
  const texts = [...new Set(issues.map(issueText))];
  if (texts.length <= MOST) return texts;
  return [...texts.slice(0, MOST), `and ${texts.length - MOST} more`];
}

function readable({ read }: Turn, cel: Cel): Json | undefined {
  try {
    return read.value(cel);
  } catch (problem) {
    if (problem instanceof Unevaluable || problem instanceof Unobserved) return undefined;
    throw problem;
  }
}
