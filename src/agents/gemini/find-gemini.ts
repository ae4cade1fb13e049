// find-gemini: the `gemini` command on PATH.

import { findOnPath } from '../find-on-path.ts';

export interface FoundGemini {
  path: string;
}

export function findGemini(
  environment: Readonly<Record<string, string>>,
  cwd: string,
): FoundGemini | undefined {
  const path = findOnPath('gemini', environment, cwd);
  return path === undefined ? undefined : { path };
}
