// render-report: the report as Markdown, for report.md and `lockstep report`. Reads well as it is and rendered.

import { languageOf } from '../text/test-counts/languages.ts';
import { modelText } from './model-text.ts';
import { type Basis, marked } from './report/basis.ts';
import { isRefuted } from './report/claims.ts';
import { compactReport, reviewCost, suiteDoubts } from './report/compact.ts';
import { block, code, MOST_ROWS, section, table, text } from './report/markdown.ts';
import type { GateVerdict, Named, Report, ReportStep } from './report/shape.ts';
import { cost, count, duration, isoTime, thousands, tokens, valueText } from './text/words.ts';

const LONGEST_OUTPUT = 2000;

export function renderReport(report: Report): string {
  const sections = [
    head(report),
    outputSection(report),
    taskSection(report),
    testSection(report),
    certificationSection(report),
    reviewSection(report),
    fixSection(report),
    requirementSection(report),
    changeSection(report),
    skipSection(report),
    deniedSection(report),
    peopleSection(report),
    holdSection(report),
    troubleSection(report),
    referenceSection(report),
    checkpointSection(report),
    costSection(report),
    stepSection(report),
    wayOnSection(report),
  ];
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`;
}

const OUTCOMES: Record<Report['status'], string> = {
  completed: 'completed',
  failed: 'failed',
  paused: 'paused for a person',
  interrupted: 'interrupted',
  cancelled: 'cancelled',
  running: 'still running',
  pending: 'not started',
};

function outcomeOf({ status, handed }: Report): string {
  return status === 'paused' && handed.length > 0
    ? `a client works on ${handed.join(', ')}`
    : OUTCOMES[status];
}

function head(report: Report): string {
  const resumed =
    report.resumes === 0 ? '' : `, resumed ${report.resumes === 1 ? 'once' : `${report.resumes} times`}`;
  const by = report.endedBy === undefined ? '' : ` by ${text(report.endedBy)}`;
  const { stepSummary: steps } = report;
  const lines = [
    `# ${text(report.workflow)}: ${outcomeOf(report)}${by}`,
    '',
    `Run \`${report.run}\` of ${text(report.workflowFile)}, ${isoTime(report.startedAt)} to ${isoTime(report.endedAt)}, running for ${duration(report.runTimeMs)}${resumed}.`,
  ];
  if (report.error) {
    const where = report.error.path === undefined ? '' : ` in \`${report.error.path}\``;
    lines.push('', `**Because**${where}: ${marked(text(report.error.message), 'seen')}`);
  }
  lines.push(
    '',
    'Every line says whose word it is: *seen* by Lockstep itself, or *claimed* by an agent.',
    '',
    marked(
      `- Steps: ${thousands(steps.executed)} executed, ${thousands(steps.skipped)} skipped, ${thousands(steps.totalSteps)} in all`,
      'seen',
    ),
  );
  for (const { label, texts, by: basis } of compactReport(report).filter(({ label }) => label !== 'Tasks'))
    for (const one of texts) lines.push(marked(`- ${label}: ${text(one)}`, basis));
  const spent = cost(report.spending);
  if (spent !== undefined) lines.push(marked(`- Cost: ${spent}`, 'seen'));
  if (report.reviewedByAuthor)
    lines.push(marked('- Reviews: **reviewed by its author**, since no other agent was found', 'seen'));
  for (const { name, value, from } of report.inputs)
    lines.push(
      marked(
        `- Input ${text(name)}: ${text(value)}${from === undefined ? '' : ` (from ${text(from)})`}`,
        'seen',
      ),
    );
  return lines.join('\n');
}

function outputSection({ outputs = {} }: Report): string {
  const rows = Object.entries(outputs).map(([name, value]) => [
    text(name),
    text(valueText(value, LONGEST_OUTPUT)),
  ]);
  return rows.length === 0 ? '' : section('Outputs', [table(['name', 'value'], rows)]);
}

function taskSection({ tasks }: Report): string {
  if (tasks.length === 0) return '';
  const rows = tasks.map(({ id, title, requirements, dependencies, issue }, index) => [
    ...[String(index + 1), text(title), code(id), String(requirements), text(dependencies.join(', '))],
    issue === undefined ? '' : String(issue),
  ]);
  return section('Tasks', [
    marked('As the planner split the work:', 'claimed'),
    table(['', 'task', 'id', 'requirements', 'after', 'issue'], rows),
  ]);
}

