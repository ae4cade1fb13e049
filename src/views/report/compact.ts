// compact: the report in a few lines, for the end of a run on the screen and the top of report.md. A line that has
// nothing to tell is not there.

import { dollars, list, count as many, thousands } from '../text/words.ts';
import { isRefuted } from './claims.ts';
import type { CommandRun, Report, Reviews } from './shape.ts';
import { taskTexts } from './tasks.ts';
import { evidenceTexts } from './test-evidence.ts';

export interface CompactLine {
  label: string;
  texts: string[];
}

export function compactReport(report: Report): CompactLine[] {
  const lines: [string, (string | undefined)[]][] = [
    ['Tasks', taskTexts(report.tasks, report.steps)],
    ['Tests', [...testTexts(report.commands), ...evidenceTexts(report.evidence), claimText(report)]],
    ['TDD', [certificationText(report)]],
    ['Reviews', [reviewText(report.reviews)]],
    ['Fixes', [fixText(report)]],
    ['Required', [requirementText(report)]],
    ['Commits', [commitText(report)]],
    ['Published', [publicationText(report)]],
  ];
  return lines.flatMap(([label, texts]) => {
    const said = texts.filter((text) => text !== undefined && text !== '') as string[];
    return said.length === 0 ? [] : [{ label, texts: said }];
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
function testTexts(commands: readonly CommandRun[]): string[] {
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

function certificationText({ certified }: Report): string | undefined {
  if (certified.length === 0) return undefined;
  const whole = certified.filter(({ watchedFail, watchedPass }) => watchedFail && watchedPass).length;
  return `${thousands(whole)} of ${many(certified.length, 'function')} watched failing first and then passing (claimed by the agent)`;
}

function reviewText({ rounds, issues, leftOut }: Reviews): string | undefined {
  if (rounds.length === 0) return undefined;
  const open = issues.filter(({ isOpen }) => isOpen).length;
  const parts = [many(rounds.length, 'round')];
  const gates = rounds.flatMap((round) => round.gates);
  const failed = gates.filter(({ status }) => status === 'failed').length;
  const hasLooked = gates.some(({ status }) => status === 'done');
  if (issues.length > 0)
    parts.push(`${many(issues.length, 'issue')} found, ${issues.length - open} settled, ${open} open`);
  else if (!hasLooked) parts.push('nobody looked');
  else parts.push(failed > 0 ? 'no issues found by those that looked' : 'no issues');
  if (failed > 0) parts.push(`${many(failed, 'review')} failed`);
  if (leftOut > 0) parts.push(`${many(leftOut, 'review')} left out`);
  return parts.join(', ');
}

function fixText({ fixes }: Report): string | undefined {
  if (fixes.length === 0) return undefined;
  const left = fixes.filter(({ why }) => why !== undefined).length;
  const done = `${fixes.length - left} fixed`;
  return `${left === 0 ? done : `${done}, ${left} not fixed`} (claimed by the agent)`;
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
  return url === undefined ? undefined : `${url} (claimed by the agent)`;
}

function commitText({ commits = [] }: Report): string | undefined {
  if (commits.length === 0) return undefined;
  const subjects = commits.map(({ subject }) => subject);
  return `${thousands(commits.length)} (${list(subjects, 3)})`;
}
