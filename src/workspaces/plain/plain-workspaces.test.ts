import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { workspaceContract } from '../../ports/workspace.contract.ts';
import { plainWorkspaces } from './plain-workspaces.ts';

describe('a plain workspace', () => {
  workspaceContract(plainWorkspaces(), () => {});

  const root = mkdtempSync(join(tmpdir(), 'lockstep-plain-'));
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  it('has no branch, no mark and no fingerprint', async () => {
    const workspace = plainWorkspaces().open(root);
    expect(workspace.branch).toBe('');
    expect(plainWorkspaces().mark(root)).toBeUndefined();
    expect(await workspace.fingerprint()).toBeUndefined();
  });

  it.each([
    ['no-repository', 'is not in a git repository', 'git init'],
    ['no-git', 'git is not installed', 'Install git'],
  ] as const)('says why it cannot tell what changed: %s', async (why, reason, hint) => {
    const workspace = plainWorkspaces(why).open(root);
    for (const ask of [
      () => workspace.changed('**'),
      () => workspace.uncommitted('**'),
      () => workspace.changedSince(''),
    ]) {
      await expect(ask()).rejects.toThrow(
        expect.objectContaining({
          code: 'not-a-git-repository',
          message: expect.stringContaining(reason),
          hint: expect.stringContaining(hint),
        }),
      );
    }
  });
});
