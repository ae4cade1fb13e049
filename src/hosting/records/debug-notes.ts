// debug-notes: logs/<step>.debug: how a step came to be what it was: what its templates became, which files it found,
// the command, its environment. Only where somebody asked for it; masked (S3).

import type { Place } from '../../model/command.ts';
import { placeName } from '../../model/place-name.ts';
import type { Workflow } from '../../model/workflow.ts';
import type { Clock } from '../../ports/clock.ts';
import type { LogSink, OpenRun } from '../../ports/store.ts';
import type { Mask } from '../../runtime/mask.ts';
import type { DebugTopic } from '../../runtime/perform/context.ts';
import type { Performable } from '../../runtime/perform/perform.ts';
import { stepAt } from '../../views/definition/step-at.ts';
import { substitutions } from '../../views/substitutions.ts';
import { timeText } from './run-log.ts';

const LONGEST_VALUE = 4096;

export type NoteTopic = DebugTopic | 'condition' | 'substitution' | 'outcome';

export interface DebugNotes {
  note(place: Place, topic: NoteTopic, text: string): void;
  /** What its templates became. */
  performing(command: Performable): void;
}

export function createDebugNotes(
  run: Pick<OpenRun, 'openLog'>,
  workflow: Workflow,
  clock: Clock,
  mask: Mask,
): DebugNotes {
  function note(place: Place, topic: NoteTopic, text: string): void {
    const name = placeName(place.path, place.part);
    const time = timeText(clock.now());
    const lines = mask.text(text).split('\n');
    const block = lines.map((line, index) => (index === 0 ? `${time} [${topic}] ${line}` : `  ${line}`));
    write(run.openLog(`${name}.debug`), `${block.join('\n')}\n`);
  }
  return {
    note,
    performing(command) {
      const step = stepAt(workflow, command.path);
      if (!step) return;
      if (step.if !== undefined && command.part === undefined)
        note(command, 'condition', `holds: ${step.if}`);
      for (const { field, template, value } of substitutions(step, command)) {
        const given = JSON.stringify(value);
        const shown = given.length > LONGEST_VALUE ? `${given.slice(0, LONGEST_VALUE)}…` : given;
        note(command, 'substitution', `${field}: ${JSON.stringify(template)} → ${shown}`);
      }
    },
  };
}

/** A note that cannot be written is no reason to end a run. */
function write(sink: LogSink, text: string): void {
  try {
    sink.write(Buffer.from(text));
    sink.end();
  } catch {
    // The disk is full, or the log is not ours to write: the journal says so where it matters.
  }
}