function testSection({ commands, claims }: Report): string {
  const ran = table(
    ['command', 'step', 'counts', 'exit code', 'time'],
    commands.map((run) => [
      code(run.command),
      code(run.path),
      run.isCheck ? 'decides' : 'is the step',
      String(run.exitCode ?? ''),
      duration(run.durationMs),
    ]),
  );
  const claimed = table(
    ['step', 'try', 'tests', 'passed', 'failed', 'exit code claimed', 'exit code Lockstep saw'],
    claims.map((claim) => [
      code(claim.path),
      ...[claim.try, claim.total, claim.passed, claim.failed, claim.exitCode].map((value) =>
        String(value ?? ''),
      ),
      [
        isRefuted(claim) ? `**${claim.seen}: not what was claimed**` : String(claim.seen ?? ''),
        ...suiteDoubts(claim).map((doubt) => `**${doubt}**`),
      ]
        .filter(Boolean)
        .join('; '),
    ]),
  );
  return section('Tests', [
    commands.length === 0
      ? marked('Lockstep ran no command.', 'seen')
      : `${marked('Run by Lockstep itself:', 'seen')}\n\n${ran}`,
    claims.length === 0 ? '' : `${marked('What agents say, beside it:', 'claimed')}\n\n${claimed}`,
  ]);
}

function certificationSection({ certified }: Report): string {
  if (certified.length === 0) return '';
  const yes = (value: boolean) => (value ? 'yes' : '**no**');
  const rows = certified.map((one) => [
    ...[code(one.name), code(one.testFile), yes(one.watchedFail), yes(one.watchedPass), code(one.path)],
  ]);
  return section('Test-first work', [
    marked('As the agents tell it; Lockstep did not watch.', 'claimed'),
    table(['function', 'test', 'watched it fail', 'watched it pass', 'step'], rows),
  ]);
}

function reviewSection({ reviews, spending }: Report): string {
  if (reviews.rounds.length === 0) return section('Reviews', [marked('No review ran.', 'seen')]);
  const names = [...new Set(reviews.rounds.flatMap(({ gates }) => gates.map(({ gate }) => gate)))];
  const rows = reviews.rounds.map(({ of, round, path, gates }) => [
    text(of ?? path),
    String(round),
    ...names.map((name) =>
      gates
        .filter(({ gate }) => gate === name)
        .map(verdictText)
        .join(', '),
    ),
  ]);
  const reasons = reviews.rounds.flatMap(({ of, path, round, gates }) =>
    gates.flatMap(({ gate, why, status }) =>
      why === undefined
        ? []
        : [
            `- ${code(gate)} ${status === 'failed' ? 'failed' : 'left out'} in round ${round} of ${text(of ?? path)}: ${text(why)}`,
          ],
    ),
  );
  const found = reviews.issues.map((issue) => {
    const where = issue.line === undefined ? (issue.file ?? '') : `${issue.file ?? ''}:${issue.line}`;
    return [
      ...[
        text(issue.of ?? ''),
        String(issue.round),
        text(issue.severity),
        code(where),
        text(issue.description),
      ],
      ...[text(issue.foundBy.join(', ')), issue.isOpen ? '**open**' : 'settled', issue.by],
    ];
  });
  const used = reviewCost({ ...reviews, total: spending });
  return section('Reviews', [
    used === undefined ? '' : marked(`Reviews used ${used}.`, 'seen'),
    marked('Who looked, and what each said:', 'seen'),
    table(['of', 'round', ...names.map(code)], rows),
    reasons.join('\n'),
    found.length === 0
      ? marked('No issue was found.', 'claimed')
      : `Issues found; settled means that the gate that had found it looked again and did not. What a program found was seen, what a model found is its word:\n\n${table(['of', 'round', 'severity', 'where', 'issue', 'found by', 'now', 'word'], found)}`,
  ]);
}

function verdictText({ status, verdict, issues, carried }: GateVerdict): string {
  if (status === 'skipped') return carried ? `left out; stands: ${text(verdict ?? '')}` : 'left out';
  if (status === 'failed') return '**failed**';
  return `${text(verdict ?? 'no verdict')}${issues === 0 ? '' : `, ${count(issues, 'issue')}`}`;
}

