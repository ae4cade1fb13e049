import { describe, expect, it } from 'vitest';
import { compileSample } from '../fixtures/sample-library.ts';
import { problemsOf } from '../fixtures/sample-problems.ts';
import { tell, unenforceable } from './enforceable.ts';

const step = (more: string) => `steps:\n  - { id: a, prompt: { text: x }, ${more} }\n`;
const MINE = 'providers: { mine: { command: [cat], input: stdin } }\n';
const rewrite = `rules: [{ when: 'true', rewrite: { command: x } }]`;

describe('AG-GUARD-UNENFORCEABLE: what the chosen client cannot be held to', () => {
  const table: [what: string, more: string, said: string | undefined][] = [
    [
      'tools of a command',
      'provider: mine, tools: { allow: [Read] }',
      '`tools.allow` (a command does as it likes)',
    ],
    [
      'patterns, and a deny list',
      'provider: mine, tools: { deny: ["Bash(rm *)"] }',
      '`tools.deny` (a command does as it likes), patterns in `tools` (a command does as it likes)',
    ],
    [
      'rules of a command',
      `provider: mine, rules: [{ when: 'true', block: no }]`,
      '`block` rules (its calls are not seen)',
    ],
    ['a rewrite that the client has no way to do', `provider: mine, ${rewrite}`, '`rewrite` rules'],
    ['nothing, where it can', `provider: claude, ${rewrite}`, undefined],
    ['nothing, where the script answers', `provider: script, ${rewrite}`, undefined],
    ['nothing, where nothing is asked', 'provider: mine', undefined],
    ['nothing, where the client is not known yet', rewrite, undefined],
  ];
  it.each(table)('%s', (_, more, said) => {
    const problems = problemsOf(MINE + step(more)).filter((line) => line.includes('guard-unenforceable'));
    if (said === undefined) expect(problems).toEqual([]);
    else expect(problems).toEqual([expect.stringContaining(`cannot enforce ${said}`)]);
  });

  it('is told at the step, with the ways out', () => {
    expect(problemsOf(MINE + step('provider: mine, tools: { allow: [] }'))).toEqual([
      expect.stringMatching(
        /^5: guard-unenforceable: `a`: provider `mine` cannot enforce .* → Take another provider .*unenforceable: warn/,
      ),
    ]);
  });

  it('counts the rules of the workflow, and prompts among the actions', () => {
    const text = `${MINE}defaults: { provider: mine }
rules: [{ when: 'true', block: no }]
steps:
  - { id: a, run: [echo], exit: [{ prompt: { text: x } }] }
`;
    expect(problemsOf(text).filter((line) => line.includes('guard-unenforceable'))).toHaveLength(1);
  });

  it('is a warning where `guard.unenforceable` says so', () => {
    const result = compileSample(
      `lockstep: 1\nname: w\nguard: { unenforceable: warn }\n${MINE}${step('provider: mine, tools: { allow: [] }')}`,
    );
    if (result.kind === 'needs') throw new Error('files are missing');
    expect(result.diagnostics.map(({ code, severity }) => `${severity} ${code}`)).toEqual([
      'warning guard-unenforceable',
    ]);
  });

  it('can be asked once the client is known', () => {
    const result = compileSample(`lockstep: 1\nname: w\n${step(rewrite)}`);
    if (result.kind !== 'compiled') throw new Error(result.kind);
    expect(unenforceable(result.workflow, () => 'command').map(tell)).toEqual([
      expect.stringMatching(/^`a`: provider `command` cannot enforce `rewrite` rules \(/),
    ]);
    expect(unenforceable(result.workflow, () => 'claude')).toEqual([]);
  });
});
