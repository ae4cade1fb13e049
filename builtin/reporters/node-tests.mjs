// node-tests: a reporter of node:test that writes a line for each test into $LOCKSTEP_RESULTS. The other reporter shows them.

import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

const folder = process.env.LOCKSTEP_RESULTS;
const target = folder && join(folder, `node-${process.pid}-${Date.now()}.lines`);

// biome-ignore lint/style/noDefaultExport: Node asks a reporter for it.
export default async function* report(source) {
  /** By file: the names of the suites that are open. */
  const open = new Map();
  for await (const { type, data } of source) {
    if (!data || target === undefined) continue;
    const file = data.file ?? '';
    const names = open.get(file) ?? [];
    if (type === 'test:start') {
      names.length = data.nesting;
      names[data.nesting] = data.name;
      open.set(file, names);
    }
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    const above = names.slice(0, data.nesting).filter((name) => name !== undefined);
    const isLeft = data.skip !== undefined || data.todo !== undefined;
    // A suite has no result of its own, unless what surrounds its tests failed.
    if (data.details?.type === 'suite' && type === 'test:pass') continue;
    const status = isLeft ? 'skip' : type === 'test:pass' ? 'pass' : 'fail';
    if (data.details?.type === 'suite' && data.details?.error?.failureType === 'subtestsFailed') continue;
    appendFileSync(target, `${JSON.stringify({ file, name: [...above, data.name].join(' > '), status })}\n`);
  }
}
