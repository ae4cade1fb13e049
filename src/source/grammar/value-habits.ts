// value-habits: values of another sort than a field takes, as other tools take them there, and the line that says it here
// (see habits.ts). `label` is the field, without its backquotes.

import type { Node } from '../read/node.ts';
import { stringOf, toJson } from '../read/node.ts';
import { expressionText, flowText, quoted } from './flow-text.ts';
import { listOf } from './habit-hints.ts';

type Hint = (node: Node) => string | undefined;

export function valueHint(label: string, node: Node): string | undefined {
  const field = label.replaceAll('`', '');
  return Object.hasOwn(VALUES, field) ? VALUES[field]?.(node) : undefined;
}

/** Another word for one of the words that a field takes. */
export function choiceHint(label: string, given: string, of: readonly string[]): string | undefined {
  const field = label.replaceAll('`', '');
  const words = Object.hasOwn(WORDS, field) ? WORDS[field] : undefined;
  const word = given.toLowerCase();
  const meant = words !== undefined && Object.hasOwn(words, word) ? words[word] : undefined;
  return meant === undefined || !of.includes(meant) ? undefined : `Write \`${field}: ${meant}\`.`;
}

const number = (node: Node): number | undefined => {
  const value = toJson(node);
  return typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : undefined;
};

const EXPRESSION = /[=!<>]=|[<>]|&&|\|\||\b(?:output|steps|inputs|vars|status)\b|\w\(/;

export const VALUES: Readonly<Record<string, Hint>> = {
  done(node) {
    const text = stringOf(node);
    if (text === undefined) return undefined;
    return EXPRESSION.test(text)
      ? `Write \`done: { that: ${quoted(text)} }\`.`
      : `Write \`done: { run: ${quoted(text)} }\`, where it is a command.`;
  },
  retry: (node) =>
    toJson(node) === false
      ? 'Write `retry: { max: 0 }`.'
      : `Write \`retry: { max: ${number(node) ?? 2} }\`: so many more after the first.`,
  tools: (node) => (node.kind === 'map' ? undefined : `Write \`tools: { allow: ${listOf(node)} }\`.`),
  each: (node) =>
    node.kind === 'list' ? `Write \`each: ${quoted(`item in ${expressionText(node)}`)}\`.` : undefined,
  loop: (node) =>
    number(node) === undefined
      ? `Write \`loop: { while: ${flowText(node)}, max: 10 }\`.`
      : `Write \`loop: { while: 'true', max: ${number(node)}, exhausted: continue }\`; with \`until\` it ends before.`,
  wait: (node) =>
    node.kind !== 'scalar'
      ? undefined
      : `Write \`wait: { for: ${number(node) === undefined ? flowText(node) : `${number(node)}s`} }\`.`,
  next: (node) =>
    stringOf(node) === undefined ? undefined : `Write \`next: [{ goto: ${flowText(node)} }]\`.`,
  parallel: (node) =>
    number(node) === undefined
      ? `Write \`parallel: true\` and \`steps: ${flowText(node)}\`.`
      : `Write \`parallel: true\` and \`concurrency: ${number(node)}\`.`,
  ask(node) {
    if (node.kind !== 'map') return undefined;
    const [text, choices] = [...node.entries.values()].map(({ value }) => value);
    const lines = [
      `ask: ${text === undefined ? "'Go on?'" : flowText(text)}`,
      ...(choices?.kind === 'list' ? [`choices: ${flowText(choices)}`] : []),
    ];
    return `Write ${lines.map((line) => `\`${line}\``).join(' and ')}.`;
  },
  inputs(node) {
    if (node.kind !== 'list') return undefined;
    const names = node.items.map((item) =>
      item.kind === 'map' ? stringOf(item.entries.get('name')?.value) : stringOf(item),
    );
    const fields = names.map((name) => `${quoted(name ?? 'x')}: { type: string }`);
    return `Write \`inputs: { ${fields.join(', ')} }\`.`;
  },
  steps(node) {
    if (node.kind !== 'map') return undefined;
    const items = [...node.entries.values()].map(({ key, value }) =>
      value.kind === 'map'
        ? flowText(value).replace(/^\{/, `{ id: ${key},`)
        : `{ id: ${key}, run: ${flowText(value)} }`,
    );
    return `Write \`steps: [${items.join(', ')}]\`: a list, in the order in which they run.`;
  },
  env(node) {
    if (node.kind !== 'list') return undefined;
    const pairs = node.items.map((item) => (stringOf(item) ?? '').split('='));
    return `Write \`env: { ${pairs.map(([name, ...value]) => `${name}: ${quoted(value.join('='))}`).join(', ')} }\`.`;
  },
  secrets: (node) =>
    node.kind === 'map'
      ? `Write \`secrets: [${[...node.entries.keys()].join(', ')}]\`: the names of variables, which are passed through.`
      : `Write \`secrets: ${listOf(node)}\`: the names of variables, which are passed through.`,
  reads: (node) => (node.kind === 'map' ? undefined : `Write \`reads: { files: ${listOf(node)} }\`.`),
  choices: (node) => (node.kind === 'list' ? undefined : `Write \`choices: ${listOf(node)}\`.`),
  limits: (node) =>
    number(node) === undefined ? undefined : `Write \`limits: { cost: ${number(node)} }\`, in US dollars.`,
  workspace: (node) => (toJson(node) === true ? 'Write `workspace: worktree`.' : undefined),
  on_fail: (node) =>
    node.kind === 'list' || node.kind === 'map'
      ? 'What is done after a failure is a step. Write `next: [{ when: \'status == "failed"\', goto: end }]`, with the id of that step.'
      : undefined,
  capture: (node) => (toJson(node) === true ? 'Leave it out: an output is always kept.' : undefined),
};

export const WORDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  type: {
    str: 'string',
    text: 'string',
    int: 'number',
    integer: 'number',
    float: 'number',
    double: 'number',
    num: 'number',
    bool: 'boolean',
    array: 'list',
    object: 'map',
    dict: 'map',
    json: 'any',
    path: 'file',
    enum: 'string',
    choice: 'string',
    environment: 'string',
  },
  on_fail: {
    ignore: 'continue',
    skip: 'continue',
    proceed: 'continue',
    fail: 'stop',
    abort: 'stop',
    exit: 'stop',
    halt: 'stop',
    ask: 'pause',
    human: 'pause',
    escalate: 'pause',
  },
  exhausted: { ignore: 'continue', fail: 'stop', ask: 'pause' },
  workspace: { isolated: 'worktree', branch: 'worktree', new: 'worktree', current: 'here', project: 'here' },
  capture: { string: 'text', raw: 'text', array: 'lines', list: 'lines', object: 'json' },
  order: { topological: 'dependencies', dag: 'dependencies', sequential: 'listed' },
  inject: { names: 'list', paths: 'list', full: 'content', text: 'content' },
};
