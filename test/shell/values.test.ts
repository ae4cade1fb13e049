// A value is never a command: shell lines with `{{ }}` in odd places are either refused when the workflow is loaded, or
// each value arrives as text, whatever it is, under dash and bash. LOCKSTEP_FUZZ_SEED chooses other lines and values.

import { describe, expect, it } from 'vitest';
import { compileSample, rendered } from '../../src/compile/fixtures/sample-library.ts';
import { render } from '../../src/expressions/expressions.ts';
import { tries } from '../support/tries.ts';
import { reportOf } from './judge.ts';
import { Random } from './random.ts';
import { eachTemplate, hostileValue, randomTemplate, type Template } from './random-template.ts';
import { bothShells, canSandbox, type Ran } from './sandbox.ts';

const SEED = Number(process.env.LOCKSTEP_FUZZ_SEED ?? 20261115);
const TEMPLATES = Number(process.env.LOCKSTEP_FUZZ_TEMPLATES ?? tries(3000, 200));
const SHOWN = 60;
const TIME = 1_200_000;

type Values = readonly [a: string, b: string];
/** Values that no shell could take for anything but a word. */
const PLAIN: Values = ['mArKeRa', 'mArKeRb'];

const HEAD = 'lockstep: 1\nname: w\ninputs:\n  a: { type: string }\n  b: { type: string }\nsteps:\n';

/** The places of the lines that `lockstep validate` refuses. */
function refused(lines: readonly string[]): Set<number> {
  const found = new Set<number>();
  // A few at a time: what is wrong with one says nothing about the others.
  for (let from = 0; from < lines.length; from += 100) {
    const steps = lines
      .slice(from, from + 100)
      .map((line, index) => `  - { id: s${index}, run: ${JSON.stringify(line)} }\n`);
    const result = compileSample(`${HEAD}${steps.join('')}`);
    if (result.kind === 'needs') throw new Error('a shell line needs no file');
    for (const { severity, span } of result.diagnostics) {
      if (severity === 'error' && span === undefined) throw new Error(rendered(result));
      if (severity === 'error' && span) found.add(from + span.line - HEAD.split('\n').length);
    }
  }
  return found;
}

function filled(line: string, [a, b]: Values): { line: string } | { fault: string } {
  const lookup = (root: string) => (root === 'inputs' ? { a, b } : undefined);
  const made = render(line, { lookup, fact: () => undefined }, { quote: 'shell' });
  return made.kind === 'value' ? { line: String(made.value) } : { fault: JSON.stringify(made) };
}

interface Filled {
  template: Template;
  values: Values;
  line: string;
}

const inOrder = (programs: readonly string[][]) => programs.map((program) => JSON.stringify(program)).sort();

/** What the line would run if each value were the plain one's place taken. */
function expected(plain: Ran, [a, b]: Values): string[] {
  const put = (word: string) =>
    word
      .split(PLAIN[0])
      .map((part) => part.split(PLAIN[1]).join(b))
      .join(a);
  return inOrder([...plain.programs, ...plain.missing].map((program) => program.map(put)));
}

function harm({ template, values, line }: Filled, plain: Ran, done: Ran): string | undefined {
  const said = () =>
    `${JSON.stringify(template.line)} with ${JSON.stringify(values)} became ${JSON.stringify(line)}`;
  const named = done.programs.find(([name]) => name === 'touch');
  if (named) return `${said()} and ran ${named.join(' ')}`;
  if (done.wrote && !plain.wrote && !template.writes) return `${said()} and wrote a file`;
  if (template.depends) return undefined;
  const ran = inOrder([...done.programs, ...done.missing]);
  const wanted = expected(plain, values);
  if (JSON.stringify(ran) === JSON.stringify(wanted)) return undefined;
  return `${said()} and ran ${ran.join(' ').slice(0, 300)} instead of ${wanted.join(' ').slice(0, 300)}`;
}

