// logs: what the steps of a run wrote. Plain when one log is asked for, each line with its step's path otherwise.

import { didYouMean } from '../../compile/closest.ts';
import { Fault } from '../../model/fault.ts';
import type { StoredRun } from '../../ports/store.ts';
import { findRun } from '../find-run.ts';
import type { Services } from '../services.ts';

interface LogsOptions {
  follow?: boolean;
  prompts?: boolean;
  stateDir?: string;
}

export async function logs(
  services: Services,
  reference: string,
  step: string | undefined,
  options: LogsOptions,
): Promise<number> {
  const store = await services.store(options.stateDir);
  const run = store.read(findRun(store, reference));
  const printer = createPrinter(services, run, step, options.prompts ?? false);
  const found = printer.print();
  if (!options.follow) {
    if (!found && step !== undefined) throw noLog(run, step);
    if (!found) services.stdout.write('Nothing was written yet.\n');
    return 0;
  }
  await new Promise<void>((resolve) => {
    let over = false;
    const look = () => {
      if (over) return;
      const holder = run.holder();
      const isHeld = holder !== undefined && holder.alive !== false;
      printer.print();
      if (isHeld) return;
      over = true;
      unwatch();
      clearInterval(poll);
      resolve();
    };
    const unwatch = run.watch(look);
    const poll = setInterval(look, 500);
    look();
  });
  return 0;
}

function createPrinter(services: Services, run: StoredRun, step: string | undefined, prompts: boolean) {
  const offsets = new Map<string, number>();
  const endsInMidLine = new Map<string, boolean>();
  let last: string | undefined;
  return {
    /** Prints what is new; whether there is any log at all. */
    print(): boolean {
      const names = run.logs().filter((name) => isWanted(name, step, prompts));
      for (const name of names) {
        for (;;) {
          const from = offsets.get(name) ?? 0;
          const chunk = run.readLog(name, from);
          if (chunk === undefined || chunk.length === 0) break;
          offsets.set(name, from + chunk.length);
          if (names.length > 1 && last !== name) {
            const lead = last !== undefined && endsInMidLine.get(last) ? '\n' : '';
            services.stdout.write(`${lead}── ${name} ──\n`);
          }
          last = name;
          endsInMidLine.set(name, chunk[chunk.length - 1] !== 10);
          services.stdout.write(chunk);
        }
      }
      return names.length > 0;
    },
  };
}

function isWanted(name: string, step: string | undefined, prompts: boolean): boolean {
  if (name.endsWith('.prompt.txt') && !prompts && step !== name) return false;
  if (step === undefined) return true;
  return (
    name === step ||
    name.startsWith(`${step}.`) ||
    name.startsWith(`${step}/`) ||
    name.startsWith(`${step}[`) ||
    name.startsWith(`${step}#`)
  );
}

function noLog(run: StoredRun, step: string): Fault {
  const steps = [...new Set(run.logs().map((name) => name.replace(/\.(stdout|stderr|prompt\.txt)$/, '')))];
  return new Fault('log-unknown', `"${step}" wrote no log in run ${run.id}`, {
    hint:
      didYouMean(step, steps) ??
      (steps.length > 0 ? `Those that did: ${steps.slice(0, 12).join(', ')}.` : undefined),
    exitCode: 2,
  });
}
