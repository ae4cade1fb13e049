// hooks: what a table of fields cannot say.

import { HANDLERS } from '../../model/handlers.ts';
import { didYouMean } from '../closest.ts';
import { headSpan, type MapNode, type Node, nodeSpan, type ScalarNode, stringOf } from '../read/node.ts';
import { checkComment } from './comment.ts';
import type { Conforming } from './conform.ts';
import { parseEach } from './each.ts';
import { checkArguments } from './handler-arguments.ts';
import { nameProblem } from './name.ts';

type Hook = (node: MapNode, to: Conforming) => void;

export const HOOKS: Readonly<Record<string, Hook>> = {
  workflow(node, to) {
    warnOfBraces(to.get(to.get(node, 'defaults'), 'params'), to);
    if (to.entry(node, 'steps') !== undefined || to.entry(node, 'events') !== undefined) return;
    to.report.error(
      'missing-field',
      headSpan(node),
      'a workflow needs `steps`',
      'Or `events`, where it only watches a live session.',
    );
  },
  step(node, to) {
    checkEach(node, to);
    checkTries(node, to);
    checkCall(node, to);
    checkCommand(to.get(node, 'run'), to);
    checkCommand(to.get(to.get(node, 'done'), 'run'), to);
    checkCapture(to.get(node, 'capture'), to);
    warnOfBraces(to.get(node, 'params'), to);
    checkNext(to.get(node, 'next'), to);
  },
  action(node, to) {
    checkCall(node, to);
    checkCommand(to.get(node, 'run'), to);
  },
  agent: (node, to) => warnOfBraces(to.get(node, 'params'), to),
  gate: (node, to) => warnOfBraces(to.get(node, 'params'), to),
};

function checkEach(node: MapNode, to: Conforming): void {
  const each = to.get(node, 'each');
  const parts = parseEach(stringOf(each) ?? '');
  if (each === undefined || parts === undefined) return;
  const problem = nameProblem(parts.name, 'binding');
  if (problem === undefined) return;
  to.report.error('bad-name', nodeSpan(each), `\`each\`: ${problem.message}`, problem.hint);
  to.bad(each);
}

/** Only a prompt can be sent back with reasons: the rest would do the same again (rule 4). */
function checkTries(node: MapNode, to: Conforming): void {
  const tries = to.get(to.get(node, 'done'), 'tries');
  if (tries?.kind !== 'scalar' || Number(tries.value) <= 1 || to.entry(node, 'prompt') !== undefined) return;
  to.report.error(
    'tries-not-here',
    nodeSpan(tries),
    'only a `prompt` may have more than one try',
    'A command that fails is dispatched again with `retry`; several steps are repeated with `loop`.',
  );
}

function checkCall(node: MapNode, to: Conforming): void {
  const call = to.get(node, 'call');
  const name = stringOf(call);
  if (call === undefined || name === undefined) return;
  const handler = Object.hasOwn(HANDLERS, name) ? HANDLERS[name] : undefined;
  if (handler === undefined) {
    const names = Object.keys(HANDLERS);
    to.report.error(
      'unknown-handler',
      nodeSpan(call),
      `there is no handler "${name}"`,
      didYouMean(name, names) ?? `There are ${names.join(', ')}.`,
    );
    to.bad(call);
    return;
  }
  checkArguments(name, handler, call, to.get(node, 'with'), to);
}

/** A shell line that a comment has cut leaves a quote open. */
function checkCommand(command: Node | undefined, to: Conforming): void {
  if (command?.kind === 'scalar' && command.comment !== undefined)
    checkComment(command, 'command', '`run`', to);
}

/** Lines are counted, bytes are measured. */
function checkCapture(capture: Node | undefined, to: Conforming): void {
  const limit = to.get(capture, 'limit') as ScalarNode | undefined;
  if (limit === undefined || stringOf(to.get(capture, 'as')) !== 'lines' || typeof limit.value === 'number')
    return;
  to.report.error(
    'bad-size',
    nodeSpan(limit),
    '`limit` of `lines` is a number of lines, not a size',
    'Write for example `limit: 10000`.',
  );
  to.bad(limit);
}

function warnOfBraces(node: Node | undefined, to: Conforming): void {
  if (node === undefined) return;
  if (node.kind === 'list') for (const item of node.items) warnOfBraces(item, to);
  else if (node.kind === 'map') for (const { value } of node.entries.values()) warnOfBraces(value, to);
  else if (stringOf(node)?.includes('{{')) {
    to.report.warn(
      'literal-braces',
      nodeSpan(node),
      'nothing is filled in here: `params` are taken as they stand, with their `{{`',
    );
  }
}

/** One that neither goes anywhere nor does anything was left half written. */
function checkNext(next: Node | undefined, to: Conforming): void {
  if (next?.kind !== 'list') return;
  for (const item of next.items) {
    if (item.kind !== 'map' || to.entry(item, 'goto') !== undefined || to.entry(item, 'do') !== undefined)
      continue;
    to.report.error('missing-field', headSpan(item), 'an item of `next` needs `goto` or `do`');
  }
}
