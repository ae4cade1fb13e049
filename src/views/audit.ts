// audit: a run told as a story, for people: one sentence per decision, in order, with who did what and on whose
// word. The journal has more; this is what a person reads first. Structured lines for `--json`, text for a screen.

import type { Entry } from '../model/entry.ts';
import type { Workflow } from '../model/workflow.ts';
import { doingText, tellAttempt } from './audit/attempts.ts';
import { tellPeople } from './audit/people.ts';
import { tellRun } from './audit/run.ts';
import type { AuditLine, Sentence, Telling } from './audit/sentence.ts';
import { tellStep } from './audit/steps.ts';
import { createOutline, record } from './outline.ts';
import { depthOf } from './step-path.ts';
import { fitLine, type Line, type Look, paintLine, piece } from './text/line.ts';
import { plain } from './text/plain.ts';
import { symbols } from './text/symbols.ts';
import { padStart, wrap } from './text/width.ts';
import { duration } from './text/words.ts';

export type { AuditLine } from './audit/sentence.ts';

export interface Audit {
  telling: Telling;
}

export function createAudit(workflow: Workflow): Audit {
  return { telling: { workflow, outline: createOutline(workflow), attempts: new Map() } };
}

/** The sentence an entry is worth, if any: what merely prepares a decision is left to the decision. */
export function tell(audit: Audit, entry: Entry): AuditLine | undefined {
  const { telling } = audit;
  const { record: about } = record(telling.outline, entry);
  const sentence =
    tellRun(entry) ?? tellPeople(entry) ?? tellAttempt(telling, entry, about) ?? tellStep(entry, about);
  return sentence && lineOf(audit, entry, sentence);
}

function lineOf({ telling }: Audit, entry: Entry, sentence: Sentence): AuditLine {
  const path = 'path' in entry ? entry.path : undefined;
  const part = 'part' in entry ? entry.part : undefined;
  const inside = path === undefined || entry.kind.startsWith('run-') ? 0 : 1 + depthOf(path);
  return {
    n: entry.n,
    at: entry.at,
    after_ms: Math.max(0, entry.at - telling.outline.startedAt),
    kind: entry.kind,
    depth: inside,
    ...(path !== undefined && { path }),
    ...(part !== undefined && { part }),
    tone: sentence.tone ?? 'none',
    text: plain(sentence.text),
    details: (sentence.details ?? []).map(plain),
  };
}

export function auditRun(workflow: Workflow, entries: Iterable<Entry>): AuditLine[] {
  const audit = createAudit(workflow);
  const lines: AuditLine[] = [];
  for (const entry of entries) {
    const line = tell(audit, entry);
    if (line) lines.push(line);
  }
  return [...lines, ...underWay(audit)];
}

/** What had begun and not ended when the journal was read. */
function underWay({ telling }: Audit): AuditLine[] {
  const { outline } = telling;
  return [...telling.attempts].map(([place, attempt]) => ({
    n: outline.n,
    at: outline.lastAt,
    after_ms: Math.max(0, outline.lastAt - outline.startedAt),
    kind: 'attempt-started',
    depth: 1,
    path: attempt.path,
    ...(attempt.part !== undefined && { part: attempt.part }),
    tone: 'live',
    text: plain(
      `${place} is under way since ${duration(attempt.at - outline.startedAt)}: ${doingText(outline.byPath.get(attempt.path)?.step, attempt.part, attempt.verb)}.`,
    ),
    details: [],
  }));
}

const TIME = 9;
const NARROWEST = 24;
const MOST_DETAILS = 12;

export function renderAudit(lines: AuditLine[], look: Look): string {
  return lines.flatMap((line) => renderLine(line, look)).join('\n');
}

function renderLine(line: AuditLine, look: Look): string[] {
  const indent = '  '.repeat(Math.min(line.depth, 8));
  const room = Math.max(NARROWEST, look.width - TIME - 2 - indent.length);
  const blank = ' '.repeat(TIME + 2);
  const rows: Line[] = wrap(line.text, room).map((text, index) => [
    piece(index === 0 ? `${padStart(duration(line.after_ms), TIME)}  ` : blank, 'dim'),
    piece(index === 0 ? indent : `${indent}  `),
    piece(text, line.tone),
  ]);
  const shown = line.details.slice(0, MOST_DETAILS);
  for (const detail of shown) {
    for (const text of wrap(detail, room - 4)) rows.push([piece(`${blank}${indent}    ${text}`, 'dim')]);
  }
  const more = line.details.length - shown.length;
  if (more > 0) rows.push([piece(`${blank}${indent}    and ${more} more`, 'dim')]);
  const { ellipsis } = symbols(look.unicode);
  return rows.map((row) => paintLine(fitLine(row, look.width, ellipsis), look.color));
}
