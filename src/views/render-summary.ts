// render-summary: the summary as text. Fits a screen for workflows of ordinary size: done steps fold when there are
// many, and long lists name their first few. Command lines are never cut: half a command is no use to anybody.

import { placeName } from '../model/place-name.ts';
import { modelText } from './model-text.ts';
import type { Advice } from './next-commands.ts';
import type { ModelSpending, Skipped } from './outline/shape.ts';
import { barred } from './shown.ts';
import { statusMark } from './status-mark.ts';
import { withItem } from './step-record.ts';
import type { Summary, SummaryQuestion, SummaryStep } from './summary.ts';
import { fitLine, type Line, type Look, lineWidth, paintLine, piece, type Style } from './text/line.ts';
import { plain } from './text/plain.ts';
import { type Symbols, symbols } from './text/symbols.ts';
import { displayWidth, padEnd, padStart, truncate, wrap } from './text/width.ts';
import { compact, count, duration, list, thousands, tokens, valueText } from './text/words.ts';

const MOST_STEPS = 14;
const MOST_NAMED = 5;
const LABEL = 10;
/** Narrower than this there is no room for a column of tokens. */
const TOKENS_FROM = 90;

/** A line that may be cut to the width, or one that must stay whole. */
type Row = { line: Line; whole?: true };
type Section = Row[];

export function renderSummary(summary: Summary, look: Look): string {
  const marks = symbols(look.unicode);
  const sections: Section[] = [
    headRows(summary, marks),
    stepRows(summary, marks, look.width),
    failureRows(summary, marks, look.width),
    factRows(summary, marks, look.width),
    claimRows(summary, look.width),
    ...summary.questions.map((question) => questionRows(question, marks, look.width)),
    adviceRows(summary, look.width),
  ];
  return sections
    .filter((section) => section.length > 0)
    .map((section) =>
      section
        .map(({ line, whole }) =>
          paintLine(whole ? line : fitLine(line, look.width, marks.ellipsis), look.color),
        )
        .join('\n'),
    )
    .join('\n\n');
}

const row = (...line: Line): Row => ({ line });

function headRows(summary: Summary, marks: Symbols): Section {
  const took = duration(summary.runTimeMs);
  const by = summary.endedBy === undefined ? '' : ` by ${summary.endedBy}`;
  const head: Record<Summary['status'], [string, Style, string]> = {
    completed: [marks.done, 'good', `completed in ${took}`],
    failed: [marks.failed, 'bad', `failed after ${took}`],
    paused: [marks.asking, 'ask', `paused after ${took}: ${waitedFor(summary)}`],
    interrupted: [marks.cancelled, 'ask', `interrupted${by} after ${took}`],
    cancelled: [marks.cancelled, 'ask', `cancelled${by} after ${took}`],
    running: [marks.running, 'live', `running for ${took}`],
    pending: [marks.pending, 'dim', 'not started'],
  };
  const [mark, style, words] = head[summary.status];
  const rows = [row(piece(`${mark} `, style), piece(summary.workflow, 'strong'), piece(` ${words}`))];
  const past = summary.totals.continuedPast;
  if (past > 0 && summary.status === 'completed') {
    rows[0]?.line.push(piece(`, past ${count(past, 'failure')}`, 'ask'));
  }
  const resumed =
    summary.resumes === 0 ? '' : `, resumed ${summary.resumes === 1 ? 'once' : `${summary.resumes} times`}`;
  rows.push(row(piece(`  run ${summary.run}${resumed}`, 'dim')));
  return rows;
}

function waitedFor({ questions, handed, drive }: Summary): string {
  if (questions.length > 0) return `${count(questions.length, 'question')} for a person`;
  if (handed.length > 0) return `a client works on ${handed.join(', ')}`;
  return drive === 'guide' ? 'a client goes on' : 'handed over to Lockstep';
}

// ── Steps ───────────────────────────────────────────────────────────────────────────────────────

