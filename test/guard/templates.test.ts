// The seven templates, each walked to its end by a scripted conversation with the real hook program and daemon.

import { cpSync, existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { fileSessions } from '../../src/stores/file/file-sessions.ts';
import { projectRoot } from '../scratch.ts';
import { type Played, played, type Session } from './played.ts';

const open: Played[] = [];
const project = (): Played => {
  const made = played();
  open.push(made);
  return made;
};
afterEach(() => {
  for (const made of open.splice(0)) made.remove();
});

/** A repository with a test that passes, held to a workflow. */
function held(workflow: string, ...options: string[]): { project: Played; session: Session } {
  const made = project();
  made.write('sum.mjs', 'export const sum = (a, b) => a + b;\n');
  made.write(
    'sum.test.mjs',
    "import { sum } from './sum.mjs';\nif (sum(1, 2) !== 3) throw new Error('sum');\n",
  );
  made.write(
    'package.json',
    JSON.stringify({ type: 'module', scripts: { test: 'for t in *.test.mjs; do node $t || exit 1; done' } }),
  );
  made.sh('git add -A && git commit -qm start');
  const set = made.lockstep('workflow', 'set', workflow, ...options);
  expect(set, set.stderr).toMatchObject({ exitCode: 0 });
  return { project: made, session: made.session() };
}

const stepsEntered = (made: Played, workflow: string) =>
  made
    .journal(workflow)
    .flatMap((entry) => (entry.kind === 'step-handed' ? [entry.path.replace(/~\d+$/, '')] : []));
const isComplete = (made: Played, workflow: string) =>
  made.journal(workflow).some(({ kind }) => kind === 'run-completed');

describe('plan-execute', () => {
  it('GOB-TEMPLATE-PLAN-EXECUTE: nothing but the plan is written until a person says yes; then the tests decide', async () => {
    const { project: made, session } = held('plan-execute');
    expect((await session.starts()).told).toContain('You are planning');
    await session.hears('Give me product(a, b).');
    expect((await session.writes('product.mjs', 'export {};\n')).denied).toContain('Write');
    expect((await session.edits('sum.mjs', 'a + b', 'a * b')).denied).toBeDefined();
    expect((await session.runs('echo x > product.mjs')).denied).toBeDefined();
    expect((await session.reads('sum.mjs')).denied).toBeUndefined();
    // Without a plan its turn does not end.
    expect((await session.stops('I would write product.mjs.')).held).toContain('.plan.md');
    expect((await session.writes('product.plan.md', 'product.mjs multiplies.\n')).denied).toBeUndefined();
    const asked = await session.stops('The plan is written.');
    expect(asked.held).toBeUndefined();
    expect(asked.note).toContain('Is this the plan?');
    // While it is asked nothing is written, the plan neither.
    expect((await session.writes('product.plan.md', 'Another.\n')).denied).toContain('Is this the plan?');
    expect((await session.hears('no: say which file is tested how')).told).toContain(
      'say which file is tested how',
    );
    expect((await session.writes('product.mjs', 'export {};\n')).denied).toBeDefined();
    await session.writes('product.plan.md', 'product.mjs multiplies; product.test.mjs: 2 * 3 is 6.\n');
    await session.stops('Now it says how it is tested.');
    const agreed = await session.hears('yes');
    expect(agreed.told).toContain('The plan is agreed');
    expect(agreed.told).toContain('2 * 3 is 6');
    // A file is read before it is edited.
    expect((await session.edits('sum.test.mjs', 'sum(1, 2)', 'sum(2, 1)')).denied).toContain(
      'Read sum.test.mjs',
    );
    await session.writes('product.mjs', 'export const product = (a, b) => a + b;\n');
    await session.writes(
      'product.test.mjs',
      "import { product } from './product.mjs';\nif (product(2, 3) !== 6) throw new Error('product');\n",
    );
    expect((await session.stops('All tests pass.')).held).toContain('npm test');
    await session.reads('product.mjs');
    await session.edits('product.mjs', 'a + b', 'a * b');
    expect(await session.stops('Now they do.')).toEqual({ note: '' });
    expect(isComplete(made, 'plan-execute')).toBe(true);
    expect(stepsEntered(made, 'plan-execute')).toEqual(['plan', 'plan', 'execute', 'execute']);
    expect((await session.writes('anything.txt', 'free again')).denied).toBeUndefined();
  });

  it('GOB-TEMPLATE-PLAN-EXECUTE: a person sends it back to the plan', async () => {
    const { session } = held('plan-execute');
    await session.starts();
    await session.writes('a.plan.md', 'plan');
    await session.stops();
    await session.hears('yes');
    expect((await session.hears('Let us go back to the plan.')).told).toContain('You are planning');
    expect((await session.writes('b.mjs', '')).denied).toBeDefined();
  });
});

describe('react', () => {
  it('GOB-TEMPLATE-REACT: each observation is put into the context once, with the next event that can carry it', async () => {
    const { project: made, session } = held('react');
    expect((await session.starts()).told).toContain('small turns');
    await session.hears('Make the tests pass.');
    const first = await session.reads('sum.mjs');
    expect(first.told).toMatch(/^Observation 1: Read sum\.mjs worked\./);
    // A call that failed carries nothing; the next event does.
    const failed = await session.runs('cat nothing.txt');
    expect(failed.failed).toBeDefined();
    expect(failed.told).toBe('');
    const again = (await session.runs('cat nothing.txt')).denied;
    expect(again).toContain('just failed');
    expect(again).toContain('Observation 2: Bash cat nothing.txt failed: Exit code 1');
    const third = await session.reads('sum.test.mjs');
    expect(third.told.match(/Observation \d+/g)).toEqual(['Observation 3']);
    expect((await session.hears('Go on.')).told).toBe('');
    for (let n = 0; n < 4; n += 1) await session.runs(`cat nothing-${n}.txt`);
    expect((await session.writes('a.txt', 'a')).denied).toContain('Is it worth going on?');
    expect((await session.hears('We are done.')).told).not.toContain('Observation 3');
    expect(isComplete(made, 'react')).toBe(true);
    const said = made.journal('react').flatMap((entry) => (entry.kind === 'said' ? entry.texts : []));
    expect(new Set(said).size).toBe(said.length);
  });
});

describe('plan-act-reflect', () => {
  it('GOB-TEMPLATE-PLAN-ACT-REFLECT: after so many actions, or an error, nothing is changed until the person says how it goes on', async () => {
    const { project: made, session } = held('plan-act-reflect', '--var', 'reflect_after=3');
    await session.starts();
    expect((await session.writes('a.txt', 'a')).denied).toBeDefined();
    await session.writes('a.plan.md', 'Three files.\n');
    expect((await session.stops('Planned.')).note).toContain('Is this the plan?');
    expect((await session.hears('yes')).told).toContain('Three files.');
    for (const file of ['a.txt', 'b.txt']) expect((await session.writes(file, file)).told).toBe('');
    const third = await session.writes('c.txt', 'c');
    expect(third.told).toContain('Stop and look');
    expect(third.told).toContain('c.txt');
    expect((await session.writes('d.txt', 'd')).denied).toBeDefined();
    expect((await session.runs('touch d.txt')).denied).toBeDefined();
    expect(await session.stops('I propose to go on.')).toEqual({ note: '' });
    expect((await session.hears('go on')).told).toContain('Carry the plan out');
    // What fails ends the step at once.
    expect((await session.runs('exit 3')).failed).toBeDefined();
    expect((await session.writes('d.txt', 'd')).denied).toContain('Stop and look');
    expect((await session.hears('Revise the plan, please.')).told).toContain('You are planning');
    expect((await session.writes('d.txt', 'd')).denied).toBeDefined();
    await session.writes('a.plan.md', 'Four files.\n');
    await session.stops();
    expect((await session.hears('yes')).told).toContain('Four files.');
    expect((await session.runs('git push origin main')).denied).toContain('cannot be undone');
    for (const file of ['d.txt', 'e.txt', 'f.txt']) await session.writes(file, file);
    await session.hears('We are done.');
    expect(isComplete(made, 'plan-act-reflect')).toBe(true);
    expect(stepsEntered(made, 'plan-act-reflect')).toEqual([
      'plan',
      'act',
      'reflect',
      'act',
      'reflect',
      'plan',
      'act',
      'reflect',
    ]);
    expect(made.exists('d.txt')).toBe(true);
  });
});

describe('architect', () => {
  it('GOB-TEMPLATE-ARCHITECT: four phases: two documents that a person agrees to, the work, a review that changes nothing', async () => {
    const { project: made, session } = held('architect');
    await session.starts();
    expect((await session.writes('x.design.md', 'too early')).denied).toBeDefined();
    expect((await session.stops()).held).toContain('.requirements.md');
    await session.writes('x.requirements.md', 'It multiplies.\n');
    expect((await session.stops()).note).toContain('Is this what is wanted?');
    expect((await session.hears('yes')).told).toContain('It multiplies.');
    expect((await session.writes('x.requirements.md', 'changed')).denied).toBeDefined();
    await session.writes('x.design.md', 'One function.\n');
    expect((await session.stops()).note).toContain('Is this how it is to be built?');
    expect((await session.hears('yes')).told).toContain('One function.');
    expect((await session.writes('x.design.md', 'changed')).denied).toBeDefined();
    const sneaked = await session.runs("node -e \"fs.appendFileSync('x.design.md', 'sneaked')\"");
    expect(sneaked.told).toContain('x.design.md');
    expect((await session.stops()).held).toContain('x.design.md');
    await session.runs(
      'git checkout -q -- . ; printf "One function.\\n" | node -e "fs.writeFileSync(\'x.design.md\', fs.readFileSync(0))"',
    );
    await session.writes('sum.mjs', 'export const sum = () => 0;\n');
    expect((await session.stops('Built.')).held).toContain('npm test');
    await session.writes('sum.mjs', 'export const sum = (a, b) => b + a;\n');
    const reviewed = await session.stops('Built.');
    expect(reviewed.held).toBeUndefined();
    expect((await session.hears('How is it?')).told).toContain('Look at what was built');
    expect((await session.edits('sum.mjs', 'b + a', 'a + b')).denied).toBeDefined();
    expect((await session.runs('git checkout -- .')).denied).toBeDefined();
    expect((await session.runs('git diff HEAD')).denied).toBeUndefined();
    expect((await session.stops('One finding: sum.mjs:1.')).note).toContain('Is the work accepted?');
    await session.hears('yes');
    expect(isComplete(made, 'architect')).toBe(true);
    expect([...new Set(stepsEntered(made, 'architect'))]).toEqual([
      'requirements',
      'design',
      'implementation',
      'review',
    ]);
  });
});

describe('test-driven', () => {
  const NEW_TEST =
    "import { product } from './product.mjs';\nif (product(2, 3) !== 6) throw new Error('product');\n";
  const CODE = 'export const product = (a, b) => a * b;\n';

  it('GOB-TEMPLATE-TEST-DRIVEN: the code cannot be written before a test really fails, and is done when the tests really pass', async () => {
    const { project: made, session } = held('test-driven');
    await session.starts();
    expect((await session.writes('product.mjs', CODE)).denied).toBeDefined();
    expect((await session.runs(`echo 'x' > product.mjs`)).denied).toBeDefined();
    // Only saying that a test fails is not enough, nor is a test that passes.
    expect((await session.stops('There is a failing test.')).held).toContain('npm test');
    await session.writes('product.test.mjs', 'export {};\n');
    await session.runs('npm test');
    expect((await session.stops('It fails.')).held).toContain('npm test');
    // One that is made to look as if it failed is run again.
    expect((await session.runs('npm test && exit 1')).failed).toBeDefined();
    expect((await session.reads('sum.mjs')).told).toContain('All tests pass as they are');
    expect((await session.writes('product.mjs', CODE)).denied).toBeDefined();
    await session.writes('product.test.mjs', NEW_TEST);
    await session.runs('npm test');
    const moved = await session.reads('product.test.mjs');
    expect(moved.told).toContain('There is a test that fails');
    for (const change of [
      session.edits('product.test.mjs', '!== 6', '=== 0'),
      session.writes('sum.test.mjs', ''),
    ])
      expect((await change).denied).toContain('is denied in this step');
    expect((await session.runs('rm product.test.mjs')).denied).toBeDefined();
    expect((await session.stops('It passes.')).held).toContain('npm test');
    await session.writes('product.mjs', CODE);
    expect((await session.stops('It passes.')).held).toContain('Put the code in order');
    expect((await session.writes('sum.test.mjs', '')).denied).toBeDefined();
    expect(await session.stops('Nothing to put in order.')).toEqual({ note: '' });
    expect(isComplete(made, 'test-driven')).toBe(true);
  });

  it('GOB-TEMPLATE-TEST-DRIVEN: code that a command writes before a test fails, and a test that one changes later, are found in that very step', async () => {
    const { session } = held('test-driven');
    await session.starts();
    const early = await session.runs(`node -e "fs.writeFileSync('product.mjs', 'export {}')"`);
    expect(early.told).toContain('product.mjs');
    await session.writes('product.test.mjs', NEW_TEST);
    await session.runs('npm test');
    expect((await session.stops()).held).toContain('product.mjs');
    await session.runs('rm product.mjs');
    await session.runs('npm test');
    expect((await session.reads('sum.mjs')).told).toContain('There is a test that fails');
    const faked = await session.runs(`node -e "fs.writeFileSync('product.test.mjs', '')"`);
    expect(faked.told).toContain('product.test.mjs');
    expect((await session.stops('All green.')).held).toContain('product.test.mjs');
    const rigged = await session.runs(`node -e "fs.writeFileSync('package.json', '{}')"`);
    expect(rigged.told).toContain('package.json');
  });

  it('GOB-TEMPLATE-TEST-DRIVEN: the command of the tests may be any, and it is seen to fail', async () => {
    const { session } = held('test-driven', '--input', 'test=sh check.test.sh');
    await session.starts();
    await session.writes('check.test.sh', 'test -e product.mjs\n');
    expect((await session.runs('sh check.test.sh')).failed).toBeDefined();
    expect((await session.reads('sum.mjs')).told).toContain('There is a test that fails');
  });
});

describe('plan-to-tasks', () => {
  it('GOB-TEMPLATE-PLAN-TO-TASKS: each task comes up once, in order, and is verified before the next', async () => {
    const { project: made, session } = held('plan-to-tasks');
    made.write('x.plan.md', 'Two files.\n');
    await session.starts();
    expect((await session.writes('a.txt', 'a')).denied).toBeDefined();
    await session.writes('x.tasks.json', '{"tasks": []}');
    // No list of tasks: it is asked for again.
    expect((await session.stops()).held).toBeDefined();
    const tasks = ['A', 'B', 'C'].map((name) => ({
      id: name,
      title: `Write ${name}`,
      verification: `${name}.txt is there`,
    }));
    await session.writes('x.tasks.json', JSON.stringify({ tasks }));
    const seen: string[] = [];
    let told = (await session.stops('Broken down.')).held ?? '';
    for (const [index, { title }] of tasks.entries()) {
      expect(told).toContain(`Task ${index + 1} of 3: ${title}`);
      seen.push(title);
      await session.writes(`${title.at(-1)}.txt`, title);
      const worked = await session.stops('Written.');
      expect(worked.held ?? (await session.hears('Well?')).told).toContain(`Verify task ${index + 1} of 3`);
      expect((await session.writes('more.txt', 'x')).denied).toBeDefined();
      expect((await session.runs(`cat ${title.at(-1)}.txt`)).denied).toBeUndefined();
      expect((await session.stops('I saw it.')).note).toContain(`Is the task done: ${title}?`);
      told = (await session.hears('yes')).told;
    }
    expect(isComplete(made, 'plan-to-tasks')).toBe(true);
    expect(stepsEntered(made, 'plan-to-tasks').filter((path) => path.endsWith('/work'))).toEqual([
      ...['execute[0]/work', 'execute[1]/work', 'execute[2]/work'],
    ]);
    expect(made.lockstep('issues', 'list', '--all').stdout).toMatch(/Write A[\s\S]*Write B[\s\S]*Write C/);
  });
});

describe('session-handoff', () => {
  const recordOf = (made: Played, { id }: Session) =>
    fileSessions({
      folder: join(made.home, 'sessions'),
      now: Date.now,
      machine: hostname(),
      mask: (text) => text,
    }).get({ client: 'claude', id });
  const installed = (...options: string[]) => {
    const made = project();
    expect(made.lockstep('init', '--client', 'claude', '--yes', ...options)).toMatchObject({ exitCode: 0 });
    return made;
  };
  /** What is summed up when a session ends goes on after its client has gone. */
  const isReady = (made: Played, session: Session) =>
    vi.waitFor(() => expect(recordOf(made, session)?.status).toBe('handoff_ready'), {
      timeout: 20_000,
      interval: 50,
    });

  it('GOB-TEMPLATE-SESSION-HANDOFF: what a session left is given to the next one, once; who got it is on record', async () => {
    const made = installed();
    const first = made.session();
    expect(await first.starts()).toEqual({ told: '', note: '' });
    await first.hears('Give me a function that multiplies. It is for invoices.');
    await first.writes('product.mjs', 'export const product = (a, b) => a * b;\n');
    expect(await first.stops('product.mjs is there; its test is not.')).toEqual({ note: '' });
    await first.ends();
    await isReady(made, first);
    // Nothing in it but what was said and done: there is no model here.
    const left = recordOf(made, first);
    expect(left).toMatchObject({ title: 'Give me a function that multiplies', status: 'handoff_ready' });
    for (const part of ['It is for invoices', '- product.mjs', 'its test is not'])
      expect(left?.summary).toContain(part);

    const second = made.session();
    const told = (await second.starts()).told;
    expect(told).toContain('What an earlier session in this project left');
    expect(told).toContain('its test is not');
    expect((await second.hears('Go on.')).told).toBe('');
    expect(recordOf(made, first)).toMatchObject({
      status: 'expired',
      handoff: { consumed_by: { client: 'claude', id: second.id } },
    });
    expect(recordOf(made, second)).toMatchObject({ parent: { id: first.id }, context_restored: true });

    const third = made.session();
    expect(await third.starts()).toEqual({ told: '', note: '' });
    expect(recordOf(made, third)?.parent).toBeUndefined();
    // A session that begins with /clear has what the one before it left.
    await second.hears('Now the test.');
    await second.ends('clear');
    await isReady(made, second);
    const cleared = made.session();
    expect((await cleared.starts('clear')).told).toContain('Now the test.');
  });

  it('GOB-TEMPLATE-SESSION-HANDOFF: goes along with a workflow that has steps, and knows the step', async () => {
    const made = installed();
    made.lockstep('workflow', 'set', 'plan-execute');
    const first = made.session();
    expect((await first.starts()).told).toContain('You are planning');
    await first.hears('Plan the parser.');
    await first.writes('parser.plan.md', 'A parser.\n');
    await first.ends();
    await isReady(made, first);
    const told = (await made.session().starts()).told;
    expect(told).toContain('You are planning');
    expect(told).toContain('Plan the parser.');
    expect(told).toContain('It was in the step "plan" of plan-execute.');
    expect(told.split('## Goal')).toHaveLength(2);
  });

  it('GOB-TEMPLATE-SESSION-HANDOFF: not where it is refused', async () => {
    const made = installed('--no-handoff');
    expect(made.exists('.lockstep/local/guard.json')).toBe(false);
    const session = made.session();
    await session.starts();
    await session.hears('Hello.');
    await session.ends();
    expect(existsSync(join(made.home, 'sessions'))).toBe(false);
  });
});

describe('gobby', () => {
  const goldens = join(projectRoot, 'src/dialects/gobby/golden');
  const importing = (golden: string, name: string) => {
    const made = project();
    cpSync(join(goldens, golden, 'w.yaml'), join(made.root, `.gobby/workflows/${name}.yaml`), {
      recursive: true,
    });
    made.write('sum.mjs', 'export const sum = (a, b) => a + b;\n');
    made.sh('git add -A && git commit -qm start');
    const set = made.lockstep('workflow', 'set', name);
    expect(set, set.stderr).toMatchObject({ exitCode: 0 });
    return { made, session: made.session() };
  };

  it('GOB-TEMPLATE-PRINTED: the minimal example of the seed, as printed', async () => {
    const { made, session } = importing('minimal', 'simple-plan-execute');
    await session.starts();
    expect((await session.writes('a.txt', 'a')).denied).toBeDefined();
    expect((await session.runs('ls')).denied).toBeDefined();
    expect((await session.reads('sum.mjs')).denied).toBeUndefined();
    expect((await session.stops('I would add a.txt.')).note).toContain('Ready to implement?');
    expect((await session.writes('a.txt', 'a')).denied).toBeDefined();
    await session.hears('proceed');
    expect((await session.writes('a.txt', 'a')).denied).toBeUndefined();
    expect(await session.stops()).toEqual({ note: '' });
    await session.ends();
    await vi.waitFor(() => expect(isComplete(made, 'simple-plan-execute')).toBe(true), { timeout: 20_000 });
  });

  it('GOB-TEMPLATE-PRINTED: the complete example of the seed, as printed', async () => {
    const { made, session } = importing('complete', 'plan-act-reflect');
    expect((await session.starts()).told).toContain('You are in PLANNING mode');
    expect((await session.writes('a.plan.md', 'plan')).denied).toBeDefined();
    expect((await session.stops('Here is my plan: …')).held).toBeDefined();
    // Its agent may not write, so the plan is the person's to put down.
    made.write('a.plan.md', 'Three files.\n');
    await session.reads('sum.mjs');
    expect((await session.stops('It is written.')).note).toContain('Ready to implement?');
    const agreed = (await session.hears('proceed')).told;
    expect(agreed).toContain('IMPLEMENTATION mode');
    expect(agreed).toContain('Three files.');
    expect((await session.runs('rm -rf .')).denied).toContain('Destructive');
    expect((await session.runs('ls')).denied).toContain('Non-standard command: ls');
    await session.hears('yes');
    expect((await session.runs('ls')).denied).toBeUndefined();
    for (const file of ['a.txt', 'b.txt', 'c.txt'])
      expect((await session.writes(file, file)).told).not.toContain('REFLECTION');
    expect((await session.writes('d.txt', 'd')).told).toContain('REFLECTION CHECKPOINT');
    expect((await session.writes('e.txt', 'e')).denied).toBeDefined();
    expect((await session.hears('continue')).told).toContain('IMPLEMENTATION mode');
    await session.edits('sum.mjs', 'nowhere', 'x');
    expect((await session.writes('e.txt', 'e')).denied).toBeDefined();
    await session.hears('replan');
    expect((await session.writes('e.txt', 'e')).denied).toBeDefined();
    await session.stops('Planned again.');
    await session.hears('proceed');
    for (let n = 0; n < 5; n += 1) await session.writes(`f${n}.txt`, 'f');
    await session.hears('done');
    expect(isComplete(made, 'plan-act-reflect')).toBe(true);
    expect(stepsEntered(made, 'plan-act-reflect')).toEqual([
      'plan',
      'act',
      'reflect',
      'act',
      'reflect',
      'plan',
      'act',
      'reflect',
    ]);
  });
});
