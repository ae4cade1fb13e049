// reviews: the answers of a group, with what the gates of a folder come to beside them, where some of them are reviews.
// Each answer keeps its name; what was found together never hides one that is called the same.

import { isObject, type Json, type JsonObject } from '../model/json.ts';
import {
  coverageOf,
  isActionable,
  isKnownSeverity,
  issuesOf,
  mergedIssues,
  objectsIn,
  textsOf,
} from '../model/review-issues.ts';
import { type Run, spend } from './code.ts';
import { isMap, toJson, type Value } from './value.ts';

/** What tells a review from any other answer. */
const MARKS = ['issues', 'actionableIssues', 'hasActionableIssues', 'assessment'];

/** A value that holds no reviews, and a review itself, stay as they are. */
export function gatheredReviews(value: Value, run: Run): Value {
  if (!isMap(value)) return value;
  const answers = toJson(value) as JsonObject;
  if (isReview(answers)) return value;
  const reviews = Object.entries(answers).flatMap(([name, answer]) =>
    isObject(answer) && isReview(answer) ? [{ name, answer: withIssues(answer) }] : [],
  );
  if (reviews.length === 0) return value;
  spend(
    run,
    reviews.reduce((count, { answer }) => count + issuesOf(answer).length + 1, 0),
  );
  const issues = mergedIssues(
    reviews.map(({ name, answer }) => [name, issuesOf(answer)] as const),
    { asSaid: true },
  );
  const actionable = mergedIssues(
    reviews.map(({ name, answer }) => [name, actionableIn(answer)] as const),
    { asSaid: true },
  );
  const found = reviews.some(({ answer }) => objects(answer)) || actionable.length > 0;
  const outputs = reviews.map(({ answer }) => answer);
  return {
    assessment: found ? 'needs_revision' : 'approved',
    issues,
    strengths: [...new Set(outputs.flatMap((answer) => textsOf(answer, 'strengths')))],
    hasActionableIssues: found,
    actionableIssues: actionable,
    ...coverageOf(outputs),
    ...answers,
  };
}

function isReview(answer: JsonObject): boolean {
  return MARKS.some((mark) => Object.hasOwn(answer, mark));
}

/** Some say in a word what is wrong. */
function withIssues(answer: JsonObject): JsonObject {
  const told = (list: Json | undefined) =>
    Array.isArray(list)
      ? list.map((item) => (typeof item === 'string' ? { message: item } : item))
      : undefined;
  const [issues, actionable] = [told(answer.issues), told(answer.actionableIssues)];
  return {
    ...answer,
    ...(issues && { issues }),
    ...(actionable && { actionableIssues: actionable }),
  };
}

/** What it names as such, and what is critical or important; a word for it that nobody knows only where nothing speaks against it. */
function actionableIn(answer: JsonObject): JsonObject[] {
  const { actionableIssues, hasActionableIssues } = answer;
  const named = objectsIn(actionableIssues);
  const isSettled = Array.isArray(actionableIssues) || hasActionableIssues === false;
  const others = objectsIn(answer.issues).filter(
    (issue) => isActionable(issue) && (isKnownSeverity(issue) || !isSettled),
  );
  return [...named, ...others];
}

/** Its own word counts where it says that something is to be done, never where it says that nothing is. */
function objects({ hasActionableIssues, assessment }: JsonObject): boolean {
  return Boolean(hasActionableIssues) || assessment === 'needs_revision';
}
