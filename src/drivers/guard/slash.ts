// slash: what a person asks of Lockstep in a live session. The hook sees what was typed; a model cannot send one.

export type Request =
  | { kind: 'next' }
  | { kind: 'status' }
  | { kind: 'answer'; answer: string }
  | { kind: 'run'; workflow: string };

/** `/lockstep:next`; undefined: it is a prompt like any other. */
export function requestIn(prompt: string): Request | undefined {
  const [, name, rest = ''] = /^\s*\/lockstep:([a-z]+)(?:\s+([\s\S]*))?$/.exec(prompt) ?? [];
  const said = rest.trim();
  switch (name) {
    case 'next':
    case 'status':
      return { kind: name };
    case 'answer':
      return { kind: 'answer', answer: said };
    case 'run':
      return { kind: 'run', workflow: said };
    default:
      return undefined;
  }
}

export const YES = [
  'yes',
  'y',
  'ok',
  'okay',
  'approve',
  'approved',
  'allow',
  'proceed',
  'continue',
  'go ahead',
  'do it',
];
export const NO = ['no', 'n', "don't", 'do not', 'reject', 'deny', 'stop', 'cancel', 'never'];

/** Whole leading words; both kinds present is no agreement. */
export function agrees(prompt: string): boolean {
  const words = wordsOf(prompt);
  return YES.some((word) => words.startsWith(` ${word} `)) && !NO.some((word) => words.includes(` ${word} `));
}

function wordsOf(prompt: string): string {
  return ` ${prompt
    .toLowerCase()
    .replace(/[^\p{L}\p{N}']+/gu, ' ')
    .trim()} `;
}
