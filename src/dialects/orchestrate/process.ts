// process: what surrounds a command or an agent: what it reads, what becomes of its output, its time and its tries.

import type { Json } from '../../model/json.ts';
import { type BuiltEntry, built } from '../../source/build-nodes.ts';
import { headSpan, type MapNode, type Node, nodeSpan, stringOf } from '../../source/read/node.ts';
import { durationText, LONGEST_DURATION } from '../native-text.ts';
import type { ForeignStep, StepKind } from './outline.ts';
import { placeOf } from './resolve-reference.ts';
import { literalText, type Translation, translatePath } from './translation.ts';

/** The limits of that language: bytes, or a number of lines. */
const CAPTURES = {
  text: { as: 'text', limit: '8KiB', exact: true },
  lines: { as: 'lines', limit: 10_000, exact: true },
  json: { as: 'json', limit: '1MiB', exact: true },
} as const;
const KEPT_TEXT = { on_parse_error: 'keep', text_limit: '8KiB' } as const;

export function translateProcess(step: ForeignStep, translation: Translation): BuiltEntry[] {
  const { to } = translation;
  const get = (key: string) => to.get(step.node, key);
  warnOfEnvironment(get('env'), translation);
  return [
    translateCapture(step, translation),
    [
      'save_to',
      translatePath(get('output_file'), 'output_file', placeOf(step), translation),
      keyOf(step, 'output_file', translation),
    ],
    translateReads(step, translation),
    ['env', get('env'), keyOf(step, 'env', translation)],
    ['secrets', get('secrets'), keyOf(step, 'secrets', translation)],
    [
      'timeout',
      duration(get('timeout_sec'), 1000, '`timeout_sec`', translation),
      keyOf(step, 'timeout_sec', translation),
    ],
    translateRetries(step, translation),
    translateDone(step, translation),
  ];
}

export function keyOf(step: ForeignStep, key: string, { to }: Translation): Node | undefined {
  return to.entry(step.node, key)?.keyNode;
}

/** A number of seconds (`unit` 1000) or milliseconds. */
export function duration(
  node: Node | undefined,
  unit: number,
  label: string,
  { to }: Translation,
): Node | undefined {
  if (node?.kind !== 'scalar' || typeof node.value !== 'number') return undefined;
  const milliseconds = node.value * unit;
  if (milliseconds > LONGEST_DURATION) {
    to.report.error('out-of-range', nodeSpan(node), `${label} is more than a hundred years`);
    return undefined;
  }
  return built(node).scalar(durationText(milliseconds));
}

function translateCapture(step: ForeignStep, translation: Translation): BuiltEntry {
  const { to } = translation;
  const node = to.get(step.node, 'output_capture');
  const as = (stringOf(node) ?? 'text') as keyof typeof CAPTURES;
  const kept = as === 'json' && isTrue(to.get(step.node, 'allow_parse_error'));
  checkJsonFields(step, as, kept, translation);
  const value: Json = { ...CAPTURES[as], ...(kept && KEPT_TEXT) };
  return ['capture', built(node ?? step.node).node(value)];
}

function checkJsonFields(step: ForeignStep, as: string, kept: boolean, { to }: Translation): void {
  const { node, label } = step;
  const checks = ['output_schema', 'output_require'].flatMap((key) => to.entry(node, key) ?? []);
  const allowed = to.entry(node, 'allow_parse_error');
  const needing = allowed && isTrue(allowed.value) ? [...checks, allowed] : checks;
  if (as !== 'json') {
    for (const { key, keyNode } of needing) {
      to.report.error(
        'json-capture-needed',
        nodeSpan(keyNode),
        `${label} has \`${key}\`, which is about JSON, and reads its output as ${as}`,
        'Write `output_capture: json` beside it.',
      );
    }
  } else if (kept && allowed !== undefined) {
    for (const { key, keyNode } of checks) {
      to.report.error(
        'parse-error-allowed',
        nodeSpan(keyNode),
        `${label} has \`${key}\` beside \`allow_parse_error: true\`: an output that may be no JSON cannot be held against it`,
        'Leave one of them out.',
      );
    }
  }
}

function translateReads(step: ForeignStep, translation: Translation): BuiltEntry {
  const node = translation.to.get(step.node, 'depends_on');
  if (node?.kind !== 'map') return ['reads', undefined];
  const reads = built(node).map([
    ...dependencies(step, node, translation),
    ...injection(step, node, translation),
  ]);
  return ['reads', reads, keyOf(step, 'depends_on', translation)];
}

/** Of a wait or a loop: what must be there before it begins. It has no prompt, no process and no output of its own. */
export function translateAround(step: ForeignStep, translation: Translation): BuiltEntry {
  const { to } = translation;
  for (const field of ['timeout_sec', 'output_capture']) {
    const entry = to.entry(step.node, field);
    if (entry === undefined) continue;
    const isWait = step.kind === 'wait_for';
    to.report.warn(
      'field-unused',
      nodeSpan(entry.keyNode),
      `${step.label} has \`${field}\`, which applies to providers and commands, and ${isWait ? 'only waits' : 'is a loop'}`,
      isWait && field === 'timeout_sec'
        ? 'How long it waits is `timeout_sec` inside `wait_for`.'
        : `Write it into the steps${isWait ? ' that it is for' : ' inside'}, or leave it out.`,
    );
  }
  const node = to.get(step.node, 'depends_on');
  if (node?.kind !== 'map') return ['reads', undefined];
  warnOfInjection(step, node, translation);
  const files = dependencies(step, node, translation);
  const isAny = files.some(([, value]) => value !== undefined);
  return ['reads', isAny ? built(node).map(files) : undefined, keyOf(step, 'depends_on', translation)];
}

