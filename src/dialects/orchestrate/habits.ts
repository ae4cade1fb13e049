// habits: what people write who knew these files from before. They were read as YAML 1.1, in which some plain words are
// something else; and some fields were written where, or as, the text does not have them.

import { built } from '../../source/build-nodes.ts';
import type { Report } from '../../source/diagnostics.ts';
import type { MapNode, Node, ScalarNode } from '../../source/read/node.ts';
import { nodeSpan, stringOf, toJson } from '../../source/read/node.ts';

/** Where only true or false may stand, the words of YAML 1.1 for them are taken. */
const BOOLEANS = new Set(['strict_flow', 'allow_parse_error', 'inject', 'exists']);
/** Whatever stands in there becomes text sooner or later: `2.0` is to be that and not `2`. */
const TEXTS = new Set(['context', 'items', 'defaults', 'provider_params', 'command', 'env', 'left', 'right']);
const WORD = /^(?:yes|no|on|off)$/i;
const YES = /^(?:yes|on)$/i;

/** The document as those who wrote it know it; what that may not be is told. */
export function asWritten(document: MapNode, report: Report): MapNode {
  const seen = (node: Node, key: string, isText: boolean): Node => {
    switch (node.kind) {
      case 'map':
        return {
          ...node,
          entries: new Map([...node.entries].map(([name, entry]) => [name, inside(entry, isText)])),
        };
      case 'list':
        return { ...node, items: node.items.map((item) => seen(item, key, isText)) };
      case 'scalar':
        return node.style === 'plain' ? scalar(node, key, isText, report) : node;
    }
  };
  const inside = <Entry extends { key: string; value: Node }>(entry: Entry, isText: boolean): Entry => ({
    ...entry,
    value: seen(entry.value, entry.key, isText || TEXTS.has(entry.key)),
  });
  return seen(document, '', false) as MapNode;
}

function scalar(node: ScalarNode, key: string, isText: boolean, report: Report): Node {
  const { value, written } = node;
  if (typeof value === 'string' && WORD.test(written)) {
    const meant = YES.test(written);
    const isBoolean = !isText && BOOLEANS.has(key);
    const read = isBoolean
      ? `and here, where one must stand, it is read as ${meant}`
      : 'and here it is a text';
    tell(node, `${meant}`, read, `Write ${meant}, or the text in quotes: "${written}".`, report);
    return isBoolean ? built(node).scalar(meant) : node;
  }
  const other = otherNumber(written);
  if (other !== undefined) {
    const read = typeof value === 'number' ? `and here it is ${value}` : 'and here it is a text';
    tell(node, other, read, `Write the number that is meant, or the text in quotes: "${written}".`, report);
  }
  if (isText && typeof value === 'number' && Number.isSafeInteger(value) && /[.eE]/.test(written))
    return built(node).scalar(`${value}.0`);
  return node;
}

/** What YAML 1.1 took it for; undefined: what it is here. */
function otherNumber(written: string): string | undefined {
  const [, sign = '', digits = ''] = /^([-+]?)0+([0-7]+)$/.exec(written) ?? [];
  if (digits !== '') return `${sign === '-' ? '-' : ''}${Number.parseInt(digits, 8)}, an octal number`;
  if (/^[-+]?0\d+$/.test(written)) return 'a text';
  if (/^[-+]?[1-9]\d*(?::[0-5]?\d)+$/.test(written)) {
    const parts = written.replace(/^[-+]/, '').split(':').map(Number);
    return `${parts.reduce((all, part) => all * 60 + part, 0)}, a number to the base of 60`;
  }
  if (/^[-+]?\d[\d_]*_[\d_]*$/.test(written)) return `the number ${written.replaceAll('_', '')}`;
  return undefined;
}

function tell(node: ScalarNode, was: string, read: string, hint: string, report: Report): void {
  report.warn(
    'yaml-1-1',
    nodeSpan(node),
    `in YAML 1.1, which these files were read as, \`${node.written}\` is ${was}, ${read}`,
    hint,
  );
}

// ── Fields ──────────────────────────────────────────────────────────────────────────────────────

type Hint = string | ((value: Node) => string);

const OF_STEPS = (field: string) => `It is a field of steps: write \`${field}\` into those that it is for.`;

