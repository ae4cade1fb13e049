// Two servers on one run, as two clients have them: of the same step the first claim wins, and the other client is told whose it
// was and where the run is.

import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Entry } from '../../src/model/entry.ts';
import { entriesIn } from '../crash/handed.ts';
import { type Scratch, scratch } from '../scratch.ts';
import { bareClientOf } from '../support/bare-client.ts';
import { eventually } from '../support/stage.ts';
import { tries } from '../support/tries.ts';

const FLOW = `lockstep: 1
name: shared
steps:
  - id: check
    prompt: { text: "Do it." }
    done: { run: 'echo ran >> ran.log; while [ ! -e go ]; do sleep 0.02; done' }
  - { id: after, prompt: { text: "Then this: {{ steps.check.output }}" } }
`;

type Client = Awaited<ReturnType<typeof bareClientOf>>;
let project: Scratch;
let ada: Client;
let bob: Client;
beforeAll(async () => {
  project = scratch({ git: true });
  project.write('.lockstep/workflows/shared.yaml', FLOW);
  ada = await bareClientOf(project, 'ada');
  bob = await bareClientOf(project, 'bob');
});
afterAll(async () => {
  await Promise.all([ada?.end(), bob?.end()]);
  project.remove();
});
const file = (name: string) => join(project.root, name);
beforeEach(() => {
  for (const name of ['go', 'ran.log']) rmSync(file(name), { force: true });
});

const handIn = (client: Client, continueToken: string, notesMarkdown: string) =>
  client.call('continue_workflow', { continueToken, output: { notesMarkdown } });
const claimsOf = (run: string) =>
  entriesIn(join(project.root, '.lockstep/runs', run, 'journal.jsonl')).filter(
    (entry): entry is Extract<Entry, { kind: 'claim-received' }> => entry.kind === 'claim-received',
  );

describe('two servers on one run', () => {
  it('MCP-E2E-TWO-SERVERS: both hand in the same step at once: one wins, the other is told who and where', async () => {
    writeFileSync(file('go'), '');
    for (let round = 0; round < tries(30, 6); round += 1) {
      const { runId, continueToken } = await (round % 2 ? ada : bob).call('start_workflow', {
        workflowId: 'shared',
      });
      const answers = await Promise.all([
        handIn(ada, continueToken, 'by ada'),
        handIn(bob, continueToken, 'by bob'),
      ]);
      const claims = claimsOf(runId);
      expect(claims).toHaveLength(1);
      const winner = claims[0]?.by === 'ada 1.0.0' ? 'ada' : 'bob';
      expect(claims[0]).toMatchObject({ by: `${winner} 1.0.0`, claim: { notesMarkdown: `by ${winner}` } });
      const [won, lost] = winner === 'ada' ? answers : answers.reverse();
      expect(won).toMatchObject({ kind: 'ok', warnings: [] });
      expect(lost.warnings).toEqual([expect.stringContaining(`handed in before, by ${winner} 1.0.0`)]);
      expect(lost.warnings[0]).toContain(runId);
      for (const answer of answers)
        expect(answer.pending).toMatchObject({ stepId: 'after', prompt: `Then this: by ${winner}` });
    }
  }, 120_000);

  it('MCP-E2E-TWO-SERVERS: a claim that comes while the check of another runs waits for it, and starts no second one', async () => {
    const { runId, continueToken } = await ada.call('start_workflow', { workflowId: 'shared' });
    const first = handIn(ada, continueToken, 'by ada');
    await eventually(() => existsSync(file('ran.log')));
    const second = handIn(bob, continueToken, 'by bob');
    let isAnswered = false;
    void second.then(() => {
      isAnswered = true;
    });
    // Meanwhile it reads: a call that changes nothing is answered, so the one before it is under way.
    await bob.call('list_workflows', {});
    expect(isAnswered).toBe(false);
    writeFileSync(file('go'), '');
    expect(await first).toMatchObject({ kind: 'ok', warnings: [], pending: { stepId: 'after' } });
    expect((await second).warnings).toEqual([expect.stringContaining('handed in before, by ada 1.0.0')]);
    expect(claimsOf(runId)).toHaveLength(1);
    expect(project.sh('cat ran.log').stdout).toBe('ran\n');
  });
});
