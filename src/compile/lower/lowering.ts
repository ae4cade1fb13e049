// lowering: from checked nodes to texts of the workflow, noting a site for everything that holds CEL or a template.

import type { Json } from '../../model/json.ts';
import type { LoadedFile } from '../../model/library.ts';
import type { Cel, Step, Template, Templated, Workflow } from '../../model/workflow.ts';
import type { Checked } from '../../source/grammar/conform.ts';
import {
  locateIn,
  type MapNode,
  type Node,
  type ScalarNode,
  setKey,
  stringOf,
} from '../../source/read/node.ts';
import type { Compilation } from '../compilation.ts';
import type { Moment, Site } from '../site.ts';
import { itemsOf, writtenOf } from './values.ts';

/** Where in the life of the workflow a text is evaluated. */
export interface Place {
  step?: Step;
  /** The map of the step. */
  node?: MapNode;
  /** Ids from the root, for people. */
  path: string;
  moment: Moment;
  local?: readonly string[];
  only?: boolean;
}

/** What steps hold: more steps, and other workflows. Given from outside, so that no file needs itself. */
export interface Inner {
  steps(list: Node | undefined, path: string, lowering: Lowering): Step[];
  /** undefined: it cannot be called, which was reported. */
  workflow(file: LoadedFile, reference: string, at: Node): { key: string; workflow: Workflow } | undefined;
}

export class Lowering {
  readonly inner: Inner;
  readonly compilation: Compilation;
  readonly workflow: Workflow;
  /** The map of the workflow. */
  readonly root: MapNode;

  constructor(compilation: Compilation, workflow: Workflow, root: MapNode, inner: Inner) {
    this.inner = inner;
    this.compilation = compilation;
    this.workflow = workflow;
    this.root = root;
  }

  get to(): Checked {
    return this.compilation.to;
  }

  cel(node: Node | undefined, place: Place, expects: Site['expects'] = 'bool'): Cel | undefined {
    const source = writtenOf(node);
    if (node?.kind !== 'scalar' || source === undefined) return undefined;
    this.#site(node, { kind: 'cel', source, expects, offset: 0 }, place);
    return source;
  }

  /** Part of a scalar: the list of `each`, the expression of a `run`. */
  celWithin(node: ScalarNode, source: string, offset: number, place: Place, expects: Site['expects']): Cel {
    this.#site(node, { kind: 'cel', source, expects, offset }, place);
    return source;
  }

  text(node: Node | undefined, place: Place): Template | undefined {
    const source = writtenOf(node);
    if (node?.kind !== 'scalar' || source === undefined) return undefined;
    this.#site(node, { kind: 'template', source, expects: 'any', offset: 0 }, place);
    return source;
  }

  /** A text that a shell will read: its values must stand where they can be quoted. */
  shellLine(node: ScalarNode, place: Place): Template {
    const line = this.text(node, place) ?? '';
    const site = this.compilation.sites.at(-1);
    if (site?.source === line) site.isShellLine = true;
    return line;
  }

  /** The words of a command: the program may take a value among them for more than text. */
  commandWords(node: Node, place: Place): Template[] {
    const { sites } = this.compilation;
    const from = sites.length;
    const words = this.texts(node, place);
    const own = sites.slice(from);
    for (const [at, word] of words.entries()) {
      const site = own.find((one) => one.source === word && one.command === undefined);
      if (site) site.command = { words, at };
    }
    return words;
  }

  texts(node: Node | undefined, place: Place): Template[] {
    const all = node?.kind === 'list' ? itemsOf(node) : node === undefined ? [] : [node];
    return all.flatMap((item) => (this.to.fits(item) ? (this.text(item, place) ?? []) : []));
  }

  /** JSON whose texts are templates. */
  templated(node: Node, place: Place): Templated {
    if (node.kind === 'list') return node.items.map((item) => this.templated(item, place));
    if (node.kind === 'map') {
      const object: Record<string, Json> = {};
      for (const { key, value } of node.entries.values()) setKey(object, key, this.templated(value, place));
      return object;
    }
    return stringOf(node) === undefined ? node.value : (this.text(node, place) ?? '');
  }

  record(node: Node | undefined, place: Place): Record<string, Templated> {
    const values: Record<string, Templated> = {};
    if (node?.kind !== 'map') return values;
    for (const { key, value } of node.entries.values()) {
      if (this.to.fits(value)) setKey(values, key, this.templated(value, place));
    }
    return values;
  }

  #site(
    node: ScalarNode,
    { kind, source, expects, offset }: Pick<Site, 'kind' | 'source' | 'expects'> & { offset: number },
    { step, moment, local = [], only = false }: Place,
  ): void {
    // Most texts are only text. A workflow of thousands of steps should not cost a check for each of them.
    if (kind === 'template' && !/\{[{%]/.test(source)) return;
    const locate = locateIn(node);
    this.compilation.sites.push({
      kind,
      source,
      expects,
      workflow: this.workflow,
      ...(step && { step }),
      moment,
      local: [...local],
      only,
      ...(node.lenient && { lenient: node.lenient }),
      locate: (start, end) => locate(start + offset, end + offset),
    });
  }
}
