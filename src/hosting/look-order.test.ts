// Branches that look at the workspace at once: which look is over first is for time to say, what is decided after them is not.

import { expect, it } from 'vitest';
import { drive } from '../../test/support/drive.ts';
import { noop, parallel, workflow } from '../../test/support/workflow.ts';
import { perform } from '../runtime/perform/perform.ts';
import { makeRun } from './hosting.ts';

it('LS-ENGINE-LOOKS: looks end in the order in which they began, however long each takes', async () => {
  const stage = drive({});
  try {
    const names = ['a', 'b', 'c', 'd'];
    const branches = names.map((name) => ({ ...noop(name), if: `size(changed("${name}")) == 0` }));
    const flow = workflow([parallel('all', branches)]);
    let looks = 0;
    const hosting = {
      ...stage.hosting,
      perform: ((command, context) => {
        if (command.kind !== 'observe') return perform(command, context);
        const facts = command.needs.map((need) => ({ ...need, value: [] }));
        const delay = 40 - 10 * looks++;
        const done = new Promise((resolve) => setTimeout(() => resolve({ kind: 'observed', facts }), delay));
        return { done, cancel() {} };
      }) as typeof perform,
    };
    const run = await makeRun(hosting, {
      ...{ workflow: flow, workflowFile: 'test.yaml', workspace: stage.root, inputs: {}, vars: {} },
      skips: { steps: [], checks: false, dry_run: false },
    });
    await run.call((held) => held.go());
    const entries = stage.entries(run.id);
    const paths = (kind: string) =>
      entries.flatMap((entry) => (entry.kind === kind && 'path' in entry ? [entry.path] : []));
    expect(looks).toBe(4);
    expect(paths('observed')).toEqual(names.map((name) => `all/${name}`));
    expect(paths('attempt-started')).toEqual(names.map((name) => `all/${name}`));
  } finally {
    stage.remove();
  }
});
