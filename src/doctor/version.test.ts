import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { TESTED } from './credentials.ts';
import { LEAST_NODE } from './findings.ts';
import { isBefore } from './version.ts';

it.each([
  ['20.18.9', '20.19.0', true],
  ['20.19', '20.19.0', false],
  ['20.19.0', '20.19', false],
  ['9.0.0', '20.0.0', true],
  ['2.1.325', '2.1.325', false],
  ['2.1.325-beta.1', '2.1.325', false],
  ['0.61.0', '0.166.0', true],
  ['0.166.0', '0.61.0', false],
])('%s before %s: %s', (one, other, expected) => {
  expect(isBefore(one, other)).toBe(expected);
});

const json = (path: string) => JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'));

it('the versions called tested are those that e2e/ installs', () => {
  const { dependencies } = json('../../e2e/package.json') as { dependencies: Record<string, string> };
  expect(TESTED).toEqual({
    claude: {
      command: dependencies['@anthropic-ai/claude-code'],
      sdk: dependencies['@anthropic-ai/claude-agent-sdk'],
    },
    codex: { command: dependencies['@openai/codex'] },
    gemini: { command: dependencies['@google/gemini-cli'] },
  });
});

it('the least Node is that of package.json', () => {
  const { engines } = json('../../package.json') as { engines: { node: string } };
  expect(`>=${LEAST_NODE}`).toContain(engines.node);
});
