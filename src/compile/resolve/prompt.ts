// prompt: `prompts/<name>.md`, `{ text }` or `{ file }` → what the agent is given.

import type { LoadedFile } from '../../model/library.ts';
import { type Compilation, needFor } from '../compilation.ts';
import { conform } from '../grammar/conform.ts';
import { promptShape } from '../grammar/workflow-shape.ts';
import { type MapNode, type Node, type ScalarNode, stringOf, toJson } from '../read/node.ts';
import { readPage } from './document.ts';
import { checkGiven } from './given.ts';

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
  if (inputs !== undefined) {
    const declared = {
      what: `the prompt "${reference}"`,
      names: inputs.map(({ name }) => name),
      needed: inputs.filter(({ required }) => required).map(({ name }) => name),
      otherwise: ', or declare it `required: false`',
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
