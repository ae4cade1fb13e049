// canary-client: a stand-in for the `claude` command that does what a canary asks for, and obeys its hooks or not.
// A test makes an executable of it: `play('obeys' | 'ignores' | 'talks' | 'fails')`.

import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

const SESSION = '11111111-2222-4333-8444-555555555555';
const CALLS = [
  {
    id: 'call_1',
    name: 'Write',
    input: { file_path: `${process.cwd()}/written.txt`, content: 'canary' },
    makes: 'written.txt',
  },
  { id: 'call_2', name: 'Bash', input: { command: 'touch touched.txt' }, makes: 'touched.txt' },
];

export function play(how) {
  if (process.argv.includes('--version')) return void process.stdout.write('9.9.9 (Claude Code)\n');
  readFileSync(0);
  if (how === 'fails') {
    process.stderr.write('Invalid API key\n');
    process.exitCode = 1;
    return;
  }
  print({ type: 'system', subtype: 'init', session_id: SESSION, model: 'standard-1' });
  if (how !== 'talks') for (const call of CALLS) make(call, how === 'obeys');
  const text = 'That is what happened.';
  print({
    type: 'result',
    subtype: 'success',
    is_error: false,
    result: text,
    num_turns: 1,
    session_id: SESSION,
    usage: {},
  });
}

function make({ id, name, input, makes }, obeys) {
  const message = { id: `msg_${id}`, role: 'assistant', content: [{ type: 'tool_use', id, name, input }] };
  print({ type: 'assistant', message, session_id: SESSION });
  const denied = obeys && asksAndIsDenied({ tool_name: name, tool_input: input, tool_use_id: id });
  if (!denied) writeFileSync(makes, 'canary');
  const content = [
    { type: 'tool_result', tool_use_id: id, is_error: denied, content: denied ? 'denied' : 'ok' },
  ];
  print({ type: 'user', message: { role: 'user', content }, session_id: SESSION });
}

function asksAndIsDenied(call) {
  const flag = process.argv.find((word) => word.startsWith('--settings='));
  const { hooks } = JSON.parse(readFileSync(flag.slice('--settings='.length), 'utf8'));
  const [{ command }] = hooks.PreToolUse[0].hooks;
  const payload = JSON.stringify({
    hook_event_name: 'PreToolUse',
    session_id: SESSION,
    cwd: process.cwd(),
    ...call,
  });
  const { status, stdout } = spawnSync('/bin/sh', ['-c', command], { input: payload, encoding: 'utf8' });
  return status === 2 || JSON.parse(stdout).hookSpecificOutput?.permissionDecision === 'deny';
}

function print(message) {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}
