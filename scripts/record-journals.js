// record-journals: plays test/journals/stories.js with the built command and keeps the journals that they leave, with what
// they come to, in a folder of test/journals/fixtures/. They are kept for ever: a story that is there already is left alone.
//
//   node scripts/record-journals.js <folder> [story …]      LOCKSTEP=<file>: another build than dist/lockstep.js

import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { build } from 'esbuild';
import { stories } from '../test/journals/stories.js';

const [folder, ...wanted] = process.argv.slice(2);
if (!folder) throw new Error('Say which folder of test/journals/fixtures/ to record into.');
const target = resolve('test/journals/fixtures', folder);
const command = resolve(process.env.LOCKSTEP ?? 'dist/lockstep.js');
const { outcomeOf } = await load("export { outcomeOf } from './test/journals/outcome.ts';");
/** Only these: everything else of a run is made again. */
const KEPT = ['journal.jsonl', 'journal.head', 'workflow.json'];

for (const story of stories) {
  if (wanted.length > 0 && !wanted.includes(story.name)) continue;
  const kept = join(target, story.name);
  if (existsSync(kept)) console.log(`${story.name}: is there already`);
  else record(story, kept);
}

function record(story, kept) {
  const base = mkdtempSync(join(tmpdir(), 'lockstep-journals-'));
  try {
    const root = join(base, 'project');
    const sh = stage(base, root, story);
    for (const line of story.play) sh(line);
    const run = join(root, '.lockstep/runs/latest');
    if (!existsSync(run)) return console.log(`${story.name}: made no run`);
    mkdirSync(kept, { recursive: true });
    for (const name of KEPT) cpSync(join(run, name), join(kept, name));
    const before = outcome(run);
    if (story.goOn) {
      cpSync(root, join(kept, 'workspace'), {
        recursive: true,
        filter: (path) => path !== join(root, '.lockstep/runs') && path !== join(root, '.git'),
      });
      for (const line of story.goOn) sh(line);
    }
    const expected = { project: root, before, ...(story.goOn && { goOn: story.goOn, after: outcome(run) }) };
    writeFileSync(join(kept, 'expected.json'), `${JSON.stringify(expected, undefined, 2)}\n`);
    console.log(`${story.name}: ${before.status}${story.goOn ? `, then ${expected.after.status}` : ''}`);
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

/** A project with the files of the story, and how to run a shell line in it. */
function stage(base, root, { files, git }) {
  for (const name of ['bin', 'home', 'tmp']) mkdirSync(join(base, name));
  symlinkSync(command, join(base, 'bin/lockstep'));
  const env = {
    PATH: [join(base, 'bin'), dirname(process.execPath), process.env.PATH].join(delimiter),
    HOME: join(base, 'home'),
    TMPDIR: join(base, 'tmp'),
    LOCKSTEP_CLIENTS: 'none',
    LANG: 'C.UTF-8',
    NO_COLOR: '1',
    USER: 'ada',
    LOGNAME: 'ada',
    ...Object.fromEntries(
      ['AUTHOR', 'COMMITTER'].flatMap((who) => [
        [`GIT_${who}_NAME`, 'Ada'],
        [`GIT_${who}_EMAIL`, 'ada@example.org'],
      ]),
    ),
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const options = { cwd: root, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] };
  if (git) {
    execFileSync('git', ['init', '-q', '-b', 'main'], options);
    execFileSync('git', ['commit', '-q', '--allow-empty', '-m', 'start'], options);
  }
  return (line) => {
    const { status, stdout, stderr } = spawnSync('/bin/sh', ['-c', line], options);
    if (process.env.VERBOSE || status === 2) console.log(`$ ${line}\n${stdout}${stderr}[exit ${status}]`);
  };
}

function outcome(run) {
  const entries = readFileSync(join(run, 'journal.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  return outcomeOf(JSON.parse(readFileSync(join(run, 'workflow.json'), 'utf8')).workflow, entries);
}

/** Node 20 does not read TypeScript. */
async function load(contents) {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: '.', loader: 'ts' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
    write: false,
  });
  const file = join(mkdtempSync(join(tmpdir(), 'lockstep-outcome-')), 'outcome.mjs');
  writeFileSync(file, outputFiles[0].contents);
  try {
    return await import(file);
  } finally {
    rmSync(dirname(file), { recursive: true });
  }
}
