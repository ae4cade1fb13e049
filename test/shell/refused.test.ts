// Values that once ran: each line is refused when the workflow is loaded.

import { expect, it } from 'vitest';
import { checkShellLine } from '../../src/expressions/expressions.ts';
import { corpusOf } from './corpus.ts';

const lines = corpusOf('refused-values.txt');

it('SEC-SHELL-FOUND: the corpus has more than 50 lines', () => {
  expect(lines.length).toBeGreaterThan(50);
});

it.each(lines.map(({ line }) => [line]))('SEC-SHELL-FOUND: %s', (line) => {
  const problems = checkShellLine(line.replaceAll('{{x}}', '{{ steps.said.output }}'));
  expect(problems.filter(({ severity }) => severity !== 'warning')).not.toEqual([]);
});
