// visit-details: one visit of a step, told from its entries, as of a moment: each try with what was done, what came of it, and which
// checks looked at it. For whoever shows all of it; the summary and the report choose.

import type { Entry, Outcome } from '../model/entry.ts';
import type { Visit } from './history.ts';
import type { Question } from './step-record.ts';

export interface Effect {
  n: number;
  /** Absent: the work itself. */
  part?: string;
  verb: string;
  try: number;
  startedAt: number;
  endedAt?: number;
  command?: string;
  agent?: string;
  provider?: string;
  model?: string;
  /** What became of it; absent: it is under way, or was cancelled. */
  outcome?: Outcome;
  cancelled?: string;
  doubt?: string;
}

export interface Answered {
  n: number;
  askedAt: number;
  question: Pick<Question, 'question' | 'text'>;
  answer?: { value: unknown; by: string; note?: string; at: number };
}

export interface VisitDetails {
  effects: Effect[];
  asked: Answered[];
  /** Of work that was sent back: why. */
  rejections: { n: number; try: number; reasons: string[] }[];
  /** Why it was left out. */
  skipped?: { reason: string; why: string };
  failed?: { message: string; hint?: string };
  /** What a client was handed. */
  handed?: string;
  set: Record<string, unknown>;
}

/** `entries`: the whole journal; entry `n` lies at `n - 1`. */
export function visitDetails(visit: Visit, entries: readonly Entry[], until: number): VisitDetails {
  const details: VisitDetails = { effects: [], asked: [], rejections: [], set: {} };
  for (const n of visit.entries) {
    if (n > until) break;
    const entry = entries[n - 1];
    if (entry) tell(details, entry);
  }
  return details;
}

function tell(details: VisitDetails, entry: Entry): void {
  const { n, at } = entry;
  switch (entry.kind) {
    case 'attempt-started':
      details.effects.push({
        ...{ n, verb: entry.verb, try: entry.try, startedAt: at },
        ...(entry.part !== undefined && { part: entry.part }),
        ...commandOf(entry),
        ...(entry.agent !== undefined && { agent: entry.agent }),
        ...(entry.provider !== undefined && { provider: entry.provider }),
        ...(entry.model !== undefined && { model: entry.model }),
      });
      return;
    case 'attempt-finished':
      end(details, entry.part, { outcome: entry.outcome, endedAt: at });
      return;
    case 'attempt-cancelled':
      end(details, entry.part, { cancelled: entry.why, endedAt: at });
      return;
    case 'attempt-in-doubt':
      end(details, entry.part, { doubt: entry.remedy });
      return;
    case 'work-rejected':
      details.rejections.push({ n, try: entry.try, reasons: entry.reasons });
      return;
    case 'step-skipped':
      details.skipped = { reason: entry.reason, why: entry.why };
      return;
    case 'step-failed':
      details.failed = entry.error;
      return;
    case 'step-handed':
      details.handed = entry.text;
      return;
    case 'vars-set':
      Object.assign(details.set, entry.values);
      return;
    case 'question-asked':
      details.asked.push({ n, askedAt: at, question: { question: entry.question, text: entry.text } });
      return;
    case 'question-answered': {
      const { answer: value, by, note } = entry;
      const last = details.asked.at(-1);
      if (last) last.answer = { value, by, at, ...(note !== undefined && { note }) };
      return;
    }
  }
}

function commandOf({ command, argv }: Extract<Entry, { kind: 'attempt-started' }>): { command?: string } {
  if (command !== undefined) return { command };
  return argv === undefined ? {} : { command: argv.join(' ') };
}

/** The last of that part that is under way. */
function end({ effects }: VisitDetails, part: string | undefined, what: Partial<Effect>): void {
  const effect = effects.findLast((one) => one.part === part && one.endedAt === undefined);
  if (effect) Object.assign(effect, what);
}
