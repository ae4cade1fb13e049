// installed: where the pinned clients are.

import { symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const installed = resolve(import.meta.dirname, '../../node_modules');

export function link(bin: string, name: string): void {
  symlinkSync(join(installed, '.bin', name), join(bin, name));
}
