// habit-hints: how the line that should have been written is made of the one that was.

import type { MapNode, Node } from '../read/node.ts';
import { stringOf, toJson } from '../read/node.ts';
import { expressionText, flowText, quoted } from './flow-text.ts';
import { parseDuration } from './measure.ts';

export type Hint = (value: Node, map: MapNode, key: string) => string | undefined;
export type Habits = Readonly<Record<string, Hint>>;

/** Where the field has another name and takes the same. */
export const as =
  (field: string): Hint =>
  (value) =>
    `Write \`${field}: ${flowText(value)}\`.`;

/** One field inside another. */
export const inside =
  (outer: string, field: string): Hint =>
  (value) =>
    `Write \`${outer}: { ${field}: ${flowText(value)} }\`.`;

export const says =
  (text: string): Hint =>
  () =>
    text;

export const listOf = (value: Node): string =>
  value.kind === 'list' ? flowText(value) : `[${flowText(value)}]`;

export const tools =
  (list: 'allow' | 'deny'): Hint =>
  (value) =>
    `Write \`tools: { ${list}: ${listOf(value)} }\`.`;

/** A number counts in this unit; a text is a duration already. */
export const lasting =
  (field: string, unit: string): Hint =>
  (value) =>
    `Write \`${field.replace('…', durationText(value, unit))}\`.`;

function durationText(value: Node, unit: string): string {
  const given = toJson(value);
  if (typeof given === 'number') return `${given}${unit}`;
  return typeof given === 'string' && parseDuration(given) !== undefined ? given : '10m';
}

export const tries = (value: Node): number => {
  const given = Number(toJson(value));
  return Number.isInteger(given) && given > 0 ? given : 3;
};

/** Of attempts in all: the first is no retry. */
export const attempts: Hint = (value) =>
  `Write \`retry: { max: ${tries(value) - 1} }\`: so many more after the first.`;

export const retries: Hint = (value) =>
  `Write \`retry: { max: ${tries(value)} }\`: so many more after the first.`;

export const retryPolicy: Hint = (value) => {
  const given = toJson(value) as Record<string, unknown>;
  const most = given?.maximumAttempts ?? given?.maximum_attempts ?? given?.max_attempts;
  const more = typeof most === 'number' ? Math.max(0, most - 1) : Number(given?.limit ?? given?.limit ?? 2);
  return `Write \`retry: { max: ${Number.isInteger(more) ? more : 2}, delay: 1s }\`: so many more after the first.`;
};

export const order: Hint = (_, __, key) =>
  `Steps run in the order in which they are listed: leave \`${key}\` out, and put this step behind what it needs. What may run at the same time goes into a step with \`parallel: true\`.`;

export const trigger = says(
  'A workflow runs when it is told to: leave it out, and let cron, CI or a hook call `lockstep run` with its name.',
);

export const eachOf =
  (name: string): Hint =>
  (value, map, key) => {
    const list = value.kind === 'list' ? expressionText(value) : (stringOf(value) ?? 'inputs.items');
    const lines = [`each: ${quoted(`${name} in ${list}`)}`, ...stepsOf(map, key)];
    return `Write ${lines.map((line) => `\`${line}\``).join(' and ')}; inside, \`${name}\` is the item.`;
  };

/** A block holds its work in a list: the verb that stands beside it goes in there. */
function stepsOf(map: MapNode, without: string): string[] {
  if (map.entries.has('steps')) return [];
  const work = ['prompt', 'run', 'call', 'workflow', 'gates']
    .map((verb) => map.entries.get(verb))
    .find((entry) => entry !== undefined && entry.key !== without);
  return work === undefined ? [] : [`steps: [{ id: one, ${work.key}: ${flowText(work.value)} }]`];
}

export const matrix: Hint = (value, map, key) => {
  const inner = value.kind === 'map' ? (value.entries.get('matrix')?.value ?? value) : value;
  const axis = inner.kind === 'map' ? [...inner.entries.values()][0] : undefined;
  return axis === undefined ? undefined : eachOf(axis.key)(axis.value, map, key);
};