function fixSection({ fixes }: Report): string {
  if (fixes.length === 0) return '';
  const rows = fixes.map(({ path, description, how, why }) => [
    ...[code(path), text(description), why === undefined ? 'fixed' : '**not fixed**', text(why ?? how ?? '')],
  ]);
  return section('Fixes', [
    marked('As the agents tell it:', 'claimed'),
    table(['step', 'issue', '', 'how, or why not'], rows),
  ]);
}

function requirementSection({ requirements }: Report): string {
  const [first] = requirements;
  if (!first) return '';
  const rows = requirements.map(({ id, description, met, evidence }) => [
    ...[text(id), text(description), met ? 'met' : '**not met**', text(evidence)],
  ]);
  return section('Requirements', [
    marked(`As ${code(first.path)} found them:`, 'claimed'),
    table(['id', 'requirement', '', 'evidence'], rows),
  ]);
}

function changeSection({
  branch,
  worktree,
  base,
  branches,
  commits,
  filesChanged,
  filesDeleted = [],
  publication,
}: Report): string {
  const facts: string[] = [];
  const fact = (words: string, by: Basis) => facts.push(marked(`- ${words}`, by));
  if (branch !== undefined) fact(`Branch: ${code(branch)}`, 'seen');
  if (base !== undefined) fact(`Starts from: ${code(base.slice(0, 12))}`, 'seen');
  if (worktree !== undefined) fact(`Worktree: ${code(worktree)}`, 'seen');
  if (publication?.pullRequest !== undefined)
    fact(`Pull request: ${text(publication.pullRequest)}, says the agent`, 'claimed');
  if (publication?.pushed !== undefined)
    fact(`Pushed: ${publication.pushed ? 'yes' : 'no'}, says the agent`, 'claimed');
  for (const own of branches)
    fact(
      `${code(own.path)} worked on ${code(own.branch)} in ${code(own.worktree)}${ownCommits(own)}`,
      'seen',
    );
  return section('Changes', [
    facts.join('\n'),
    commits === undefined ? '' : commitText(commits),
    filesChanged === undefined
      ? marked('Which files changed cannot be told.', 'seen')
      : fileText(filesChanged, filesDeleted, branches.length > 0),
  ]);
}

/** Of a branch, in its line. */
const MOST_SUBJECTS = 5;

function ownCommits({ commits }: Report['branches'][number]): string {
  if (commits === undefined) return '';
  if (commits.length === 0) return ': no commits';
  const named = commits.slice(-MOST_SUBJECTS).map(({ subject }) => text(subject));
  const earlier = commits.length > named.length ? 'the last ones: ' : '';
  return `: ${count(commits.length, 'commit')} (${earlier}${named.join('; ')})`;
}

function commitText(commits: NonNullable<Report['commits']>): string {
  if (commits.length === 0) return marked('No commits.', 'seen');
  const lines = commits
    .slice(-MOST_ROWS)
    .map(({ id, subject }) => `- ${code(id.slice(0, 10))} ${text(subject)}`);
  const earlier = commits.length - lines.length;
  const more = earlier > 0 ? `\n- and ${thousands(earlier)} before these` : '';
  return `${marked(`${count(commits.length, 'commit')}:`, 'seen')}\n\n${lines.join('\n')}${more}`;
}

function fileText(files: string[], deleted: string[], hasBranches: boolean): string {
  if (files.length === 0)
    return marked(
      hasBranches
        ? 'No files changed where the run works; what its steps made is on their branches.'
        : 'No files changed.',
      'seen',
    );
  const gone = new Set(deleted);
  // What is gone comes first: of very many the list shows the first only.
  const ordered = [...files.filter((file) => gone.has(file)), ...files.filter((file) => !gone.has(file))];
  const more = files.length > MOST_ROWS ? `\n- and ${thousands(files.length - MOST_ROWS)} more` : '';
  const how = gone.size === 0 ? '' : `, of which ${gone.size} ${gone.size === 1 ? 'was' : 'were'} deleted`;
  return `${marked(`${count(files.length, 'file')} changed${how}:`, 'seen')}\n\n${ordered
    .slice(0, MOST_ROWS)
    .map((file) => `- ${code(file)}${gone.has(file) ? ` **deleted**${kindOf(file)}` : ''}`)
    .join('\n')}${more}`;
}

