import { describe, expect, it } from 'vitest';
import { workflow } from '../../test/support/workflow.ts';
import type { Json } from '../model/json.ts';
import { slugFor, slugOf } from './slug.ts';

describe('what a worktree is called after', () => {
  it.each([
    ['Größer & Better: the spec!', 'grosser-better-the-spec'],
    ['  --  ', ''],
    ['日本語', ''],
    ['Straße Nr. 5', 'strasse-nr-5'],
    ['../../etc/passwd', 'etc-passwd'],
    ['.git', 'git'],
    ['a'.repeat(80), 'a'.repeat(50)],
    [`${'word '.repeat(9)}is-cut-between-words`, 'word-word-word-word-word-word-word-word-word-is'],
  ])('%j becomes %j', (text, slug) => {
    expect(slugOf(text)).toBe(slug);
  });

  const spec = workflow([], {
    name: 'My.Flow',
    inputs: { mode: { type: 'string' }, spec: { type: 'file' }, more: { type: 'file' } },
  });
  const file = (path: string, title: string, data: Json = {}) => ({ path, title, text: '', data });

  it.each<[string, Json | undefined, string]>([
    ['the id in its front matter', file('specs/x.md', 'A title', { id: 'SPEC 7' }), 'spec-7'],
    ['an id that is a number', file('specs/x.md', 'A title', { id: 12 }), '12'],
    ['its title', file('specs/x.md', 'Read Dates'), 'read-dates'],
    [
      'the name of its file, where that is its title',
      file('specs/read.dates.md', 'read.dates.md'),
      'read-dates',
    ],
    ['the name of its file, where nothing else can be read', file('specs/dates.md', '日本語'), 'dates'],
    ['the workflow, where there is none', undefined, 'my-flow'],
  ])('is %s', (_, given, slug) => {
    expect(slugFor(spec, { mode: 'x', ...(given !== undefined && { spec: given }) })).toBe(slug);
  });
});
