import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { render } from './expressions.ts';

/** What `sh -c` makes of a rendered line. */
function run(line: string): string {
  const { stdout, stderr, status } = spawnSync('/bin/sh', ['-c', line], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${line}: ${stderr}`);
  return stdout;
}

function rendered(template: string, value: unknown): string {
  const evaluation = render(
    template,
    { lookup: (root) => (root === 'x' ? (value as string) : undefined), fact: () => undefined },
    { quote: 'shell' },
  );
  if (evaluation.kind !== 'value') throw new Error(JSON.stringify(evaluation));
  return evaluation.value as string;
}

const places = [
  'printf %s {{ x }}',
  'printf %s "{{ x }}"',
  "printf %s '{{ x }}'",
  'printf %s "$(printf %s {{ x }}; printf .)" | sed \'$s/\\.$//\'',
  'true # it\'s "a comment\nprintf %s {{ x }}',
  'if true; then (printf %s {{ x }}); fi',
  'HOME=/x; : "${HOME}"; printf %s {{ x }}',
  "printf %s \\''' {{ x }} | cut -c1 >/dev/null; printf %s {{ x }}",
];

const nasty = [
  "it's",
  '"; echo pwned; "',
  '$(echo pwned)',
  '`echo pwned`',
  '$HOME',
  '\\',
  "\\'",
  "'; echo pwned; '",
  'a\nb',
  '*',
  '~',
  '-n',
  '%s',
  '#',
  '!x',
  '${IFS}',
  '  spaced  ',
  'ünïcödé 😀',
  '&& echo pwned',
  '',
];

describe('render for the shell', () => {
  it.each(places)('in `%s` a value is text and nothing else', (template) => {
    for (const value of nasty) expect(run(rendered(template, value))).toBe(value);
  });

  it('is the same text again for any value, bare and in either kind of quotes', () => {
    const values = fc.array(
      fc.string({ unit: 'grapheme', minLength: 1 }).map((text) => text.replaceAll('\0', '')),
      { minLength: 20, maxLength: 20 },
    );
    fc.assert(
      fc.property(values, fc.constantFrom('{{ x }}', '"{{ x }}"', "'{{ x }}'"), (texts, place) => {
        const line = texts.map((text) => `printf '%s\\n--\\n' ${rendered(place, text)}`).join('\n');
        expect(run(line)).toBe(texts.map((text) => `${text}\n--\n`).join(''));
      }),
      { numRuns: 25 },
    );
  });

  it('puts a list or a map in as the one word of its JSON', () => {
    expect(rendered('echo {{ x }}', ['a b', "c'"])).toBe(`echo '["a b","c'\\''"]'`);
    expect(run(rendered('printf %s {{ x }}', { k: ['$(x)', 1] }))).toBe('{"k":["$(x)",1]}');
    expect(run(rendered('printf %s {{ x }}', 5))).toBe('5');
  });

  it('quotes a line that is one {{ }} and nothing else, too', () => {
    expect(rendered('{{ x }}', 'rm -rf /')).toBe("'rm -rf /'");
    expect(rendered('{{ x }}', 5)).toBe("'5'");
  });

  it('quotes what a loop inserts', () => {
    expect(run(rendered('printf "%s|" {% for y in x %}{{ y }} {% endfor %}', ['a b', "c'd"]))).toBe(
      "a b|c'd|",
    );
  });

  it.each([
    ['cat <<END\n{{ x }}\nEND', 'after `<<`'],
    ['echo `echo {{ x }}`', 'backquotes'],
    ['echo \\{{ x }}', 'backslash'],
    ['true # {{ x }}', 'comment'],
    ['echo ${HOME:-{{ x }}}', '${ }'],
    ["echo $'{{ x }}'", 'such quoting'],
    ["echo ${HOME:-'}'} '{{ x }}'", 'such quoting'],
    ['echo "$(case a in a) echo {{ x }};; esac)"', 'such quoting'],
  ])('refuses `%s`, where it cannot be made safe', (template, why) => {
    const evaluation = render(template, { lookup: () => 'x', fact: () => undefined }, { quote: 'shell' });
    expect(evaluation).toMatchObject({ kind: 'error', message: expect.stringContaining(why) });
  });

  it('refuses a NUL character, which would cut the command short', () => {
    const evaluation = render(
      'echo {{ x }}',
      { lookup: () => 'a\0b', fact: () => undefined },
      { quote: 'shell' },
    );
    expect(evaluation).toMatchObject({ kind: 'error', message: expect.stringContaining('NUL') });
  });
});
