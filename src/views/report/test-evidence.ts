// test-evidence: what Lockstep saw of the tests beside how their command ended, for the report.

import type { TestCounts, TestEvidence, TestFinding } from '../../model/evidence.ts';
import { isObject, type Json } from '../../model/json.ts';
import { plain } from '../text/plain.ts';
import { duration } from '../text/words.ts';

export interface TestLooked extends TestEvidence {
  path: string;
}

/** Undefined: the output is of something else. */
export function evidenceIn(output: Json): TestEvidence | undefined {
  if (!isObject(output) || typeof output.level !== 'string' || !Array.isArray(output.findings))
    return undefined;
  if (typeof output.canary !== 'string' || typeof output.command !== 'string') return undefined;
  return output as unknown as TestEvidence;
}

/** A line, and one more for each thing that somebody has to know. */
export function evidenceTexts(looks: readonly TestLooked[]): string[] {
  return looks.flatMap((look) => {
    const open = look.findings.filter(({ kind, named }) => kind !== 'note' || named !== undefined);
    if (look.level === 'none' && open.length === 0) return [];
    return [
      ...(look.level === 'none' ? [] : [lookText(look)]),
      ...open.map((finding) => `${headOf(finding)} (${look.path})`),
      ...(look.level === 'none'
        ? []
        : look.leftOut.map(({ look: one, by }) => `not looked at: ${one}, by ${by}`)),
    ];
  });
}

/** The whole of one, as Markdown lines without marks. */
export function findingLines({ findings }: TestLooked): { head: string; rest: string[] }[] {
  return findings.map((finding) => {
    const [, ...rest] = finding.text.split('\n').map(plain);
    return { head: `${KINDS[finding.kind]}: ${headOf(finding)}`, rest };
  });
}

const KINDS: Record<TestFinding['kind'], string> = {
  fail: 'Does not count',
  ask: 'To be asked',
  note: 'Note',
};

function headOf({ text }: TestFinding): string {
  return plain(text.split('\n')[0] ?? '');
}

export function lookText(look: TestLooked): string {
  const { level, base, now, where, canary, milliseconds } = look;
  const counts =
    base && now && level === 'per test' ? `, ${passed(base)} in the base commit and ${passed(now)} now` : '';
  const how =
    level === 'per test'
      ? 'seen one by one'
      : level === 'numbers'
        ? 'seen by their numbers'
        : 'seen by their exit code alone';
  return `tests ${how}${counts}; ${CANARIES[canary]}; in ${PLACES[where]}; ${duration(milliseconds)}`;
}

function passed({ passed: count, skipped }: TestCounts): string {
  return `${count} passed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

const CANARIES: Record<TestEvidence['canary'], string> = {
  'failed as it must': 'a failing test makes the command fail',
  survived: 'the command cannot fail',
  'not made': 'whether the command can fail was not to be tried',
  'left out': 'whether the command can fail was not tried',
};

const PLACES: Record<TestEvidence['where'], string> = {
  room: 'a clean clone of the commit',
  'furnished room': 'a clone with what git ignores here',
  'in place': 'the place where the work was done',
};
