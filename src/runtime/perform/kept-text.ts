// kept-text: what an agent gathers of what its client says. Masked before it is cut: half a secret at the edge of a
// cut would pass for none.

import type { RunAgent } from '../../model/command.ts';
import type { Truncated } from '../../model/entry.ts';
import type { Kept } from '../../ports/agent.ts';
import { type Extract, startExtract, startHead, startTail } from '../extract.ts';
import type { Mask, MaskStream } from '../mask.ts';
import { logName, STDERR_BYTES } from './output.ts';

/** `capture: lines` has its limit in lines. */
const LINES_TEXT = 10 * 1024 * 1024;
/** What a text may have beyond the limit it was to keep to: the mark of the cut. */
const SLACK = 1024;

export interface KeptTexts {
  keep(part: 'answer' | 'stderr'): Kept;
  /** The final text within its bounds, also where an agent gathered it elsewhere; and whether some was left out. */
  bounded(text: string): { text: string; cut?: Truncated };
  /** Whether a secret was masked in the answer or in what was said on stderr. */
  masked(): boolean;
}

export function keptTexts(
  command: Pick<RunAgent, 'path' | 'part' | 'try' | 'capture'>,
  mask: Mask,
): KeptTexts {
  const limit = command.capture.as === 'lines' ? LINES_TEXT : command.capture.limit;
  const start = () => (command.capture.exact ? startHead(limit) : startExtract(limit, whole('stdout')));
  const whole = (stream: string) => `all of it is in the log ${logName(command)}.${stream}`;
  const chosen = command.capture.chosen && command.capture.as !== 'lines' ? { chosen: true as const } : {};
  let answer: Extract | undefined;
  const streams: MaskStream[] = [];
  let isCutMasked = false;
  return {
    masked: () => isCutMasked || streams.some((stream) => stream.masked()),
    keep(part) {
      const stream = mask.stream();
      streams.push(stream);
      if (part === 'stderr') return masking(startTail(STDERR_BYTES, whole('stderr')), stream);
      answer = start();
      return masking(answer, stream);
    },
    bounded(text) {
      const bytes = Buffer.byteLength(text);
      if (bytes > limit + SLACK) {
        const extract = start();
        const plain = mask.text(text);
        isCutMasked = plain !== text;
        extract.write(Buffer.from(plain));
        return { text: extract.text(), cut: { bytes, kept: extract.kept(), ...chosen } };
      }
      return answer?.cut()
        ? { text, cut: { bytes: answer.total(), kept: answer.kept(), ...chosen } }
        : { text };
    },
  };
}

function masking(extract: Extract, stream: MaskStream): Kept {
  return {
    write: (chunk) => extract.write(stream.write(typeof chunk === 'string' ? Buffer.from(chunk) : chunk)),
    text() {
      extract.write(stream.end());
      return extract.text();
    },
  };
}
