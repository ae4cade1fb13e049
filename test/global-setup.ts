// Builds dist/ once before the tests that start the real command.

import { existsSync } from 'node:fs';
import { build } from '../scripts/build.js';

export async function setup(): Promise<void> {
  if (!existsSync('src/app.ts')) return;
  // Chunks of earlier builds stay: another run of the tests may be using them.
  await build({ clean: false });
}
