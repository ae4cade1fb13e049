// compact: the report in a few lines, for the end of a run on the screen and the top of report.md. A line that has
// nothing to tell is not there.

import { languageOf } from '../../text/test-counts/languages.ts';
import { dollars, list, count as many, thousands } from '../text/words.ts';
import type { Basis } from './basis.ts';
import { isRefuted } from './claims.ts';
import type { CommandRun, Report, Reviews, TestClaim } from './shape.ts';
import { taskTexts } from './tasks.ts';

export interface CompactLine {
  label: string;
  texts: string[];
  /** Whose word it is. */
  by: Basis;
}

export function compactReport(report: Report): CompactLine[] {
  const lines: [string, Basis, (string | undefined)[]][] = [
    ['Tasks', 'seen', taskTexts(report.tasks, report.steps)],
    ['Tests', 'seen', [...testTexts(report), claimText(report), deletedText(report)]],
    ['Tests', 'claimed', [suiteText(report)]],
    ['TDD', 'claimed', [certificationText(report)]],
    ['Reviews', 'seen', [reviewText(report.reviews)]],
    ['Reviews', 'claimed', [issueText(report.reviews, 'claimed')]],
    ['Fixes', 'claimed', [fixText(report)]],
    ['Required', 'claimed', [requirementText(report)]],
    ['Commits', 'seen', [commitText(report)]],
    ['Published', 'claimed', [publicationText(report)]],
  ];
  return lines.flatMap(([label, by, texts]) => {
    const said = texts.filter((text) => text !== undefined && text !== '') as string[];
    return said.length === 0 ? [] : [{ label, texts: said, by }];
  });
}

/** What reviews used of everything, in calls and money; undefined where there were none. */
export function reviewCost({ calls, allCalls, spending, ...reviews }: ReviewFigures): string | undefined {
  if (calls === 0) return undefined;
  const share = (part: number, all: number) => `${Math.round((100 * part) / all)}%`;
  const parts = [`${thousands(calls)} of ${many(allCalls, 'call')} (${share(calls, allCalls)})`];
  const tokens = spending.input_tokens + spending.output_tokens;
  if (tokens > 0) parts.push(many(tokens, 'token'));
  if (spending.cost > 0) {
    const all = reviews.total.cost;
    const money = `${spending.unpriced > 0 ? 'at least ' : ''}${dollars(spending.cost)}`;
    parts.push(all > 0 ? `${money} of ${dollars(all)} (${share(spending.cost, all)})` : money);
  } else if (spending.unpriced > 0 && tokens > 0) parts.push('cost unknown');
  return parts.join(', ');
}

export interface ReviewFigures extends Pick<Reviews, 'calls' | 'allCalls' | 'spending'> {
  total: Reviews['spending'];
}

/** The commands that decided, as checks and wherever else: how often each was run, and what the last one said. */
function testTexts({ commands, claims }: Report): string[] {
  if (commands.length === 0 && claims.length > 0)
    return ['Lockstep ran no command: what agents say of tests is their word'];
  const checks = new Set(commands.filter(({ isCheck }) => isCheck).map(({ command }) => command));
  const byCommand = new Map<string, CommandRun[]>();
  for (const run of commands)
    if (checks.has(run.command)) byCommand.set(run.command, [...(byCommand.get(run.command) ?? []), run]);
  return [...byCommand].map(([command, runs]) => {
    const last = runs[runs.length - 1] as CommandRun;
    const failed = runs.filter(({ exitCode }) => exitCode !== 0).length;
    const end = `in ${last.path}, exit code ${last.exitCode ?? '?'}`;
    if (runs.length === 1)
      return `${command}: run once by Lockstep, ${failed === 0 ? 'passed' : 'failed'}; ${end}`;
    const said = failed === 0 ? 'passed each time' : `${thousands(failed)} failed`;
    return `${command}: run ${thousands(runs.length)} times by Lockstep, ${said}; last ${end}`;
  });
}

/** Only where it is not what Lockstep saw. */
function claimText({ claims }: Report): string | undefined {
  const wrong = claims.filter(isRefuted).map(({ path, try: number }) => `${path}, try ${number}`);
  if (wrong.length === 0) return undefined;
  const times = wrong.length === 1 ? 'once' : `${thousands(wrong.length)} times`;
  return `what the agent claimed was wrong ${times}: ${list(wrong, 3)}`;
}

