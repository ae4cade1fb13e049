// audit: a run told as a story, for people: one sentence per decision, in order, with who did what and on whose
// word. The journal has more; this is what a person reads first. Structured lines for `--json`, text for a screen.

import type { Entry } from '../model/entry.ts';
import type { Workflow } from '../model/workflow.ts';
import { cutTexts } from './cut-text.ts';
import { doingText } from './definition/doing.ts';
import type { Outline } from './outline/shape.ts';
import { createOutline, record } from './outline.ts';
import { depthOf, placeName } from './step-path.ts';
import type { AuditLine, Sentence } from './teller/sentence.ts';
import { rowOf } from './teller.ts';
import { fitLine, type Line, type Look, paintLine, piece } from './text/line.ts';
import { plain } from './text/plain.ts';
import { symbols } from './text/symbols.ts';
import { padStart, wrap } from './text/width.ts';
import { duration } from './text/words.ts';

export type { AuditLine } from './teller/sentence.ts';

/** The sentence an entry is worth, if any: what merely prepares a decision is left to the decision. */
function tell(outline: Outline, entry: Entry): AuditLine | undefined {
  const change = record(outline, entry);
  const sentence = rowOf(entry)?.story(entry, { outline, change });
  const cuts = cutTexts(entry);
  if (cuts.length === 0) return sentence && lineOf(outline, entry, sentence);
  if (!sentence)
    return lineOf(outline, entry, { text: `${placeName(placeOf(entry))}: ${cuts.join('; ')}.`, tone: 'ask' });
  // First: a long list of details is not shown to its end.
  return lineOf(outline, entry, { ...sentence, details: [...cuts, ...(sentence.details ?? [])] });
}

function placeOf(entry: Entry): string {
  return 'path' in entry && entry.path !== undefined ? entry.path : 'the run';
}

function lineOf(outline: Outline, entry: Entry, sentence: Sentence): AuditLine {
  const path = 'path' in entry ? entry.path : undefined;
  const part = 'part' in entry ? entry.part : undefined;
  return {
    n: entry.n,
    at: entry.at,
    after_ms: Math.max(0, entry.at - outline.startedAt),
    kind: entry.kind,
    depth: path === undefined || entry.kind.startsWith('run-') ? 0 : 1 + depthOf(path),
    ...(path !== undefined && { path }),
    ...(part !== undefined && { part }),
    tone: sentence.tone ?? 'none',
    text: plain(sentence.text),
    details: (sentence.details ?? []).map(plain),
    ...(sentence.facts && { facts: sentence.facts }),
  };
}

/** Is told all entries in order, and tells each. */
export type Story = (entry: Entry) => AuditLine | undefined;

export function startStory(workflow: Workflow): Story {
  const outline = createOutline(workflow);
  return (entry) => tell(outline, entry);
}

export function auditRun(workflow: Workflow, entries: Iterable<Entry>): AuditLine[] {
  const outline = createOutline(workflow);
  const lines: AuditLine[] = [];
  for (const entry of entries) {
    const line = tell(outline, entry);
    if (line) lines.push(line);
  }
  return [...lines, ...underWay(outline)];
}

/** What had begun and not ended when the journal was read. */
function underWay(outline: Outline): AuditLine[] {
  const lines: AuditLine[] = [];
  for (const { path, step, attempts } of outline.byPath.values()) {
    for (const attempt of attempts) {
      const { part } = attempt;
      const since = duration(attempt.startedAt - outline.startedAt);
      lines.push({
        n: outline.n,
        at: outline.lastAt,
        after_ms: Math.max(0, outline.lastAt - outline.startedAt),
        kind: 'attempt-started',
        depth: 1 + depthOf(path),
        path,
        ...(part !== undefined && { part }),
        tone: 'live',
        text: `${placeName(path, part)} is under way since ${since}: ${doingText(step, part, attempt)}.`,
        details: [],
      });
    }
  }
  return lines;
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
