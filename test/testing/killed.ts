// killed: the child of crash.test.ts. Starts a run and ends itself with SIGKILL at the moment it was told.

import { readFileSync } from 'node:fs';
import { fileStore } from '../../src/stores/file/file-store.ts';
import { crashStore } from '../../src/testing/crash-store.ts';
import { crashWatch } from '../../src/testing/crash-watch.ts';
import { drive } from '../support/drive.ts';

const { runs, workflow, script, fault } = JSON.parse(readFileSync(process.argv[2] as string, 'utf8'));
const store = crashStore(fileStore({ directory: runs }), crashWatch([fault]).plan, () => {
  process.kill(process.pid, 'SIGKILL');
});
await drive({ store, git: true }).start(workflow, { script });
