// weigh-claim: what a client handed in → an outcome, as of the answer of an agent: read, held against the step's schema, masked and
// bounded. Whether it is enough is for the engine to say. It changes nothing but the records, so a crash repeats it.

import type { WeighClaim } from '../../model/command.ts';
import type { Outcome } from '../../model/entry.ts';
import type { Json } from '../../model/json.ts';
import type { AgentAnswer } from '../../ports/agent.ts';
import { understand } from './answer.ts';
import type { CancelReason, PerformContext, Performing } from './context.ts';
import { startFileMeter } from './file-meter.ts';
import { watchGit } from './git-watch.ts';
import { keptTexts } from './kept-text.ts';
import { brokenOutcome, endFailure, masked, UNPERFORMABLE } from './outcome.ts';
import { logName } from './output.ts';
import { schemaOf } from './schema-check.ts';

export function weighClaim(command: WeighClaim, context: PerformContext): Performing {
  let cancelled: CancelReason | undefined;
  const { mask } = context;
  const done = weigh(command, context)
    .then(
      (outcome) => masked(mask, outcome),
      (error) => brokenOutcome(error, mask, 0),
    )
    .then((outcome) =>
      cancelled === undefined
        ? outcome
        : { ok: false, output: null, error: endFailure(cancelled), duration_ms: 0 },
    );
  return {
    done: done.then((outcome) => ({ kind: 'outcome', outcome })),
    // It is soon over: nothing is waited for but its end.
    cancel(reason) {
      cancelled ??= reason;
    },
  };
}

async function weigh(command: WeighClaim, context: PerformContext): Promise<Outcome> {
  const meter = startFileMeter(context.clock);
  // It worked before this began: it is held against what was there when the step before it had ended.
  const { git } = command;
  const since = git?.since ?? git?.last ?? git?.base;
  const orders = git && { ...git, ...(since !== undefined && { since, from: git.from ?? since }) };
  const watch = await watchGit({ ...command, ...(orders && { git: orders }) }, 'runs', context);
  const started = context.clock.monotonic();
  const said = answerOf(command);
  const { text, cut } = keptTexts(command, context.mask).bounded(said.text);
  keepText(command, text, context);
  const understood = await understand(
    command,
    { answer: { ...said, text }, cut: cut !== undefined, schema: () => schemaOf(command, context, meter) },
    context.mask,
  );
  const { output, violations, failure, unparsed, truncated = cut, warning, masked: hidden } = understood;
  const fits = failure === undefined && !violations?.length;
  const looked = await watch?.end(fits ? { output } : {});
  if (looked?.failure)
    return {
      ok: false,
      output,
      error: looked.failure,
      exit_code: UNPERFORMABLE,
      duration_ms: 0,
      git: looked.seen,
    };
  return {
    ok: failure === undefined,
    output,
    ...(looked && { git: looked.seen }),
    ...(failure !== undefined && { error: failure, exit_code: UNPERFORMABLE }),
    duration_ms: Math.round(context.clock.monotonic() - started),
    ...(command.session !== undefined && { session: command.session }),
    ...(violations !== undefined && { violations }),
    ...(unparsed !== undefined && { unparsed }),
    ...(output !== text && text !== '' && said.structured === undefined && { raw: text }),
    ...(hidden && { masked: true }),
    ...(truncated !== undefined && { truncated }),
    ...(warning !== undefined && { warnings: [context.mask.text(warning)] }),
  };
}

/** The claim itself, the answer in it, or what its notes say: what an agent would have answered. */
function answerOf({ claim, takesClaim }: WeighClaim): AgentAnswer {
  const { notesMarkdown = '', artifacts = [], context = {}, answer } = claim;
  if (takesClaim) return { text: notesMarkdown, structured: { notesMarkdown, artifacts, context } as Json };
  if (answer === undefined) return { text: notesMarkdown };
  return typeof answer === 'string' ? { text: answer } : { text: JSON.stringify(answer), structured: answer };
}

/** Where the answer of an agent would be: in the log, and where the step saves it. */
function keepText(command: WeighClaim, text: string, { run, mask, workspace }: PerformContext): void {
  const bytes = Buffer.from(mask.text(text));
  if (bytes.length > 0) {
    const log = run.openLog(`${logName(command)}.stdout`);
    log.write(bytes);
    log.end();
  }
  if (command.saveTo !== undefined) workspace.write(command.saveTo, bytes);
}
