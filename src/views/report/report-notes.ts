// report-notes: what a report needs beyond the outline, noted entry by entry. The outline drops what a finished pass held; here a
// few words of it are kept, and of very many steps the first ones (O2 holds: an entry costs what it costs).

import type { Entry } from '../../model/entry.ts';
import type { JsonObject } from '../../model/json.ts';
import type { Change, Outline } from '../outline/shape.ts';
import { readPart } from '../step-path.ts';
import { isBlock, type StepRecord } from '../step-record.ts';
import { channelText } from '../text/channel-text.ts';
import { plain } from '../text/plain.ts';
import { answerText } from './answer-text.ts';
import { type Standing, standingAt } from './checkpoints.ts';
import { type Claims, claimsOf, testClaim } from './claims.ts';
import { ASIDE, type LoneReview, loneReview } from './reviews.ts';
import type {
  AskedQuestion,
  CommandRun,
  DeniedCall,
  Hold,
  Item,
  LeftOut,
  Named,
  PlannedTask,
  ReportStep,
  TestClaim,
} from './shape.ts';
import { reportStep } from './step.ts';
import { tasksAt } from './tasks.ts';

/** One step that was reached. */
export interface Told {
  step: ReportStep;
  claims?: Claims;
  review?: LoneReview;
  standing?: Standing;
  tasks?: PlannedTask[];
}

export interface ReportNotes {
  outline: Outline;
  /** By path, in the order in which they ended; what was set aside by another key. */
  steps: Map<string, Told>;
  /** What there was no room for. */
  more: LeftOut;
  commands: CommandRun[];
  denied: DeniedCall[];
  deniedCount: number;
  /** Of every try. */
  tests: TestClaim[];
  /** What the gates of a step say as one, by its path. */
  gathered: Map<string, { output: JsonObject; item?: Item }>;
  questions: AskedQuestion[];
  found: Record<string, { from?: string; by?: string }>;
  holds: Hold[];
  /** Blocks that were entered, the first so many; and how often one of them was entered anew under the same path. */
  opened: Set<string>;
  reopened: number;
  /** Who was asked what, while it is under way. */
  asked: Map<string, Pick<ReportStep, 'agent' | 'prompt'>>;
}

const MOST = 2000;

export function createNotes(outline: Outline): ReportNotes {
  return {
    outline,
    steps: new Map(),
    more: { steps: 0, commands: 0, questions: 0, reviews: 0, claims: 0 },
    commands: [],
    denied: [],
    deniedCount: 0,
    tests: [],
    gathered: new Map(),
    questions: [],
    found: {},
    holds: [],
    opened: new Set(),
    reopened: 0,
    asked: new Map(),
  };
}

/** To be called with what `record` answered, before the next entry. */
export function note(notes: ReportNotes, change: Change): void {
  const { entry } = change;
  for (const record of change.settled) keep(notes, record);
  switch (entry.kind) {
    case 'run-started':
      notes.found = entry.found ?? {};
      notes.holds = [{ drive: entry.driven?.drive ?? 'run', at: entry.at, steps: [], stepCount: 0 }];
      break;
    case 'drive-changed':
      if (notes.holds.length < MOST) notes.holds.push(holdFrom(entry));
      break;
    case 'step-opened':
      if (notes.opened.has(entry.path)) setAside(notes, entry.path);
      else if (notes.opened.size < MOST) notes.opened.add(entry.path);
      break;
    case 'attempt-started':
      if (entry.verb === 'prompt' && entry.part === undefined)
        notes.asked.set(entry.path, namesOf(notes.outline, entry));
      break;
    case 'attempt-finished':
      noteDenied(notes, entry);
      if (change.attempt?.command !== undefined) noteCommand(notes, change.attempt.command, entry);
      else if (change.attempt?.verb === 'prompt' && entry.part === undefined)
        noteClaim(notes, change.attempt.try, entry);
      break;
    case 'reviews-gathered': {
      const item = change.record && itemOf(change.record);
      if (notes.gathered.size < MOST || notes.gathered.has(entry.path))
        notes.gathered.set(entry.path, { output: entry.output, ...(item && { item }) });
      else notes.more.reviews += 1;
      break;
    }
    case 'question-asked': {
      const { path, question: kind, text, reasons = [] } = entry;
      if (notes.questions.length < MOST)
        notes.questions.push({ path, kind, text: plain(text), reasons: reasons.map(plain) });
      else notes.more.questions += 1;
      break;
    }
    case 'question-answered':
      noteAnswer(notes, entry);
      break;
    default:
  }
}

/** Of an agent's whole dispatch; each outcome has the first of them. */
function noteDenied(notes: ReportNotes, { path, outcome }: Entry & { kind: 'attempt-finished' }): void {
  for (const [by, told] of [
    ['step', outcome.denials],
    ['client', outcome.refusals],
  ] as const) {
    if (told === undefined) continue;
    notes.deniedCount += told.count;
    for (const { tool, about, reason } of told.calls)
      if (notes.denied.length < MOST)
        notes.denied.push({ path, tool: plain(tool), about: plain(about), reason: plain(reason), by });
  }
}

