// templates: steps that are written once and called in many workflows. `wr.templates.routine.design-review` is the workflow
// `routine-design-review` of the library; its steps stand where they are called.

import type { NamedFiles } from '../../source/dialect.ts';
import { type Conforming, conform } from '../../source/grammar/conform.ts';
import { readDocument } from '../../source/read/document.ts';
import { type MapNode, type Node, nodeSpan, stringOf } from '../../source/read/node.ts';
import { documentShape } from './grammar.ts';

export interface Template {
  /** Of the workflow. */
  name: string;
  document: MapNode;
  steps: Node | undefined;
}

const LONGEST_CHAIN = 20;

export class Templates {
  readonly #files: NamedFiles;
  readonly #to: Conforming;
  readonly #chain: readonly string[];
  /** Shared with those below: every template that was called. */
  readonly #found: Map<string, Template>;

  constructor(
    files: NamedFiles,
    to: Conforming,
    chain: readonly string[] = [],
    found = new Map<string, Template>(),
  ) {
    this.#files = files;
    this.#to = to;
    this.#chain = chain;
    this.#found = found;
  }

  get called(): Template[] {
    return [...this.#found.values()];
  }

  below(chain: readonly string[]): Templates {
    return new Templates(this.#files, this.#to, [...this.#chain, ...chain], this.#found);
  }

  /** undefined: there is none, it is asked for, or it cannot be read; what is wrong was reported. */
  find(at: Node | undefined, chain: readonly string[]): Template | undefined {
    const id = stringOf(at);
    if (at === undefined || id === undefined) return undefined;
    const name = workflowNamed(id);
    const whole = [...this.#chain, ...chain];
    const { report } = this.#to;
    if (whole.includes(name) || whole.length >= LONGEST_CHAIN) {
      const way = [...whole.slice(Math.max(whole.indexOf(name), 0)), name].join(' → ');
      report.error('workflow-circle', nodeSpan(at), `templates call each other in a circle: ${way}`);
      return undefined;
    }
    const known = this.#found.get(name);
    if (known) return known;
    const file = this.#files.want({ by: 'name', kind: 'workflow', name }, at, 'missing-workflow');
    const document = file && readDocument(file, report);
    if (file === undefined || document === undefined) return undefined;
    if (document.kind !== 'map' || !isWorkrail(document)) {
      report.error(
        'template-unreadable',
        nodeSpan(at),
        `"${id}" is ${file.path}, and that is no workrail workflow`,
        'Steps of a template stand where it is called, so it is written in the same language.',
      );
      return undefined;
    }
    conform(document, documentShape, `the template "${name}"`, this.#to);
    const template = { name, document, steps: this.#to.get(document, 'steps') };
    this.#found.set(name, template);
    return template;
  }
}

function isWorkrail(document: MapNode): boolean {
  return document.entries.has('id') && document.entries.has('steps') && !document.entries.has('lockstep');
}

/** `wr.templates.routine.design-review` → `routine-design-review`. */
function workflowNamed(id: string): string {
  return id.replace(/^wr\.templates\./, '').replaceAll('.', '-');
}
