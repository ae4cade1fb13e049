// ui: the page with all runs of the project, until it is told to stop; or one run as a file (--export).

import { basename } from 'node:path';
import { Fault } from '../../model/fault.ts';
import { exportRun } from '../../ui/export-run.ts';
import { openUi, type UiParts } from '../../ui/ui.ts';
import { refuseBelowStep } from '../below-agent.ts';
import { findRun } from '../find-run.ts';
import type { Services } from '../services.ts';
import { answering } from './ui/answering.ts';
import { shownWorkflow, shownWorkflows } from './ui/definitions.ts';

export interface UiOptions {
  answer?: boolean;
  port?: string;
  open: boolean;
  export?: string;
  stateDir?: string;
}

export async function ui(services: Services, run: string | undefined, options: UiOptions): Promise<number> {
  if (options.export !== undefined) return exportTo(services, run ?? 'latest', options.export, options);
  if (options.answer) await refuseBelowStep(services, 'ui --answer');
  const parts = await uiParts(services, options);
  const id = run === undefined ? undefined : findRun(parts.store, run);
  const stopped = signalled();
  const server = await openUi(parts, { port: portOf(options.port) });
  const page = await services.page();
  const folder = await services.runsFolder(options.stateDir);
  page.noteServer(folder, server);
  try {
    const url = id === undefined ? server.url : `${server.url}&run=${id}`;
    services.stdout.write(`The page is at ${url}\n`);
    services.stdout.write(
      options.answer
        ? `Questions can be answered there, in the name of ${services.user}. Give the address to nobody. Ctrl-C ends it.\n`
        : 'It is for reading only (--answer changes that). Ctrl-C ends it.\n',
    );
    // Other processes can see the words that a browser is started with: an address that lets in who answers is only printed.
    if (options.open && !options.answer && services.stdout.isTTY) page.show(url);
    await stopped;
  } finally {
    page.noteServer(folder, undefined);
    await server.close();
  }
  return 0;
}

export async function uiParts(
  services: Services,
  options: Pick<UiOptions, 'answer' | 'stateDir'>,
): Promise<UiParts> {
  const root = await services.projectRoot();
  const { version, user } = services;
  return {
    store: await services.store(options.stateDir),
    hash: services.hash,
    project: { name: basename(root), root, version, answers: options.answer === true, user },
    files: (await services.page()).files(),
    workflows: () => shownWorkflows(services),
    workflow: (name) => shownWorkflow(services, name),
    ...(options.answer && { answer: answering(services, options.stateDir) }),
  };
}

/** A file that is there already is not written over: it may be the last of its kind. */
async function exportTo(
  services: Services,
  reference: string,
  file: string,
  options: UiOptions,
): Promise<number> {
  const { store, hash, project, files } = await uiParts(services, options);
  const id = findRun(store, reference);
  const html = exportRun(store.read(id), { hash, project, files, now: services.clock.now() });
  services.writeNew(file, html);
  services.stdout.write(`Run ${id} is in ${file}: open it in any browser.\n`);
  return 0;
}

function portOf(given: string | undefined): number {
  const port = given === undefined ? 0 : Number(given);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new Fault('port-invalid', `--port ${given} is not the number of a port`, {
    hint: 'For example --port 7777; left out, one that is free is taken.',
    exitCode: 2,
  });
}

function signalled(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve());
  });
}
