import fc from 'fast-check';
import picomatch from 'picomatch';
import { describe, expect, it } from 'vitest';
import { tries } from '../../../test/support/tries.ts';
import { parseToolItem } from '../../model/tool-policy.ts';
import { covers, intersectTools } from './tools.ts';

function meet(one: string[], other: string[]) {
  const { policy, unclear } = intersectTools([
    { allow: one, deny: [] },
    { allow: other, deny: [] },
  ]);
  return { allow: policy.allow, unclear };
}

describe('rule 8: allow lists', () => {
  it.each<[string, string, string[]]>([
    ['Read', 'Read', ['Read']],
    ['Read', 'Write', []],
    ['Write', 'Write(docs/**)', ['Write(docs/**)']],
    ['Bash(npm *)', 'Bash(npm test *)', ['Bash(npm test *)']],
    ['Bash(npm *)', 'Bash(npm test:*)', ['Bash(npm test:*)']],
    ['Bash(npm test)', 'Bash(npm test)', ['Bash(npm test)']],
    ['Write(src/*)', 'Write(src/a/b.ts)', []],
    ['Write(src/**)', 'Write(src/a/*.ts)', ['Write(src/a/*.ts)']],
    ['Write(src/*)', 'Write(src/**)', ['Write(src/*)']],
    ['mcp__github__*', 'mcp__github__get_issue', ['mcp__github__get_issue']],
    ['mcp__github__*', 'mcp__gitlab__get', []],
    ['mcp__*(x)', 'mcp__a', ['mcp__a(x)']],
    ['*', 'Read', ['Read']],
  ])('rule 8: %s with %s', (one, other, expected) => {
    expect(meet([one], [other]).allow).toEqual(expected);
    expect(meet([other], [one]).allow).toEqual(expected);
  });

  it('rule 8: says of overlapping patterns that they allow nothing', () => {
    expect(meet(['Write(docs/**)'], ['Write(**/*.md)'])).toEqual({
      allow: [],
      unclear: [['Write(docs/**)', 'Write(**/*.md)']],
    });
  });

  it('rule 8: an absent list changes nothing, an empty one leaves nothing, and deny lists unite', () => {
    const policies = [{ deny: ['A'] }, { allow: ['Read', 'Read'], deny: [] }, { deny: ['B', 'A'] }];
    expect(intersectTools(policies).policy).toEqual({ allow: ['Read'], deny: ['A', 'B'] });
    expect(intersectTools([...policies, { allow: [], deny: [] }]).policy.allow).toEqual([]);
    expect(intersectTools([{ deny: [] }]).policy).toEqual({ deny: [] });
  });

  const piece = fc.constantFrom('src', 'docs', 'a', '*', '**', '*.md', 'b.ts');
  const pattern = fc.array(piece, { minLength: 1, maxLength: 4 }).map((pieces) => pieces.join('/'));
  const path = fc
    .array(fc.constantFrom('src', 'docs', 'a', 'x.md', 'b.ts'), { minLength: 1, maxLength: 4 })
    .map((pieces) => pieces.join('/'));

  it('rule 8: what a pattern covers, it allows: no path gets through that it would not let', () => {
    fc.assert(
      fc.property(pattern, pattern, path, (wide, narrow, given) => {
        if (!covers({ tool: 'Write', pattern: wide }, { tool: 'Write', pattern: narrow })) return;
        // Without `strictSlashes`, `src/**` would take the folder `src` itself for one of its files.
        const allowed = (glob: string) => picomatch(glob, { dot: true, strictSlashes: true })(given);
        expect(allowed(narrow) && !allowed(wide)).toBe(false);
      }),
      { numRuns: tries(5_000, 1_000) },
    );
  });

  it('rule 8: an intersection is no wider than either list, and the order does not matter', () => {
    const item = fc.oneof(
      fc.constantFrom('Read', 'Bash', 'Bash(npm *)', 'mcp__*', 'mcp__a'),
      pattern.map((glob) => `Write(${glob})`),
    );
    const list = fc.array(item, { maxLength: 4 });
    fc.assert(
      fc.property(list, list, (one, other) => {
        const met = meet(one, other).allow ?? [];
        for (const each of met) {
          const parsed = parseToolItem(each);
          for (const side of [one, other]) {
            const let_through = side.some((wide) => {
              const general = parseToolItem(wide);
              return parsed !== undefined && general !== undefined && covers(general, parsed);
            });
            expect(let_through).toBe(true);
          }
        }
        expect(new Set(meet(other, one).allow)).toEqual(new Set(met));
      }),
    );
  });

  it('takes long and hostile items in bounded time', () => {
    const long = `Bash(${'*a'.repeat(100_000)})`;
    const started = performance.now();
    meet([long], [`Bash(${'a'.repeat(200_000)})`, long]);
    expect(performance.now() - started).toBeLessThan(2000);
  });
});
