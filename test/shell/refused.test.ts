// Values in shell lines, from the corpora: lines that once ran a value are refused when the workflow is loaded, lines that
// people write load, and what a message tells people to type loads as well.

import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { checkCommandWords, checkShellLine, render, renderWords } from '../../src/expressions/expressions.ts';
import type { Json } from '../../src/model/json.ts';
import { scriptWord } from '../../src/text/shell/shell.ts';
import { corpusOf } from './corpus.ts';

const said = (line: string) => line.replaceAll(/\{\{ ?([xyz]) ?\}\}/g, '{{ steps.$1.output }}');
const errorsOf = (line: string) => checkShellLine(line).filter(({ severity }) => severity !== 'warning');
const bindings = (value: string) => ({
  lookup: (root: string): Json =>
    root === 'x' ? value : root === 'inputs' ? { tool: 'make' } : { ask: { output: value } },
  fact: () => undefined,
});

const refused = corpusOf('refused-values.txt').map(({ line }) => said(line));
const honest = corpusOf('accepted-values.txt').map(({ line }) => said(line));

it('SEC-SHELL-FOUND: the corpus has more than 350 lines', () => {
  expect(refused.length).toBeGreaterThan(350);
});

it.each(refused.map((line) => [line]))('SEC-SHELL-FOUND: %s', (line) => {
  expect(errorsOf(line)).not.toEqual([]);
});

describe('SEC-SHELL-HONEST', () => {
  it('the corpus has more than 150 templates', () => {
    expect(honest.length).toBeGreaterThan(150);
  });

  it.each(honest.map((line) => [line]))('loads: %s', (line) => {
    expect(errorsOf(line)).toEqual([]);
  });
});

/** A line that is refused or warned of, and the line that its hint tells people to write. */
const HINTS: readonly (readonly [line: string, hinted: string])[] = [
  ['ssh host "echo {{ x }}"', "printf '%s\\n' {{ x }} | ssh host 'read -r x; echo \"$x\"'"],
  ['python3 -c "print({{ x }})"', "python3 -c 'import sys; print(sys.argv[1])' {{ x }}"],
  ['node -e "console.log({{ x }})"', "node -e 'console.log(process.argv[1])' {{ x }}"],
  ['perl -e "print {{ x }}"', "perl -e 'print $ARGV[0]' {{ x }}"],
  ['ruby -e "puts {{ x }}"', "ruby -e 'puts ARGV[0]' {{ x }}"],
  ['awk "/{{ x }}/" file', "awk -v x={{ x }} '{ print x }' file"],
  ['sed "s/VERSION/{{ x }}/" file', "awk -v x={{ x }} '{ gsub(/VERSION/, x) } 1' file"],
  ['psql -c {{ x }}', 'psql -v x={{ x }} -f query.sql'],
  ['sh -c "echo {{ x }}"', 'sh -c \'echo "$1"\' sh {{ x }}'],
  ['x={{ x }}; echo $(( x + 1 ))', '[ {{ x }} -gt 1 ]'],
  ['[[ {{ x }} -gt 1 ]]', '[ {{ x }} -gt 1 ]'],
  ['let x={{ x }}+1', '{{ x + 1 }}'],
  ['echo $(( {{ x }} ))', '{{ x + 1 }}'],
  ['x={{ x }}; npm run $x', '"$x"'],
  ['x={{ x }}; $x', 'npm run "$x"'],
  ['x={{ x }}; y=${x#a}; git log "$y"', 'git log -- "$x"'],
  ['echo ${y:-{{ x }}}', 'x={{ x }}; echo "${y:-$x}"'],
  ['echo {{ x }} > f; sh f', 'sh script.sh {{ x }}'],
  ['echo "$HOME{{ x }}"', '"${name}{{ x }}"'],
  ['echo a >& {{ x }}', '> {{ x }} 2>&1'],
  ['cat <<E\n{{ x }}\nE', "printf '%s\\n' {{ x }} | command"],
  ['bash {{ inputs.script }}', 'bash -- {{ inputs.script }}'],
  ['eval "$(cat f)"; npm test {{ x }}', 'sh deploy.sh {{ x }}'],
];

