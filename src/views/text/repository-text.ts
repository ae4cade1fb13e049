// repository-text: what a step changed in the git repository itself, in sentences. Pure.

import type { Outcome } from '../../model/entry.ts';

/** Worth a person's attention: git runs programs that these name. */
export function settingTexts({ repository }: Outcome): string[] {
  return (repository?.settings ?? []).map((each) => `the git repository was changed meanwhile: ${each}`);
}

export function referenceTexts({ repository }: Outcome): string[] {
  return (repository?.references ?? []).map((each) => `git reference changed meanwhile: ${each}`);
}