/** Done steps in a row become one line when there are too many to show each. */
function stepRows(summary: Summary, marks: Symbols, width: number): Section {
  const { steps } = summary;
  const folds = steps.length > MOST_STEPS;
  const shown = folds ? steps.filter((step) => step.status !== 'done') : steps;
  const names = Math.min(32, Math.max(0, ...shown.map((step) => displayWidth(step.path))));
  const times = Math.max(0, ...shown.map((step) => timeText(step).length));
  const costs = Math.max(0, ...shown.map((step) => (step.cost ?? '').length));
  const used = width < TOKENS_FROM ? 0 : Math.max(0, ...shown.map((step) => tokenText(step).length));
  const rows: Section = [];
  let done: SummaryStep[] = [];
  const flush = (): void => {
    if (done.length === 0) return;
    const first = done[0]?.path ?? '';
    const last = done.length > 1 ? ` to ${done[done.length - 1]?.path}` : '';
    const words = `${count(done.length, 'step')} done: ${first}${last}`;
    rows.push(row(piece(`  ${marks.done} `, 'good'), piece(words)));
    done = [];
  };
  for (const step of steps) {
    if (folds && step.status === 'done') {
      done.push(step);
      continue;
    }
    flush();
    const { mark, style } = statusMark(step.status, marks);
    const name = padEnd(truncate(step.path, names, marks.ellipsis), names);
    const columns: [string, number][] = [
      [timeText(step), times],
      [step.cost ?? '', costs],
      [tokenText(step), used],
    ];
    const figures = columns.map(([text, wide]) => (wide > 0 ? `  ${padStart(text, wide)}` : '')).join('');
    rows.push(
      row(piece(`  ${mark} `, style), piece(name), piece(figures, 'dim'), piece(noteText(step), 'none')),
    );
  }
  flush();
  const left = summary.notReached;
  if (left.length > 0)
    rows.push(row(piece(`  ${marks.pending} not reached: ${list(left, MOST_NAMED)}`, 'dim')));
  return rows;
}

function timeText(step: SummaryStep): string {
  return step.status === 'skipped' ? '' : duration(step.durationMs);
}

function tokenText({ tokens }: SummaryStep): string {
  return tokens === undefined ? '' : `${compact(tokens.input + tokens.output)} tokens`;
}

function noteText(step: SummaryStep): string {
  const notes: string[] = [];
  if (step.items) {
    const failed = step.items.failed > 0 ? `, ${thousands(step.items.failed)} failed` : '';
    notes.push(count(step.items.total, 'item') + failed);
  }
  if (step.passes !== undefined) notes.push(count(step.passes, 'pass', 'passes'));
  if (step.try > 1) notes.push(`${step.try} tries`);
  if (step.retries > 0) notes.push(count(step.retries, 'retry', 'retries'));
  if (step.visits > 1) notes.push(`${step.visits} visits`);
  if (step.overriddenBy !== undefined) notes.push(`accepted by ${step.overriddenBy}`);
  if (step.inDoubt) notes.push('was in doubt');
  if (step.status === 'skipped') notes.push(`skipped: ${step.skipped ?? 'no reason given'}`);
  if (step.status === 'cancelled') notes.push('did not finish');
  return notes.length === 0 ? '' : `  ${notes.join(', ')}`;
}

function failureRows({ failures, failureCount }: Summary, marks: Symbols, width: number): Section {
  const rows: Section = [];
  for (const failure of failures.slice(0, MOST_NAMED)) {
    const [first = '', ...rest] = wrap(
      `${withItem(failure.path, failure.item)}: ${failure.message}`,
      width - 4,
    );
    rows.push(row(piece(`  ${marks.failed} `, 'bad'), piece(first)));
    for (const text of rest.slice(0, 3)) rows.push(row(piece(`    ${text}`)));
    for (const text of failure.lastWords) rows.push(row(piece(`      ${text}`, 'dim')));
    if (failure.hint !== undefined) {
      for (const text of wrap(failure.hint, width - 4)) rows.push(row(piece(`    ${text}`)));
    }
  }
  const more = failures.length === 0 ? 0 : failureCount - Math.min(failures.length, MOST_NAMED);
  if (more > 0) rows.push(row(piece(`    and ${count(more, 'more failure')}`, 'dim')));
  return rows;
}

// ── Facts ───────────────────────────────────────────────────────────────────────────────────────

