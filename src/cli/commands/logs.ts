// logs: what the steps of a run wrote, in the order in which they began. One log is printed as it is; where there are
// several, a line says which one follows. Of an agent the transcript stands for what its client printed.

import { Fault } from '../../model/fault.ts';
import type { Store, StoredRun } from '../../ports/store.ts';
import { didYouMean } from '../../text/closest-name.ts';
import { plain } from '../../views/text/plain.ts';
import { findRun } from '../find-run.ts';
import { plainOutput } from '../plain-output.ts';
import type { Services } from '../services.ts';

interface LogsOptions {
  follow?: boolean;
  prompts?: boolean;
  raw?: boolean;
  list?: boolean;
  stateDir?: string;
}

const LOOK_EVERY_MS = 500;
const NEWLINE = 10;
const PROMPT = '.prompt.txt';
const TRANSCRIPT = '.transcript';

export async function logs(
  services: Services,
  reference: string,
  step: string | undefined,
  options: LogsOptions,
): Promise<number> {
  const store = await services.store(options.stateDir);
  const wanted = readWords(store, reference, step);
  const run = store.read(wanted.id);
  const tell = damageTeller(services);
  if (options.list) {
    const names = orderedLogs(run, tell).filter((name) => isAbout(name, wanted.step));
    if (names.length > 0) services.stdout.write(`${names.map(plain).join('\n')}\n`);
    return 0;
  }
  const printer = createPrinter(services, run, wanted.step, options, tell);
  if (options.follow) await follow(services, run, printer.print);
  else printer.print();
  printer.end();
  if (printer.found()) return 0;
  if (wanted.step !== undefined) throw noLog(run, wanted.step);
  services.stderr.write('Nothing was written.\n');
  return 0;
}

/** A single word that is no run may be a step of the newest one. */
function readWords(store: Store, reference: string, step: string | undefined): { id: string; step?: string } {
  if (step !== undefined) return { id: findRun(store, reference), step };
  try {
    return { id: findRun(store, reference) };
  } catch (error) {
    const latest = store.latest();
    if (
      latest === undefined ||
      !store
        .read(latest)
        .logs()
        .some((name) => isAbout(name, reference))
    )
      throw error;
    return { id: latest, step: reference };
  }
}

/** Until whoever runs it has let go, or nobody reads any more. */
async function follow(services: Services, run: StoredRun, print: () => void): Promise<void> {
  await new Promise<void>((resolve) => {
    let over = false;
    const end = () => {
      if (over) return;
      over = true;
      services.stdout.off('error', end);
      unwatch();
      clearInterval(poll);
      resolve();
    };
    const look = () => {
      if (over) return;
      const holder = run.holder(); // before printing: what it wrote last is there when it is gone
      print();
      if (holder === undefined || holder.alive === false) end();
    };
    services.stdout.on('error', end);
    const unwatch = run.watch(look);
    const poll = setInterval(look, LOOK_EVERY_MS);
    look();
  });
}

/** Once, however often they are looked at. */
function damageTeller({ stderr }: Services): (error: unknown) => void {
  let isTold = false;
  return (error) => {
    if (isTold) return;
    isTold = true;
    const why = error instanceof Error ? error.message : String(error);
    stderr.write(`warning: the logs are in the order of their names, since ${plain(why)}\n`);
  };
}

function createPrinter(
  services: Services,
  run: StoredRun,
  step: string | undefined,
  options: LogsOptions,
  tell: (error: unknown) => void,
) {
  const offsets = new Map<string, number>();
  let last: string | undefined;
  let isMidLine = false;
  // A terminal would do what an agent's escape sequences say; into a file or a pipe the bytes go as they are.
  const isPlain = services.stdout.isTTY === true && !options.raw;
  let output = plainOutput(services.stdout);
  let names: string[] = [];
  let known = 0;
  const printNew = (name: string, several: boolean): void => {
    for (;;) {
      const from = offsets.get(name) ?? 0;
      const chunk = run.readLog(name, from);
      if (chunk === undefined || chunk.length === 0) return;
      offsets.set(name, from + chunk.length);
      if (last !== name) {
        output.end();
        output = plainOutput(services.stdout);
        if (several) services.stdout.write(`${isMidLine ? '\n' : ''}── ${plain(name)} ──\n`);
      }
      last = name;
      isMidLine = chunk[chunk.length - 1] !== NEWLINE;
      if (isPlain) output.write(chunk);
      else services.stdout.write(chunk);
    }
  };
  return {
    found: () => names.length > 0,
    end: () => output.end(),
    /** Prints what is new. */
    print(): void {
      const count = run.logs().length;
      if (count !== known) names = wantedLogs(run, step, options, tell);
      known = count;
      for (const name of names) printNew(name, names.length > 1);
    },
  };
}

/** By when their steps began, as the journal tells; without one, by name. */
function orderedLogs(run: StoredRun, tell: (error: unknown) => void): string[] {
  const names = run.logs();
  const began = new Map<string, number>();
  try {
    for (const entry of run.journal().entries) {
      if ('path' in entry && typeof entry.path === 'string' && !began.has(entry.path))
        began.set(entry.path, entry.n);
    }
  } catch (error) {
    tell(error);
    return names; // its logs may still be looked at
  }
  const place = (name: string): number => {
    for (let path = name; path !== ''; path = path.replace(/(^|[./])[^./]*$/, '')) {
      const number = began.get(path);
      if (number !== undefined) return number;
    }
    return Number.POSITIVE_INFINITY;
  };
  const places = new Map(names.map((name) => [name, place(name)]));
  return names.sort(
    (one, other) => (places.get(one) ?? 0) - (places.get(other) ?? 0) || (one < other ? -1 : 1),
  );
}

/** What Lockstep wrote, and what it kept of what a person was shown, is printed where it is asked for by name. */
function isOurs(name: string): boolean {
  return (
    name === 'orchestrator.log' ||
    name.endsWith('.debug') ||
    name.endsWith('.calls.jsonl') ||
    /\.approval-[0-9a-f]{16}\.(output|patch)$/.test(name)
  );
}

function wantedLogs(
  run: StoredRun,
  step: string | undefined,
  { prompts, raw }: LogsOptions,
  tell: (error: unknown) => void,
): string[] {
  const names = orderedLogs(run, tell);
  const told = new Set(names.filter((name) => name.endsWith(TRANSCRIPT)).map(stem));
  return names.filter((name) => {
    if (name === step) return true;
    if (isOurs(name) || !isAbout(name, step)) return false;
    if (name.endsWith(PROMPT)) return prompts ?? false;
    if (name.endsWith(TRANSCRIPT)) return !raw;
    return raw || !told.has(stem(name));
  });
}

/** `fix.try2` of `fix.try2.stdout`. */
function stem(name: string): string {
  return name.replace(/\.(stdout|stderr|transcript|prompt\.txt)$/, '');
}

function isAbout(name: string, step: string | undefined): boolean {
  if (step === undefined || name === step) return true;
  return ['.', '/', '[', '#', '~'].some((next) => name.startsWith(`${step}${next}`));
}

function noLog(run: StoredRun, step: string): Fault {
  const theirs = run.logs().filter((name) => !isOurs(name));
  const steps = [...new Set(theirs.map(stem))];
  return new Fault('log-unknown', `"${step}" wrote no log in run ${run.id}`, {
    hint:
      didYouMean(step, steps) ??
      (steps.length > 0 ? `Those that did: ${steps.slice(0, 12).join(', ')}.` : undefined),
    exitCode: 2,
  });
}