/** What the last one to speak of tests says, where that is no success, or where nobody else ran them. */
function suiteText({ claims, commands }: Report): string | undefined {
  const last = claims.at(-1);
  if (last === undefined) return undefined;
  const { path, total, passed, failed = 0, exitCode = 0 } = last;
  const doubts = suiteDoubts(last);
  if (doubts.length === 0 && commands.length > 0) return undefined;
  const counted = total === undefined ? '' : `, ${passed ?? '?'} of ${many(total, 'test')} passed`;
  const said = `${path} says: exit code ${exitCode}${counted}${failed > 0 ? `, ${thousands(failed)} failed` : ''}`;
  return doubts.length === 0 ? said : `${said}: ${doubts.join('; ')}`;
}

/** What of a claim is no success, or contradicts itself. */
export function suiteDoubts({ total, passed = 0, failed = 0, exitCode = 0 }: TestClaim): string[] {
  return [
    ...(exitCode !== 0 ? ['the tests did not pass'] : []),
    ...(exitCode === 0 && failed > 0 ? ['tests failed, and the exit code is 0'] : []),
    ...(total === 0 ? ['no test ran'] : []),
    ...(total !== undefined && passed + failed > total ? ['more passed and failed than there are'] : []),
  ];
}

function deletedText({ filesDeleted = [] }: Report): string | undefined {
  const tests = filesDeleted.filter((path) => languageOf(path) !== undefined);
  if (tests.length === 0) return undefined;
  return `${many(tests.length, 'test file')} deleted: ${list(tests, 5)}`;
}

function certificationText({ certified }: Report): string | undefined {
  if (certified.length === 0) return undefined;
  const whole = certified.filter(({ watchedFail, watchedPass }) => watchedFail && watchedPass).length;
  return `${thousands(whole)} of ${many(certified.length, 'function')} watched failing first and then passing, say the agents`;
}

/** Who looked, and what programs found: Lockstep saw both. */
function reviewText(reviews: Reviews): string | undefined {
  const { rounds, issues, leftOut } = reviews;
  if (rounds.length === 0) return undefined;
  const parts = [many(rounds.length, 'round')];
  const gates = rounds.flatMap((round) => round.gates);
  const failed = gates.filter(({ status }) => status === 'failed').length;
  if (issues.length === 0 && !gates.some(({ status }) => status === 'done')) parts.push('nobody looked');
  else if (issues.length === 0) parts.push(failed > 0 ? 'no issues found by those that looked' : 'no issues');
  const found = issueText(reviews, 'seen');
  if (found !== undefined) parts.push(`by programs ${found}`);
  if (failed > 0) parts.push(`${many(failed, 'review')} failed`);
  if (leftOut > 0) parts.push(`${many(leftOut, 'review')} left out`);
  return parts.join(', ');
}

function issueText({ issues }: Reviews, by: Basis): string | undefined {
  const those = issues.filter((issue) => issue.by === by);
  if (those.length === 0) return undefined;
  const open = those.filter(({ isOpen }) => isOpen).length;
  return `${many(those.length, 'issue')} found, ${those.length - open} settled, ${open} open`;
}

function fixText({ fixes }: Report): string | undefined {
  if (fixes.length === 0) return undefined;
  const left = fixes.filter(({ why }) => why !== undefined).length;
  const done = `${fixes.length - left} fixed`;
  return `${left === 0 ? done : `${done}, ${left} not fixed`}, say the agents`;
}

function requirementText({ requirements }: Report): string | undefined {
  const [first] = requirements;
  if (!first) return undefined;
  const unmet = requirements.filter(({ met }) => !met).map(({ id }) => id);
  const met = requirements.length - unmet.length;
  const missing = unmet.length === 0 ? '' : `, not ${list(unmet, 5)}`;
  return `${met} of ${many(requirements.length, 'requirement')} met${missing} (says ${first.path})`;
}

function publicationText({ publication }: Report): string | undefined {
  const url = publication?.pullRequest;
  return url === undefined ? undefined : `${url}, says the agent`;
}

function commitText({ commits = [] }: Report): string | undefined {
  if (commits.length === 0) return undefined;
  const subjects = commits.map(({ subject }) => subject);
  return `${thousands(commits.length)} (${list(subjects, 3)})`;
}