function factRows(summary: Summary, marks: Symbols, width: number): Section {
  const rows: Section = [row(piece('  Seen by Lockstep', 'dim'))];
  const say = (label: string, texts: string[]): void => {
    rows.push(...labelled(label, texts, width));
  };
  const { totals, notes } = summary;
  if (summary.error && summary.failures.length === 0) say('Because', [summary.error.message]);
  say('Steps', [stepTotals(summary)]);
  const outputs = Object.entries(summary.outputs ?? {}).map(
    ([name, value]) => `${name}: ${valueText(value)}`,
  );
  say('Outputs', some(outputs, outputs.length));
  if (totals.accepted + totals.rejected > 0) {
    const back = totals.rejected > 0 ? `, ${thousands(totals.rejected)} sent back` : '';
    say('Checks', [`${thousands(totals.accepted)} accepted${back}`]);
  }
  const cost = costText(summary, marks);
  if (cost !== undefined) say('Cost', [cost]);
  const models = modelTexts(totals.models, marks);
  say('Models', some(models, models.length));
  if (summary.worktree) {
    const made = summary.commits === undefined ? '' : `, ${count(summary.commits, 'commit')}`;
    say('Branch', [`${summary.worktree.branch}${made}`]);
    rows.push(wholeRow('Worktree', summary.worktree.path));
  }
  say('Branches', some(branchTexts(summary), notes.worktrees.count));
  if (summary.reviewCost !== undefined) say('Reviews', [reviewText(summary)]);
  // What is said with the branch, or with what reviews used, is not said twice.
  const said = [...(summary.reviewCost ? ['Reviews'] : []), ...(summary.worktree ? ['Commits'] : [])];
  for (const { label, texts, by } of summary.report)
    if (by === 'seen' && !said.includes(label)) say(label, texts);
  if (summary.filesChanged) say('Changed', [changedText(summary, notes.worktrees.count > 0)]);
  // What stands among the steps above is not said twice.
  const inside = [...notes.skipped.values()].filter((skipped) => skipped.path.includes('/'));
  say('Skipped', some(inside.map(skippedText), inside.length));
  say('In doubt', some(notes.doubts.kept.map(doubtText), notes.doubts.count));
  say('Overrides', some(notes.overrides.kept.map(overrideText), notes.overrides.count));
  say(
    'Went on',
    some(
      notes.continued.kept.map(({ path, item, message }) => `past ${withItem(path, item)}: ${message}`),
      notes.continued.count,
    ),
  );
  say(
    'Left out',
    some(
      notes.leftOut.kept.map(({ path, why }) => `in ${path}, because ${why}`),
      notes.leftOut.count,
    ),
  );
  say(
    'Actions',
    some(
      notes.actions.kept.map(({ path, part, message }) => `${path}.${part} failed: ${message}`),
      notes.actions.count,
    ),
  );
  say(
    'Limits',
    some(
      notes.limits.kept.map(({ limit, message }) => `${limit}: ${message}`),
      notes.limits.count,
    ),
  );
  const references = notes.references.kept.map(({ path, message }) => `${path}: ${message}`);
  say('References', some(references, notes.references.count));
  const warnings = notes.warnings.kept.map(({ path, message }) =>
    path === undefined ? message : `${path}: ${message}`,
  );
  say('Warnings', some(warnings, notes.warnings.count));
  const cuts = notes.cuts.kept.map(({ path, message }) => `${path}: ${message}`);
  say('Cut', some(cuts, notes.cuts.count));
  if (summary.logs !== undefined) rows.push(wholeRow('Logs', summary.logs));
  if (summary.reportFile !== undefined) rows.push(wholeRow('Report', summary.reportFile));
  return rows;
}

/** Apart from what was seen: nobody should have to look twice to know which is which. */
function claimRows({ report }: Summary, width: number): Section {
  const rows = report
    .filter(({ by }) => by === 'claimed')
    .flatMap(({ label, texts }) => labelled(label, texts, width));
  return rows.length === 0 ? [] : [row(piece('  Claimed by agents', 'dim')), ...rows];
}

function labelled(label: string, texts: string[], width: number): Section {
  return texts.flatMap((text, index) => {
    const [first = '', ...rest] = wrap(plain(text), width - LABEL - 2);
    return [
      row(piece(`  ${padEnd(index === 0 ? label : '', LABEL)}`, 'dim'), piece(first)),
      ...rest.map((more) => row(piece(' '.repeat(LABEL + 2)), piece(more))),
    ];
  });
}

/** A path: half of one is no use. */
function wholeRow(label: string, path: string): Row {
  return { line: [piece(`  ${padEnd(label, LABEL)}`, 'dim'), piece(path)], whole: true };
}

function some(texts: string[], total: number): string[] {
  const shown = texts.slice(0, MOST_NAMED);
  return total > shown.length ? [...shown, `and ${thousands(total - shown.length)} more`] : shown;
}

function stepTotals({ totals, notReached }: Summary): string {
  const words = [`${thousands(totals.done)} done`];
  if (totals.skipped > 0) words.push(`${thousands(totals.skipped)} skipped`);
  if (totals.failed > 0) words.push(`${thousands(totals.failed)} failed`);
  if (totals.cancelled > 0) words.push(`${thousands(totals.cancelled)} not finished`);
  if (totals.retries > 0) words.push(count(totals.retries, 'retry', 'retries'));
  if (notReached.length > 0) words.push(`${notReached.length} not reached`);
  return words.join(', ');
}