function dependencies(step: ForeignStep, node: MapNode, translation: Translation): BuiltEntry[] {
  const { to } = translation;
  const patterns = (key: 'required' | 'optional') => {
    const list = to.get(node, key);
    if (list?.kind !== 'list') return undefined;
    const items = list.items.flatMap(
      (item) => translatePath(item, `depends_on.${key}`, placeOf(step), translation, { glob: true }) ?? [],
    );
    return items.length === 0 ? undefined : built(list).list(items);
  };
  return [
    ['files', patterns('required'), to.entry(node, 'required')?.keyNode],
    ['optional', patterns('optional'), to.entry(node, 'optional')?.keyNode],
  ];
}

const WITHOUT_PROMPT: Readonly<Partial<Record<StepKind, string>>> = {
  command: 'runs a command',
  wait_for: 'only waits',
  for_each: 'is a loop',
};

/** True: there is nothing that could be put anywhere. */
function warnOfInjection(step: ForeignStep, node: MapNode, { to }: Translation): boolean {
  const entry = to.entry(node, 'inject');
  const what = step.kind && WITHOUT_PROMPT[step.kind];
  if (entry === undefined || modeOf(node, to) === 'none' || what === undefined) return what !== undefined;
  to.report.warn(
    'inject-unused',
    nodeSpan(entry.keyNode),
    `${step.label} ${what}, which has no prompt that anything could be put into`,
    'The files are still looked for; leave `inject` out.',
  );
  return true;
}

function modeOf(node: MapNode, to: Translation['to']): string {
  const inject = to.get(node, 'inject');
  if (inject?.kind === 'map') return stringOf(to.get(inject, 'mode')) ?? 'none';
  return isTrue(inject) ? 'list' : 'none';
}

function injection(step: ForeignStep, node: MapNode, translation: Translation): BuiltEntry[] {
  const { to } = translation;
  const entry = to.entry(node, 'inject');
  const inject = to.get(node, 'inject');
  const mode = modeOf(node, to);
  if (warnOfInjection(step, node, translation) || entry === undefined || mode === 'none')
    return [['inject', 'none']];
  return [
    ['inject', built(to.get(inject, 'mode') ?? entry.keyNode).scalar(mode)],
    ['instruction', literalText(to.get(inject, 'instruction'), translation)],
    ['position', to.get(inject, 'position')],
  ];
}

function translateRetries(step: ForeignStep, translation: Translation): BuiltEntry {
  const { to } = translation;
  const node = to.get(step.node, 'retries');
  if (node?.kind === 'scalar') {
    const message = '`retries` must be a map, and this is a number';
    to.report.error('wrong-type', nodeSpan(node), message, `Write retries: { max: ${node.written} }`);
  }
  if (node?.kind !== 'map') return ['retry', undefined];
  const retry = built(node).map([
    ['max', to.get(node, 'max') ?? 0],
    ['delay', duration(to.get(node, 'delay_ms'), 1, '`delay_ms`', translation) ?? '0s'],
    ['on', step.kind === 'provider' ? [1, 124] : ['exit', 'timeout']],
  ]);
  return ['retry', retry, keyOf(step, 'retries', translation)];
}

function translateDone(step: ForeignStep, translation: Translation): BuiltEntry {
  const { to } = translation;
  const schema = translatePath(
    to.get(step.node, 'output_schema'),
    'output_schema',
    placeOf(step),
    translation,
  );
  const requirements = to.get(step.node, 'output_require');
  if (requirements?.kind === 'list')
    for (const item of requirements.items) checkRequirement(item, translation);
  const first = schema ?? requirements;
  // Without JSON there is nothing to hold against it, which was reported.
  if (first === undefined || stringOf(to.get(step.node, 'output_capture')) !== 'json')
    return ['done', undefined];
  const make = built(first);
  return [
    'done',
    make.map([
      ['schema', schema && make.map([['file', schema]]), keyOf(step, 'output_schema', translation)],
      ['require', requirements, keyOf(step, 'output_require', translation)],
      ['tries', 1],
    ]),
  ];
}

/** Only plain values are compared. */
function checkRequirement(item: Node, { to }: Translation): void {
  const equals = to.get(item, 'equals');
  if (equals === undefined || equals.kind === 'scalar') return;
  to.report.error(
    'wrong-type',
    headSpan(equals),
    '`equals` must be a text, a number, true, false or null',
    'What a list or a map must look like is said by `output_schema`.',
  );
}

/** A habit from elsewhere: nothing is filled in there. */
function warnOfEnvironment(env: Node | undefined, { to }: Translation): void {
  if (env?.kind !== 'map') return;
  for (const { value } of env.entries.values()) {
    const [found] = /\$\{(?:run|context|steps|loop|env)\.[^}]*\}/.exec(stringOf(value) ?? '') ?? [];
    if (found === undefined) continue;
    to.report.warn(
      'env-literal',
      nodeSpan(value),
      `nothing is filled in in \`env\`: the command gets \`${found}\` as it stands`,
      'Put the value into the command itself.',
    );
  }
}

function isTrue(node: Node | undefined): boolean {
  return node?.kind === 'scalar' && node.value === true;
}
