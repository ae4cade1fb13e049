// check-tests: `done.tests`: looks whether the tests still mean anything. What it finds is the output; where work does not
// count for it, the outcome has failed.

import type { NamedChange } from '../../evidence/compare-tests.ts';
import type { CheckTests } from '../../model/command.ts';
import type { Outcome } from '../../model/entry.ts';
import { TEST_LOOKS, type TestEvidence } from '../../model/evidence.ts';
import { isObject, type Json } from '../../model/json.ts';
import { type Found, lookAtTests } from '../evidence/look-at-tests.ts';
import { roomEnvironment } from '../evidence/room-environment.ts';
import type { PerformContext, Performing } from './context.ts';
import { environmentFor, requireSecrets } from './environment.ts';
import { startFileMeter } from './file-meter.ts';
import { brokenOutcome, type EndReason, endFailure, masked, TIMED_OUT } from './outcome.ts';
import { openOutput } from './output.ts';

/** More than anybody reads; what there is no room for is said. */
const MOST_FINDINGS = 40;

export function checkTests(command: CheckTests, context: PerformContext): Performing {
  requireSecrets(command, context);
  const { clock, mask } = context;
  const started = clock.monotonic();
  const elapsed = () => Math.round(clock.monotonic() - started);
  const controller = new AbortController();
  let ended: EndReason | undefined;
  const end = (reason: EndReason) => {
    ended ??= reason;
    controller.abort();
  };
  const disarm =
    command.timeout === undefined ? () => {} : clock.after(command.timeout, () => end('timeout'));
  const failed = (error: unknown): Outcome => {
    const outcome = brokenOutcome(error, mask, elapsed());
    if (ended === undefined) return outcome;
    const late = ended === 'timeout' && { exit_code: TIMED_OUT };
    return { ...outcome, error: endFailure(ended, command.timeout), ...late };
  };
  const done = look(command, context, controller.signal)
    .then((found) => judged(command, found, elapsed(), context))
    .catch(failed);
  return {
    done: done.then((outcome) => {
      disarm();
      return { kind: 'outcome', outcome };
    }),
    cancel: end,
  };
}

async function look(command: CheckTests, context: PerformContext, signal: AbortSignal): Promise<Found> {
  const { workspace, rooms, processes } = context;
  if (rooms === undefined || workspace.since === undefined)
    return {
      ...{ level: 'none', where: 'in place', canary: 'left out' },
      findings: [
        {
          ...{ kind: 'note', about: 'no-commits', key: 'no-commits' },
          text: 'The tests were not compared with earlier ones: there is no git repository.',
        },
      ],
    };
  const output = openOutput(command, context, startFileMeter(context.clock), () => {});
  try {
    return await lookAtTests({
      ...{ rooms, processes, signal, install: command.install, base: workspace.since },
      command: command.command,
      environment: roomEnvironment(environmentFor(command, context), workspace.root),
      reporters: rooms.reporters,
      heard: (stream, chunk) => output[stream](chunk),
      workspace: workspace.root,
      looks: new Set(TEST_LOOKS.filter((one) => !command.leftOut.some(({ look }) => look === one))),
      named: namedChanges(command.named),
      since: Date.parse(command.since),
    });
  } finally {
    output.finish();
  }
}

function judged(command: CheckTests, found: Found, milliseconds: number, context: PerformContext): Outcome {
  const line = command.command;
  const { findings } = found;
  const evidence: TestEvidence = {
    ...found,
    command: line.kind === 'shell' ? line.line : line.argv.join(' '),
    leftOut: command.leftOut,
    milliseconds,
    findings: findings.slice(0, MOST_FINDINGS),
  };
  const isNew = (key: string) => command.final || !command.told.includes(key);
  const against = findings.filter(({ kind, key }) => kind === 'fail' || (kind === 'ask' && isNew(key)));
  const ok = against.length === 0;
  return masked(context.mask, {
    ok,
    output: evidence as unknown as Json,
    exit_code: ok ? 0 : 1,
    duration_ms: milliseconds,
    ...(!ok && {
      error: { class: 'exit', message: against.map(({ text }) => text.split('\n')[0]).join(' ') },
    }),
  });
}

function namedChanges(named: Json): NamedChange[] {
  return (Array.isArray(named) ? named : []).flatMap((one) => {
    if (!isObject(one) || typeof one.requirement !== 'string' || one.requirement.trim() === '') return [];
    const { file, test, requirement } = one;
    return [
      { requirement, ...(typeof file === 'string' && { file }), ...(typeof test === 'string' && { test }) },
    ];
  });
}
