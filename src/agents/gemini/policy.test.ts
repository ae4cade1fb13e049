import { describe, expect, it } from 'vitest';
import { BUILT_IN } from '../../clients/gemini/tools.ts';
import { policyFor } from './policy.ts';

/** Of each rule: the tools it denies, behind a server where it is about one. */
function denied(text: string | undefined): string[] {
  return (text ?? '').split('[[rule]]').flatMap((rule) => {
    const names = JSON.parse(/^toolName = (.*)$/m.exec(rule)?.[1] ?? '[]') as string | string[];
    const server = /^mcpName = "(.*)"$/m.exec(rule)?.[1];
    return [names].flat().map((name) => (server === undefined ? name : `${server}/${name}`));
  });
}

describe('policy', () => {
  it('has nothing to say where nothing is withheld', () => {
    expect(policyFor({ deny: [] })).toBeUndefined();
    expect(policyFor({ deny: ['Bash(rm *)', 'Write(docs/**)'] })).toBeUndefined();
  });

  it('says no and nothing else: an own policy of the user is never overruled', () => {
    const text = policyFor({ allow: ['Read', 'Bash(ls *)', 'mcp__a__b'], deny: ['Write', 'mcp__c__*'] });
    expect(new Set(text?.match(/decision = .*/g))).toEqual(new Set(['decision = "deny"']));
  });

  it('denies whole what no call of can be let through', () => {
    expect(denied(policyFor({ deny: ['Bash', 'Edit'] }))).toEqual(['replace', 'run_shell_command']);
    const rest = denied(policyFor({ allow: ['Read', 'Bash(ls *)'], deny: [] }));
    expect(Object.keys(BUILT_IN).filter((name) => !rest.includes(name))).toEqual([
      'run_shell_command',
      'read_file',
      'read_many_files',
    ]);
  });

  it('denies the tools of every server where none can be meant', () => {
    expect(denied(policyFor({ allow: ['Read'], deny: [] }))).toContain('*/*');
    expect(denied(policyFor({ deny: ['mcp__*'] }))).toEqual(['*/*']);
    for (const allow of [['mcp__a__b'], ['*'], ['mcp__*']])
      expect(denied(policyFor({ allow, deny: [] }))).not.toContain('*/*');
  });

  it('denies a server, or one of its tools, by name', () => {
    const items = ['mcp__my_tracker__*', 'mcp__a__drop', 'mcp__a__*_all', 'mcp__b__x(y)'];
    expect(denied(policyFor({ deny: items }))).toEqual(['my_tracker/*', 'a/drop']);
  });
});
