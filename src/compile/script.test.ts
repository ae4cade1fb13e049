import { describe, expect, it } from 'vitest';
import { compileScript } from './script.ts';

function problems(text: string): string[] {
  const result = compileScript({ path: 's.yaml', text });
  return 'script' in result
    ? []
    : result.diagnostics.map(
        ({ code, message, span, hint }) =>
          `${span?.line}:${span?.column} ${code}: ${message}${hint ? ` | ${hint}` : ''}`,
      );
}

describe('compileScript', () => {
  it('reads every field of an answer, one or a list of them', () => {
    const text = `answers:
  analyze: { output: { tasks: [{ id: 1 }] } }
  implement:
    - { write: { src/a.ts: "{{ not a template }}" }, run: [node, --test, 1], commit: "implement: a", output: {} }
    - { text: done, usage: { input: 1200, output: 300, cost: 0, turns: 2 }, session: s1 }
  execute[1]/implement: { exit: 1, stderr: rate limited, error: rate-limit }
  review: { delay: 200ms, text: not json, run: npm test }
  slow: { hang: true, garbage: true }
  "*": { text: ok }
`;
    expect(compileScript({ path: 's.yaml', text })).toEqual({
      script: {
        answers: {
          analyze: [{ output: { tasks: [{ id: 1 }] } }],
          implement: [
            {
              write: { 'src/a.ts': '{{ not a template }}' },
              run: ['node', '--test', '1'],
              commit: 'implement: a',
              output: {},
            },
            { text: 'done', usage: { input: 1200, output: 300, cost: 0, turns: 2 }, session: 's1' },
          ],
          'execute[1]/implement': [{ exit: 1, stderr: 'rate limited', error: 'rate-limit' }],
          review: [{ delay: 200, text: 'not json', run: 'npm test' }],
          slow: [{ hang: true, garbage: true }],
          '*': [{ text: 'ok' }],
        },
      },
    });
  });

  it.each<[string, string, string[]]>([
    [
      'an unknown field',
      'answers: { a: { txet: hi } }',
      ['1:17 unknown-field: an answer has no field `txet` | Did you mean "text"?'],
    ],
    [
      'a bad duration',
      'answers: { a: { delay: 3 } }',
      [
        '1:24 wrong-type: `delay` must be a duration such as `200ms`, `1.5s`, `10m`, `1h30m` or `2d`, and `3` is a number | Say of what: `3s` are seconds, `3m` minutes.',
      ],
    ],
    [
      'no answers',
      'answer: {}',
      [
        '1:1 unknown-field: a script has no field `answer` | Did you mean "answers"?',
        '1:9 wrong-type: `answers` is empty, and must not be',
      ],
    ],
    ['an empty list', 'answers: { a: [] }', ['1:15 wrong-type: `a` is empty, and must not be']],
    ['a text', 'hello', ['1:1 wrong-type: the script must be a map with `answers`, and `hello` is a text']],
    ['broken YAML', 'answers: [', ['1:10 yaml-syntax: the [ that opens here is never closed']],
  ])('says what is wrong with %s', (_, text, expected) => {
    expect(problems(text)).toEqual(expected);
  });
});
