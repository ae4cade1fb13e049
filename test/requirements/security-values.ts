// security-values: secrets, numbers, cut outputs and screens (THREATS.md).

import type { Requirement } from '../ledger.ts';

const ENCODERS = 'src/runtime/mask-encoders.test.ts';
const VALUES = 'test/cli/masked-values.test.ts';

export const securityValues: Requirement[] = [
  {
    id: 'SEC-SECRET-SPELLINGS',
    requirement:
      'A secret is masked in every spelling that ordinary programs give it: hex and base64 in lines, groups and dumps, quotes of any kind and depth, numbers for characters, decimal bytes; cut into any chunks.',
    proof: [
      `${ENCODERS} › SEC-SECRET-SPELLINGS: no reading of the masked text gives the secret`,
      'src/runtime/mask.test.ts › streams',
    ],
  },
  {
    id: 'SEC-SECRET-FOLDER',
    requirement:
      'Whatever programs make of a secret, no file of the run’s folder and nothing that is printed gives it back when it is decoded.',
    proof: 'test/cli/secret-folder.test.ts › SEC-SECRET-FOLDER: *',
  },
  {
    id: 'SEC-SECRET-CUT',
    requirement:
      'The beginning of a secret that a message quotes and cuts is masked, and messages of our own quote no piece of one.',
    proof: [
      `${ENCODERS} › SEC-SECRET-CUT: the beginning of a secret that a message cuts`,
      'src/runtime/capture.test.ts › SEC-SECRET-CUT: *',
    ],
  },
  {
    id: 'SEC-SECRET-HONEST',
    requirement: 'Text in which there is no secret is not changed.',
    proof: `${ENCODERS} › SEC-SECRET-HONEST: text without a secret stays as it is`,
  },
  {
    id: 'SEC-MASK-VALUE',
    requirement:
      'A value in which a secret was masked fails the step that would use it in a command, a path or a name, with the reason; also by way of variables, items and inputs, and after a resume.',
    proof: `${VALUES} › SEC-MASK-VALUE: a masked value fails the step that would use it in`,
  },
  {
    id: 'SEC-MASK-STARS',
    requirement:
      'Three stars that somebody wrote are a text like any other; a prompt, a title, a question and the content of a file may hold a mask.',
    proof: `${VALUES} › SEC-MASK-STARS: stars that are no mask`,
  },
  {
    id: 'SEC-MASK-MARK',
    requirement:
      'The journal says which entries hold a mask; the mark that says so in memory is never written.',
    proof: 'src/runtime/mask-entry.test.ts › SEC-MASK-MARK: *',
  },
  {
    id: 'SEC-SCREEN',
    requirement:
      'No command sends a terminal a control sequence that an agent, a command or a definition wrote; `logs --raw` does, and into a pipe the bytes go as they are.',
    proof: 'test/cli/hostile-text.test.ts › SEC-SCREEN: *',
  },
  {
    id: 'SEC-REPORT',
    requirement:
      'Words of agents in report.md are words in their place: no link but to http(s), no image, no tag, no part that looks like one of the report’s own.',
    proof: 'src/views/report/markdown.test.ts › SEC-REPORT: words of agents in report.md',
  },
];
