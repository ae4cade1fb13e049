import { describe, expect, it } from 'vitest';
import { everyReading, readShellLine } from './shell-line.ts';

describe('the commands of a line', () => {
  const table: [line: string, commands: string[]][] = [
    ['npm test', ['npm test']],
    ['a && rm x', ['a', 'rm x']],
    ['a || b; c & d | e', ['a', 'b', 'c', 'd', 'e']],
    ['a\nb', ['a', 'b']],
    ['(cd x; rm y)', ['cd x', 'rm y']],
    ['echo $(rm x) done', ['rm x', 'echo $(rm x) done']],
    ['echo "$(rm x)"', ['rm x', 'echo "$(rm x)"']],
    ['echo `rm x`', ['rm x', 'echo `rm x`']],
    ["echo '$(rm x)'", ["echo '$(rm x)'"]],
    ['echo "a && b"', ['echo "a && b"']],
    ['echo a \\&\\& b', ['echo a \\&\\& b']],
    ['if rm x; then y; fi', ['rm x', 'y']],
    ['for f in *; do rm $f; done', ['rm $f']],
    ['! rm x', ['rm x']],
    ['a # && rm x', ['a']],
    ['a#b', ['a#b']],
    ['diff <(sort a) <(rm b)', ['sort a', 'rm b', 'diff <(sort a) <(rm b)']],
    ['echo $(a $(b "c)") d)', ['b "c)"', 'a $(b "c)") d', 'echo $(a $(b "c)") d)']],
    ['', []],
  ];
  it.each(table)('%j', (line, commands) => {
    const read = readShellLine(line);
    expect(read.commands.map(({ text }) => text)).toEqual(commands);
    expect(read.isClear).toBe(true);
  });

  it.each([
    "echo 'a",
    'echo "a',
    'echo $(a',
    'cat <<EOF\nrm x\nEOF',
    "$'rm' x",
    'case x in *) rm y;; esac',
    'a \\',
  ])('it does not claim to follow %j', (line) => {
    expect(readShellLine(line).isClear).toBe(false);
  });

  it.each<[string, boolean]>([
    ['echo a > f', true],
    ['echo a >> f', true],
    ['echo a 2>f', true],
    ['echo a &> f', true],
    ['echo a >| f', true],
    ['echo a > "$f"', true],
    ['cmd <> f', true],
    ['echo a > /dev/null', false],
    ['echo a 2>&1', false],
    ['echo a >&-', false],
    ['echo a < f', false],
    ['echo "a > f"', false],
  ])('%j writes to a file: %s', (line, writes) => {
    expect(readShellLine(line).commands.some((command) => command.writes)).toBe(writes);
  });

  it('the words of a command have no quotes', () => {
    expect(readShellLine(`r'm' "-r f" \\x 2>/dev/null`).commands[0]?.words).toEqual([
      'rm',
      '-r f',
      'x',
      '/dev/null',
    ]);
  });
});

it.each([
  'rm x',
  'a && rm x',
  'FOO=1 rm x',
  'sudo rm x',
  'sudo -u me rm x',
  'env A=b rm x',
  '/bin/rm x',
  '\\rm x',
  '"rm" x',
  'rm\tx',
  'sh -c "rm x"',
  `bash -lc 'cd y && rm x'`,
  `sh -c "sh -c 'rm x'"`,
  'eval rm x',
  'echo $(rm x)',
  'find . -exec rm x ;',
  'ls | xargs rm x',
  'if true; then rm x; fi',
  'timeout 5 rm x',
  '>o rm x',
  '2>&1 rm x',
  '{log}>o rm x',
  'rm 2>/dev/null x',
  "$'rm' x",
  "$'\\x72\\155' x",
  '$"rm" x',
  'time -p rm x',
  'time -o f rm x',
  'coproc rm x',
  'coproc NAME { rm x; }',
  'function f { rm x; }',
  'for f do rm x; done',
  'a[0]=1 rm x',
  'bash -c -- "rm x"',
  'bash -Ec "rm x"',
  'bash -c -o pipefail "rm x"',
  'bash <<< "rm x"',
  'sudo bash <<<rm\\ x',
  'echo `echo \\`rm x\\``',
  'echo "`echo \\"\\`rm x\\`\\"`"',
  'echo `echo \\$(rm x)`',
])('%j is seen to run `rm x`', (line) => {
  expect(everyReading(line)).toContain('rm x');
});

it.each(['ls | xargs rm', 'ls | sudo xargs -0 /bin/rm', 'ls | parallel rm'])(
  '%j is seen to run `rm` with arguments',
  (line) => {
    expect(everyReading(line)).toContain('rm …');
  },
);

it.each(['echo "rm x"', 'npm rm x', "grep 'a; rm x' f", 'cat <<< "rm x"', 'echo a > rm x'])(
  '%j is not',
  (line) => {
    expect(everyReading(line)).not.toContain('rm x');
  },
);
