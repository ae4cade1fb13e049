// init: a commented starter. Nothing that is there is written over.

import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { Fault } from '../../model/fault.ts';
import { editorSchema } from '../../source/grammar/json-schema.ts';
import type { Services } from '../services.ts';
import { STARTER } from './init/starter.ts';

/** Of the extension redhat.vscode-yaml. */
const EDITOR_SETTINGS = {
  'yaml.schemas': { './.lockstep/lockstep.schema.json': '.lockstep/workflows/**/*.yaml' },
};

/** Beside the library: an editor completes and checks workflows with it. `lockstep schema` writes it anew. */
const SCHEMA = '.lockstep/lockstep.schema.json';
const EDITOR = '.vscode/settings.json';

export async function init(
  services: Services,
  directory: string,
  options: { vscode?: boolean } = {},
): Promise<number> {
  const root = resolve(services.cwd, directory);
  const files: Record<string, string> = {
    ...STARTER,
    [SCHEMA]: `${JSON.stringify(editorSchema(), undefined, 2)}\n`,
    ...(options.vscode && { [EDITOR]: `${JSON.stringify(EDITOR_SETTINGS, undefined, 2)}\n` }),
  };
  const taken = Object.keys(files).filter((path) => existsSync(join(root, path)));
  if (taken.length > 0) {
    throw new Fault('init-exists', `${taken.join(', ')} ${taken.length === 1 ? 'is' : 'are'} already there`, {
      hint: taken.includes(EDITOR)
        ? `Nothing was written. Put this into ${EDITOR} by hand, and leave --vscode out: ${JSON.stringify(EDITOR_SETTINGS)}`
        : 'Nothing was written. Move them away, or start from another folder.',
      exitCode: 2,
    });
  }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text, { flag: 'wx' });
  }
  const there = relative(services.cwd, root);
  const lines = [
    'Wrote:',
    ...Object.keys(files).map((path) => `  ${join(there, path)}`),
    '',
    'Now try:',
    ...(there === '' ? [] : [`  cd ${there}`]),
    '  lockstep run hello --script .lockstep/scripts/hello.yaml --input name=Ada',
    '  lockstep graph hello --format text',
  ];
  services.stdout.write(`${lines.join('\n')}\n`);
  return 0;
}
