// prompt: `prompts/<name>.md`, `{ text }` or `{ file }` → what the agent is given.

import { references } from '../../expressions/expressions.ts';
import type { FileNeed, LoadedFile } from '../../model/library.ts';
import type { TemplateSyntax } from '../../source/dialect.ts';
import { conform } from '../../source/grammar/conform.ts';
import { promptShape } from '../../source/grammar/workflow-shape.ts';
import { type MapNode, type Node, type ScalarNode, stringOf, toJson } from '../../source/read/node.ts';
import { type Compilation, needFor } from '../compilation.ts';
import { checkGiven } from './given.ts';
import { definitionPage, templateBody } from './page.ts';

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

/** `system`: the text of the agent that gets it, which sees what `with` gives too. */
export function findPrompt(
  node: Node,
  given: Node | undefined,
  compilation: Compilation,
  system?: ScalarNode,
): LibraryPrompt | undefined {
  const reference = stringOf(node);
  if (reference === undefined) return undefined;
  const file = compilation.want(needFor('prompt', reference, node), node, 'missing-prompt');
  if (file === undefined) return undefined;
  const source = compilation.source('prompt', reference, file);
  const definition = readPrompt(file, compilation);
  if (definition === undefined) return undefined;
  const { matter, body, inputs } = definition;
  if (inputs !== undefined) {
    const declared = {
      what: `the prompt "${reference}"`,
      names: inputs.map(({ name }) => name),
      needed: inputs.filter(({ required }) => required).map(({ name }) => name),
      otherwise: ', or declare it `required: false`',
      ...(system && { alsoRead: namesIn(system) }),
    };
    checkGiven(declared, given, node, compilation.report);
  }
  const schema = compilation.to.get(matter, 'schema');
  return {
    name: reference,
    source,
    body,
    ...(inputs && { inputs: inputs.map(({ name }) => name) }),
    ...(schema && { schema }),
  };
}

function namesIn({ value }: ScalarNode): ReadonlySet<string> {
  return new Set(references(String(value), 'template').map(({ root }) => root));
}

/** `{ template, syntax }`: a file beside the workflow. It says nothing but what to do: it has no inputs and no schema. */
export function findTemplate(node: Node, compilation: Compilation): LibraryPrompt | undefined {
  const at = compilation.to.get(node, 'template');
  const path = stringOf(at);
  if (at === undefined || path === undefined) return undefined;
  const need: FileNeed = { by: 'path', kind: 'prompt', path, from: at.source.id };
  const file = compilation.want(need, at, 'missing-prompt');
  if (file === undefined) return undefined;
  const source = compilation.source('prompt', path, file);
  const syntax = (stringOf(compilation.to.get(node, 'syntax')) ?? 'native') as TemplateSyntax;
  const body = compilation.once(`${syntax} template`, file, () => templateBody(file, syntax, compilation));
  return body && { name: path, source, body };
}

function readPrompt(file: LoadedFile, compilation: Compilation): PromptDefinition | undefined {
  return compilation.once('prompt', file, () => {
    const page = definitionPage(file, 'prompt', compilation);
    if (page === undefined) return undefined;
    if (page.matter !== undefined) conform(page.matter, promptShape, 'the front matter', compilation.to);
    const matter = page.matter?.kind === 'map' ? page.matter : undefined;
    return { matter, body: page.body, inputs: inputsOf(matter, compilation) };
  });
}

/** Of a prompt that is named; undefined where it declares none, or is not there (which is reported elsewhere). */
export function declaredInputs(node: Node, compilation: Compilation): PromptDefinition['inputs'] {
  const reference = stringOf(node);
  const file = reference === undefined ? undefined : compilation.look(needFor('prompt', reference, node));
  return file === undefined || 'missing' in file ? undefined : readPrompt(file, compilation)?.inputs;
}

export function inputsOf(matter: Node | undefined, { to }: Compilation): PromptDefinition['inputs'] {
  const node = to.get(matter, 'inputs');
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
