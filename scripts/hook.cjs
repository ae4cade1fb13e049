// hook: becomes dist/hook.cjs, the program that a client's hook starts (src/system/hook-door.ts). It hands what it is
// given on standard input to the run that started the client, and prints what that answers.
// H1. Fails closed: no answer, or half of one, ends in exit code 2, which clients take for a denial.
// CommonJS, and nothing but node:net: it is started for every tool call.
'use strict';

const [, , door, patience] = process.argv;
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
  process.stderr.write(`Lockstep, which judges tool calls here, is not there: ${why}. The call is denied.\n`);
}

function end(exitCode) {
  isOver = true;
  clearTimeout(timer);
  process.exitCode = exitCode;
  socket.destroy();
  process.stdin.destroy();
}
