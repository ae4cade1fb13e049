// hook: what an event of a live session costs at each entry: the line of shell where nothing binds the session, the program with a
// daemon that is there, and with one that has to be started. Each takes turns with what it is held against, so whatever else the
// machine does hits both.

import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '../..');
const program = join(root, 'dist/lockstep.js');

const WORKFLOW = `lockstep: 1
name: plan
steps:
  - { id: plan, prompt: { text: Plan it. }, tools: { allow: [Read] }, done: { that: ['size(files("PLAN.md")) == 1'] } }
`;

/** Medians in milliseconds: the line against /bin/true, through the same shell that clients start it with. */
export async function shell({ times }) {
  const { folder, env, remove } = prepare(false);
  const { hooks } = JSON.parse(readFileSync(join(root, 'plugin/hooks/hooks.json'), 'utf8'));
  const line = hooks.PreToolUse[0].hooks[0].command;
  const result = inTurns(times, {
    own: () => spawnSync('/bin/sh', ['-c', line], { cwd: folder, env, input: event(folder, 0) }),
    other: () => spawnSync('/bin/true', [], { cwd: folder, env, input: event(folder, 0) }),
  });
  remove();
  return result;
}

/** The program with a warm daemon against `node -e 0`. */
export async function warm({ times }) {
  const { folder, env, remove } = prepare(true);
  hook(folder, env, 'first');
  const result = inTurns(times, { own: (n) => hook(folder, env, n), other: () => node(folder, env) });
  remove();
  return result;
}

/** The program that has to start a daemon against `node -e 0`. */
export async function cold({ times }) {
  const { folder, env, stop, remove } = prepare(true);
  const own = [];
  const other = [];
  for (let n = 0; n < times; n += 1) {
    own.push(timed(() => hook(folder, env, n)));
    other.push(timed(() => node(folder, env)));
    stop();
  }
  remove();
  return { own: median(own), other: median(other), perStep: median(own) / median(other) };
}

function inTurns(times, { own, other }) {
  const took = { own: [], other: [] };
  for (let n = 0; n < times; n += 1) {
    took.own.push(timed(() => own(n)));
    took.other.push(timed(() => other(n)));
  }
  const result = { own: median(took.own), other: median(took.other) };
  return { ...result, perStep: result.own / result.other };
}

function hook(cwd, env, n) {
  const args = [program, 'hook', 'claude', '1'];
  const { status, stdout } = spawnSync(process.execPath, args, {
    cwd,
    env,
    input: event(cwd, n),
    encoding: 'utf8',
  });
  if (status !== 0 || !stdout.includes('deny'))
    throw new Error(`the hook was not answered: ${status} ${stdout}`);
}

function node(cwd, env) {
  spawnSync(process.execPath, ['-e', '0'], { cwd, env, input: event(cwd, 0) });
}

function event(cwd, n) {
  return JSON.stringify({
    ...{ session_id: 'bench-session', transcript_path: '/none.jsonl', cwd, hook_event_name: 'PreToolUse' },
    ...{
      tool_name: 'Write',
      tool_use_id: `call-${n}`,
      tool_input: { file_path: 'a.txt', content: 'x'.repeat(2_000) },
    },
  });
}

/** The home is short, as people's are: a socket has to fit. */
function prepare(isBound) {
  const base = join(tmpdir(), `lockstep-bench-hook-${process.pid}`);
  const folder = join(base, 'project/deep/er');
  const env = { PATH: process.env.PATH, HOME: base, LOCKSTEP_HOME: join(base, 'home') };
  const write = (path, text) => {
    mkdirSync(dirname(join(base, path)), { recursive: true });
    writeFileSync(join(base, path), text);
  };
  mkdirSync(folder, { recursive: true });
  mkdirSync(join(base, 'project/.git'));
  spawnSync('git', ['init', '-q', join(base, 'project')]);
  write('project/.lockstep/workflows/plan.yaml', WORKFLOW);
  const choice = { guard: 1, workflow: 'plan', lifecycles: [], vars: {}, inputs: {}, disabled: null };
  if (isBound) write('project/.lockstep/local/guard.json', JSON.stringify(choice));
  const stop = () => spawnSync(process.execPath, [program, 'daemon', '--stop'], { cwd: folder, env });
  const remove = () => {
    if (isBound) stop();
    rmSync(base, { recursive: true, force: true });
  };
  return { folder, env, stop, remove };
}

function timed(work) {
  const started = performance.now();
  work();
  return performance.now() - started;
}

function median(numbers) {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)];
}
