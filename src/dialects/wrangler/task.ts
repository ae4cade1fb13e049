// task: a step that an agent does. In version 1 the file of the agent is the task; in version 2 a prompt is, and the
// agent is who does it.

import type { JsonObject } from '../../model/json.ts';
import { type BuiltEntry, built, type Part } from '../../source/build-nodes.ts';
import { child, headSpan, type Node, nodeSpan, stringOf } from '../../source/read/node.ts';
import { impliedBy, inputOf } from './input.ts';
import { nativeName } from './names.ts';
import type { ForeignStep } from './outline.ts';
import { mayWrite, type Pages, type PageTexts } from './pages.ts';
import { keyOf, type Translation } from './translation.ts';
import { variableValue } from './variables.ts';

/** A name of the library, or a path beside the workflow. */
type Reference = { name: string } | { path: string };

const MARKDOWN = /\.md$/;

function referenceOf(kind: 'agent' | 'prompt', node: Node | undefined, pages: Pages): Reference | undefined {
  const written = stringOf(node)?.trim();
  if (node === undefined || written === undefined || written === '') return undefined;
  if (written.includes('/')) return { path: beside(written) };
  const name = written.replace(MARKDOWN, '');
  const path = pages.own(kind, name, node);
  return path === undefined ? { name } : { path };
}

/** As our language tells a path from a name. */
export function beside(path: string): string {
  return /^\.{0,2}\//.test(path) ? path : `./${path}`;
}

function pageOf(kind: 'agent' | 'prompt', node: Node | undefined, pages: Pages): PageTexts | undefined {
  const reference = referenceOf(kind, node, pages);
  if (node === undefined || reference === undefined) return undefined;
  return 'name' in reference ? pages.named(kind, reference.name) : pages.beside(kind, reference.path, node);
}

/** What a check answers with. A task that answers with anything else is none, whatever its tools. */
const VERDICTS = ['review', 'verification'];

/** Whether its agent may write; where that is not known yet, it may. */
export function taskWrites(
  { node, kind }: ForeignStep,
  { to, pages, agent }: Pick<Translation, 'to' | 'pages' | 'agent'>,
): boolean {
  const own = to.get(node, 'agent');
  if (kind === 'prompt') return mayWrite(pageOf('agent', own ?? agent, pages)?.tools);
  const path = stringOf(own);
  const page = own && path !== undefined ? pages.task(beside(path), own) : undefined;
  return mayWrite(child(page?.matter, 'tools'));
}

/** Whether what it answers with is about work of others. */
export function judges(step: ForeignStep, translation: Pick<Translation, 'to' | 'pages'>): boolean {
  const schema = answerOf(step, translation);
  return schema === undefined || VERDICTS.includes(schema);
}

/** The built-in schema that its answer has, whoever says so. */
export function answerOf(
  step: ForeignStep,
  translation: Pick<Translation, 'to' | 'pages'>,
): string | undefined {
  const { to, pages } = translation;
  if (step.kind === 'prompt') return stringOf(pageOf('prompt', to.get(step.node, 'prompt'), pages)?.schema);
  return stringOf(schemaOf(step, translation));
}

// ── Version 1 ───────────────────────────────────────────────────────────────────────────────────

export function translateAgent(step: ForeignStep, translation: Translation): BuiltEntry[] {
  const { to, pages } = translation;
  const node = to.get(step.node, 'agent');
  const written = stringOf(node);
  if (node === undefined || written === undefined) return [['prompt', { text: '?' }]];
  if (!MARKDOWN.test(written)) {
    to.report.error(
      'bad-name',
      nodeSpan(node),
      `\`agent\`: "${written}" is not the file of an agent`,
      'In version 1 it is a path: `agents/implementer.md`. Agents and prompts by their names are of version 2.',
    );
    return [['prompt', { text: '?' }]];
  }
  const path = beside(written);
  const page = pages.task(path, node);
  const make = built(node);
  const own = (key: string) => child(page?.matter, key);
  return [
    [
      'prompt',
      make.map([
        ['template', path],
        ['syntax', 'handlebars'],
      ]),
      keyOf(step, 'agent', translation),
    ],
    ['tools', own('tools')],
    ['model', to.get(step.node, 'model') ?? own('model'), keyOf(step, 'model', translation)],
    ['params', params(step, translation)],
    ['with', given(step, page ? [page] : [], translation), keyOf(step, 'input', translation)],
  ];
}

/** What the answer must look like; a wrong one is asked for once more (001, "Error Handling"). */
export function schemaOf(
  step: ForeignStep,
  { to, pages }: Pick<Translation, 'to' | 'pages'>,
): Node | undefined {
  if (step.kind === 'prompt') return ownSchema(to.get(step.node, 'prompt'), pages);
  const node = step.kind === 'agent' ? to.get(step.node, 'agent') : undefined;
  const path = stringOf(node);
  return node && path !== undefined && MARKDOWN.test(path)
    ? child(pages.task(beside(path), node)?.matter, 'schema')
    : undefined;
}