export const shell: Hint = (value, map) => {
  const line = stringOf(map.entries.get('run')?.value);
  if (line === undefined) return `Write \`run: ${flowText(value)}\`.`;
  return `A line is for \`sh\`. For another shell, write \`run: [${flowText(value)}, -c, ${quoted(line)}]\`.`;
};

export const inFolder: Hint = (value, map) => {
  const line = stringOf(map.entries.get('run')?.value) ?? 'make';
  return `A command runs in the workspace. Write \`run: ${quoted(`cd ${stringOf(value) ?? 'folder'} && ${line}`)}\`.`;
};

export const commands: Hint = (value) => {
  const lines = value.kind === 'list' ? value.items.map((item) => stringOf(item) ?? flowText(item)) : [];
  return lines.length === 0
    ? `Write \`run: ${flowText(value)}\`.`
    : `Write \`run: ${quoted(lines.join(' && '))}\`.`;
};

export const uses: Hint = (value) => {
  const name = stringOf(value) ?? '';
  return /@|docker:/.test(name)
    ? 'There are no actions to fetch: the workspace is checked out already, and a tool is run as a command. Write `run: make`, with your command.'
    : `Write \`workflow: ${flowText(value)}\`.`;
};

export const schema: Hint = (value) => {
  const given = value.kind === 'map' ? (value.entries.get('schema')?.value ?? value) : undefined;
  return given === undefined
    ? `Write \`capture: ${flowText(value)}\`.`
    : `Write \`done: { schema: ${flowText(given)} }\`.`;
};

export const goesTo =
  (when: string): Hint =>
  (value) => {
    const goto = stringOf(value) ?? 'end';
    const item = when === '' ? `{ goto: ${goto} }` : `{ when: '${when}', goto: ${goto} }`;
    return `Write \`next: [${item}]\`.`;
  };

export const routes: Hint = (value) => {
  const items = value.kind === 'list' ? value.items : [];
  const told = items.flatMap((item) => {
    if (item.kind !== 'map') return [];
    const to = stringOf(item.entries.get('to')?.value ?? item.entries.get('goto')?.value) ?? 'end';
    const when = stringOf(item.entries.get('when')?.value ?? item.entries.get('if')?.value);
    const goto = to.replace(/^\$/, '');
    return [when === undefined ? `{ goto: ${goto} }` : `{ when: ${quoted(when)}, goto: ${goto} }`];
  });
  return `Write \`next: [${told.length > 0 ? told.join(', ') : '{ goto: end }'}]\`.`;
};

export const approval: Hint = (value) => {
  const text = value.kind === 'map' ? [...value.entries.values()][0]?.value : value;
  const said = text?.kind === 'scalar' && typeof text.value === 'string' ? flowText(text) : "'Go on?'";
  return `Write \`ask: ${said}\` and \`choices: ['yes', 'no']\`: the answer is the output. Work that a person must agree to has \`done: { approve: … }\`.`;
};

/** What counts for the whole run. */
export const limit =
  (name: string): Hint =>
  (value) =>
    `A limit is for the whole run: beside the workflow's \`steps\`, write \`limits: { ${name}: ${flowText(value)} }\`.`;

export const turns: Hint = (value) => `Write \`params: { max_turns: ${flowText(value)} }\`.`;

export const setting: Hint = (value, _, key) =>
  `Settings of the client go into \`params\`. Write \`params: { ${key}: ${flowText(value)} }\`.`;

export const persona = says(
  'Who an agent is stands in a file: put the text into `.lockstep/agents/helper.md`. Write `agent: helper`, with the name of yours.',
);

export const goOn: Hint = (value) =>
  toJson(value) === false ? 'Leave it out: a failure stops the run.' : 'Write `on_fail: continue`.';

export function idFrom(value: Node): string {
  const words = (stringOf(value) ?? 'step')
    .trim()
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-');
  return words.replace(/^-+|-+$/g, '') || 'step';
}

export function nameFrom(value: Node): string {
  const first = value.kind === 'map' ? [...value.entries.keys()][0] : stringOf(value);
  return first !== undefined && /^[a-z]\w*$/i.test(first) ? first : 'result';
}
