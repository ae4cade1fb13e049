// artifacts: what a run keeps for people, under the names its workflow gives.

import { isAbsolute } from 'node:path';
import type { LogSink } from '../../ports/store.ts';
import { outside, sinkInside } from './inside.ts';
import { openFlags } from './whole-file.ts';

export function openArtifact(root: string, name: string): LogSink {
  const names = name.split('/');
  if (isAbsolute(name) || names.includes('..')) throw outside(name, 'it leads out of artifacts/');
  if (names.some((part) => part === '' || part === '.') || /[\u0000\\]/.test(name)) {
    throw outside(name, 'it is not the name of a file');
  }
  return sinkInside(root, name, openFlags.write, { isAnew: true });
}
