import { describe, expect, it } from 'vitest';
import type { LoadedFile } from '../../model/library.ts';
import { report } from '../../source/diagnostics.ts';
import { nodeSpan, toJson } from '../../source/read/node.ts';
import { foreignPage, type PageKind } from './page.ts';
import { RESULT_SCHEMAS, schemaName } from './schema-name.ts';

function read(kind: PageKind, text: string) {
  const problems = report();
  const file: LoadedFile = { id: '/x.md', path: 'x.md', text, layer: 'wrangler', shadows: [] };
  const page = foreignPage(file, kind, problems);
  return {
    page,
    matter: page?.matter && toJson(page.matter),
    body: page?.body.value,
    problems: problems
      .diagnostics()
      .map(({ span, severity, code, message }) => `${span?.line}: ${severity} ${code}: ${message}`),
  };
}

describe('front matter in our words', () => {
  it.each<[PageKind, string, unknown]>([
    [
      'agent',
      'name: reviewer\ndescription: Looks\ntools:\n  - Read\n  - mcp__wrangler__issues_get\nmodel: sonnet',
      {
        name: 'reviewer',
        description: 'Looks',
        tools: { allow: ['Read', 'mcp__wrangler__issues_get'] },
        model: 'sonnet',
      },
    ],
    ['agent', 'name: My Agent!\ntools: Read, Grep', { name: 'My_Agent', tools: { allow: ['Read', 'Grep'] } }],
    ['agent', 'tools: []', { tools: { allow: [] } }],
    ['prompt', 'name: p\noutputSchema: schemas/fix.ts', { name: 'p', schema: 'fix' }],
    [
      'task',
      'name: implementer\ntools: ["Read", "Write"]\nmodel: opus\noutputSchema: schemas/implementation.ts#ImplementResultSchema',
      { name: 'implementer', tools: { allow: ['Read', 'Write'] }, model: 'opus', schema: 'implementation' },
    ],
    [
      'gate',
      'name: perf\nrunCondition: changed-files-match\nfilePatterns: ["**/*.ts", "**/*.sql"]\nenabled: true',
      { name: 'perf', enabled: true, run: 'changed-files', files: ['**/*.ts', '**/*.sql'] },
    ],
    // Patterns count only where the gate asks whether anything matches, and it asks only where there are some.
    ['gate', 'runCondition: always\nfilePatterns: ["**/*.ts"]', { run: 'always' }],
    ['gate', 'filePatterns: ["**/*.ts"]', {}],
    ['gate', 'runCondition: changed-files-match', { run: 'always' }],
    ['gate', 'runCondition: manual\nenabled: false', { enabled: false, run: 'manual' }],
  ])('of a %s: %j', (kind, matter, expected) => {
    const result = read(kind, `---\n${matter}\n---\nBody.`);
    expect(result.problems).toEqual([]);
    expect(result.matter).toEqual(expected);
    expect(result.body).toBe('Body.');
  });

  it('may be missing', () => {
    expect(read('prompt', 'Only {{words}}.')).toMatchObject({ matter: undefined, problems: [] });
    expect([...(read('prompt', 'Only {{words}}.').page?.names ?? [])]).toEqual(['words']);
  });

  it('every field stands where theirs does', () => {
    const { page } = read('gate', '---\nname: a\nrunCondition: manual\n---\nx');
    const run = page?.matter?.entries.get('run');
    expect(
      run && [nodeSpan(run.keyNode).line, nodeSpan(run.keyNode).column, nodeSpan(run.value).column],
    ).toEqual([3, 1, 15]);
  });

  it.each<[PageKind, string, string]>([
    ['agent', 'modle: x', '2: error unknown-field: an agent has no field `modle`'],
    ['prompt', 'tools: [Read]', '2: error unknown-field: a prompt has no field `tools`'],
    ['agent', 'runCondition: always', '2: error unknown-field: an agent has no field `runCondition`'],
    ['gate', 'runCondition: sometimes', '2: error bad-choice: `runCondition` must be'],
    ['gate', 'enabled: maybe', '2: error wrong-type: `enabled` must be'],
    ['agent', 'tools: { Read: yes }', '2: error wrong-type: `tools` must be'],
    [
      'prompt',
      'outputSchema: schemas/review.ts#ReviewIssueSchema',
      '2: error unknown-schema: there is no result schema "ReviewIssueSchema"',
    ],
    ['agent', 'outputSchema: schemas/review.ts', '2: warning schema-of-agent: '],
  ])('of a %s: %j is told', (kind, matter, problem) => {
    const { problems } = read(kind, `---\n${matter}\n---\nBody.`);
    expect(problems).toEqual([expect.stringContaining(problem)]);
  });
});

describe('result schemas', () => {
  it.each([
    ['schemas/analysis.ts#AnalysisResultSchema', 'analysis'],
    ['schemas/implementation.ts#ImplementResultSchema', 'implementation'],
    ['schemas/implementation.ts#ImplementationResultSchema', 'implementation'],
    ['schemas/review.ts#ReviewResultSchema', 'review'],
    ['schemas/fix.ts#FixResultSchema', 'fix'],
    ['schemas/verification.ts#VerifyResultSchema', 'verification'],
    ['schemas/publish.ts#PublishResultSchema', 'publish'],
    ['elsewhere.ts#ReviewResult', 'review'],
    ['schemas/verification.ts', 'verification'],
    ['review', 'review'],
  ])('%s is %s', (reference, name) => {
    expect(schemaName(reference)).toEqual({ name });
  });

  it.each([
    'schemas/x.ts',
    'schemas/review.ts#Other',
    '',
    '#',
    'constructor',
    '__proto__',
    'schemas/review.ts#',
  ])('%j is none, and all six are listed', (reference) => {
    expect(schemaName(reference)).toMatchObject({ hint: expect.stringContaining(RESULT_SCHEMAS.join(', ')) });
  });
});
