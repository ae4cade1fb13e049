// init: a commented starter. Nothing that is there is written over.

import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { Fault } from '../../model/fault.ts';
import type { Services } from '../services.ts';
import { STARTER } from './init/starter.ts';

export async function init(services: Services, directory: string): Promise<number> {
  const root = resolve(services.cwd, directory);
  const taken = Object.keys(STARTER).filter((path) => existsSync(join(root, path)));
  if (taken.length > 0) {
    throw new Fault('init-exists', `${taken.join(', ')} ${taken.length === 1 ? 'is' : 'are'} already there`, {
      hint: 'Nothing was written. Move them away, or start from another folder.',
      exitCode: 2,
    });
  }
  for (const [path, text] of Object.entries(STARTER)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text, { flag: 'wx' });
  }
  const there = relative(services.cwd, root);
  const lines = [
    'Wrote:',
    ...Object.keys(STARTER).map((path) => `  ${join(there, path)}`),
    '',
    'Now try:',
    ...(there === '' ? [] : [`  cd ${there}`]),
    '  lockstep run hello --script .lockstep/scripts/hello.yaml --input name=Ada',
    '  lockstep graph hello --format text',
  ];
  services.stdout.write(`${lines.join('\n')}\n`);
  return 0;
}
