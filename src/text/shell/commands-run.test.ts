import { describe, expect, it } from 'vitest';
import { lineRuns } from './line-runs.ts';
import { readScript } from './read-script.ts';
import type { Command } from './tree.ts';

/** The simple commands of a line as written, those inside substitutions first. */
function commandsOf(line: string): string[] {
  const read = readScript(line);
  if (read.kind === 'unclear') throw new Error(read.why);
  return read.script.flatMap(textsOf);
}

function textsOf(command: Command): string[] {
  if (command.kind === 'pipeline') return command.parts.flatMap(textsOf);
  const parts = command.words.flatMap((word) => word.parts);
  const inside = parts.flatMap((part) => (part.kind === 'command' ? part.script.flatMap(textsOf) : []));
  return command.kind === 'simple'
    ? [...inside, command.text]
    : [...inside, ...command.body.flatMap(textsOf)];
}

describe('the commands of a line', () => {
  it.each<[line: string, commands: string[]]>([
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
    ['case x in *) rm y;; esac', ['rm y']],
    ['f() { rm x; }; f', ['rm x', 'f']],
    ["cat <<'E' > f\nrm x\nE\nls", ["cat <<'E' > f", 'ls']],
    ['npm test ${x:- #};touch X', ['npm test ${x:- #}', 'touch X']],
    ['', []],
  ])('%j', (line, commands) => {
    expect(commandsOf(line)).toEqual(commands);
  });

  it.each([
    "echo 'a",
    'echo "a',
    'echo $(a',
    'cat <<EOF\nrm x',
    'a \\',
    'npm --version \r# ; touch X',
    'npm\u00a0test',
    'a\u2028b',
    'a \v b',
    '$(( a ) ; b)',
    'echo $"a"',
    "echo $'a\\'b'",
    'a;; b',
    'if a; then b',
    'a & & b',
    '}',
    'echo a )',
    "npm test >& '$(touch x)'",
  ])('%j is not understood', (line) => {
    expect(readScript(line).kind).toBe('unclear');
  });

  it('the body of a heredoc is data, its substitutions are not unless the delimiter is quoted', () => {
    expect(lineRuns('cat <<EOF\nrm x\nEOF', 'rm *').kind).toBe('no');
    expect(lineRuns('cat <<EOF\n$(rm x)\nEOF', 'rm *').kind).toBe('yes');
    expect(lineRuns("cat <<'EOF'\n$(rm x)\nEOF", 'rm *').kind).toBe('no');
    expect(lineRuns("bash <<'EOF'\nrm x\nEOF", 'rm *').kind).toBe('yes');
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
])('%j is seen to run `rm x`, or is not understood', (line) => {
  expect(lineRuns(line, 'rm *').kind).not.toBe('no');
});

it.each(['ls | xargs rm', 'ls | sudo xargs -0 /bin/rm', 'ls | parallel rm', 'rm', 'rm -fr y'])(
  '%j runs rm',
  (line) => {
    expect(lineRuns(line, 'rm *').kind).toBe('yes');
  },
);

it.each([
  'echo "rm x"',
  'npm rm x',
  "grep 'a; rm x' f",
  'cat <<< "rm x"',
  'echo a > rm x',
  'git rm x',
  'docker rm x',
  'git commit -m "$(cat <<\'EOF\'\nfix: do not `rm x`\nEOF\n)"',
])('%j does not', (line) => {
  expect(lineRuns(line, 'rm *').kind).toBe('no');
});

it.each([
  ['git push --force *', 'git push -q origin --force', 'yes'],
  ['git push --force *', 'git push origin main', 'no'],
  ['rm -rf *', 'rm -r x -f', 'yes'],
  ['rm -rf *', 'rm -r x', 'no'],
  ['npm run deploy*', 'npm --silent run deploy:prod', 'yes'],
  ['git push *', 'git $x origin', 'unclear'],
  ['git push *', 'git -C "$dir" status', 'no'],
])('%j of %j: %s', (pattern, line, kind) => {
  expect(lineRuns(line, pattern).kind).toBe(kind);
});
