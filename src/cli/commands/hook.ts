// hook: one event of a client, from standard input. `dist/lockstep.js` leaves this to dist/hook.cjs, which does the same and starts
// sooner; here it is for who runs the program from its sources.

import { runHook } from '../../daemon/hook-program.ts';
import type { ClientName } from '../../model/live-session.ts';
import type { Services } from '../services.ts';

export async function hook(services: Services, client: ClientName, line: string): Promise<number> {
  const { own, command } = await services.daemon();
  const { environment, cwd, home, stdin, stdout, stderr } = services;
  const answer = await runHook({
    ...{ client, line: Number(line), environment, cwd, home, own, pid: process.pid },
    daemon: [...command, 'daemon'],
    async payload() {
      const chunks: Buffer[] = [];
      for await (const chunk of stdin) chunks.push(Buffer.from(chunk));
      return Buffer.concat(chunks);
    },
  });
  stderr.write(answer.stderr);
  stdout.write(answer.stdout);
  return answer.exitCode;
}