function costText(summary: Summary, marks: Symbols): string | undefined {
  if (summary.cost === undefined) return undefined;
  const { unpriced, priced } = summary.totals.spending;
  const words = [summary.cost === 'cost unknown' ? 'unknown' : summary.cost];
  const used = tokens(summary.totals.spending);
  if (used !== undefined) words.push(used);
  if (unpriced > 0 && priced > 0) words.push(`${count(unpriced, 'answer')} without a price`);
  return words.join(` ${marks.dot} `);
}

/** Nothing where no agent said which model it was. */
function modelTexts(models: ModelSpending[], marks: Symbols): string[] {
  if (models.every(({ model }) => model === '')) return [];
  return models.map((each) => modelText(each, ` ${marks.dot} `));
}

/** What they found, where that is known, and what they used. */
function reviewText({ report, reviewCost = '' }: Summary): string {
  const found = report.find(({ label, by }) => label === 'Reviews' && by === 'seen')?.texts.join('; ');
  return found === undefined ? `used ${reviewCost}` : `${found}; used ${reviewCost}`;
}

function branchTexts({ branches = [], notes }: Summary): string[] {
  const made = new Map(branches.map(({ branch, commits }) => [branch, commits]));
  return notes.worktrees.kept.map(({ path, item, worktree: { branch } }) => {
    const commits = made.get(plain(branch));
    return `${branch} (${item === undefined ? path : `${item}, ${path}`})${commits === undefined ? '' : `, ${count(commits, 'commit')}`}`;
  });
}

function changedText({ filesChanged = [], filesDeleted = [] }: Summary, hasBranches: boolean): string {
  if (filesChanged.length === 0 && hasBranches) return 'no files where the run works; see its branches';
  if (filesChanged.length === 0) return 'no files';
  const gone = filesDeleted.length === 0 ? '' : `; deleted: ${list(filesDeleted, MOST_NAMED)}`;
  return `${count(filesChanged.length, 'file')}: ${list(filesChanged, MOST_NAMED)}${gone}`;
}

function skippedText(skipped: Skipped): string {
  const times = skipped.count === 1 ? '' : ` (${thousands(skipped.count)} times)`;
  return `${skipped.count === 1 ? skipped.path : skipped.place}${times}: ${skipped.why}`;
}

const REMEDIES: Record<string, string> = {
  rerun: 'it was run again',
  probe: 'a probe was asked whether it had happened',
  ask: 'a person was asked',
  wait: 'it went on waiting',
};

function doubtText({ path, part, remedy }: { path: string; part?: string; remedy: string }): string {
  const place = placeName(path, part);
  return `${place} was under way when the process ended; ${REMEDIES[remedy] ?? remedy}`;
}

function overrideText({ path, by, note }: { path: string; by: string; note?: string }): string {
  return `${path} accepted by ${by}${note === undefined ? '' : `: ${note}`}`;
}

// ── What to do next ─────────────────────────────────────────────────────────────────────────────

function questionRows(question: SummaryQuestion, marks: Symbols, width: number): Section {
  const rows: Section = [];
  const [begin = '', ...more] = question.text.split('\n');
  const [first = '', ...rest] = wrap(`${question.path}: ${begin}`, width - 4);
  rows.push(row(piece(`  ${marks.asking} `, 'ask'), piece(first, 'strong')));
  rows.push(...barred([...rest, ...more], '    ', marks, width).map((line) => row(...line)));
  const reasons = question.reasons.slice(0, MOST_NAMED).flatMap((text) => wrap(text, width - 8).slice(0, 4));
  rows.push(...barred(reasons, '      ', marks, width).map((line) => row(...line)));
  for (const part of question.shown) {
    for (const text of wrap(part.title, width - 4)) rows.push(row(piece(`    ${text}`)));
    rows.push(...barred(part.lines, '    ', marks, width).map((line) => row(...line)));
    if (part.more !== undefined) rows.push(row(piece(`    ${part.more}`)));
    if (part.see) rows.push(...commandRows(part.see, width));
  }
  for (const answer of question.answers) rows.push(...commandRows(answer, width));
  return rows;
}

function adviceRows(summary: Summary, width: number): Section {
  if (summary.next.length === 0) return [];
  return [row(piece('  What to do next')), ...summary.next.flatMap((advice) => commandRows(advice, width))];
}

/** The command, whole; what it does beside it where there is room, else below. */
function commandRows({ command, meaning }: Advice, width: number): Section {
  const line: Line = [piece(`    ${command}`, 'live')];
  if (meaning === '') return [{ line, whole: true }];
  const beside = piece(`  # ${meaning}`, 'dim');
  if (lineWidth([...line, beside]) <= width) return [{ line: [...line, beside], whole: true }];
  return [{ line, whole: true }, row(piece(`      # ${meaning}`, 'dim'))];
}
