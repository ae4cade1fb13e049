// references: what agents are pointed to. Of `package` are the files that come with Lockstep, known by their names; one that
// does not come with it is told of, and nothing more.

import { type BuiltEntry, built } from '../../source/build-nodes.ts';
import type { Conforming } from '../../source/grammar/conform.ts';
import { type Node, nodeSpan, stringOf } from '../../source/read/node.ts';
import { itemsOf } from './prompt.ts';

/** In builtin/references/. */
const PACKAGE_REFERENCES = ['authoring-spec.json', 'authoring-spec.provenance.json', 'workflow.schema.json'];

export function referencesOf(node: Node | undefined, to: Conforming): Node | undefined {
  const items = itemsOf(node).filter((item) => item.kind === 'map');
  if (node === undefined || items.length === 0) return undefined;
  return built(node).list(
    items.map((item) => {
      const own = (key: string, field = key): BuiltEntry => [
        key,
        to.get(item, field),
        to.entry(item, field)?.keyNode,
      ];
      const isPackage = stringOf(to.get(item, 'resolveFrom')) === 'package';
      return built(item).map([
        own('id'),
        own('title'),
        isPackage ? ['source', packageSource(item, to)] : own('source'),
        own('purpose'),
        own('authoritative'),
        ['from', isPackage ? 'package' : undefined],
      ]);
    }),
  );
}

function packageSource(item: Node, to: Conforming): Node | undefined {
  const source = to.get(item, 'source');
  const written = stringOf(source);
  if (source === undefined || written === undefined) return undefined;
  const name = written.replace(/^.*[\\/]/, '');
  if (PACKAGE_REFERENCES.includes(name)) return built(source).scalar(`references/${name}`);
  to.report.warn(
    'reference-unresolved',
    nodeSpan(source),
    `the reference "${written}" does not come with Lockstep; the run starts without it`,
    `There are ${PACKAGE_REFERENCES.join(', ')}.`,
  );
  return source;
}