/** Nobody should have to write these in another way. */
const ACCEPTED = [
  'npm {{ inputs.a }}',
  'npm "{{ inputs.a }}"',
  "npm '{{ inputs.a }}'",
  'npm "text {{ inputs.a }} text" --x={{ inputs.b }}',
  'git commit -m "{{ inputs.a }}"',
  'git commit -m {{ inputs.a }} && npm test',
  'x={{ inputs.a }}; npm "$x"',
  'export X="{{ inputs.a }}"',
  'npm "$(npm {{ inputs.a }})"',
  'for f in {{ inputs.a }} {{ inputs.b }}; do npm "$f"; done',
  'if [ "{{ inputs.a }}" = yes ]; then npm test; fi',
  'if [ -n {{ inputs.a }} ]; then npm test; fi',
  'test {{ inputs.a }} = {{ inputs.b }} && npm test',
  'case "{{ inputs.a }}" in yes) npm test ;; *) npm run x ;; esac',
  'case {{ inputs.a }} in yes) npm {{ inputs.b }} ;; esac',
  '[[ "{{ inputs.a }}" == yes ]] && npm test',
  'npm test > "{{ inputs.a }}"',
  'npm test < {{ inputs.a }}',
  '(cd {{ inputs.a }} && npm test)',
  'cd "{{ inputs.a }}" && npm test | tail -5',
  'f() { npm "$1"; }; f {{ inputs.a }}',
  'sh -c \'npm "$1"\' sh {{ inputs.a }}',
  'echo {{ inputs.a }} | npm x',
  "printf '%s\\n' {{ inputs.a }} > out.txt",
  "npm <<'EOF'\ntext\nEOF\nnpm {{ inputs.a }}",
  'npm test # a comment\nnpm "{{ inputs.a }}"',
  'npm test "${HOME}" {{ inputs.a }}',
  'npm $((1 + 2)) {{ inputs.a }}',
  "npm 'it'\\''s' {{ inputs.a }}",
  'env X={{ inputs.a }} npm test',
  'timeout 60 npm {{ inputs.a }}',
  'ssh host "npm {{ inputs.a }}"',
  'curl -d "{\\"a\\": \\"{{ inputs.a }}\\"}" localhost',
  "jq --arg a {{ inputs.a }} '.x = $a' f.json",
  'npm run build -- {% if inputs.a != "" %}--x "{{ inputs.a }}"{% endif %}',
];

/** No quoting is safe there. */
const REFUSED = [
  'echo "bump ${{ inputs.a }}"',
  'echo ${{ inputs.a }}',
  'npm $(npm "{{ inputs.a }}")',
  'echo $(( {{ inputs.a }} ))',
  'echo "$(( {{ inputs.a }} + 1 ))"',
  '(( {{ inputs.a }} ))',
  'echo $[ {{ inputs.a }} ]',
  'echo `echo {{ inputs.a }}`',
  'echo "`echo {{ inputs.a }}`"',
  'echo ${x:-{{ inputs.a }}}',
  'echo "${x:-{{ inputs.a }}}"',
  'echo ${x[{{ inputs.a }}]}',
  'cat <<EOF\n{{ inputs.a }}\nEOF',
  "cat <<'EOF'\n{{ inputs.a }}\nEOF",
  'echo \\{{ inputs.a }}',
  "echo $'{{ inputs.a }}'",
  'npm test # {{ inputs.a }}',
  'eval "echo {{ inputs.a }}"',
  'eval echo {{ inputs.a }}',
  'sh -c "echo {{ inputs.a }}"',
  "sh -c 'echo {{ inputs.a }}'",
  'bash -lc "cd x && echo {{ inputs.a }}"',
  'sudo bash -c "echo {{ inputs.a }}"',
  'env A=b sh -ec "echo {{ inputs.a }}"',
  'sh -c {{ inputs.a }}',
  'trap "echo {{ inputs.a }}" EXIT',
  'sh <<EOF\necho {{ inputs.a }}\nEOF',
  'bash <<< "echo {{ inputs.a }}"',
  'echo "{{ inputs.a }}" | sh',
  "xargs -I{} sh -c 'echo {} {{ inputs.a }}'",
  'find . -exec sh -c "echo {{ inputs.a }}" \\;',
  'su -c "echo {{ inputs.a }}"',
  'x[{{ inputs.a }}]=1',
  '[[ {{ inputs.a }} -eq 1 ]]',
  '[[ -v {{ inputs.a }} ]]',
  'let x={{ inputs.a }}',
];

