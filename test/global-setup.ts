// Builds dist/ once before the tests that start the real command.

import { build } from '../scripts/build.js';

export async function setup(): Promise<void> {
  // Chunks of earlier builds stay: another run of the tests may be using them.
  await build({ clean: false });
}
