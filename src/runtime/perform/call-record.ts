// call-record: logs/<step>.calls.jsonl: every tool call of a dispatch, a line each, with what was said to it and by whom.
//
// R1. Masked before it is cut (S3). R2. Bounded, each line and the whole (S5); the last line says how many were left out.
// R3. The counts are exact, whatever could be written. R4. A record that cannot be written is no reason to end a step.

import type { RunAgent } from '../../model/command.ts';
import type { CallCounts, CallVerdict, DeniedCalls } from '../../model/entry.ts';
import type { ToolAct } from '../../model/tool-call.ts';
import type { PerformContext } from './context.ts';
import { logName } from './output.ts';
import { tolerantLog } from './tolerant-log.ts';

const MOST_LINES = 10_000;
const MOST_REFUSED = 50;
const MOST_PATHS = 20;
const LONGEST_ABOUT = 300;
const LONGEST_REASON = 2_000;

/** What is known of one call once it is said whether it may happen. */
export interface CallNote {
  verdict: CallVerdict;
  tool: string;
  /** Its file, its command line, or its input. */
  about: string;
  /** Who denied it: the lists of the step and the protected places, a rule, the guard because it could not tell, the client. */
  by?: 'tools' | 'rule' | 'guard' | 'client';
  /** The condition of that rule. */
  rule?: string;
  reason?: string;
  /** What happens in its place, of a call that was rewritten. */
  instead?: string;
  /** What `warn` rules said. */
  advice?: string;
  /** What it does, each path settled. */
  acts?: readonly ToolAct[];
}

export interface CallRecord {
  note(call: CallNote): void;
  /** Nothing is noted after this. Undefined: there was no call. */
  end(): CallCounts | undefined;
  /** What the client refused by itself, the first of it. */
  refusals(): DeniedCalls | undefined;
}

export function openCallRecord(
  command: Pick<RunAgent, 'path' | 'part' | 'try' | 'dispatch'>,
  { run, mask, clock }: Pick<PerformContext, 'run' | 'mask' | 'clock'>,
): CallRecord {
  const sink = tolerantLog(() => run.openLog(`${logName(command)}.calls.jsonl`));
  const dispatch = command.dispatch.path + 1;
  const counts: CallCounts = {};
  const refused: DeniedCalls['calls'] = [];
  let lines = 0;
  let leftOut = 0;
  let isOver = false;
  const write = (line: object) => {
    sink.write(Buffer.from(`${JSON.stringify({ at: clock.now(), dispatch, ...line })}\n`));
  };
  const text = (value: string, longest: number) => shortened(mask.text(value), longest);

  return {
    note({ verdict, tool, about, by, rule, reason, instead, advice, acts = [] }) {
      if (isOver) return;
      counts[verdict] = (counts[verdict] ?? 0) + 1;
      if (verdict === 'refused' && refused.length < MOST_REFUSED)
        refused.push({
          tool: text(tool, LONGEST_ABOUT),
          about: text(about, LONGEST_ABOUT),
          reason: text(reason ?? '', LONGEST_ABOUT),
        });
      if (lines >= MOST_LINES) {
        leftOut += 1;
        return;
      }
      lines += 1;
      const paths = acts.flatMap(({ file, real }) =>
        file === undefined ? [] : [{ file, ...(real !== undefined && real !== file && { real }) }],
      );
      const more = paths.length - MOST_PATHS;
      write({
        tool: text(tool, LONGEST_ABOUT),
        about: text(about, LONGEST_ABOUT),
        verdict,
        ...(by !== undefined && { by }),
        ...(rule !== undefined && { rule: text(rule, LONGEST_REASON) }),
        ...(reason !== undefined && { reason: text(reason, LONGEST_REASON) }),
        ...(instead !== undefined && { instead: text(instead, LONGEST_ABOUT) }),
        ...(advice !== undefined && { advice: text(advice, LONGEST_REASON) }),
        ...(paths.length > 0 && { paths: mask.deep(paths.slice(0, MOST_PATHS)) }),
        ...(more > 0 && { more_paths: more }),
      });
    },
    refusals: () => (refused.length === 0 ? undefined : { count: counts.refused ?? 0, calls: refused }),
    end() {
      if (!isOver && leftOut > 0) write({ left_out: leftOut });
      if (!isOver) sink.end();
      isOver = true;
      return Object.keys(counts).length === 0 ? undefined : { ...counts };
    },
  };
}

/** Not half of a character. */
function shortened(text: string, longest: number): string {
  return text.length > longest ? `${text.slice(0, longest).replace(/[\uD800-\uDBFF]$/, '')}…` : text;
}
