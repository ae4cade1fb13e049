// mcp: what it costs to be led through a workflow over standard input and output, against an echo tool of the same SDK that
// takes and gives as much. Both are called in turns, so whatever else the machine does hits both.

import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const here = dirname(fileURLToPath(import.meta.url));
const program = join(here, '../../dist/lockstep.js');
const WARM = 20;

const flow = (steps) => `lockstep: 1
name: many
steps:
  - id: all
    each: 'n in [${Array.from({ length: steps }, (_, n) => n).join(', ')}]'
    steps:
      - { id: one, title: One of many, prompt: { text: "Do what there is to do with {{ n }}, and say what came of it." } }
`;

/** Median of a `continue_workflow` and of an echo, and the means of the first and the last hundred. */
export async function walk({ folder, steps }) {
  prepare(folder, steps + WARM);
  const led = await connect([program, 'mcp', '--toolsets', 'workflow'], folder);
  const echo = await connect([join(here, 'echo-server.js')], folder);
  let answer = await led.callTool({ name: 'start_workflow', arguments: { workflowId: 'many' } });
  await echo.callTool({ name: 'prime', arguments: { answer } });
  const times = { led: [], echo: [] };
  for (let step = 0; step < steps + WARM - 1; step += 1) {
    const { continueToken } = answer.structuredContent;
    const given = {
      continueToken,
      output: { notesMarkdown: 'It was looked at, and nothing was wrong with it. '.repeat(4) },
    };
    let started = performance.now();
    answer = await led.callTool({ name: 'continue_workflow', arguments: given });
    const took = performance.now() - started;
    if (answer.structuredContent.kind !== 'ok') throw new Error(JSON.stringify(answer.structuredContent));
    started = performance.now();
    await echo.callTool({ name: 'echo', arguments: given });
    const echoed = performance.now() - started;
    if (step < WARM) continue;
    times.led.push(took);
    times.echo.push(echoed);
  }
  await Promise.all([led.close(), echo.close()]);
  return {
    ms: times.led.reduce((sum, one) => sum + one, 0),
    perStep: median(times.led),
    echoMs: median(times.echo),
    first: median(times.led.slice(0, 100)),
    last: median(times.led.slice(-100)),
  };
}

/** From the start of the process to the answer to `initialize`. */
export async function start({ folder, times }) {
  prepare(folder, 1);
  await firstAnswer(folder); // the first start leaves its compiled code behind
  const taken = [];
  for (let time = 0; time < times; time += 1) taken.push(await firstAnswer(folder));
  const perStep = median(taken);
  return { ms: perStep, perStep };
}

function firstAnswer(folder) {
  const params = {
    ...{ protocolVersion: '2025-11-25', capabilities: {} },
    clientInfo: { name: 'bench', version: '1' },
  };
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const server = spawn(process.execPath, [program, 'mcp'], {
      cwd: folder,
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    server.on('error', reject);
    server.stdout.once('data', () => {
      const took = performance.now() - started;
      server.on('exit', () => resolve(took));
      server.stdin.end();
    });
    server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`);
  });
}

function prepare(folder, steps) {
  mkdirSync(join(folder, '.lockstep/workflows'), { recursive: true });
  writeFileSync(join(folder, '.lockstep/workflows/many.yaml'), flow(steps));
  spawnSync('git', ['init', '-q'], { cwd: folder });
}

async function connect(args, cwd) {
  const client = new Client({ name: 'bench', version: '1' }, {});
  await client.connect(new StdioClientTransport({ command: process.execPath, args, cwd, stderr: 'inherit' }));
  return client;
}

function median(values) {
  return values.toSorted((a, b) => a - b)[values.length >> 1];
}
