// code: a handler. Its input has no name there; here every argument has one.

import { type BuiltEntry, built } from '../../source/build-nodes.ts';
import { nodeSpan, stringOf } from '../../source/read/node.ts';
import { inputOf, inputPath } from './input.ts';
import { type ForeignStep, tasksAround } from './outline.ts';
import { keyOf, type Translation } from './translation.ts';

/** What the one input of a handler is called. */
const ARGUMENTS = new Map([
  ['create-issues', 'issues'],
  ['persist-tasks', 'tasks'],
  ['save-checkpoint', 'data'],
]);

export function translateCode(step: ForeignStep, translation: Translation): BuiltEntry[] {
  const { to } = translation;
  const node = to.get(step.node, 'handler');
  const handler = stringOf(node);
  if (node === undefined || handler === undefined) return [['call', 'noop']];
  const isKnown = checkHandler(handler, step, translation);
  const path = inputPath(step, translation);
  const entries = inputOf(step, translation, { strict: true }).map(({ name, value, at }): BuiltEntry => {
    // `input: analysis` is all that an analysis says; `input: analysis.tasks` is the list.
    const whole = handler === 'create-issues' && path?.keys.length === 0;
    const called = path === undefined ? name : whole ? 'analysis' : (ARGUMENTS.get(handler) ?? name);
    return [called, value, at];
  });
  if (handler === 'save-checkpoint' && tasksAround(step).length > 0) entries.push(['task', '{{ task }}']);
  return [
    // One that there is not was reported; ours would report it again.
    ['call', isKnown ? node : built(node).scalar('noop'), keyOf(step, 'handler', translation)],
    [
      'with',
      entries.length === 0 || !isKnown ? undefined : built(step.node).map(entries),
      keyOf(step, 'input', translation),
    ],
  ];
}

/** Projects have no handlers of their own there: what needs other work is a task for an agent. */
function checkHandler(handler: string, step: ForeignStep, { to }: Translation): boolean {
  const node = to.get(step.node, 'handler');
  if (node === undefined || ARGUMENTS.has(handler)) return true;
  to.report.error(
    'unknown-handler',
    nodeSpan(node),
    `${step.label}: there is no handler "${handler}"`,
    `There are ${[...ARGUMENTS.keys()].join(', ')}. Anything else is a task for an agent.`,
  );
  return false;
}
