// import: a workflow from elsewhere becomes one of the project: checked, shown, agreed to, written. Never runs any of it.

import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { loadWorkflow } from '../../../drivers/run/load.ts';
import { Fault } from '../../../model/fault.ts';
import { plainLines } from '../../../views/text/plain.ts';
import { refuseBelowStep } from '../../below-agent.ts';
import { definitionsOf } from '../../find-workflow.ts';
import { printDiagnostics } from '../../print-problems.ts';
import type { Services } from '../../services.ts';

const MOST_BYTES = 1024 * 1024;
const PATIENCE_MS = 30_000;

export async function importWorkflow(
  services: Services,
  source: string,
  options: { name?: string; yes?: boolean; force?: boolean },
): Promise<number> {
  await refuseBelowStep(services, 'workflow import');
  const text = isAddress(source) ? await fetched(source) : services.readFile(source);
  const name = options.name ?? basename(source.replace(/[?#].*$/, '')).replace(/\.(ya?ml|json)$/i, '');
  if (!/^[a-z0-9][a-z0-9._-]*$/i.test(name))
    throw new Fault('import-name', `"${name}" cannot be the name of a workflow`, {
      hint: 'Say one: --name tdd',
      exitCode: 2,
    });
  const root = await services.projectRoot();
  const target = join(root, '.lockstep/workflows', `${name}.yaml`);
  const shown = relative(services.cwd, target) || target;
  if (existsSync(target) && !options.force)
    throw new Fault('import-exists', `${shown} is already there`, {
      hint: 'Give it another --name, or write over it with --force.',
      exitCode: 2,
    });
  const definitions = await definitionsOf(services);
  const loaded = loadWorkflow(definitions, { id: target, path: shown, text, layer: 'project', shadows: [] });
  printDiagnostics(services, loaded.diagnostics, loaded.texts);
  if (!loaded.workflow) return 2;
  services.stdout.write(`${plainLines(text).join('\n')}\n\n`);
  if (!options.yes && !(await agreed(services, `Write this to ${shown}?`))) {
    services.stdout.write('Nothing was written.\n');
    return 1;
  }
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, text);
  services.stdout.write(`Wrote ${shown}. Hold sessions to it with: lockstep workflow set ${name}\n`);
  return 0;
}

function isAddress(source: string): boolean {
  return /^https?:\/\//i.test(source);
}

async function fetched(address: string): Promise<string> {
  const failed = (why: string): Fault =>
    new Fault('import-failed', `${address} could not be read: ${why}`, {
      hint: 'Fetch it yourself, look at it, and import the file.',
      exitCode: 1,
    });
  let response: Response;
  try {
    response = await fetch(address, { signal: AbortSignal.timeout(PATIENCE_MS) });
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : undefined;
    throw failed(cause ?? (error instanceof Error ? error.message : String(error)));
  }
  if (!response.ok) throw failed(`the answer was ${response.status}`);
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) throw failed('it is larger than 1 MiB');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

async function agreed({ stdin, stdout }: Services, question: string): Promise<boolean> {
  if (!stdin.isTTY)
    throw new Fault('import-unasked', 'nobody is at a terminal who could agree', {
      hint: 'Look at what is printed above, and say --yes.',
      exitCode: 2,
    });
  const terminal = createInterface({ input: stdin, output: stdout });
  try {
    return /^y(es)?$/i.test((await terminal.question(`${question} [y/N] `)).trim());
  } finally {
    terminal.close();
  }
}
