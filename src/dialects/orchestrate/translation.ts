// translation: what the parts of one translation share.

import { built } from '../../source/build-nodes.ts';
import type { Conforming } from '../../source/grammar/conform.ts';
import { type Node, nodeSpan, type ScalarNode } from '../../source/read/node.ts';
import type { Flow } from './flow.ts';
import { checkPath } from './paths.ts';
import type { Providers } from './providers.ts';
import type { Place, References } from './resolve-reference.ts';
import { type Substitution, writtenText } from './substitute.ts';
import { wordsOfLine } from './words.ts';

export interface Translation {
  to: Conforming;
  flow: Flow;
  references: References;
  substitution: Substitution;
  providers: Providers;
  /** Lists that are too long for an expression; they become `vars`. */
  lists: Map<string, Node>;
}

interface PathOptions {
  glob?: boolean;
}

/** A path of the workspace as a template; undefined: there is none, or it must not be used, which was reported. */
export function translatePath(
  node: Node | undefined,
  field: string,
  place: Place,
  { to, substitution }: Translation,
  { glob = false }: PathOptions = {},
): ScalarNode | undefined {
  if (node?.kind !== 'scalar' || !checkPath(node, { field, glob }, to.report)) return undefined;
  return substitution.template(node, place);
}

/**
 * The words of a command; at least one, so that what was reported (none, or one that is no word) is not told again of the
 * translation. A line instead of a list is told with the list it could be: its words, since no shell reads it; what only a
 * shell understands is given to one.
 */
export function wordsOf(
  node: Node | undefined,
  at: Node,
  field: string,
  { report }: Conforming,
): ScalarNode[] {
  const noWord = (where: Node) => built(where).scalar('?');
  if (node?.kind === 'list' && node.items.length > 0)
    return node.items.map((item) => (item.kind === 'scalar' && item.value !== null ? item : noWord(item)));
  if (node?.kind !== 'scalar' || node.value === null) return [noWord(node ?? at)];
  const line = writtenText(node);
  const split = wordsOfLine(line);
  const words = split ?? ['bash', '-c', line];
  report.error(
    'wrong-type',
    nodeSpan(node),
    `\`${field}\` must be a list of words, and this is a text${split ? '' : ' that only a shell understands: none reads it'}`,
    `Write ${field}: [${words.map((word) => JSON.stringify(word)).join(', ')}]`,
  );
  return words.map((word) => built(node).scalar(word));
}

/** A text in which nothing is filled in, there or here. */
export function literalText(node: Node | undefined, { substitution }: Translation): Node | undefined {
  return node?.kind === 'scalar' ? substitution.literal(node) : undefined;
}
