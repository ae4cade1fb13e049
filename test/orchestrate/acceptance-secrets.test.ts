// Secrets: where they come from, who gets them, and that nothing we write shows them.

import { beforeAll, describe, expect, it } from 'vitest';
import type { Ended } from '../scratch.ts';
import { ran, type Scene, scene } from './support.ts';

const SECRET = 'tok-3n-S3cr3t/+=';
const OVERLAY = 'overlaid-value-42';
const ENV = { TOKEN: SECRET, EMPTY: '', BOTH: 'value-of-the-shell', PLAIN: 'plain-value' };

describe('secrets', () => {
  let all: Scene;
  let printed: Ended;
  beforeAll(() => {
    all = scene({
      files: {
        '.env': 'FROM_FILE=x\n',
        'p.md': `Use ${SECRET} here.`,
        'notes.txt': `note ${SECRET}`,
      },
      agents: { claude: { stdout: `I saw ${SECRET}\n`, stderr: `warned ${SECRET}\n` } },
      workflow: {
        version: '1.1.1',
        name: 'secrets',
        strict_flow: false,
        steps: [
          {
            name: 'Missing',
            secrets: ['ABSENT_1', 'TOKEN', 'ABSENT_2'],
            command: ['sh', '-c', 'echo x > started.txt'],
          },
          { name: 'From-file', secrets: ['FROM_FILE'], command: ['echo'] },
          { name: 'Only-in-env', secrets: ['ABSENT_1'], env: { ABSENT_1: 'given' }, command: ['echo'] },
          {
            name: 'Empty',
            secrets: ['EMPTY'],
            command: ['sh', '-c', 'echo "[$${EMPTY-unset}]"'],
          },
          {
            name: 'Shows',
            secrets: ['TOKEN'],
            command: ['sh', '-c', 'echo "out $TOKEN"; echo "err $TOKEN" >&2; echo "$TOKEN" > own.txt'],
            output_file: 'teed.txt',
          },
          {
            name: 'Fails',
            secrets: ['TOKEN'],
            command: ['sh', '-c', 'echo "out $TOKEN"; echo "err $TOKEN" >&2; exit 4'],
          },
          {
            name: 'Lines',
            secrets: ['TOKEN'],
            command: ['sh', '-c', 'echo "$TOKEN"'],
            output_capture: 'lines',
          },
          {
            name: 'Json',
            secrets: ['TOKEN'],
            command: ['sh', '-c', 'printf \'{"token": "%s"}\' "$TOKEN"'],
            output_capture: 'json',
          },
          { name: 'Long', secrets: ['TOKEN'], command: ['sh', '-c', 'seq 3000; echo "$TOKEN"'] },
          {
            name: 'Both',
            secrets: ['BOTH'],
            env: { BOTH: OVERLAY, PLAIN: 'from env' },
            command: ['sh', '-c', 'echo "$BOTH" > both.txt; echo "child has $BOTH and $PLAIN"'],
          },
          {
            name: 'Inherits',
            command: ['sh', '-c', 'echo "$PLAIN $TOKEN"; printf %s "$TOKEN" > inherited.txt'],
          },
          {
            name: 'Agent',
            secrets: ['TOKEN'],
            provider: 'claude',
            input_file: 'p.md',
            depends_on: { required: ['notes.txt'], inject: { mode: 'content' } },
          },
          { name: 'Caught', secrets: ['ABSENT_1'], command: ['echo'], on: { failure: { goto: 'Handler' } } },
          { name: 'Between', command: ['echo'] },
          { name: 'Handler', command: ['echo', 'handled'] },
        ],
      },
    });
    printed = ran(all.run(['--debug', '--verbose'], ENV));
  });

  it('ORC-41: a secret that is not there fails the step with exit code 2 and every missing name', () => {
    expect(all.step('Missing')).toMatchObject({
      status: 'failed',
      exit_code: 2,
      error: { context: { missing_secrets: ['ABSENT_1', 'ABSENT_2'] } },
    });
    expect(all.exists('started.txt')).toBe(false);
    expect(all.step('Between').status).toBe('pending');
    expect(all.step('Handler').output).toBe('handled\n');
  });

  it('ORC-54: they come from the environment only; one that is empty is there', () => {
    expect(all.step('From-file')).toMatchObject({
      exit_code: 2,
      error: { context: { missing_secrets: ['FROM_FILE'] } },
    });
    expect(all.step('Only-in-env')).toMatchObject({
      exit_code: 2,
      error: { context: { missing_secrets: ['ABSENT_1'] } },
    });
    expect(all.step('Empty')).toMatchObject({ status: 'completed', output: '[]\n' });
  });

  it('ORC-42: values are *** in the state and in every log, of any capture', () => {
    expect(all.step('Shows').output).toBe('out ***\n');
    expect(all.logs('Shows.stderr')).toBe('err ***\n');
    expect(all.step('Fails').error).toMatchObject({ stdout_tail: ['out ***'], stderr_tail: ['err ***'] });
    expect(all.step('Lines').lines).toEqual(['***']);
    expect(all.step('Json').json).toEqual({ token: '***' });
    expect(all.logs('Long.stdout')).toMatch(/\n3000\n\*\*\*\n$/);
    expect(all.step('Agent').output).toBe('I saw ***\n');
    expect(all.logs('Agent.stderr')).toBe('warned ***\n');
    expect(all.logs('Agent.prompt.txt')).toMatch(/note \*\*\*\n\nUse \*\*\* here\.\n?$/);
  });

  it('ORC-42: no file of the run holds a value, and none is printed; the child and its own files do', () => {
    const holding = (value: string) => all.sh(`cd .lockstep/runs/latest && grep -rlF -e '${value}' .`).stdout;
    expect(holding(SECRET)).toBe('');
    expect(printed.stdout + printed.stderr).toContain('***');
    expect(printed.stdout + printed.stderr).not.toContain(SECRET);
    // The pinned workflow is the text of the file, where this one stands for all to read.
    expect(holding(OVERLAY)).toBe('./workflow.json\n');
    expect(all.sh('ls .lockstep/runs/latest/logs').stdout).toContain('orchestrator.log');
    expect(all.read('own.txt')).toBe(`${SECRET}\n`);
    expect(all.read('teed.txt')).toBe(`out ${SECRET}\n`);
    const [call] = all.agentCalls('claude');
    expect(call?.argv[1]).toContain(`Use ${SECRET} here.`);
    expect(call?.env.TOKEN).toBe(SECRET);
  });

  it('ORC-55: env goes before secrets for the child, and its value is masked', () => {
    expect(all.read('both.txt')).toBe(`${OVERLAY}\n`);
    expect(all.step('Both').output).toBe('child has *** and from env\n');
  });

  it('a child has the environment of the run, also what other steps declare as secret', () => {
    expect(all.step('Inherits').output).toBe('plain-value ***\n');
    expect(all.read('inherited.txt')).toBe(SECRET);
  });
});
