import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkShellLine, render } from './expressions.ts';

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
        const line = texts.map((text) => rendered(`printf '%s\\n--\\n' ${place}`, text)).join('\n');
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

  it('quotes what a loop inserts', () => {
    expect(run(rendered('printf "%s|" {% for y in x %}{{ y }} {% endfor %}', ['a b', "c'd"]))).toBe(
      "a b|c'd|",
    );
  });

  it.each([
    ['cat <<END\n{{ x }}\nEND', 'heredoc'],
    ["cat <<'END'\n{{ x }}\nEND", 'heredoc'],
    ['echo `echo {{ x }}`', 'backquotes'],
    ['echo \\{{ x }}', 'backslash'],
    ['echo "\\{{ x }}"', 'backslash'],
    ['true # {{ x }}', 'comment'],
    ['echo ${HOME:-{{ x }}}', '${ }'],
    ["echo $'{{ x }}'", "$'…'"],
    ['echo ${{ x }}', 'after `$`'],
    ['echo "bump ${{ x }}"', 'after `$`'],
    ['echo $(( {{ x }} ))', '(( ))'],
    ['echo "$(( {{ x }} + 1 ))"', '(( ))'],
    ['(( {{ x }} ))', '(( ))'],
    ['[[ {{ x }} -eq 1 ]]', 'evaluates'],
    ['[[ -v {{ x }} ]]', 'evaluates'],
    ['test -v {{ x }}', 'evaluates'],
    ['a[{{ x }}]=1', 'index'],
    ['echo ${a[{{ x }}]}', 'index'],
    ['unset {{ x }}', 'evaluates'],
    ['read {{ x }}', 'evaluates'],
    ['let {{ x }}', 'evaluates'],
    ['x={{ x }}; echo "$((x + 1))"', 'evaluates'],
    ['x={{ x }}; eval "$x"', 'reads again'],
    ['x={{ x }}; $x --version', 'name of a program'],
    ['x={{ x }}; sh -c "echo $x"', 'reads again'],
    ['eval "$(cat {{ x }})"', 'reads again'],
    ['PS4={{ x }} sh -xc true', 'reads again'],
    ['watch echo {{ x }}', 'reads again'],
    ['echo a >& {{ x }}', 'after `>&`'],
    ['echo "$HOME{{ x }}"', 'rest of its name'],
    ['printf {{ x }}', 'evaluates'],
    ['declare -i n={{ x }}', 'evaluates'],
    ['eval "echo {{ x }}"', 'reads again'],
    ['eval echo {{ x }}', 'reads again'],
    ['sh -c "echo {{ x }}"', 'reads again'],
    ['bash -lc {{ x }}', 'reads again'],
    ['sudo -u me env A=b bash -c "echo {{ x }}"', 'reads again'],
    ['echo {{ x }} | sh', 'reads again'],
    ['bash <<< {{ x }}', 'reads again'],
    ['trap "echo {{ x }}" EXIT', 'reads again'],
    ['find . -exec sh -c "echo {{ x }}" \\;', 'reads again'],
    ['docker exec c bash -lc "echo {{ x }}"', 'reads again'],
    ['python3 -c "print({{ x }})"', 'program text'],
    ['node -e "console.log(\'{{ x }}\')"', 'program text'],
    ["awk '{ print {{ x }} }' f", 'program text'],
    ['{{ x }}', 'name of a program'],
    ['{{ x }} --version', 'name of a program'],
    ['sudo {{ x }} now', 'name of a program'],
    ['sh {{ x }}', 'takes options'],
    ['bash -- {{ x }}', 'name of a program'],
    ['./bin/{{ x }}', 'name of a program'],
    ['echo $[ {{ x }} ]', 'cannot be followed'],
    ['echo {{ x }} "', 'cannot be followed'],
  ])('refuses `%s`, where it cannot be made safe', (template, why) => {
    const evaluation = render(template, { lookup: () => 'x', fact: () => undefined }, { quote: 'shell' });
    expect(evaluation).toMatchObject({ kind: 'error', message: expect.stringContaining(why) });
    expect(checkShellLine(template)).toMatchObject([{ code: 'shell-value', hint: expect.any(String) }]);
  });

  it.each([
    'sh -c \'echo "$1"\' sh {{ x }}',
    'timeout {{ x }} npm test',
    'docker exec c sh -c \'echo "$1"\' sh {{ x }}',
    'zip -r {{ x }}.zip dist',
    'command -v {{ x }}',
    'git checkout -b {{ x }}',
    '[ {{ x }} -eq 1 ]',
    '[ -n {{ x }} ]',
    '[[ {{ x }} == a* ]]',
    'export NAME={{ x }}',
    'case {{ x }} in a) echo {{ x }};; esac',
    'for f in {{ x }}; do echo "$f {{ x }}"; done',
    'echo "$(case a in a) echo {{ x }};; esac)"',
    "printf '%s\\n' {{ x }} > {{ x }}.txt",
    "awk -v x={{ x }} '{ print x }' f",
    'python3 script.py --name={{ x }}',
    '{{ inputs.tool }} --version',
    'sh -- {{ inputs.script }} now',
    'sh ./scripts/{{ inputs.script }}',
    'echo \\$ {{ x }} "\\$" {{ x }}',
    'cat <<END {{ x }}\n$HOME\nEND',
  ])('takes `%s`', (template) => {
    expect(checkShellLine(template)).toEqual([]);
  });

  it.each(['ssh host "echo {{ x }}"', 'sed "s/a/{{ x }}/" f', 'my-runner -c "echo {{ x }}"'])(
    'warns of `%s`, which may read it again',
    (template) => {
      expect(checkShellLine(template)).toMatchObject([{ code: 'shell-value-unsure', severity: 'warning' }]);
    },
  );

  it('an input may name a program, but not stand where a shell takes `-c`', () => {
    expect(checkShellLine('bash {{ inputs.x }} {{ inputs.y }}')).toMatchObject([
      { code: 'shell-value' },
      { code: 'shell-value' },
    ]);
  });

  it('looks at every branch of a template', () => {
    const source =
      "echo {% if a %}'{% endif %}{{ x }}{% if a %}'{% endif %}{% for y in z %} `{{ y }}`{% endfor %}";
    const messages = checkShellLine(source).map(({ message }) => message);
    expect(messages.some((message) => message.includes('cannot be followed'))).toBe(true);
    expect(messages.some((message) => message.includes('backquotes'))).toBe(true);
  });

  it.each(['git log {{ x }}', 'ssh {{ x }} true', 'node {{ x }}'])(
    'refuses an option in `%s`',
    (template) => {
      const value = (x: string) =>
        render(template, { lookup: () => x, fact: () => undefined }, { quote: 'shell' });
      expect(value('--upload-pack=touch x')).toMatchObject({
        kind: 'error',
        message: expect.stringContaining('option'),
      });
      expect(value('main').kind).toBe('value');
    },
  );

  it('refuses a NUL character, which would cut the command short', () => {
    const evaluation = render(
      'echo {{ x }}',
      { lookup: () => 'a\0b', fact: () => undefined },
      { quote: 'shell' },
    );
    expect(evaluation).toMatchObject({ kind: 'error', message: expect.stringContaining('NUL') });
  });
});
