// review: what the gates of a step said as one, read from the journal, in words.

import { approves, issueText as textOfIssue } from '../engine/review.ts';
import { isObject, type Json, type JsonObject } from '../model/json.ts';
import { plain } from './text/plain.ts';

export interface GateLine {
  gate: string;
  status: string;
  assessment?: string;
  issues: number;
  carried: boolean;
  why?: string;
}

export interface Review {
  approved: boolean;
  /** Every gate was left out, and none stands by what it said before. */
  nobodyLooked: boolean;
  issues: JsonObject[];
  /** How many of them must be fixed. */
  actionable: number;
  gates: GateLine[];
}

export function readReview(output: JsonObject): Review {
  return {
    approved: output.assessment === 'approved',
    nobodyLooked: output.assessment === 'not_reviewed',
    issues: objectsOf(output.issues),
    actionable: objectsOf(output.actionableIssues).length,
    gates: objectsOf(output.gates).map((line) => ({
      gate: text(line.gate),
      status: text(line.status),
      ...(typeof line.assessment === 'string' && { assessment: line.assessment }),
      issues: typeof line.issues === 'number' ? line.issues : 0,
      carried: line.carried === true,
      ...(typeof line.why === 'string' && { why: line.why }),
    })),
  };
}

/** Of the answer of one gate. Whether it approves is made of its issues, not its own word. */
export function readGate(output: JsonObject): Review {
  return { ...readReview(output), approved: approves(output), nobodyLooked: false };
}

/** Where nobody looked. */
export const NOBODY_LOOKED = 'nobody looked: every gate was left out';

/** `security: approved`, `style: 2 issues`, `deep: skipped: manual gate: run with --gate deep` */
export function gateText({ gate, status, assessment, issues, carried, why }: GateLine): string {
  const said =
    assessment === undefined
      ? status
      : `${assessment === 'approved' ? 'approved' : 'needs revision'}${issues === 0 ? '' : `, ${issues} ${issues === 1 ? 'issue' : 'issues'}`}`;
  const how = carried ? `${said} before, not asked again` : said;
  return plain(`${gate}: ${how}${why === undefined ? '' : `: ${why}`}`);
}

/** `critical src/a.ts:3: what is wrong (security)` */
export function issueText(issue: JsonObject): string {
  return plain(textOfIssue(issue));
}

function objectsOf(value: Json | undefined): JsonObject[] {
  if (!Array.isArray(value)) return [];
  return value.filter((item): item is JsonObject => isObject(item));
}

function text(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}
