// prompt: `prompts/<name>.md`, `{ text }` or `{ file }` → what the agent is given.

import type { LoadedFile } from '../../model/library.ts';
import { didYouMean, meantKeys } from '../closest.ts';
import { type Compilation, needFor } from '../compilation.ts';
import { conform } from '../grammar/conform.ts';
import { promptShape } from '../grammar/workflow-shape.ts';
import { type MapNode, type Node, nodeSpan, type ScalarNode, stringOf, toJson } from '../read/node.ts';
import { readPage } from './document.ts';

export interface LibraryPrompt {
  name: string;
  source: number;
  body: ScalarNode;
  /** Absent: the prompt sees everything that the step sees. */
  inputs?: string[];
  schema?: Node;
}

interface PromptDefinition {
  matter: MapNode | undefined;
  body: ScalarNode;
  inputs: { name: string; required: boolean }[] | undefined;
}

export function findPrompt(
  node: Node,
  given: Node | undefined,
  compilation: Compilation,
): LibraryPrompt | undefined {
  const reference = stringOf(node);
  if (reference === undefined) return undefined;
  const file = compilation.want(needFor('prompt', reference, node), node, 'missing-prompt');
  if (file === undefined) return undefined;
  const source = compilation.source('prompt', reference, file);
  const definition = readPrompt(file, compilation);
  if (definition === undefined) return undefined;
  const { matter, body, inputs } = definition;
  if (inputs !== undefined) checkGiven(reference, inputs, given, node, compilation);
  const schema = compilation.to.get(matter, 'schema');
  return {
    name: reference,
    source,
    body,
    ...(inputs && { inputs: inputs.map(({ name }) => name) }),
    ...(schema && { schema }),
  };
}

function readPrompt(file: LoadedFile, compilation: Compilation): PromptDefinition | undefined {
  return compilation.once('prompt', file, () => {
    const page = readPage(file, compilation.report);
    if (page === undefined) return undefined;
    if (page.matter !== undefined) conform(page.matter, promptShape, 'the front matter', compilation.to);
    const matter = page.matter?.kind === 'map' ? page.matter : undefined;
    return { matter, body: page.body, inputs: declared(compilation.to.get(matter, 'inputs'), compilation) };
  });
}

function declared(node: Node | undefined, { to }: Compilation): PromptDefinition['inputs'] {
  if (node?.kind === 'list') {
    return node.items.filter(to.fits).flatMap((item) => {
      const name = stringOf(item);
      return name === undefined ? [] : [{ name, required: true }];
    });
  }
  if (node?.kind !== 'map') return undefined;
  return [...node.entries.values()].map(({ key, value }) => {
    const required = to.get(value, 'required');
    return { name: key, required: required === undefined || toJson(required) !== false };
  });
}

/** A prompt that declares inputs sees only those: what it is given beyond them, or not given, is a mistake. */
function checkGiven(
  name: string,
  inputs: readonly { name: string; required: boolean }[],
  given: Node | undefined,
  at: Node,
  { report }: Compilation,
): void {
  const entries = given?.kind === 'map' ? given.entries : new Map<string, { keyNode: ScalarNode }>();
  for (const [key, { keyNode }] of entries) {
    if (inputs.some((input) => input.name === key)) continue;
    const names = inputs.map((input) => input.name);
    const hint =
      didYouMean(key, names) ?? (names.length > 0 ? `It declares ${names.join(', ')}.` : undefined);
    report.error(
      'unknown-input',
      nodeSpan(keyNode),
      `the prompt "${name}" does not declare an input "${key}"`,
      hint,
    );
  }
  const meant = meantKeys(
    entries.keys(),
    inputs.map((input) => input.name),
  );
  for (const input of inputs) {
    if (!input.required || entries.has(input.name) || meant.has(input.name)) continue;
    report.error(
      'missing-input',
      nodeSpan(at),
      `the prompt "${name}" needs the input "${input.name}"`,
      `Give it with \`with: { ${input.name}: … }\`, or declare it \`required: false\`.`,
    );
  }
}
