import { describe, expect, it } from 'vitest';
import { evaluationIn } from './evaluated.ts';
import { readScript } from './read-script.ts';

function evaluation(line: string) {
  const read = readScript(line);
  if (read.kind === 'unclear') throw new Error(read.why);
  return evaluationIn(read.script);
}

describe('SEC-SHELL-EVALUATED: what bash evaluates in quotes', () => {
  it.each([
    [`[[ 'q[$(rm x)]' -eq 1 ]]`],
    [`[[ -v 'q[$(rm x)]' ]]`],
    [`npm test \${z['q[$(rm x)]']}`],
    [`npm test \${HOME:'q[$(rm x)]'}`],
    [`for x in 'q[$(rm x)]'; do echo \${!x}; done`],
    [`for x in 'q[$(rm x)]'; do echo $((x)); done`],
    [`test -v 'q[$(rm x)]'`],
    [`[ "$op" 'q[$(rm x)]' ]`],
    [`command printf -v 'q[$(rm x)]' 1`],
    [`let 'q[$(rm x)]'`],
    [`while read x; do echo $((x)); done <<'E'\nq[$(rm x)]\nE`],
    [`a=$(cat <<'E'\nq[$(rm x)]\nE\n); echo $((a))`],
  ])('%s hides a command', (line) => {
    expect(evaluation(line)).toMatchObject({ evaluates: true, hides: true });
  });

  it.each([
    [`[[ $x == 'a $(b)' ]]`],
    [`[ -n "$x" ] && git commit -m 'use \`x\`'`],
    [`[ "$x" = y ] && git commit -m 'use \`x\`'`],
    [`read -r name; git commit -m 'use \`x\`'`],
    [`echo \${x:0:8} \${list[@]} \${list[0]} \${y:-a} 'use \`x\`'`],
    [`n=$((n + 1)); git commit -m "$(cat <<'E'\nuse \`x\`\nE\n)"`],
  ])('%s hides none', (line) => {
    const { evaluates, hides } = evaluation(line);
    expect(evaluates && hides).toBe(false);
  });

  it.each([
    ['echo $((PATH=1))', ['PATH']],
    ['for ((i=0; i<3; PATH=1)); do :; done', ['i', 'PATH']],
    ['for y in PATH=1; do echo $((y)); done', ['PATH']],
    ['echo $((a == b)) $((a <= b))', []],
    ['echo $((n++)) $((--m))', ['n', 'm']],
    ['for y in A=1; do echo "$y"; done', []],
  ])('%s sets %j', (line, names) => {
    expect(evaluation(line).sets).toEqual(names);
  });
});