const AT_THE_TOP: Readonly<Record<string, Hint>> = {
  secrets: (value) =>
    `Write \`secrets: ${shown(value, '[GITHUB_TOKEN]')}\` into each step that needs them: only those then ask for them.`,
  env: OF_STEPS('env'),
  timeout_sec: OF_STEPS('timeout_sec'),
  retries: `${OF_STEPS('retries')} For providers \`--max-retries\` says it for all.`,
  depends_on: OF_STEPS('depends_on'),
  output_capture: OF_STEPS('output_capture'),
  description: 'Write it as a comment.',
  variables: 'Values for `${context.…}` are in `context`.',
  vars: 'Values for `${context.…}` are in `context`.',
  inputs: 'Values for `${context.…}` are in `context`.',
};

const IN_A_STEP: Readonly<Record<string, Hint>> = {
  command_override: 'Write the whole command into `command`, without `provider`.',
  expected_outputs: (value) =>
    `Let the next step ask for the files: depends_on: { required: ${shown(pathsOf(value), '["artifacts/report.md"]')} }`,
  outputs: (value) =>
    `Let the next step ask for the files: depends_on: { required: ${shown(pathsOf(value), '["artifacts/report.md"]')} }`,
  prompt: 'Write the prompt into a file, and name that: input_file: "prompts/task.md"',
  prompt_file: 'Write `input_file`.',
  model: (value) => `Write provider_params: { model: ${shown(value, '"…"')} }`,
  run: (value) => `Write \`command\`: command: ${shown(value, '["…"]')}`,
  timeout: 'Write `timeout_sec`, a number of seconds.',
  max_retries: (value) => `Write retries: { max: ${shown(value, '2')} }`,
  retry: (value) => `Write retries: { max: ${typeof toJson(value) === 'number' ? shown(value, '2') : '2'} }`,
  if: 'Write `when`: when: { equals: { left: "${steps.X.exit_code}", right: "0" } }',
  condition: 'Write `when`: when: { equals: { left: "${steps.X.exit_code}", right: "0" } }',
  id: 'Write `name`.',
  needs:
    'Steps run in the order they are written in. Files that must be there are in `depends_on: { required: […] }`.',
  on_failure: (value) => `Write on: { failure: { goto: ${shown(value, 'Cleanup')} } }`,
  on_success: (value) => `Write on: { success: { goto: ${shown(value, 'Next')} } }`,
  goto: (value) => `Write on: { success: { goto: ${shown(value, 'Next')} } }`,
  description: 'Write it as a comment.',
  cwd: 'Commands run in the workspace: command: ["bash", "-c", "cd folder && …"]',
  working_dir: 'Commands run in the workspace: command: ["bash", "-c", "cd folder && …"]',
};

export function withoutTopHabits(document: MapNode, report: Report): MapNode {
  return without(document, AT_THE_TOP, 'an orchestrate workflow', report) as MapNode;
}

/** Told with what to write instead, and not also as a field that nobody knows. */
export function withoutStepHabits(step: Node, label: string, report: Report): Node {
  return without(step, IN_A_STEP, label, report);
}

function without(node: Node, hints: Readonly<Record<string, Hint>>, label: string, report: Report): Node {
  if (node.kind !== 'map') return node;
  const found = [...node.entries.values()].filter(({ key }) => Object.hasOwn(hints, key));
  if (found.length === 0) return node;
  const entries = new Map(node.entries);
  for (const { key, keyNode, value } of found) {
    entries.delete(key);
    const hint = hints[key] as Hint;
    const former = key === 'command_override' ? ': it is no longer part of the language' : '';
    report.error(
      'unknown-field',
      nodeSpan(keyNode),
      `${label} has no field \`${key}\`${former}`,
      typeof hint === 'string' ? hint : hint(value),
    );
  }
  return { ...node, entries };
}

const LONGEST = 200;

/** A value as it can be written in one line. */
function shown(value: Node | string[] | undefined, otherwise: string): string {
  const json = value === undefined ? undefined : Array.isArray(value) ? value : toJson(value);
  const text =
    json === undefined || json === null ? '' : JSON.stringify(json).replaceAll(/(?<=[,:])(?=["[{])/g, ' ');
  return text === '' || text === '[]' || text.length > LONGEST ? otherwise : text;
}

/** Files, however they were listed: texts, or maps with a `path`. */
function pathsOf(value: Node): string[] | undefined {
  if (value.kind !== 'list') return undefined;
  return value.items.flatMap((item) => {
    const path =
      item.kind === 'map' ? (item.entries.get('path')?.value ?? item.entries.get('file')?.value) : item;
    return stringOf(path) ?? [];
  });
}
