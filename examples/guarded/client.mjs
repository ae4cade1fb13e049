// A client whose hooks are Lockstep's. It stands for Claude Code: it sends the same events to the same command, does what it is
// allowed to do, and tells what came of it. `node client.mjs plan`, then `node client.mjs build`.

import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';

const session = {
  session_id: '5cebaca7-4e71-4a38-82a3-787cfe609adb',
  cwd: process.cwd(),
  transcript_path: resolve('none.jsonl'),
};
let calls = 0;

/** One event, as a client sends it to a hook: JSON in, JSON out. */
function tell(event, more) {
  const input = JSON.stringify({ ...session, hook_event_name: event, ...more });
  const { stdout, stderr, status } = spawnSync('lockstep', ['hook', 'claude'], { input, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return stdout === '' ? {} : JSON.parse(stdout);
}

const show = (who, text) => text && console.log(`${who.padEnd(9)}${text.split('\n')[0]}`);
const told = ({ hookSpecificOutput: output, systemMessage }) => {
  show('  agent', output?.additionalContext);
  show('  person', systemMessage);
};

function use(tool_name, tool_input, work) {
  console.log(`${tool_name} ${tool_input.file_path}`);
  const call = { tool_name, tool_input, tool_use_id: `${process.argv[2]}-${++calls}` };
  const { hookSpecificOutput: verdict } = tell('PreToolUse', call);
  if (verdict?.permissionDecision === 'deny') return show('  denied', verdict.permissionDecisionReason);
  work();
  told(tell('PostToolUse', { ...call, tool_response: {} }));
}
const write = (file_path, content) =>
  use('Write', { file_path, content }, () => writeFileSync(file_path, content));
const read = (file_path) => use('Read', { file_path }, () => readFileSync(file_path));
const edit = (file_path, old_string, new_string) =>
  use('Edit', { file_path, old_string, new_string }, () =>
    writeFileSync(file_path, readFileSync(file_path, 'utf8').replace(old_string, new_string)),
  );

function person(prompt) {
  console.log(`person: ${prompt}`);
  told(tell('UserPromptSubmit', { prompt }));
}

function stop(last_assistant_message) {
  console.log(`stops: ${last_assistant_message}`);
  const answer = tell('Stop', { stop_hook_active: false, last_assistant_message });
  if (answer.decision === 'block') return show('  held', answer.reason.replace(/\n+/g, ' '));
  told(answer);
}

const parts = {
  plan() {
    told(tell('SessionStart', { source: 'startup' }));
    person('sum is wrong. Mend it.');
    edit('sum.mjs', ', 1)', ', 0)');
    write('sum.plan.md', 'sum.mjs starts to add up from 1; let it start from 0. npm test shows it.\n');
    stop('The plan is written.');
  },
  build() {
    person('yes');
    stop('Done, all tests pass.');
    edit('sum.mjs', ', 1)', ', 0)');
    read('sum.mjs');
    edit('sum.mjs', ', 1)', ', 0)');
    stop('Now they do.');
  },
};
parts[process.argv[2]]();
