// page-files: what the page is made of, read once: it is served from memory, by name, and never by a path.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Fault } from '../model/fault.ts';

export function pageFiles(folder: string): ReadonlyMap<string, Uint8Array> {
  try {
    return new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))]));
  } catch {
    throw new Fault('page-missing', `the page is not there: ${folder} cannot be read`, {
      hint: 'Install Lockstep again; in a checkout of it, build it with: npm run build',
    });
  }
}
