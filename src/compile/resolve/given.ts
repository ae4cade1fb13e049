// given: what `with` gives a prompt or a workflow, against what that declares. Neither more nor less.

import type { Report } from '../../source/diagnostics.ts';
import { type Node, nodeSpan, type ScalarNode } from '../../source/read/node.ts';
import { didYouMean, meantKeys } from '../../text/closest-name.ts';

export interface Declared {
  /** For messages: `the prompt "review"`. */
  what: string;
  names: readonly string[];
  /** Of those, the ones that must be given. */
  needed: readonly string[];
  /** What else one could do about one that is missing. */
  otherwise: string;
  /** What is given to somebody else in the same place: the agent that gets the prompt. */
  alsoRead?: ReadonlySet<string>;
}

/** More than this in one place are reported as far as this. */
const MOST = 100;

/** `at` is what names the prompt or workflow. */
export function checkGiven(declared: Declared, given: Node | undefined, at: Node, report: Report): void {
  const { what, needed, otherwise } = declared;
  const entries = given?.kind === 'map' ? given.entries : new Map<string, { keyNode: ScalarNode }>();
  const names = new Set(declared.names);
  const unknown = [...entries]
    .filter(([key]) => !names.has(key) && !declared.alsoRead?.has(key))
    .slice(0, MOST);
  for (const [key, { keyNode }] of unknown) {
    const all = names.size === 0 ? 'It has none.' : `It has ${[...names].slice(0, 20).join(', ')}.`;
    report.error(
      'unknown-input',
      nodeSpan(keyNode),
      `${what} has no input "${key}"`,
      didYouMean(key, names) ?? all,
    );
  }
  const meant = meantKeys(
    unknown.map(([key]) => key),
    declared.names,
  );
  const missing = needed.filter((name) => !entries.has(name) && !meant.has(name)).slice(0, MOST);
  if (missing.length === 0) return;
  const list = missing.map((name) => `"${name}"`).join(', ');
  report.error(
    'missing-input',
    nodeSpan(at),
    `${what} needs the input${missing.length > 1 ? 's' : ''} ${list}`,
    `Give it with \`with: { ${missing.map((name) => `${name}: …`).join(', ')} }\`${otherwise}.`,
  );
}