it.each(HINTS)('SEC-SHELL-HINTS: the hint for `%s` can be typed, and loads', (line, hinted) => {
  const [problem] = checkShellLine(line);
  expect(problem?.hint).toContain(hinted);
  const before = /^["'>{]/.test(hinted) ? `x={{ x }}; echo ${hinted}` : hinted;
  const whole =
    hinted.includes('"$x"') && !hinted.includes('x=') && !hinted.includes('read')
      ? `x={{ x }}; ${before}`
      : before;
  expect(checkShellLine(whole)).toEqual([]);
});

describe('SEC-SHELL-LISTS', () => {
  const x = '{{ steps.ask.output }}';
  it.each([
    [['bash', '-c', `echo $(( ${x} ))`]],
    [['bash', '-c', `eval ${x}`, 'bash', x]],
    [['zsh', '-c', `echo ${x}`]],
    [['sh', '-c', x]],
    [['env', 'A=b', 'bash', '-lc', `echo ${x}`]],
    [['python3', '-c', `print("${x}")`]],
    [['node', '-e', x]],
    [['awk', `/${x}/`, 'f']],
    [['sh', '-c', 'eval "$1"', 'sh', x]],
    [['git', '-c', x, 'status']],
    [['ssh', '-o', x, 'host', 'ls']],
    [['sudo', x]],
    [[x, 'now']],
    [['npx', x]],
  ])('%j is refused', (words) => {
    expect(
      checkCommandWords(words)
        .flat()
        .filter(({ severity }) => severity !== 'warning'),
    ).not.toEqual([]);
  });

  it.each([
    [['deploy', x]],
    [['git', 'commit', '-m', x]],
    [['sh', '-c', 'echo "$1"', 'sh', x]],
    [['python3', 'scripts/a.py', `--name=${x}`]],
    [['echo', `it's $HOME and \`${x}\` "; $(x)`]],
    [['{{ inputs.tool }}', '--version']],
    [['npm', 'test', '--', x, '* ~ #']],
  ])('%j loads, and each word is what it is', (words) => {
    expect(checkCommandWords(words).flat()).toEqual([]);
    expect(renderWords(words, bindings("it's"))).toMatchObject({ kind: 'value' });
  });

  it.each([
    ['bash', '-c'],
    ['/bin/sh', '-ec'],
    ['dash', '-e', '-o', 'nounset', '-c'],
    ['bash', '-lc'],
  ])('the script of %s %s is filled as a line is: each value is text', (...shell) => {
    const words = [...shell, 'printf "%s" {{ x }}"<{{ x }}>"', 'name', '{{ x }}'];
    expect(checkCommandWords(words).flat()).toEqual([]);
    const value = `a'b "c" $(touch pwned) \`e\`\n\\ ~ *`;
    const lookup = (root: string) => (root === 'x' ? value : undefined);
    const rendered = renderWords(words, { lookup, fact: () => undefined }, scriptWord(words));
    if (rendered.kind !== 'value') throw new Error(rendered.kind);
    const [program = '', ...argv] = rendered.value;
    expect(rendered.value.at(-1)).toBe(value);
    const { stdout } = spawnSync(program, argv, { encoding: 'utf8' });
    expect(stdout).toBe(`${value}<${value}>`);
  });

  it('a value keeps every character', () => {
    const value = `a'b "c" $(d) \`e\`\n\\ ~ *`;
    const lookup = (root: string) => (root === 'x' ? value : undefined);
    expect(renderWords(['npm', '{{ x }}', "it's <{{ x }}>"], { lookup, fact: () => undefined })).toEqual({
      kind: 'value',
      value: ['npm', value, `it's <${value}>`],
    });
  });

  it('a value that begins with `-` is refused when it runs', () => {
    const words = ['git', 'ls-remote', '{{ x }}', '.'];
    expect(renderWords(words, bindings('--upload-pack=touch pwned;'))).toMatchObject({
      kind: 'error',
      message: expect.stringContaining('begins with `-`'),
    });
    expect(renderWords(words, bindings('origin'))).toMatchObject({ kind: 'value' });
  });
});

describe('SEC-SHELL-RUN', () => {
  const ran = (line: string, value: string) => render(line, bindings(value), { quote: 'shell' });

  it.each([
    'git log {{ x }}',
    'y={{ x }}; git log "$y"',
    'set -- {{ x }}; tar cf a.tar "$@"',
    'for f in {{ x }}; do tar cf a.tar "$f"; done',
    'find . -type f {{ x }}',
    'x=({{ x }}); ssh host ls; ssh {{ x }} ls',
  ])('a value that begins with `-` fails `%s`', (line) => {
    expect(ran(line, '-delete')).toMatchObject({
      kind: 'error',
      message: expect.stringMatching(/^a value begins with `-`/),
    });
    expect(ran(line, 'main').kind).toBe('value');
  });

  it.each([
    'git commit -m "{{ x }}"',
    'git commit --allow-empty -qm {{ x }}',
    'git commit -F {{ x }}',
    'git tag -a v1 -m {{ x }}',
    'git log --grep {{ x }}',
    'git checkout -b {{ x }}',
    'gh pr create --body {{ x }}',
    'find . -name {{ x }}',
  ])('the value of an option may begin with `-`: `%s`', (line) => {
    expect(ran(line, '- fixed\n- added').kind).toBe('value');
  });

  it('the message says the reason first and shows the value on one line', () => {
    const { message } = ran('git log {{ x }}', `- fixed\n${'x'.repeat(200)}`) as { message: string };
    expect(message).toMatch(
      /^a value begins with `-`, and `git` would take it for an option: `- fixed…`\. Write `--`/,
    );
    expect(message).not.toContain('\n');
  });

  it('a value in `sed` is text between the delimiters, or the step fails', () => {
    expect(ran('sed "s/VERSION/{{ x }}/g" f', '1.2.3 (beta); x').kind).toBe('value');
    expect(ran('sed -n "{{ x }}p" f', '12').kind).toBe('value');
    for (const value of ['a/e;1e touch p', 'a\n1e touch p', '\\'])
      expect(ran('sed "s/VERSION/{{ x }}/g" f', value)).toMatchObject({ kind: 'error' });
    for (const value of ['1e touch p;', '1e', '/x/e'])
      expect(ran('sed -n "{{ x }}p" f', value)).toMatchObject({ kind: 'error' });
  });

  it('an input of several words is a command by itself only', () => {
    const line = '{{ inputs.test }} 2>&1 | tail -3';
    const inputs = (test: string) => ({ lookup: () => ({ test }), fact: () => undefined });
    expect(render(line, inputs('npm test'), { quote: 'shell' })).toMatchObject({
      kind: 'error',
      message: expect.stringContaining('is one word'),
    });
    expect(render(line, inputs('make'), { quote: 'shell' })).toMatchObject({ kind: 'value' });
    expect(checkShellLine(line, () => 'npm test')).toMatchObject([{ code: 'shell-value' }]);
    expect(checkShellLine(`timeout 5 ${line}`, () => 'npm test')).toMatchObject([{ code: 'shell-value' }]);
    expect(checkShellLine(line, () => 'make')).toEqual([]);
  });

  it('what is counted is a number', () => {
    expect(checkShellLine('n=$(echo {{ x }} | wc -c); echo $((n - 1))')).toEqual([]);
    expect(checkShellLine('n=$(grep -c {{ x }} f); (( n > 3 ))')).toEqual([]);
    expect(checkShellLine('n=$(wc -l {{ x }}); (( n > 3 ))')).not.toEqual([]);
  });
});
