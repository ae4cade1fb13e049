// review-of: what a program found → a review, in the shape that every gate answers in. Its verdict is made of its issues.

import type { JsonObject } from '../../model/json.ts';
import { type Finding, type Levels, SEVERITIES, type Severity, severityAt } from './finding.ts';

/** What the journal keeps of thousands: the worst. */
const MOST_ISSUES = 200;
const LONGEST = 2000;
const OTHERWISE =
  'Change what it objects to, so that the program no longer says so; do not switch the check off.';

interface Placed extends Finding {
  /** From the root of the workspace, where it lies there. */
  file?: string;
}

export function reviewOf(findings: readonly Placed[], levels: Levels): JsonObject {
  const issues = findings
    .flatMap((finding) => {
      const severity = severityAt(finding.level, levels);
      return severity === 'ignore' ? [] : [issueOf(finding, severity)];
    })
    .sort((left, right) => rank(left) - rank(right));
  const kept = issues.length > MOST_ISSUES ? [...issues.slice(0, MOST_ISSUES), rest(issues)] : issues;
  const isActionable = issues.some(({ severity }) => severity !== 'minor');
  return {
    assessment: isActionable ? 'needs_revision' : 'approved',
    issues: kept,
    strengths: [],
    hasActionableIssues: isActionable,
  };
}

function issueOf({ message, file, line, fix }: Placed, severity: Severity): JsonObject {
  return {
    severity,
    description: message.length > LONGEST ? `${message.slice(0, LONGEST)}…` : message,
    ...(file !== undefined && { file }),
    ...(line !== undefined && { line }),
    fixInstructions: fix ?? OTHERWISE,
  };
}

/** As grave as the worst of those that are not named. */
function rest(issues: readonly JsonObject[]): JsonObject {
  const left = issues.slice(MOST_ISSUES);
  return {
    severity: left[0]?.severity ?? 'minor',
    description: `and ${left.length} more, which are not named here`,
    fixInstructions: 'Run the program yourself to see all of them.',
  };
}

function rank({ severity }: JsonObject): number {
  return SEVERITIES.indexOf(severity as Severity);
}