function kindOf(file: string): string {
  return languageOf(file) === undefined ? '' : ', a test file';
}

function skipSection({ steps, stepSummary, cuts }: Report): string {
  const skipped = steps.filter((step) => step.skipped !== undefined);
  const nothing =
    cuts.count === 0
      ? 'Nothing: every step that was reached was executed.'
      : 'Every step that was reached was executed, but not with all there was:';
  return section(marked('Left out', 'seen'), [
    stepSummary.skipped === 0
      ? nothing
      : table(
          ['step', 'reason'],
          skipped.map(({ path, skipped: skip }) => [code(path), text(skip?.why ?? '')]),
        ),
    cutText(cuts),
  ]);
}

function cutText({ kept, count: total }: Report['cuts']): string {
  const lines = kept.map(({ path, message }) => `- Cut: ${code(path)}: ${text(message)}`);
  const more = total - kept.length;
  if (more > 0) lines.push(`- and ${thousands(more)} more, which are in the audit`);
  return lines.join('\n');
}

function deniedSection({ denied, deniedCount }: Report): string {
  if (denied.length === 0) return '';
  const rows = denied.map(({ path, tool, about, reason, by }) => [
    ...[code(path), code(`${tool} ${about}`.trim()), by === 'client' ? 'the client' : 'the step'],
    text(reason),
  ]);
  const more = deniedCount > denied.length ? [`And ${count(deniedCount - denied.length, 'more call')}.`] : [];
  return section('Denied calls', [table(['step', 'call', 'denied by', 'why'], rows), ...more]);
}

function peopleSection({ questions, overrides }: Report): string {
  if (questions.length + overrides.length === 0) return '';
  const asked = questions.map(({ path, kind, text: question, answer, by, note }) => {
    const said =
      answer === undefined ? '**open**' : `${text(answer)}${by === undefined ? '' : ` (${text(by)})`}`;
    return [code(path), kind, text(question), said, text(note ?? '')];
  });
  const reasons = questions
    .filter(({ answer }) => answer === undefined)
    .flatMap(({ path, reasons: why }) => why.map((reason) => `- ${code(path)}: ${text(reason)}`));
  const taken = overrides.map(
    ({ path, by, note }) =>
      `- ${code(path)} was accepted by ${text(by)}, over the engine's head${note === undefined ? '' : `: ${text(note)}`}`,
  );
  const ways = questions.flatMap(({ path, channel }) =>
    channel === undefined ? [] : [`- ${code(path)} was answered ${text(channel)}`],
  );
  return section(marked('Asked of people', 'seen'), [
    questions.length === 0 ? '' : table(['step', 'kind', 'question', 'answer', 'note'], asked),
    ways.join('\n'),
    reasons.join('\n'),
    taken.join('\n'),
  ]);
}

const TURNS: Record<Report['holds'][number]['drive'], string> = {
  run: 'Lockstep, with agents that it started',
  guide: 'a client that was handed one step at a time',
  guard: 'a session of the person, held by hooks',
};

/** Only of a run that changed hands: what each step's work came from is in the table of steps. */
function holdSection({ holds }: Report): string {
  if (holds.length < 2) return '';
  const rows = holds.map(({ at, drive, by, why, steps, stepCount }) => {
    const more = stepCount > steps.length ? ` and ${thousands(stepCount - steps.length)} more` : '';
    return [
      isoTime(at),
      TURNS[drive],
      by === undefined ? 'since the start' : text(by),
      text(why ?? ''),
      steps.length === 0 ? 'none' : `${steps.map(code).join(', ')}${more}`,
    ];
  });
  return section(marked('Handed over', 'seen'), [
    table(['from', 'who took the turns', 'handed over by', 'why', 'steps that ended'], rows),
  ]);
}

const REMEDIES: Record<string, string> = {
  rerun: 'it was run again',
  probe: 'a probe was asked whether it had happened',
  ask: 'a person was asked',
  wait: 'it went on waiting',
};