/** Of a prompt of the library the language sees it by itself; of a file it takes the text alone. */
function ownSchema(node: Node | undefined, pages: Pages): Node | undefined {
  const reference = referenceOf('prompt', node, pages);
  if (node === undefined || reference === undefined || 'name' in reference) return undefined;
  return pages.beside('prompt', reference.path, node)?.schema;
}

// ── Version 2 ───────────────────────────────────────────────────────────────────────────────────

export function translatePrompt(step: ForeignStep, translation: Translation): BuiltEntry[] {
  const { to, pages, agent } = translation;
  const prompt = to.get(step.node, 'prompt');
  const own = to.get(step.node, 'agent');
  if (own === undefined && agent === undefined && to.entry(step.node, 'agent') === undefined) {
    to.report.error(
      'missing-field',
      headSpan(step.node),
      `${step.label} names no agent, and the workflow has no \`defaults.agent\``,
      'Write `agent:` into the step, or into `defaults`.',
    );
  }
  const texts = [pageOf('prompt', prompt, pages), pageOf('agent', own ?? agent, pages)];
  return [
    ['agent', agentReference(own, pages), keyOf(step, 'agent', translation)],
    ['prompt', promptReference(prompt, step, pages), keyOf(step, 'prompt', translation)],
    ['model', to.get(step.node, 'model'), keyOf(step, 'model', translation)],
    ['params', params(step, translation)],
    [
      'with',
      given(
        step,
        texts.flatMap((each) => each ?? []),
        translation,
      ),
      keyOf(step, 'input', translation),
    ],
  ];
}

/** `reviewer.md` is the reviewer of the library. */
export function agentReference(node: Node | undefined, pages: Pages): Node | undefined {
  const reference = referenceOf('agent', node, pages);
  return node && reference && nativeReference(reference, node);
}

function promptReference(node: Node | undefined, step: ForeignStep, pages: Pages): Part {
  const reference = referenceOf('prompt', node, pages);
  if (node === undefined || reference === undefined) return built(step.node).node({ text: '?' });
  return nativeReference(reference, node);
}

/** What lies in a layer is read as that layer is written; of a file the workflow says it. */
function nativeReference(reference: Reference, node: Node): Node {
  if ('name' in reference) return built(node).scalar(reference.name);
  return built(node).map([
    ['template', reference.path],
    ['syntax', 'handlebars'],
  ]);
}

// ── Both ────────────────────────────────────────────────────────────────────────────────────────

function params(step: ForeignStep, { to }: Translation): Node | undefined {
  const turns = to.get(step.node, 'maxTurns');
  return turns && built(turns).map([['max_turns', turns]]);
}

/** What `input` says, and whatever else the texts read that they would not see by themselves. */
function given(step: ForeignStep, texts: readonly PageTexts[], translation: Translation): Node | undefined {
  const entries = new Map<string, BuiltEntry>();
  const input = inputOf(step, translation);
  for (const { name, value, at } of input) entries.set(nativeName(name), [nativeName(name), value, at]);
  const { names } = translation;
  // A prompt that says what it is to be given sees that and nothing else.
  const wanted = texts.flatMap((text) =>
    text.inputs
      ? text.inputs.map((name) => [name, declaredValue(name, step, translation)] as const)
      : [...text.names].map((name) => [name, names.value(name, step)] as const),
  );
  const specs = wanted.filter(([name]) => name === 'spec').map(([, value]) => JSON.stringify(value));
  for (const [foreign, value] of wanted) {
    const name = nativeName(foreign);
    if (entries.has(name)) continue;
    const isOurs = value === undefined && (names.isThere(foreign, step) || names.isTask(foreign, step));
    const found = value ?? (isOurs ? undefined : impliedBy(input, foreign));
    if (found === undefined) continue;
    entries.set(name, [name, name === 'spec' && new Set(specs).size > 1 ? BOTH_SPECS : found]);
  }
  return entries.size === 0 ? undefined : built(step.node).map(entries.values());
}

/** For an agent in that language and a prompt in ours: the specification as either knows it. */
const BOTH_SPECS = {
  ...(variableValue('spec', { inTask: false }) as JsonObject),
  ...Object.fromEntries(
    ['path', 'absolute', 'text', 'body', 'data'].map((key) => [key, `{{ inputs.spec.${key} }}`]),
  ),
};

/** Our own prompts take the file of the specification as it is. */
function declaredValue(name: string, step: ForeignStep, { names }: Translation): Part | undefined {
  if (name === 'spec') return '{{ inputs.spec }}';
  const value = names.value(name, step);
  if (value !== undefined) return value;
  if (names.isTask(name, step)) return '{{ task }}';
  return names.isThere(name, step) ? `{{ default(${name}, null) }}` : undefined;
}

/** The same for the gates of a folder. */
export function givenToGates(
  step: ForeignStep,
  names: ReadonlySet<string>,
  translation: Translation,
): Node | undefined {
  return given(step, [{ names }], translation);
}
