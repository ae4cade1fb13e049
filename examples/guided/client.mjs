// A client that knows nothing of Lockstep but its tools: MCP over the standard input and output of `lockstep mcp`, by hand.
// It stands for your coding agent. At the second step it claims that the tests pass, and has changed nothing.

import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const server = spawn('lockstep', ['mcp'], { stdio: ['pipe', 'pipe', 'inherit'] });
const waiting = new Map();
createInterface({ input: server.stdout }).on('line', (line) => {
  const { id, result, error } = JSON.parse(line);
  waiting.get(id)?.(error ?? result);
});
const send = (message) => server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const ask = (method, params) => {
  const id = waiting.size + 1;
  send({ id, method, params });
  return new Promise((resolve) => waiting.set(id, resolve));
};
const call = async (name, args) => (await ask('tools/call', { name, arguments: args })).structuredContent;

const clientInfo = { name: 'example-client', version: '1.0.0' };
await ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
send({ method: 'notifications/initialized' });

const claims = [
  { notes: 'It starts to add up from 1 instead of 0.' },
  { notes: 'Mended. All tests pass.' },
  {
    notes: 'Mended: it starts from 0.',
    work: () =>
      writeFileSync(
        'sum.mjs',
        'export const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);\n',
      ),
  },
];

const workspacePath = process.cwd();
let answer = await call('start_workflow', { workflowId: 'fix-sum', workspacePath, goal: 'sum adds up' });
for (const { notes, work } of claims) {
  console.log(`step ${answer.pending.stepId}: ${answer.pending.prompt.split('\n')[0]}`);
  work?.();
  console.log(`  claims: ${notes}`);
  const continueToken = answer.retryContinueToken ?? answer.continueToken;
  const next = await call('continue_workflow', { continueToken, output: { notesMarkdown: notes } });
  if (next.kind === 'blocked') console.log(`  blocked: ${next.blockers.blockers[0].message.split('\n')[0]}`);
  answer = next.kind === 'blocked' ? { ...answer, ...next } : next;
}
console.log(answer.isComplete ? 'complete' : 'not complete');
server.stdin.end();