describe('SEC-SHELL-VALUES', () => {
  it('a value in an ordinary place is not refused', () => {
    const wrong = refused(ACCEPTED);
    expect(ACCEPTED.filter((_, index) => wrong.has(index))).toEqual([]);
    const faults = ACCEPTED.filter((line) => 'fault' in filled(line, PLAIN));
    expect(faults).toEqual([]);
  });

  it('a value where no quoting is safe is refused when the workflow is loaded', () => {
    const found = refused(REFUSED);
    expect(REFUSED.filter((_, index) => !found.has(index))).toEqual([]);
  });
});

describe.skipIf(!canSandbox())('SEC-SHELL-VALUES: in dash and bash [skip: needs namespaces]', () => {
  const shells = bothShells();

  it(
    'each value arrives as text and nothing else runs, or the line is refused at load',
    async () => {
      const random = new Random(SEED);
      const templates = new Map<string, Template>(eachTemplate().map((one) => [one.line, one]));
      const singles = templates.size;
      while (templates.size < TEMPLATES) {
        const made = randomTemplate(random);
        templates.set(made.line, made);
      }
      const all = [...templates.values()];
      const wrong = refused(all.map(({ line }) => line));
      const accepted = all.flatMap((template, index) =>
        wrong.has(index) ? [] : [{ template, isSingle: index < singles }],
      );
      const problems: string[] = [];
      const fills: Filled[] = [];
      for (const { template, isSingle } of accepted) {
        const rounds: Values[] = [PLAIN];
        for (let round = isSingle ? tries(8, 3) : 2; round > 0; round--)
          rounds.push([hostileValue(random), hostileValue(random)]);
        for (const values of rounds) {
          const made = filled(template.line, values);
          if ('line' in made) fills.push({ template, values, line: made.line });
          else if (!made.fault.includes('inside a line an input is one word'))
            problems.push(
              `${JSON.stringify(template.line)} loads, and is refused when it runs: ${made.fault}`,
            );
        }
      }
      const lines = fills.map(({ line }) => line);
      const [inBash, inDash] = await shells.run(lines);
      for (const [shell, ran, sandbox] of [
        ['bash', inBash, shells.bash],
        ['dash', inDash, shells.dash],
      ] as const) {
        let plain = 0;
        for (const [index, fill] of fills.entries()) {
          if (fill.values === PLAIN) plain = index;
          else if (harm(fill, ran[plain] as Ran, ran[index] as Ran)) {
            // A process substitution may end after the line does, and a busy machine may stop a line: harm comes every time.
            const again = [lines[plain] as string, fill.line];
            const [was, is, wasAgain, isAgain] = await sandbox.run([...again, ...again]);
            const found = harm(fill, was as Ran, is as Ran) && harm(fill, wasAgain as Ran, isAgain as Ran);
            if (found) problems.push(`${shell}: ${found}`);
          }
        }
      }
      console.log(
        `seed ${SEED}: ${all.length} templates, ${wrong.size} refused at load, ${lines.length} lines run twice`,
      );
      const distinct = [...new Set(problems)].sort((a, b) => a.length - b.length);
      const report = reportOf(distinct.slice(0, SHOWN), distinct.length);
      expect(report === '' ? '' : `seed ${SEED}: ${report}`).toBe('');
      // Refusing everything would be safe too.
      expect(wrong.size).toBeLessThan(all.length * 0.8);
    },
    TIME,
  );
});
