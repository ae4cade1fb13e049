import { describe, expect, it } from 'vitest';
import { problemsOf } from './fixtures/sample-translation.ts';
import { isAtLeast } from './version-gate.ts';

describe('versions', () => {
  const order = ['1.1', '1.1.1', '1.2', '1.3'];
  it('come in the order in which they were made', () => {
    for (const [a, lower] of order.entries())
      for (const [b, higher] of order.entries()) expect(isAtLeast(lower, higher)).toBe(a >= b);
  });

  const fields: [field: string, since: string, step: string][] = [
    ['depends_on.inject', '1.1.1', 'provider: claude, depends_on: { inject: false }'],
    [
      'for_each.on_item_complete',
      '1.2',
      'for_each: { items: [a], on_item_complete: {}, steps: [{ name: B, command: [x] }] }',
    ],
    ['output_schema', '1.3', 'command: [x], output_capture: json, output_schema: s.json'],
    ['output_require', '1.3', 'command: [x], output_capture: json, output_require: [{ pointer: /a }]'],
  ];
  const cases = fields.flatMap(([field, since, step]) =>
    order.map((version) => ({ field, since, step, version })),
  );
  it.each(cases)('$field in "$version"', ({ field, since, step, version }) => {
    const problems = problemsOf(`version: "${version}"\nsteps: [{ name: A, ${step} }]\n`);
    if (isAtLeast(version, since)) expect(problems).toEqual([]);
    else {
      expect(problems.map(({ code, context }) => ({ code, context }))).toEqual([
        { code: 'version-needed', context: { field, version_needed: since, version } },
      ]);
    }
  });

  it('a field deep inside is found too, and pointed at', () => {
    const text = `version: "1.1"
steps:
  - name: Outer
    for_each:
      items: [a]
      steps:
        - name: Inner
          provider: claude
          depends_on:
            inject: true
`;
    const [problem] = problemsOf(text);
    expect(problem).toMatchObject({ code: 'version-needed', span: { line: 10, column: 13 } });
    expect(problem?.message).toContain('"1.1.1"');
  });
});
