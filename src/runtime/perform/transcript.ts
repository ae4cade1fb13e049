// transcript: logs/<step>.transcript: a dispatch as a person reads it: what was asked, said, done and denied, and what
// came of it. Not the protocol of the client, which is in <step>.stdout.
//
// T1. What it is given is masked already, but for the prompt (S3).
// T2. Bounded, each part and the whole (S5); what is left out is said. The answer is there in any case.
// T3. Text for a terminal: no control character but tab and newline.
// T4. A transcript that cannot be written is no reason to end a step.

import type { Outcome, Usage } from '../../model/entry.ts';
import type { AgentRequest } from '../../ports/agent.ts';
import type { LiveEvent, PerformContext } from './context.ts';
import { tolerantLog } from './tolerant-log.ts';

const LONGEST_PROMPT = 64 * 1024;
const LONGEST_TEXT = 16 * 1024;
const LONGEST_LINE = 300;
const MOST = 4 * 1024 * 1024;

export interface Transcript {
  begin(agent: string, request: Pick<AgentRequest, 'prompt' | 'model' | 'session'>): void;
  /** Masked. */
  hear(event: LiveEvent): void;
  /** Masked. */
  end(outcome: Outcome): void;
}

/** `name` is that of the step's logs. */
export function openTranscript(name: string, context: Pick<PerformContext, 'run' | 'mask'>): Transcript {
  const sink = tolerantLog(() => context.run.openLog(`${name}.transcript`));
  let written = 0;
  let leftOut = 0;
  let lastText = '';

  function write(text: string): void {
    const bytes = Buffer.from(`${readable(text)}\n`);
    written += bytes.length;
    sink.write(bytes);
  }
  function tell(text: string): void {
    if (written < MOST) write(text);
    else leftOut += 1;
  }

  return {
    begin(agent, { prompt, model, session }) {
      const who = [agent, ...(model === undefined ? [] : [`model ${model}`])].join(', ');
      write(`=== ${who}${session === undefined ? '' : `, going on in session ${session}`}`);
      write('--- prompt');
      write(bounded(context.mask.text(prompt), LONGEST_PROMPT, `all of it is in ${name}.prompt.txt`));
      write('--- work');
    },
    hear(event) {
      switch (event.kind) {
        case 'text':
          lastText = event.text;
          return tell(bounded(event.text, LONGEST_TEXT, 'cut'));
        case 'tool': {
          const call = `${event.tool} ${line(event.summary)}`.trim();
          return tell(
            event.denied === undefined ? `> ${call}` : `x ${call}\n  denied: ${line(event.denied)}`,
          );
        }
        case 'tool-result':
          return tell(`  ${event.failed ? 'failed: ' : ''}${line(event.summary)}`);
        case 'warning':
          return tell(`! ${line(event.message)}`);
        default:
          return undefined;
      }
    },
    end(outcome) {
      if (leftOut > 0) write(`[... ${leftOut} more left out; ${name}.stdout has what the client printed]`);
      write('--- answer');
      const said = answerText(outcome);
      const isAbove = said.trim() !== '' && said.trim() === lastText.trim();
      write(isAbove ? '(the last text above)' : bounded(said, LONGEST_TEXT, 'the journal has more'));
      if (outcome.error) write(`! ${outcome.error.class}: ${line(outcome.error.message)}`);
      for (const violation of outcome.violations ?? []) write(`! does not fit: ${line(violation)}`);
      write(`=== ${outcome.ok ? 'answered' : 'failed'} after ${figures(outcome)}\n`);
      sink.end();
    },
  };
}

function answerText({ output, raw }: Outcome): string {
  if (raw !== undefined) return raw;
  if (output === null) return '(none)';
  return typeof output === 'string' ? output : JSON.stringify(output, undefined, 2);
}

function figures({ duration_ms, usage, model }: Outcome): string {
  const time = `${(duration_ms / 1000).toFixed(1)} s`;
  return [time, ...(usage ? usageWords(usage) : []), ...(model === undefined ? [] : [model])].join(', ');
}

function usageWords({ turns, input_tokens, output_tokens, cost }: Usage): string[] {
  return [
    `${turns} ${turns === 1 ? 'turn' : 'turns'}`,
    `${input_tokens} tokens in, ${output_tokens} out`,
    cost === null ? 'cost unknown' : `$${cost.toFixed(4)}`,
  ];
}

function bounded(text: string, most: number, note: string): string {
  if (text.length <= most) return text.trimEnd();
  return `${whole(text.slice(0, most))}\n[... ${text.length - most} characters more; ${note}]`;
}

function line(text: string): string {
  const one = text.replace(/\s+/g, ' ').trim();
  return one.length <= LONGEST_LINE ? one : `${whole(one.slice(0, LONGEST_LINE))}…`;
}

/** Not half of a character. */
function whole(text: string): string {
  return text.replace(/[\uD800-\uDBFF]$/, '');
}

function readable(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(/[^\P{Cc}\n\t]/gu, '');
}
