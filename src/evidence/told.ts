// told: findings in the making.

import type { TestFinding } from '../model/evidence.ts';

export function note(about: string, text: string): TestFinding {
  return { kind: 'note', about, key: about, text };
}

export function problem(about: string, text: string): TestFinding {
  return { kind: 'fail', about, key: about, text };
}

/** Somebody has to say whether it is right. The same file and setting is the same question. */
export function question(
  about: string,
  file: string,
  setting: string | undefined,
  text: string,
): TestFinding {
  return {
    kind: 'ask',
    about,
    key: `${about} ${file}${setting === undefined ? '' : ` ${setting}`}`,
    file,
    text,
  };
}