function troubleSection({ doubts, failures, failureCount, continuedPast, warnings }: Report): string {
  const lines = [
    ...doubts.map(
      ({ path, remedy }) => `- In doubt after a crash: ${code(path)}; ${REMEDIES[remedy] ?? remedy}`,
    ),
    ...failures.map(({ path, message }) => `- Failed: ${code(path)}: ${text(message)}`),
    ...(failures.length > 0 && failureCount > failures.length
      ? [`- And ${count(failureCount - failures.length, 'more failure')}.`]
      : []),
    ...continuedPast.map(
      ({ path, message }) => `- Failed, and the run went on: ${code(path)}: ${text(message)}`,
    ),
    ...warnings.map((warning) => `- Warning: ${text(warning)}`),
  ];
  return lines.length === 0 ? '' : section(marked('Trouble', 'seen'), [lines.join('\n')]);
}

function referenceSection({ references }: Report): string {
  if (references.length === 0) return '';
  const lines = references.map(({ path, message }) => `- ${code(path)}: ${text(message)}`);
  return section(marked('References of the repository that changed', 'seen'), [lines.join('\n')]);
}

function checkpointSection({ checkpoints }: Report): string {
  if (checkpoints.length === 0) return '';
  const rows = checkpoints.map(({ path, name, task, completed, pending, steps }) => [
    ...[code(path), text(name ?? task ?? ''), text(completed.join(', ')), text(pending.join(', '))],
    count(steps.length, 'step'),
  ]);
  return section(marked('Checkpoints', 'seen'), [
    table(['step', 'of', 'completed', 'pending', 'since the one before'], rows),
  ]);
}

function costSection({ spending, models, reviews }: Report): string {
  const spent = cost(spending);
  if (spent === undefined && reviews.calls === 0) return '';
  const used = reviewCost({ ...reviews, total: spending });
  return section(marked('Cost', 'seen'), [
    [
      `- In all: ${[spent, tokens(spending)].filter(Boolean).join(', ') || 'nothing that anybody counted'}`,
      ...models.filter(({ model }) => model !== '').map((each) => `- ${text(modelText(each, ', '))}`),
      ...(used === undefined ? [] : [`- Reviews: ${used}`]),
    ].join('\n'),
  ]);
}

function stepSection({ steps, more: left }: Report): string {
  const rows = steps
    .slice(0, MOST_ROWS)
    .map((step) => [
      code(step.path),
      statusText(step),
      sourceText(step.agent),
      sourceText(step.prompt),
      text([step.model, step.provider].filter(Boolean).join(', ')),
      step.status === 'skipped' ? '' : duration(step.durationMs),
      text(step.result),
      step.by,
    ]);
  const more = Math.max(0, steps.length - MOST_ROWS) + left.steps;
  return section('Steps', [
    table(['step', 'status', 'agent', 'prompt', 'model', 'time', 'result', 'word'], rows),
    more > 0 ? `and ${count(more, 'more step')}; \`lockstep audit\` tells all.` : '',
    leftOutText(left),
  ]);
}

function leftOutText({ commands, questions, reviews, claims }: Report['more']): string {
  const parts = [
    commands > 0 ? count(commands, 'command') : '',
    questions > 0 ? count(questions, 'question') : '',
    reviews > 0 ? count(reviews, 'round of reviews', 'rounds of reviews') : '',
    claims > 0
      ? count(claims, 'claim of an agent about its tests', 'claims of agents about their tests')
      : '',
  ].filter((part) => part !== '');
  return parts.length === 0 ? '' : `This report leaves out ${parts.join(', ')}; \`lockstep audit\` has them.`;
}

function statusText({ status, tries, overriddenBy, inDoubt }: ReportStep): string {
  const words: string[] = [status];
  if (tries > 1 && status !== 'skipped') words.push(`${tries} tries`);
  if (overriddenBy !== undefined) words.push(`accepted by ${text(overriddenBy)}`);
  if (inDoubt) words.push('was in doubt');
  return words.join(', ');
}

function sourceText(named: Named | undefined): string {
  if (!named) return '';
  return named.layer === undefined ? text(named.name) : `${text(named.name)} (${named.layer})`;
}

function wayOnSection({ next }: Report): string {
  if (next.length === 0) return '';
  const width = Math.max(...next.map(({ command }) => command.length));
  const lines = next.map(({ command, meaning }) =>
    meaning === '' ? command : `${command.padEnd(width)}  # ${meaning}`,
  );
  return section('How to go on', [block('sh', lines)]);
}
