// reports: `reporters` of a workflow and `reportAs` of a step: where a result is posted. Nothing here posts by itself, so
// they are kept as labels, for whoever does.

import type { BuiltEntry } from '../../source/build-nodes.ts';
import type { Conforming } from '../../source/grammar/conform.ts';
import { type MapNode, type Node, nodeSpan } from '../../source/read/node.ts';
import type { ForeignStep, Outline } from './outline.ts';

export class Reports {
  readonly #to: Conforming;
  readonly #reporters: Node | undefined;
  readonly #reported: ReadonlySet<ForeignStep>;

  constructor(document: MapNode, outline: Outline, to: Conforming) {
    this.#to = to;
    this.#reporters = to.get(document, 'reporters');
    const saying = outline.all.filter((step) => to.entry(step.node, 'reportAs') !== undefined);
    // Where no step says how it is reported, the reporters are told of the last one.
    const [last] = outline.root.steps.slice(-1);
    this.#reported = new Set(saying.length > 0 || last === undefined ? saying : [last]);
    const entries = [
      to.entry(document, 'reporters'),
      ...saying.map(({ node }) => to.entry(node, 'reportAs')),
    ];
    const [first] = entries.flatMap((entry) => entry ?? []);
    if (first === undefined) return;
    to.report.warn(
      'not-reported',
      nodeSpan(first.keyNode),
      `\`${first.key}\` says where results are reported, and Lockstep posts nothing anywhere by itself: it is kept as a label`,
      '`lockstep report` writes what came of a run; let a step at the end post it, `runOn: always`.',
    );
  }

  labels(step: ForeignStep): BuiltEntry[] {
    if (!this.#reported.has(step)) return [];
    return [
      ['reportAs', this.#to.get(step.node, 'reportAs')],
      ['reporters', this.#reporters],
    ];
  }
}
