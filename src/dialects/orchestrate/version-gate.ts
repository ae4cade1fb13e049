// version-gate: which version of the orchestrate language brought which field. A field that came later than the
// version a workflow declares is an error that names the version it needs.

import type { Conforming } from '../../source/grammar/conform.ts';
import { type MapNode, nodeSpan } from '../../source/read/node.ts';

/** By the path of the field from its step. */
const SINCE: readonly (readonly [path: readonly string[], version: string])[] = [
  [['depends_on', 'inject'], '1.1.1'],
  [['for_each', 'on_item_complete'], '1.2'],
  [['output_schema'], '1.3'],
  [['output_require'], '1.3'],
];

/** Every part a number: 1.1 < 1.1.1 < 1.2. */
export function isAtLeast(version: string, needed: string): boolean {
  const [has, wants] = [version.split('.').map(Number), needed.split('.').map(Number)];
  for (const [index, part] of wants.entries()) {
    const own = has[index] ?? 0;
    if (own !== part) return own > part;
  }
  return true;
}

export function checkVersion(step: MapNode, label: string, version: string, to: Conforming): void {
  for (const [path, needed] of SINCE) {
    if (isAtLeast(version, needed)) continue;
    const keys = [...path];
    const last = keys.pop() ?? '';
    const holder = keys.reduce<MapNode | undefined>((map, key) => {
      const value = to.get(map, key);
      return value?.kind === 'map' ? value : undefined;
    }, step);
    const entry = to.entry(holder, last);
    if (entry === undefined) continue;
    const field = path.join('.');
    to.report.error(
      'version-needed',
      nodeSpan(entry.keyNode),
      `${label} uses \`${field}\`, which needs version "${needed}", and this workflow says "${version}"`,
      `Write version: "${needed}", or a higher one.`,
      { field, version_needed: needed, version },
    );
  }
}