/** What is under way now: asked about, or cut short when the run stopped. */
export function underWay({ outline, asked }: ReportNotes): ReportStep[] {
  const open: ReportStep[] = [];
  for (const record of outline.byPath.values()) {
    if (record.kind !== 'step' || record.settled !== undefined || record.status === 'pending') continue;
    if (isWholeBlock(record) && record.status !== 'asking') continue;
    open.push(reportStep(record, asked.get(record.path)));
  }
  return open;
}

function itemOf(record: StepRecord): Item | undefined {
  for (let at = record.parent; at; at = at.parent)
    if (at.kind === 'pass' && at.parent?.verb === 'each') return { path: at.path, title: at.title };
  return undefined;
}

function isWholeBlock({ step }: StepRecord): boolean {
  return step !== undefined && isBlock(step.work);
}

function keep(notes: ReportNotes, record: StepRecord): void {
  if (record.kind !== 'step') return;
  // A block counts where it was left out whole: its steps have no say then.
  if (isWholeBlock(record) && record.settled !== 'skipped') return;
  noteHolder(notes, record);
  const { steps, asked } = notes;
  // Asked about and accepted, it ends a second time without having been asked again.
  const names = asked.get(record.path) ?? namesIn(steps.get(record.path));
  asked.delete(record.path);
  if (!steps.delete(record.path) && steps.size >= MOST) {
    notes.more.steps += 1;
    return;
  }
  const step = reportStep(record, names);
  const claims = claimsOf(record);
  const review = loneReview(record, step, itemOf(record));
  const standing = standingAt(record);
  const tasks = tasksAt(record);
  steps.set(record.path, {
    step,
    ...(claims && { claims }),
    ...(review && { review }),
    ...(standing && { standing }),
    ...(tasks && { tasks }),
  });
}

function holdFrom({ to, at, by, why }: Entry & { kind: 'drive-changed' }): Hold {
  return {
    ...{ drive: to.drive, at, by: plain(by), steps: [], stepCount: 0 },
    ...(why !== undefined && { why: plain(why) }),
  };
}

const MOST_NAMED = 50;

function noteHolder({ holds }: ReportNotes, { path, settled }: StepRecord): void {
  const hold = holds.at(-1);
  if (!hold || settled === 'skipped') return;
  hold.stepCount += 1;
  if (hold.steps.length < MOST_NAMED) hold.steps.push(path);
}

/** What a block that is done once more left the first time happened all the same: it stays, beside what comes now. */
function setAside(notes: ReportNotes, block: string): void {
  notes.reopened += 1;
  const key = (path: string) =>
    path.startsWith(block) && /^[/#[]/.test(path.slice(block.length)) && !path.includes(ASIDE)
      ? `${path}${ASIDE}${notes.reopened}`
      : path;
  notes.steps = new Map(
    [...notes.steps].map(([path, told]) => {
      const { review } = told;
      return [key(path), review ? { ...told, review: { ...review, round: key(review.round) } } : told];
    }),
  );
  notes.gathered = new Map([...notes.gathered].map(([path, round]) => [key(path), round]));
}

function namesIn(told: Told | undefined): Pick<ReportStep, 'agent' | 'prompt'> | undefined {
  if (!told) return undefined;
  const { agent, prompt } = told.step;
  return { ...(agent && { agent }), ...(prompt && { prompt }) };
}

function noteCommand(notes: ReportNotes, command: string, entry: Entry & { kind: 'attempt-finished' }): void {
  const isCheck = entry.part !== undefined && readPart(entry.part).name === 'done';
  if (entry.part !== undefined && !isCheck) return;
  const { exit_code: exitCode, duration_ms: durationMs } = entry.outcome;
  const claim = isCheck ? notes.tests.findLast(({ path }) => path === entry.path) : undefined;
  if (claim && exitCode !== undefined) claim.seen = exitCode;
  if (notes.commands.length < MOST)
    notes.commands.push({
      ...{ path: entry.path, command: plain(command), durationMs, isCheck },
      ...(exitCode !== undefined && { exitCode }),
    });
  else notes.more.commands += 1;
}

function noteClaim(notes: ReportNotes, number: number, entry: Entry & { kind: 'attempt-finished' }): void {
  const claim = testClaim(entry.path, number, entry.outcome.output);
  if (claim === undefined) return;
  if (notes.tests.length < MOST) notes.tests.push(claim);
  else notes.more.claims += 1;
}

function noteAnswer(
  notes: ReportNotes,
  { path, answer, by, note: why, channel }: Entry & { kind: 'question-answered' },
): void {
  const open = notes.questions.findLast((question) => question.path === path);
  if (!open || open.answer !== undefined) return;
  open.answer = answerText(answer);
  open.by = plain(by);
  if (why !== undefined) open.note = plain(why);
  if (channel) open.channel = plain(channelText(channel));
}

function namesOf(
  { workflow }: Outline,
  { agent, agent_source, prompt, prompt_source }: Entry & { kind: 'attempt-started' },
): Pick<ReportStep, 'agent' | 'prompt'> {
  const named = (name: string | undefined, source: number | undefined): Named | undefined => {
    const from = source === undefined ? undefined : workflow.sources[source];
    const called = name ?? from?.name;
    if (called === undefined) return undefined;
    return { name: plain(called), ...(from && { layer: from.layer, path: plain(from.path) }) };
  };
  const [who, what] = [named(agent, agent_source), named(prompt, prompt_source)];
  return { ...(who && { agent: who }), ...(what && { prompt: what }) };
}
