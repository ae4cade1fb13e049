// open-issues: a loop is exhausted: what do the reviews that its test reads still ask for? So that who is asked can decide.

import { references } from '../expressions/expressions.ts';
import type { Json, JsonObject } from '../model/json.ts';
import type { Cel } from '../model/workflow.ts';
import type { Decision } from './decision.ts';
import { Unevaluable, Unobserved } from './reader.ts';
import { issueText, openIssues } from './review.ts';

/** A question is read by a person; the journal has them all. */
const MOST = 20;

interface OpenIssues {
  texts: string[];
  /** `1 critical and 2 important issues are` */
  words: string;
}

export function openIssuesAt(decision: Decision, test: Cel): OpenIssues | undefined {
  const read = new Set<string>();
  for (const { root, path } of references(test, 'cel')) {
    if (root !== 'steps') read.add(root);
    else if (path[0] !== undefined) read.add(`steps[${JSON.stringify(path[0])}].output`);
  }
  // Of a group of reviews, what they come to together.
  const issues = [...read].flatMap(
    (cel): JsonObject[] => openIssues(readable(decision, `reviews(${cel})`)) ?? [],
  );
  const unique = new Map(issues.map((issue) => [issueText(issue), issue]));
  const texts = [...unique.keys()];
  if (texts.length === 0) return undefined;
  const more = texts.length - MOST;
  return {
    texts: more > 0 ? [...texts.slice(0, MOST), `and ${more} more`] : texts,
    words: counted([...unique.values()].map(({ severity }) => String(severity ?? ''))),
  };
}

function counted(severities: string[]): string {
  const kinds = [...new Set(severities)].map(
    (kind) => `${severities.filter((one) => one === kind).length}${kind === '' ? '' : ` ${kind}`}`,
  );
  const all = kinds.length > 1 ? `${kinds.slice(0, -1).join(', ')} and ${kinds.at(-1)}` : kinds[0];
  return severities.length === 1 ? `${all} issue is` : `${all} issues are`;
}

function readable({ read }: Decision, cel: Cel): Json | undefined {
  try {
    return read.value(cel);
  } catch (problem) {
    if (problem instanceof Unevaluable || problem instanceof Unobserved) return undefined;
    throw problem;
  }
}
