// daemon: answers the hooks of live sessions in this process, until it is told to end or nothing happens any more; or says which
// daemons there are, or ends them.

import { daemonsOf, endDaemons, type Hello, serve } from '../../daemon/daemon.ts';
import type { Services } from '../services.ts';
import { table } from '../table.ts';

export interface DaemonOptions {
  status?: boolean;
  stop?: boolean;
  json?: boolean;
}

export async function daemon(services: Services, options: DaemonOptions): Promise<number> {
  if (options.status) return status(services, options.json === true);
  return options.stop ? stop(services) : start(services);
}

async function start(services: Services): Promise<number> {
  const parts = await services.daemon();
  const { own, speech, origins } = parts;
  const say = (line: string) =>
    void services.stdout.write(`${new Date().toISOString()} ${process.pid} ${line}\n`);
  const stopped = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stopped.abort());
  const served = await serve({
    ...{ home: services.home, own, speech, origins, say, stopped: stopped.signal },
    guard: async (sender) =>
      (await import('./daemon/guarded-projects.ts')).guardOf(services, parts.clients, sender),
  });
  switch (served.kind) {
    case 'ended':
      return 0;
    case 'taken':
      say(`process ${served.by.pid} serves already`);
      return 0;
    case 'newer':
      say(
        `Lockstep ${served.by.version} (process ${served.by.pid}) serves, which is newer than ${own.version}`,
      );
      return 1;
    case 'stuck':
      say(
        `Lockstep ${served.by.version} (process ${served.by.pid}), which is older, does not end: kill ${served.by.pid}`,
      );
      return 1;
  }
}

async function status(services: Services, json: boolean): Promise<number> {
  const { own } = await services.daemon();
  const found = await daemonsOf(services.home, own);
  if (json) {
    services.stdout.write(`${JSON.stringify(found, undefined, 2)}\n`);
    return 0;
  }
  if (found.length === 0) {
    services.stdout.write('No daemon runs. The first event of a bound session starts one.\n');
    return 0;
  }
  const isOwn = ({ build }: Hello) => (build === own.build ? 'this one' : 'another');
  const rows = found.map((each) => [
    ...[String(each.pid), each.version, isOwn(each), each.since],
    ...[String(each.sessions), String(each.events), String(each.waiting)],
  ]);
  services.stdout.write(
    table(['process', 'version', 'build', 'since', 'sessions', 'events', 'waiting'], rows),
  );
  return 0;
}

async function stop(services: Services): Promise<number> {
  const { own } = await services.daemon();
  const { ended, stuck } = await endDaemons(services.home, own);
  for (const { pid, version } of ended) services.stdout.write(`Process ${pid} (${version}) has ended.\n`);
  for (const { pid } of stuck) services.stderr.write(`Process ${pid} does not end. To end it: kill ${pid}\n`);
  if (ended.length + stuck.length === 0) services.stdout.write('No daemon runs.\n');
  return stuck.length === 0 ? 0 : 1;
}
