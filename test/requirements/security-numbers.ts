// security-numbers: numbers that would be rounded, and outputs that are not kept whole (THREATS.md).

import type { Requirement } from '../ledger.ts';

const READ = 'src/text/read-json.test.ts';
const DOORS = 'test/cli/numbers.test.ts';
const ENGINE = 'src/engine/cut.test.ts';
const CUT = 'test/cli/cut.test.ts';

export const securityNumbers: Requirement[] = [
  {
    id: 'SEC-NUM-READ',
    requirement:
      'A number in JSON or YAML that would be rounded, become infinite or vanish is refused, with its place and as it was written.',
    proof: [`${READ} › SEC-NUM-READ*`, 'src/source/read/yaml.test.ts › readYaml › *would be*'],
  },
  {
    id: 'SEC-NUM-KEYS',
    requirement: 'JSON in which one key hides another is refused.',
    proof: `${READ} › SEC-NUM-KEYS*`,
  },
  {
    id: 'SEC-NUM-PROPERTY',
    requirement:
      'Of random JSON with integers around and beyond 2^53 the exact value comes back, or an error that names the path of each that is not exact.',
    proof: `${READ} › RJ1, RJ2: whatever is written › SEC-NUM-PROPERTY*`,
  },
  {
    id: 'SEC-NUM-DECIMALS',
    requirement:
      'A number with a fraction or an exponent beyond 2^53 is taken only if the double is that number.',
    proof: `${READ} › RJ1, RJ2: whatever is written › SEC-NUM-DECIMALS*`,
  },
  {
    id: 'SEC-NUM-DOORS',
    requirement:
      'That holds for every door: definitions, schemas, scripts, expressions, inputs, vars, items, front matter, captured JSON, answers, signals, limits, issues, results of tools.',
    proof: [
      `${DOORS} › SEC-NUM-DOORS*`,
      'src/runtime/handlers/call-mcp-tool.test.ts › *SEC-NUM-DOORS*',
      'src/runtime/perform/answer.test.ts › *SEC-NUM-DOORS*',
    ],
  },
  {
    id: 'SEC-CUT-EACH',
    requirement:
      'An each over a list that was made from a cut output fails before its first pass, however the list was made by expressions, names, vars, blocks or called workflows.',
    proof: [`${ENGINE} › SEC-CUT-EACH*`, `${CUT} › an \`each\` over 150,000 lines › SEC-CUT-EACH*`],
  },
  {
    id: 'SEC-CUT-CHOSEN',
    requirement: 'Where the author chose the limit that was reached, it is a warning.',
    proof: [
      `${CUT} › an \`each\` over 150,000 lines › SEC-CUT-CHOSEN*`,
      'src/runtime/capture.test.ts › *SEC-CUT-CHOSEN*',
    ],
  },
  {
    id: 'SEC-CUT-DECIDED',
    requirement: 'Whatever is decided on a part of an output says so on record.',
    proof: `${ENGINE} › SEC-CUT-DECIDED*`,
  },
  {
    id: 'SEC-CUT-SHOWN',
    requirement:
      'Every cut, and every decision on a part, is in the summary, the report, the audit and the log.',
    proof: [
      'src/runtime/perform/answer.test.ts › *SEC-CUT-SHOWN*',
      `${CUT} › SEC-CUT-SHOWN*`,
      `${CUT} › an \`each\` over 150,000 lines › *`,
    ],
  },
];
