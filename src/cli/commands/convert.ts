// convert: a workflow of any dialect as native text. What is wrong with it is told as by validate, and then nothing is
// printed.

import { realpathSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { convert as convertFile } from '../../compile/convert.ts';
import { Fault } from '../../model/fault.ts';
import { dialectNamed, loadOrReport } from '../find-workflow.ts';
import type { Services } from '../services.ts';

interface ConvertOptions {
  dialect?: string;
  output?: string;
}

export async function convert(
  services: Services,
  reference: string,
  options: ConvertOptions,
): Promise<number> {
  const loaded = await loadOrReport(services, reference, options);
  const converted =
    loaded &&
    convertFile(loaded.main, await services.dialects(), dialectNamed(options.dialect), loaded.loaded);
  if (loaded === undefined || converted === undefined) return 2;
  if (options.output === undefined) {
    services.stdout.write(converted.text);
    return 0;
  }
  write(resolve(services.cwd, options.output), options.output, loaded.main.id, converted.text);
  services.stdout.write(`Wrote ${options.output} from ${loaded.main.path} (${converted.dialect}).\n`);
  return 0;
}

function write(path: string, shown: string, from: string, text: string): void {
  if (realOr(path) === from) {
    throw new Fault('output-is-input', `${shown} is the workflow that it would be made from`, {
      hint: 'Nothing was written. Give it another name, and remove the old one when the new one does what you want.',
      exitCode: 2,
    });
  }
  try {
    writeFileSync(path, text);
  } catch (cause) {
    throw new Fault('output-unwritable', `cannot write ${shown}: ${(cause as Error).message}`, {
      cause,
      hint: 'Without -o the text goes to the standard output.',
      exitCode: 2,
    });
  }
}

function realOr(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
