import { spawn } from 'node:child_process';
import { expect, it } from 'vitest';
import { eventually, lives } from '../../test/support/stage.ts';
import { childProcesses } from './processes.ts';

it.skipIf(process.platform !== 'linux')(
  'E4: ends what carries the mark, and nobody else [skip: needs /proc]',
  async () => {
    const start = (mark: string) =>
      spawn('sh', ['-c', 'sleep 1000 & wait'], {
        detached: true,
        stdio: 'ignore',
        env: { PATH: process.env.PATH, MARK: mark },
      });
    const [marked, other] = [start('mine'), start('theirs')];
    try {
      await eventually(() => lives(marked.pid as number) && lives(other.pid as number));
      const ended = await childProcesses().endLeftBehind((environment) => environment.get('MARK') === 'mine');
      expect(ended).toBeGreaterThanOrEqual(1);
      expect(lives(marked.pid as number)).toBe(false);
      expect(lives(other.pid as number)).toBe(true);
      expect(await childProcesses().endLeftBehind((environment) => environment.get('MARK') === 'mine')).toBe(
        0,
      );
    } finally {
      for (const child of [marked, other]) {
        try {
          process.kill(-(child.pid as number), 'SIGKILL');
        } catch {
          // Gone already.
        }
      }
    }
  },
);
