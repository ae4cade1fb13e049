import { expect, it } from 'vitest';
import { isWithheld, mayWrite, namesTool, parseToolItem } from './tool-policy.ts';
import type { ToolPolicy } from './workflow.ts';

it.each<[string, ReturnType<typeof parseToolItem>]>([
  ['Read', { tool: 'Read' }],
  [' Bash (npm *) ', { tool: 'Bash', pattern: 'npm *' }],
  ['Bash(a (b) c)', { tool: 'Bash', pattern: 'a (b) c' }],
  ['Write()', { tool: 'Write', pattern: '' }],
  ['', undefined],
  ['(x)', undefined],
  ['two words', undefined],
])('the item %j', (text, item) => {
  expect(parseToolItem(text)).toEqual(item);
});

it.each<[string, string, boolean]>([
  ['Read', 'Read', true],
  ['Read', 'Reader', false],
  ['*', 'Read', true],
  ['mcp__*__get', 'mcp__a__get', true],
  ['mcp__*__get', 'mcp__get', false],
  ['a*b*a', 'aba', true],
  ['aa*aa', 'aaa', false],
  ['a*b*c*d', 'a1c2b3d', false],
])('the name %s stands for %s: %s', (name, tool, stands) => {
  expect(namesTool(name, tool)).toBe(stands);
});

it.each<[ToolPolicy, boolean, boolean]>([
  [{ deny: [] }, false, true],
  [{ allow: [], deny: [] }, true, false],
  [{ allow: ['Read'], deny: [] }, true, false],
  [{ allow: ['Read', 'Bash'], deny: [] }, true, false],
  [{ allow: ['Write(docs/**)'], deny: [] }, false, true],
  [{ deny: ['Write'] }, true, true],
  [{ deny: ['Write(docs/**)'] }, false, true],
  [{ deny: ['Write', 'Edit', 'NotebookEdit'] }, true, false],
  [{ deny: ['*'] }, true, false],
  [{ allow: ['*'], deny: ['Edit'] }, false, true],
])('under %j Write is withheld: %s, and it may write: %s', (policy, withheld, writes) => {
  expect(isWithheld(policy, 'Write')).toBe(withheld);
  expect(mayWrite(policy)).toBe(writes);
});
