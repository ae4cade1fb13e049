// floor: the least that a durable loop can do. What Lockstep adds to this is its price.
// One record of about 1 KB per step, one fdatasync per step: `finished(k)` and `started(k+1)` share it. A parallel
// block writes each record as it comes, and is started with one flush and finished with one.

import { spawn } from 'node:child_process';
import { closeSync, fdatasyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const output = 'x'.repeat(900);
const line = (kind, path) =>
  `${JSON.stringify({ kind, path, at: Date.now(), output: kind === 'finished' ? output : undefined })}\n`;
const noop = async () => output;

export async function sequence({ folder, steps }) {
  const journal = openSync(join(folder, 'floor.jsonl'), 'w');
  globalThis.gc?.();
  const started = performance.now();
  let pending = line('started', 'step-0');
  for (let step = 0; step < steps; step += 1) {
    writeSync(journal, pending);
    fdatasyncSync(journal);
    await noop();
    pending = line('finished', `step-${step}`) + line('started', `step-${step + 1}`);
  }
  writeSync(journal, pending);
  fdatasyncSync(journal);
  const ms = performance.now() - started;
  closeSync(journal);
  return { ms, perStep: ms / steps };
}

export async function parallel({ folder, steps }) {
  const journal = openSync(join(folder, 'floor.jsonl'), 'w');
  const paths = Array.from({ length: steps }, (_, step) => `all/step-${step}`);
  globalThis.gc?.();
  const started = performance.now();
  for (const path of paths) writeSync(journal, line('started', path));
  fdatasyncSync(journal);
  await Promise.all(
    paths.map(async (path) => {
      await noop();
      writeSync(journal, line('finished', path));
    }),
  );
  fdatasyncSync(journal);
  const ms = performance.now() - started;
  closeSync(journal);
  return { ms, perStep: ms / steps };
}

/** What any program pays to have a journal back: the file as text, each line as JSON. */
export async function readAndParse({ journal }) {
  globalThis.gc?.();
  const started = performance.now();
  let entries = 0;
  for (const text of readFileSync(journal, 'utf8').split('\n')) {
    if (text === '') continue;
    JSON.parse(text);
    entries += 1;
  }
  return { ms: performance.now() - started, entries };
}

export async function spawns({ folder, steps }) {
  globalThis.gc?.();
  const started = performance.now();
  for (let step = 0; step < steps; step += 1) {
    await new Promise((resolve) => spawn('/bin/true', [], { cwd: folder }).on('close', resolve));
  }
  const ms = performance.now() - started;
  return { ms, perStep: ms / steps };
}
