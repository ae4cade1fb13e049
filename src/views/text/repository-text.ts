// repository-text: what a step changed in the git repository itself, in sentences. Pure.

import type { Outcome } from '../../model/entry.ts';

/** Worth a person's attention: git runs programs that these name. */
export function settingTexts({ repository }: Outcome): readonly string[] {
  return repository?.settings?.map((each) => `the git repository was changed meanwhile: ${each}`) ?? NONE;
}

export function referenceTexts({ repository }: Outcome): readonly string[] {
  return repository?.references?.map((each) => `git reference changed meanwhile: ${each}`) ?? NONE;
}

/** Most steps change nothing there. */
const NONE: readonly string[] = [];
