// check-tests: a look at the tests, as a check of a step. What it found decides; the words for it are made here.

import type { CheckTests, Command } from '../../model/command.ts';
import type { Outcome } from '../../model/entry.ts';
import type { TestLook } from '../../model/evidence.ts';
import type { TestsCheck } from '../../model/workflow.ts';
import type { Decision } from '../decision.ts';
import { findingsIn } from '../test-findings.ts';
import { dispatchOf } from './dispatch.ts';

export function dispatchTests(decision: Decision, check: TestsCheck, part: string): Command {
  const { state, read } = decision;
  const { started, dispatch } = dispatchOf(decision, 'check', part);
  const command = read.command(check.command);
  const perform: CheckTests = {
    ...dispatch,
    kind: 'check-tests',
    command,
    install: check.install === undefined ? '' : read.text(check.install).trim(),
    leftOut: leftOut(check.off, state.skips.tests ?? []),
    named: check.named === undefined ? [] : read.deep(check.named),
    told: [...(state.testsTold ?? [])],
    final: check.final === true,
    since: state.run.started,
  };
  const entry =
    command.kind === 'argv' ? { ...started, argv: command.argv } : { ...started, command: command.line };
  return { entry, perform };
}

function leftOut(byWorkflow: readonly TestLook[], byPerson: readonly TestLook[]): CheckTests['leftOut'] {
  return [
    ...byPerson.map((look) => ({ look, by: '--skip-test-check' })),
    ...byWorkflow.filter((look) => !byPerson.includes(look)).map((look) => ({ look, by: 'the workflow' })),
  ];
}

/** Why work does not count, one text each; none where the look itself failed. */
export function testReasons({ output }: Outcome, final: boolean): string[] {
  const findings = findingsIn(output);
  const asks = findings.filter(({ kind }) => kind === 'ask');
  const advice = final
    ? 'Is that right? Accept it, or have it changed.'
    : 'Take it back, unless the task asks for it: a person is asked before it is published.';
  return [
    ...findings.filter(({ kind }) => kind === 'fail').map(({ text }) => text),
    ...(asks.length > 0 ? [[...asks.map(({ text }) => text), advice].join('\n')] : []),
  ];
}
