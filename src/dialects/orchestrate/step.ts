// step: one step of theirs → one of ours.

import { type BuiltEntry, built } from '../../source/build-nodes.ts';
import type { Node, ScalarNode } from '../../source/read/node.ts';
import { translateWhen } from './condition.ts';
import { translateLoop } from './loop.ts';
import type { ForeignList, ForeignStep } from './outline.ts';
import { duration, keyOf, translateAround, translateProcess } from './process.ts';
import { placeOf } from './resolve-reference.ts';
import { type Translation, translatePath, wordsOf } from './translation.ts';

export function translateSteps(list: ForeignList, at: Node, translation: Translation): Node {
  // That a list is empty was reported; ours would report it again.
  if (list.steps.length === 0) return built(at).node([{ id: 'nothing', ...NOTHING }]);
  return built(at).list(list.steps.map((step) => translateStep(step, translation)));
}

const NOTHING = { call: 'noop' };

function translateStep(step: ForeignStep, translation: Translation): Node {
  const { to, flow } = translation;
  const name = to.get(step.node, 'name') ?? step.node;
  const make = built(step.node);
  const when = translateWhen(step, translation);
  return make.map([
    ['id', make.at(name).scalar(step.id), to.entry(step.node, 'name')?.keyNode],
    ['labels', labels(step, translation)],
    ...(when ? [when] : []),
    ...work(step, translation),
    ['next', flow.next(step), keyOf(step, 'on', translation)],
  ]);
}

/** What people call it, and who does it: both are shown, and neither changes anything. */
function labels(step: ForeignStep, { to }: Translation): Node | undefined {
  const agent = to.get(step.node, 'agent');
  const name = to.get(step.node, 'name');
  if (agent === undefined && (name === undefined || step.name === step.id)) return undefined;
  return built(step.node).map([
    ['name', step.name === step.id ? undefined : name],
    ['agent', agent],
  ]);
}

function work(step: ForeignStep, translation: Translation): BuiltEntry[] {
  switch (step.kind) {
    case 'command':
      return [...command(step, translation), ...translateProcess(step, translation)];
    case 'provider':
      return [...prompt(step, translation), ...translateProcess(step, translation)];
    case 'wait_for':
      return [wait(step, translation), translateAround(step, translation)];
    case 'for_each': {
      const body = step.body ?? { steps: [], byName: new Map() };
      return [
        translateAround(step, translation),
        ...translateLoop(step, translateSteps(body, step.node, translation), translation),
      ];
    }
    case undefined:
      // That there is none was reported too.
      return Object.entries(NOTHING);
  }
}

function command(step: ForeignStep, translation: Translation): BuiltEntry[] {
  const { to, substitution } = translation;
  const place = placeOf(step);
  const node = to.get(step.node, 'command') ?? step.node;
  const words = wordsOf(node, step.node, 'command', to).map((word) => substitution.template(word, place));
  const stdin = translatePath(to.get(step.node, 'input_file'), 'input_file', place, translation);
  return [
    ['run', built(node).list(words), keyOf(step, 'command', translation)],
    ['stdin', stdin && built(stdin).map([['file', stdin]]), keyOf(step, 'input_file', translation)],
  ];
}

function prompt(step: ForeignStep, translation: Translation): BuiltEntry[] {
  const { to, providers } = translation;
  const given = to.get(step.node, 'input_file');
  const file = translatePath(given, 'input_file', placeOf(step), translation);
  const make = built(given ?? step.node);
  return [
    ['prompt', make.map([file ? ['file', file] : ['text', '']]), keyOf(step, 'input_file', translation)],
    ...providers.use(step, translation),
  ];
}

const WAIT = { timeout: '5m', every: '500ms' };

function wait(step: ForeignStep, translation: Translation): BuiltEntry {
  const { to } = translation;
  const node = to.get(step.node, 'wait_for');
  const glob = to.get(node, 'glob');
  const make = built(node ?? step.node);
  const pattern = translatePath(glob, 'wait_for.glob', placeOf(step), translation, { glob: true });
  return [
    'wait',
    make.map([
      ['files', make.list([pattern ?? anyPattern(glob ?? step.node)]), to.entry(node, 'glob')?.keyNode],
      ['min', to.get(node, 'min_count') ?? 1],
      ['timeout', duration(to.get(node, 'timeout_sec'), 1000, '`timeout_sec`', translation) ?? WAIT.timeout],
      ['every', duration(to.get(node, 'poll_ms'), 1, '`poll_ms`', translation) ?? WAIT.every],
    ]),
    keyOf(step, 'wait_for', translation),
  ];
}

/** In place of one that was reported. */
function anyPattern(at: Node): ScalarNode {
  return built(at).scalar('*');
}
