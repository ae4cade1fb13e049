// context: `context` → `inputs`. A key that is only read becomes an input that may be left out: it can still be given
// when the run is started.

import { type BuiltEntry, built } from '../../source/build-nodes.ts';
import type { Report } from '../../source/diagnostics.ts';
import { nameProblem } from '../../source/grammar/name.ts';
import { type MapNode, type Node, nodeSpan } from '../../source/read/node.ts';
import { member } from '../native-text.ts';

export class Context {
  readonly #declared: MapNode | undefined;
  readonly #report: Report;
  readonly #read = new Map<string, Node>();

  constructor(node: Node | undefined, report: Report) {
    this.#report = report;
    this.#declared = node?.kind === 'map' ? node : undefined;
  }

  /** `a.b` is the key "a.b" where there is one, else `b` of the value of `a`. undefined: no key can be called that. */
  read(path: string, at: Node): { cel: string; isDeclared: boolean } | undefined {
    const known = this.#declared?.entries;
    const [first = '', ...rest] = path.split('.');
    const [key, keys] = known?.has(path) ? [path, []] : [first, rest];
    if (nameProblem(key, 'input') !== undefined) return undefined;
    if (!known?.has(key) && !this.#read.has(key)) this.#read.set(key, at);
    const isDeclared = known?.has(key) === true && keys.length === 0;
    return { cel: keys.reduce(member, member('inputs', key)), isDeclared };
  }

  inputs(document: MapNode): MapNode | undefined {
    const entries: BuiltEntry[] = [];
    for (const { key, keyNode, value } of this.#declared?.entries.values() ?? []) {
      const problem = nameProblem(key, 'input');
      if (problem !== undefined) {
        this.#report.error(
          'bad-name',
          nodeSpan(keyNode),
          `\`context\`: ${problem.message}`,
          problem.hint ?? 'Give the key another name.',
        );
        continue;
      }
      const make = built(keyNode);
      entries.push([
        key,
        make.map([
          ['type', 'any'],
          ['default', value],
        ]),
        keyNode,
      ]);
    }
    for (const [key, at] of this.#read)
      entries.push([
        key,
        built(at).map([
          ['type', 'any'],
          ['required', false],
        ]),
      ]);
    return entries.length === 0 ? undefined : built(this.#declared ?? document).map(entries);
  }
}
