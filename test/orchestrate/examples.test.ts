// Every workflow and fragment that the specification prints, run as printed in a workspace with the files it names.
// Three kinds cannot run as printed; that they are refused, clearly, is the proof, and that they run once mended. What
// `lockstep convert` makes of each is run in a workspace like the first, and passes the same proof with the same state.

import { describe, expect, it } from 'vitest';
import { converts, essence, withoutQuotes } from './converted.ts';
import { type Printed, printed, stage, textOf } from './printed.ts';
import { ran, type Scene } from './support.ts';

const prompts = (s: Scene) => s.agentCalls('claude').map(({ argv }) => argv[1]);
const MODEL = 'claude-sonnet-4-20250514';

const sees: Record<string, (s: Scene) => void> = {
  'ORC-EX-INBOX': (s) => {
    const { status, steps, run_id } = s.state();
    const stamp = run_id.split('-')[0];
    expect(status).toBe('completed');
    expect(s.read('artifacts/architect/design_log.md')).toBe('designed\n');
    expect(steps.ProcessEngineerTasks).toHaveLength(2);
    for (const [index, pass] of steps.ProcessEngineerTasks.entries()) {
      const task = s.state().for_each.ProcessEngineerTasks.items[index];
      expect(pass).toMatchObject({
        ImplementWithClaude: { status: 'completed', exit_code: 0 },
        WriteStatus: { json: { success: true, task, impl: `src/impl_${index}.py` } },
        CreateQATask: { status: 'completed' },
      });
      expect(s.read(`inbox/qa/review_${index}.task`)).toBe(`Review src/impl_${index}.py from ${task}\n`);
      expect(s.sh(`ls processed/${stamp}_${index}`).stdout.trim()).toBe(task.replace('inbox/engineer/', ''));
    }
    const [first, second] = prompts(s);
    expect(first).toBe('Design the system.\n');
    expect(second).toMatch(/^Implement the system based on these architecture documents:\n/);
    expect(second).toMatch(
      /- artifacts\/architect\/api_spec\.md\n- artifacts\/architect\/system_design\.md\n/,
    );
    expect(second).toMatch(/- docs\/coding_standards\.md\n/);
    expect(second).not.toContain('examples.md');
    expect(second).toMatch(/\n\nImplement it\.\n$/);
    // What follows the loop in the file follows it in the run, as printed: the error handler.
    expect(steps.ArchitectFailed.status).toBe('completed');
    expect(steps.HandleMissingDependencies.status).toBe('pending');
    expect(steps.CreateEngineerTasks.status).toBe('pending');
  },
  'ORC-EX-INBOX-DEPENDENCY': (s) => {
    const { status, steps } = s.state();
    expect(status).toBe('completed');
    const [pass] = steps.ProcessEngineerTasks;
    expect(pass.ImplementWithClaude).toMatchObject({
      status: 'failed',
      exit_code: 2,
      error: { context: { failed_deps: ['artifacts/architect/api_spec.md'] } },
    });
    expect(steps.HandleMissingDependencies.output).toBe(
      'ERROR: Required architect artifacts missing for engineer\n',
    );
    expect([steps.ArchitectFailed.status, s.agentCalls('claude').length]).toEqual(['pending', 1]);
    expect(s.exists('inbox/engineer/one.task')).toBe(true);
  },
  'ORC-EX-LIFECYCLE': (s) => {
    expect(prompts(s)).toEqual(['Do one.\n']);
    expect(s.read('inbox/qa/one.task.task')).toBe('Review inbox/engineer/one.task\n');
    expect(s.step('ProcessEngineerTasks')[0]).toMatchObject({
      WaitForQAVerdict: { files: ['inbox/qa/results/one.task.json'], timed_out: false },
      AssertQAApproved: { exit_code: 0 },
      lifecycle: { result: 'success', action_applied: true },
    });
  },
  'ORC-EX-DEPENDENCIES': (s) => {
    expect(s.state()).toMatchObject({ status: 'completed', context: { dataset: 'customer_2024' } });
    const [csv] = s.state().for_each.TransformFiles.items;
    expect(s.read('processed/0.parquet')).toBe(`processed\n${s.read(csv)}`);
    expect(s.read('reports/analysis_1.md')).toBe('claude was here\n');
    expect(s.read('reports/final_report.md')).toBe('aggregated\nAggregate.\n');
    expect(prompts(s)).toEqual(['Analyze.\n', 'Analyze.\n']);
  },
  'ORC-EX-INJECTION': (s) => {
    expect(prompts(s)).toEqual([
      'The following files are required inputs for this task:\n- src/a.py\n- src/b.py\n\nThis is generic_review.\n',
      expect.stringMatching(
        /^Your implementation must follow these design documents:\n(?:Required:\n)?- artifacts\/architect\/api_spec\.md\n- artifacts\/architect\/system_design\.md\n\nThis is implement\.\n$/,
      ),
      expect.stringMatching(
        /^This is report_template\.\n\s*Reference data for your report:\n\n=== File: data\/statistics\/s\.csv \(.*\) ===\n6,7\n/,
      ),
      expect.stringMatching(/- src\/a\.py\n- src\/b\.py\n- tests\/c\.py\n\nThis is code_review\.\n$/),
      'This is specific_files_mentioned.\n',
    ]);
    expect(s.step('ProcessJSON').output).toMatch(
      /^processed\nTransform this JSON data according to the rules below:\n\n=== File: data\/input\.json \(.*\) ===\n\{"in": 1\}\n\s*This is transform\.\n$/,
    );
  },
  'ORC-EX-DEBUGGING': (s) => {
    expect(s.step('ProcessWithDebug')).toMatchObject({ status: 'failed', exit_code: 1 });
    const { output } = s.step('DiagnoseFailure');
    expect(output).toMatch(/^Checking failure context\.\.\.\nTraceback of process\.py, DEBUG=0\n\{/);
    expect(JSON.parse(output.slice(output.indexOf('{')))).toMatchObject({
      exit_code: 1,
      stderr_tail: ['Traceback of process.py, DEBUG=0'],
      context: { substituted_command: ['python', 'process.py'] },
    });
    // The commands of "Investigating Failures".
    ran(s.sh('cat .lockstep/runs/latest/logs/orchestrator.log'));
    const line = `jq '.steps | map_values({status, exit_code, error})' .lockstep/runs/latest/state.json`;
    expect(JSON.parse(ran(s.sh(line)).stdout).ProcessWithDebug).toMatchObject({ status: 'failed' });
  },
  'ORC-EX-TRACE-CONTEXT': (s) => {
    const { run_id, steps } = s.state();
    expect(steps.CallAPI).toMatchObject({
      status: 'failed',
      exit_code: 6,
      output: `TRACE_ID=${run_id} https://example/api\n`,
      error: {
        message: expect.stringContaining('6'),
        stderr_tail: ['curl: (6) Could not resolve host: example'],
      },
    });
    expect(steps.CallAPI.error.context.substituted_command.map(withoutQuotes)).toEqual([
      ...['bash', '-c', `TRACE_ID=${run_id} curl https://example/api`],
    ]);
  },
  'ORC-EX-COORDINATION': (s) => {
    const task = `inbox/engineer/task_${s.state().run_id.split('-')[0]}.task`;
    expect(s.read(task)).toBe('Implement the architecture.');
    expect(prompts(s)[1]).toBe(
      'The following files are required inputs for this task:\n- artifacts/architect/api_spec.md\n- artifacts/architect/system_design.md\n\nImplement the architecture.',
    );
    expect(s.read('artifacts/engineer/impl_log.md')).toBe('implemented\n');
  },
  'ORC-EX-TEMPLATES': (s) => {
    expect(s.agentCalls('claude').map(({ argv }) => argv)).toEqual([
      ['-p', 'Analyze "this".\n', '--model', 'claude-3-5-sonnet'],
      ['-p', 'Special prompt', '--model', 'claude-opus-4-1-20250805'],
    ]);
    expect(s.agentCalls('codex')).toMatchObject([{ argv: ['exec'], stdin: 'Ping.\n' }]);
    expect(s.read('artifacts/codex/ping_output.txt')).toBe('pong\n');
  },
  'ORC-EX-DIRECTORIES': (s) => expect(s.step('Look').output).toBe('a.task\n'),
  'ORC-EX-DYNAMIC-CONTENT': (s) => expect(prompts(s)).toEqual(['Analyze Lockstep\n']),
  'ORC-EX-ENVIRONMENT': (s) => expect(s.step('Build').output).toBe('run build debug ***\n'),
  'ORC-EX-FIELDS': (s) => {
    expect(s.state().steps).toMatchObject({
      CheckInbox: { lines: ['engineer'] },
      FromStep: [{ Say: { output: 'engineer\n' } }],
      Literal: ['a', 'b', 'c'].map((item) => ({ Parse: { json: { item } } })),
      WaitForReplies: { files: ['inbox/engineer/replies/r.task'], timed_out: false },
    });
    const [provider, command] = s.agentCalls('claude');
    expect(provider?.argv[1]).toMatch(
      /^Custom instruction for these files:\n(?:Required:\n)?- config\/a\.yaml\n- data\/customers\/one\.csv$/,
    );
    expect(command?.argv).toEqual(['-p', 'Custom prompt']);
  },
  'ORC-EX-INPUT-OUTPUT': (s) => {
    expect(s.agentCalls('claude')[0]?.argv).toEqual([
      '-p',
      'Analyze $HOME, ${context.x} and {{ this }}.\n',
      '--model',
      MODEL,
    ]);
    expect([s.read('artifacts/analysis.md'), s.step('Analyze').output]).toEqual([
      '# Analysis\n',
      '# Analysis\n',
    ]);
  },
  'ORC-EX-FILE-OPERATIONS': (s) => {
    expect(s.read('artifacts/architect/execution_log.md')).toBe('designed\n');
    expect(s.read('artifacts/architect/api_spec.md')).toBe('api\n');
  },
  'ORC-EX-DECLARED': (s) => expect(prompts(s)).toEqual(['Process.\n']),
  'ORC-EX-BASIC-INJECTION': (s) =>
    expect(prompts(s)).toEqual([
      'The following files are required inputs for this task:\n- artifacts/architect/api_spec.md\n- artifacts/architect/system_design.md\n\nImplement.\n',
    ]),
  'ORC-EX-ADVANCED-INJECTION': (s) =>
    expect(prompts(s)).toEqual([
      'Review these architecture files:\nRequired:\n- artifacts/architect/api_spec.md\n- artifacts/architect/system_design.md\nOptional (if available):\n- docs/standards.md\n\nImplement.\n',
    ]),
  'ORC-EX-MIGRATION-BEFORE': (s) => expect(prompts(s)).toEqual(['Implement.\n']),
  'ORC-EX-MIGRATION-AFTER': (s) =>
    expect(prompts(s)[0]).toMatch(/^The following files .*\n(- .*\n){2}\nImplement\.\n$/),
};

describe('as printed', () => {
  it.each(named(printed.filter(({ mend }) => !mend)))(
    '%s: %s runs, and does the same once converted',
    (_id, _file, example) => runsBothWays(example),
  );

  it('ORC-EX-ENVIRONMENT: without the secret in the environment the step fails and names it', () => {
    const example = printed.find(({ file }) => file === 'environment') as Printed;
    const s = stage({ ...example, env: {} });
    ran(s.run(), 1);
    expect(s.step('Build')).toMatchObject({
      exit_code: 2,
      error: { context: { missing_secrets: ['GITHUB_TOKEN'] } },
    });
  });
});

describe('not as printed', () => {
  const refusals: Record<string, { code: string; says: RegExp }[]> = {
    'ORC-EX-LIFECYCLE': [{ code: 'shell-in-path', says: /\$\(/ }],
    'ORC-EX-DEPENDENCIES': [
      { code: 'unknown-provider', says: /data_processor/ },
      { code: 'unknown-provider', says: /aggregator/ },
    ],
    'ORC-EX-INJECTION': [{ code: 'unknown-provider', says: /data_processor/ }],
  };

  it.each(named(printed.filter(({ mend }) => mend)))(
    '%s: %s is refused and says why; mended, it runs, and does the same once converted',
    (_id, _file, example) => {
      const asPrinted = stage(example, textOf(example));
      const problems = asPrinted.refused().filter(({ severity }) => severity === 'error');
      const expected = refusals[example.id] ?? [];
      expect(problems.map(({ code }) => code)).toEqual(expected.map(({ code }) => code));
      problems.forEach(({ message, span }, index) => {
        expect(message).toMatch(expected[index]?.says ?? /^$/);
        expect(span?.file).toBe('workflow.yaml');
      });
      runsBothWays(example);
    },
  );
});

function named(examples: Printed[]): [string, string, Printed][] {
  return examples.map((example) => [example.id, example.file, example]);
}

function runsBothWays(example: Printed): void {
  const original = stage(example);
  const converted = stage(example, converts(original));
  for (const s of [original, converted]) {
    ran(s.run(), example.exitCode);
    proofOf(example)(s);
  }
  expect(essence(converted)).toEqual(essence(original));
}

function proofOf({ id }: Printed): (s: Scene) => void {
  const proof = sees[id];
  if (proof === undefined) throw new Error(`nothing is said about ${id}`);
  return proof;
}
