// watch: run a workflow, and again whenever what it is made of changes. When, is watching.ts's; how, is run's.

import { Fault } from '../../model/fault.ts';
import { findDefinition, loadAndPrint } from '../find-workflow.ts';
import { printFailure } from '../print-problems.ts';
import type { Services } from '../services.ts';
import { type Settings, settingsOf } from '../start/start.ts';
import { type RunOptions, runLoaded } from './run.ts';
import { createWatching, type Stop, type Watching } from './watch/watching.ts';

const INTERRUPTED = 130;

export async function watch(services: Services, reference: string, options: RunOptions): Promise<number> {
  const settings = settingsOf(services, options);
  findDefinition(await services.library(), reference); // what is not there at all is wrong input
  const watching = await createWatching(services, options);
  const stop = onSignal();
  try {
    for (;;) {
      const exitCode = await runOnce(services, reference, options, settings, { watching, stop });
      if (exitCode === INTERRUPTED) return INTERRUPTED;
      if (!stop.isAsked()) say(services, options, 'watching', watching.paths());
      const changed = await watching.change(stop);
      if (changed === undefined) return 0;
      say(services, options, 'changed', changed);
    }
  } finally {
    stop.close();
  }
}

async function runOnce(
  services: Services,
  reference: string,
  options: RunOptions,
  settings: Settings,
  { watching, stop }: { watching: Watching; stop: Stop },
): Promise<number> {
  try {
    const loaded = await loadAndPrint(services, reference, options);
    watching.expect(loaded);
    if (!loaded.workflow || stop.isAsked()) return 2;
    const exitCode = await runLoaded(services, { ...loaded, workflow: loaded.workflow }, options, settings);
    const written = watching.settle();
    if (written.length > 0) say(services, options, 'written', written);
    return exitCode;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    watching.accept();
    return printFailure(services, error, { verbose: options.verbose ?? false, json: options.json ?? false });
  }
}

const WORDS = {
  watching: (files: string) => `Watching ${files}. Ctrl-C ends it.`,
  changed: (files: string) => `Changed: ${files}. Running again.`,
  written: (files: string) =>
    `Changed while it ran, and taken for its own work: ${files}. Change it again to run again.`,
};

function say(
  services: Services,
  { json, quiet }: RunOptions,
  kind: keyof typeof WORDS,
  files: string[],
): void {
  if (json) services.stdout.write(`${JSON.stringify({ kind, files })}\n`);
  else if (!quiet || kind === 'changed') services.stdout.write(`\n${WORDS[kind](files.join(', '))}\n`);
}

/** The display of a run has its own: a run that goes on is interrupted by that, and then we end. */
function onSignal(): Stop & { close(): void } {
  let isAsked = false;
  let wake = (): void => {};
  const ask = (): void => {
    isAsked = true;
    wake();
  };
  const names = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const name of names) process.on(name, ask);
  return {
    isAsked: () => isAsked,
    pause: (milliseconds) =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, isAsked ? 0 : milliseconds);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      }),
    close() {
      for (const name of names) process.off(name, ask);
    },
  };
}
