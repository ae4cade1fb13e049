import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe } from 'vitest';
import { storeContract } from '../../ports/store.contract.ts';
import { fileStore } from './file-store.ts';

const scratch = mkdtempSync(join(tmpdir(), 'lockstep-store-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

describe('fileStore', () => {
  storeContract(() => fileStore({ directory: mkdtempSync(join(scratch, 'runs-')) }));
});
