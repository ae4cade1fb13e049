// run: the bench. Both sides of a ratio are measured one right after the other; the median of the rounds counts. Prints a table and
// writes results.json and the table in README.md. `--rounds N`, `--only text,text` (which writes neither).

import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { measuredCommit } from './commit.js';
import { shown, withTable } from './readme.js';
import { measurements, rows } from './rows.js';

const here = dirname(fileURLToPath(import.meta.url));
// Not under /tmp: where that lies in memory a flush costs nothing and the ratios mean nothing.
const folder = join(here, '.scratch');
// It adds a fixed cost to every start of Node, which would flatter whatever is compared with `node -e 0`.
delete process.env.NODE_EXTRA_CA_CERTS;
const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '7' }, only: { type: 'string', default: '' } },
});
const chosen = rows.filter(({ id }) => values.only.split(',').some((text) => id.includes(text)));

// The demo in a repository of its own: where it lies, this project would be its root.
const demo = join(here, '.demo');
rmSync(demo, { recursive: true, force: true });
cpSync(join(here, '../examples/demo'), demo, { recursive: true });
spawnSync('git', ['init', '-q'], { cwd: demo });

/** Folders that a command is timed in, filled once. */
const prepared = new Set();
/** Per row and round: what its measurements gave, in the order of `of`. */
const rounds = new Map(chosen.map(({ id }) => [id, []]));
for (let round = 1; round <= Number(values.rounds); round += 1) {
  /** What one row alone is made of is measured once for all rows that read something else from it. */
  const alone = new Map();
  for (const { id, of } of chosen) {
    // One right after the other, and in turns who goes first: whatever else the machine does then hits both.
    const order = round % 2 === 1 ? of : of.toReversed();
    const results = Object.fromEntries(
      order.map((name) => {
        const known = of.length === 1 ? alone.get(name) : undefined;
        const result = known ?? show(`round ${round}: ${name}`, () => measure(measurements[name]));
        if (of.length === 1) alone.set(name, result);
        return [name, result];
      }),
    );
    rounds.get(id).push(of.map((name) => results[name]));
  }
}
for (const left of [folder, demo, ...prepared]) rmSync(left, { recursive: true, force: true });

const measured = chosen.map((row) => {
  const ratio = median(rounds.get(row.id).map((parts) => ratioIn(row, parts)));
  const pass = ratio === null ? null : row.least === undefined ? ratio <= row.most : ratio >= row.least;
  const times = row.of.map((name, index) => [
    name,
    median(rounds.get(row.id).map((parts) => parts[index]?.ms)),
  ]);
  return {
    id: row.id,
    what: row.what.trim(),
    ratio,
    bar: row.least === undefined ? `≤ ${row.most}` : `≥ ${row.least}`,
    ...(row.goal !== undefined && { goal: row.goal }),
    pass,
    ms: Object.fromEntries(times),
  };
});
print(measured);
if (values.only === '') {
  const results = report();
  const readme = join(here, '../README.md');
  writeFileSync(join(here, 'results.json'), `${JSON.stringify(results, null, 2)}\n`);
  writeFileSync(readme, withTable(readFileSync(readme, 'utf8'), results));
}
process.exitCode = measured.every(({ pass }) => pass === true) ? 0 : 1;

/** A workload that is not there, or breaks, is "not measured", and says why on stderr. */
function measure({ workload, command, cwd = '.', needs }) {
  if (command) {
    const place = join(here, cwd);
    if (needs && !prepared.has(place)) {
      prepared.add(place);
      if (work(needs, place) === undefined) return undefined;
    }
    return timeCommand(command, place);
  }
  return work(workload, folder);
}

/** One workload, in a folder that is empty when it begins. */
function work([module, name, options], folder) {
  if (!existsSync(join(here, module))) return undefined;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const argv = [
    '--no-warnings',
    '--expose-gc',
    join(here, 'measure.js'),
    module,
    name,
    JSON.stringify({ folder, ...options }),
  ];
  const { status, stdout, stderr } = spawnSync(process.execPath, argv, {
    cwd: here,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (status === 0) return JSON.parse(stdout.trim().split('\n').at(-1));
  process.stderr.write(`\n${module} ${name} failed:\n${stderr}\n`);
  return undefined;
}

function timeCommand(argv, cwd) {
  const times = [];
  for (let start = 0; start < 11; start += 1) {
    const started = performance.now();
    const { status, stderr } = spawnSync(process.execPath, argv, { cwd, encoding: 'utf8' });
    times.push(performance.now() - started);
    if (status !== 0) {
      process.stderr.write(`\n${argv.join(' ')} failed:\n${stderr}\n`);
      return undefined;
    }
  }
  const perStep = median(times);
  return { ms: perStep, perStep };
}

/** A ratio that needs something which was not measured is not measured. */
function ratioIn({ ratio }, parts) {
  return parts.includes(undefined) ? null : ratio(...parts);
}

function show(what, work) {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${what}`);
  const result = work();
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
  return result;
}

function median(values) {
  const known = values.filter((value) => value !== null && value !== undefined).sort((a, b) => a - b);
  if (known.length === 0) return null;
  const middle = known.length >> 1;
  return known.length % 2 === 1 ? known[middle] : (known[middle - 1] + known[middle]) / 2;
}

function print(table) {
  const width = Math.max(...table.map(({ what }) => what.length));
  console.log(`${'what'.padEnd(width)}   ratio     bar`);
  for (const { what, ratio, bar, pass } of table) {
    const verdict = pass === null ? 'not measured' : pass ? 'pass' : 'FAIL';
    console.log(`${what.padEnd(width)}  ${shown(ratio).padStart(6)}  ${bar.padEnd(6)}  ${verdict}`);
  }
}

function report() {
  const machine = { node: process.version, cpu: cpus()[0]?.model ?? 'unknown', cpus: cpus().length };
  return {
    at: new Date().toISOString(),
    ...measuredCommit(),
    rounds: Number(values.rounds),
    machine,
    rows: measured,
  };
}
