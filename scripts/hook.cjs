// hook: becomes dist/hook.cjs, the program that the hooks of clients start, for every event.
// `hook.cjs DOOR PATIENCE` hands standard input to the run that started the client (src/system/hook-door.ts).
// `hook.cjs CLIENT [LINE]`, which `lockstep hook` is, hands it to the user's daemon (src/daemon/hook-program.ts).
// H1. Fails closed: no answer, or half of one, ends in exit code 2, which clients take for a denial. For the daemon: where the
//     session is bound, and the event is one that may be refused.
// CommonJS, and little more than node:net: it is started for every tool call.
'use strict';

const CLIENTS = ['claude', 'codex', 'gemini'];
const BUILD = { version: '__VERSION__', build: '__BUILD__' };

exports.main = main;
if (require.main === module) main(process.argv.slice(2));

function main(args) {
  if (CLIENTS.includes(args[0])) askDaemon(args[0], args[1]);
  else askDoor(args[0], args[1]);
}

async function askDaemon(client, line = '1') {
  const { runHook } = require('../src/daemon/hook-program.ts');
  const { statSync } = require('node:fs');
  const program = `${__dirname}/lockstep.js`;
  const { env } = process;
  const answer = await runHook({
    client,
    line: Number(line),
    environment: env,
    cwd: currentFolder(),
    pid: process.pid,
    home: env.LOCKSTEP_HOME || `${require('node:os').homedir()}/.lockstep`,
    own: { ...BUILD, builtAt: Math.trunc(statSync(program, { throwIfNoEntry: false })?.mtimeMs ?? 0) },
    daemon: [process.execPath, program, 'daemon'],
    payload,
  });
  process.exitCode = answer.exitCode;
  process.stderr.write(answer.stderr);
  // What was started goes on alone.
  process.stdout.write(answer.stdout, () => process.stderr.write('', () => process.exit()));
}

/** It may have been removed under the client. */
function currentFolder() {
  try {
    return process.cwd();
  } catch {
    return '/';
  }
}

/** Read at once where that is possible: opening the stream costs a tenth of the start. */
async function payload() {
  const { readSync } = require('node:fs');
  const given = [];
  try {
    for (;;) {
      const chunk = Buffer.allocUnsafe(65536);
      const bytes = readSync(0, chunk, 0, chunk.length, null);
      if (bytes === 0) return Buffer.concat(given);
      given.push(chunk.subarray(0, bytes));
    }
  } catch (error) {
    if (error.code === 'EOF') return Buffer.concat(given);
    if (error.code !== 'EAGAIN') throw error;
  }
  for await (const chunk of process.stdin) given.push(chunk);
  return Buffer.concat(given);
}

function askDoor(door, patience) {
  const given = [];
  const answer = [];
  let isOver = false;

  const timer = setTimeout(() => refuse('it did not answer in time'), Number(patience));
  const socket = require('node:net').connect(door);
  socket.on('error', (error) => refuse(error.message));
  socket.on('data', (chunk) => answer.push(chunk));
  socket.on('end', finish);
  socket.on('close', () => refuse('it hung up'));
  process.stdin.on('error', (error) => refuse(error.message));
  process.stdin.on('data', (chunk) => given.push(chunk));
  process.stdin.on('end', () => socket.end(Buffer.concat(given)));

  function finish() {
    if (isOver) return;
    let said;
    try {
      said = JSON.parse(Buffer.concat(answer).toString('utf8'));
      if (!Number.isInteger(said.exitCode)) throw new Error('no exit code');
    } catch {
      refuse('its answer cannot be read');
      return;
    }
    end(said.exitCode);
    process.stderr.write(said.stderr);
    process.stdout.write(said.stdout);
  }

  function refuse(why) {
    if (isOver) return;
    end(2);
    process.stderr.write(
      `Lockstep, which judges tool calls here, is not there: ${why}. The call is denied.\n`,
    );
  }

  function end(exitCode) {
    isOver = true;
    clearTimeout(timer);
    process.exitCode = exitCode;
    socket.destroy();
    process.stdin.destroy();
  }
}
