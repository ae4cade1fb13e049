// LS-JOURNAL-VERSION: journals that were written once are read for ever. fixtures/ has them by the version of their format, as
// scripts/record-journals.js kept them: read here to the byte, compared with what they came to then, and gone on with by the
// built command where they had not ended.

import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Entry, EntryKind } from '../../src/model/entry.ts';
import { JOURNAL_VERSION } from '../../src/model/journal-version.ts';
import type { Workflow } from '../../src/model/workflow.ts';
import { fileStore } from '../../src/stores/file/file-store.ts';
import { seal } from '../../src/stores/file/journal-chain.ts';
import { type Scratch, scratch } from '../scratch.ts';
import { type Outcome, outcomeOf } from './outcome.ts';

/** A story that has the entry: of version 1, unless it says another. A new kind of entry needs a story in stories.js, and a line here. */
const SHOWN_BY: Record<EntryKind, string> = {
  'run-started': 'sequence',
  'worktree-prepared': 'worktree',
  'run-resumed': 'crash-and-probe',
  'end-requested': 'cancelled',
  'limit-reached': 'limit',
  'run-paused': 'question',
  'run-interrupted': 'interrupted',
  'run-completed': 'sequence',
  'run-failed': 'failed',
  'run-cancelled': 'cancelled',
  'step-skipped': 'sequence',
  'step-opened': 'sequence',
  'worktree-opening': 'worktree',
  'worktree-opened': 'worktree',
  'workflow-called': 'sub-workflow',
  'step-failed': 'failed',
  'step-closed': 'failed',
  'loop-tested': 'loop',
  'time-out-reached': 'time-out',
  'workflow-returned': 'sub-workflow',
  'reviews-gathered': 'gates',
  'fan-stopped': 'parallel-stopped',
  'next-chosen': 'goto',
  jumped: 'goto',
  'attempt-started': 'sequence',
  'attempt-finished': 'sequence',
  'attempt-in-doubt': 'crash-and-probe',
  'attempt-cancelled': 'time-out',
  'retry-scheduled': 'retry',
  'retry-due': 'retry',
  observing: 'sequence',
  observed: 'sequence',
  'work-accepted': 'sent-back',
  'work-rejected': 'sent-back',
  'action-passed': 'sequence',
  'vars-set': 'sequence',
  'question-asked': 'question',
  'question-answered': 'approved',
  'question-expired': 'question-expired',
  'signal-received': 'signals',
  'message-refused': 'refused-message',
  'drive-changed': 'version-2/guided',
  'step-handed': 'version-2/guided',
  'claim-received': 'version-2/guided',
  'claim-refused': 'version-2/guided',
  'session-bound': 'version-3/guarded',
  'session-event': 'version-3/guarded',
  'call-judged': 'version-3/guarded',
  'event-weighed': 'version-3/guarded',
  'text-prepared': 'version-3/guarded',
  said: 'version-3/guarded',
  'stop-answered': 'version-3/guarded',
  'change-found': 'version-3/guarded',
  'artifact-kept': 'version-3/guarded',
  'guard-switched': 'version-3/guarded',
  'moved-by-person': 'version-3/guarded',
};

interface Expected {
  /** Where the project lay. */
  project: string;
  before: Outcome;
  goOn?: string[];
  after?: Outcome;
}

interface Kept {
  name: string;
  folder: string;
  id: string;
  expected: Expected;
}

const FIXTURES = join(import.meta.dirname, 'fixtures');
const corpus: Kept[] = readdirSync(FIXTURES).flatMap((version) =>
  readdirSync(join(FIXTURES, version)).map((story) => {
    const folder = join(FIXTURES, version, story);
    const [first] = lines(folder);
    return {
      name: `${version}/${story}`,
      folder,
      id: (JSON.parse(first ?? '') as Extract<Entry, { kind: 'run-started' }>).run.id,
      expected: JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8')) as Expected,
    };
  }),
);

function lines(folder: string): string[] {
  return readFileSync(join(folder, 'journal.jsonl'), 'utf8').trimEnd().split('\n');
}

let project: Scratch;
afterEach(() => project?.remove());

const runs = () => join(project.root, '.lockstep/runs');

/** In a run folder of a scratch project, as it was kept. */
function put({ folder, id }: Kept): void {
  project = scratch();
  mkdirSync(join(runs(), id), { recursive: true });
  for (const name of ['journal.jsonl', 'journal.head', 'workflow.json'])
    cpSync(join(folder, name), join(runs(), id, name));
  for (const name of ['lease', 'logs', 'inbox', 'artifacts']) mkdirSync(join(runs(), id, name));
}

function read(id: string): { workflow: Workflow; entries: Entry[]; missing?: string } {
  const stored = fileStore({ directory: runs() }).read(id);
  const { entries, missing } = stored.journal();
  const { workflow } = JSON.parse(stored.document('workflow.json') ?? '') as { workflow: Workflow };
  return { workflow, entries, missing };
}

/**
 * A run is bound to the folder it works in, and that is another one here: its path is replaced wherever it stands, and the lines
 * are chained anew. Nothing else changes.
 */
function moveHere({ id, expected }: Kept): void {
  const inRun = (name: string) => join(runs(), id, name);
  const here = (text: string) => text.replaceAll(expected.project, project.root);
  const pinned = readFileSync(inRun('workflow.json'), 'utf8');
  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
  writeFileSync(inRun('workflow.json'), here(pinned));
  let previous = id;
  const moved = lines(join(runs(), id)).map((line) => {
    const text = here(line).replace(sha256(pinned), sha256(here(pinned)));
    const { h: _, ...entry } = JSON.parse(text) as Entry & { h: string };
    const sealed = seal(previous, entry as Entry);
    previous = sealed.hash;
    return sealed.line;
  });
  writeFileSync(inRun('journal.jsonl'), moved.join(''));
  const note = { entries: moved.length, bytes: Buffer.byteLength(moved.join('')), hash: previous };
  writeFileSync(inRun('journal.head'), `${JSON.stringify(note).padEnd(127)}\n`);
}

describe('LS-JOURNAL-CORPUS: journals that were kept', () => {
  it('there is one for every kind of entry', () => {
    for (const [kind, story] of Object.entries(SHOWN_BY)) {
      const folder = story.includes('/') ? story : `version-1/${story}`;
      const kinds = lines(join(FIXTURES, folder)).map((line) => (JSON.parse(line) as Entry).kind);
      expect(kinds, `${story} has no ${kind}`).toContain(kind);
    }
  });

  it('there are some of every version that this Lockstep reads, and of the time before they had a number', () => {
    const versions = Array.from({ length: JOURNAL_VERSION }, (_, index) => `version-${index + 1}`);
    expect(readdirSync(FIXTURES).sort()).toEqual(['before-numbers', ...versions]);
    for (const { folder, name } of corpus) {
      const { journal_version } = JSON.parse(lines(folder)[0] ?? '') as { journal_version?: number };
      expect(journal_version, name).toBe(
        name.startsWith('before-')
          ? undefined
          : Number(basename(join(folder, '..')).slice('version-'.length)),
      );
    }
  });

  it.each(corpus)('$name is read to the byte, and comes to what it came to', (kept) => {
    put(kept);
    const { workflow, entries, missing } = read(kept.id);
    expect(missing).toBeUndefined();
    expect(entries).toHaveLength(lines(kept.folder).length);
    expect(outcomeOf(workflow, entries)).toEqual(kept.expected.before);
  });

  it.each(corpus.filter(({ expected }) => expected.goOn))('$name goes on to the same end', (kept) => {
    put(kept);
    moveHere(kept);
    cpSync(join(kept.folder, 'workspace'), project.root, { recursive: true });
    for (const line of kept.expected.goOn ?? []) {
      const { exitCode, stderr } = project.sh(line);
      expect({ line, exitCode, stderr: exitCode === 0 ? '' : stderr }).toEqual({
        line,
        exitCode: 0,
        stderr: '',
      });
    }
    const { workflow, entries } = read(kept.id);
    expect(outcomeOf(workflow, entries)).toEqual(kept.expected.after);
  });

  it('what was not over when it was kept is gone on with', () => {
    const open = corpus.filter(
      ({ expected }) => !['completed', 'cancelled'].includes(expected.before.status),
    );
    expect(open.length).toBeGreaterThan(10);
    for (const { name, expected } of open) expect(expected.after?.status, name).toBe('completed');
  });
});

describe('LS-JOURNAL-VERSION: a journal of a newer Lockstep', () => {
  /** As a later version would write it: what only it knows stands in the first entry, and lines may be chained otherwise. */
  function ofVersion(version: unknown, chained: boolean): string {
    const kept = corpus.find(({ name }) => name === 'version-1/question') as Kept;
    put(kept);
    moveHere(kept);
    const path = join(runs(), kept.id, 'journal.jsonl');
    let previous = kept.id;
    const all = lines(join(runs(), kept.id)).map((line, index) => {
      const { h: _, ...entry } = JSON.parse(line) as Entry & { h: string };
      if (index === 0)
        Object.assign(entry, {
          journal_version: version,
          by: { user: 'ada', host: 'h', pid: 1, version: '9.8.7' },
        });
      const sealed = seal(previous, entry as Entry);
      previous = sealed.hash;
      return chained ? sealed.line : sealed.line.replace(/"h":"[0-9a-f]+"/, '"h2":"sha512"');
    });
    writeFileSync(path, all.join(''));
    return path;
  }

  it.each([
    [JOURNAL_VERSION + 1, true],
    [JOURNAL_VERSION + 1, false],
    [41, true],
    ['two', true],
    [0, true],
  ])(
    'version %j (chained as now: %s): every command that reads it refuses, names both and changes nothing',
    (version, chained) => {
      const path = ofVersion(version, chained);
      const before = readFileSync(path);
      const commands = [
        'status',
        'audit',
        'resume',
        'resume --repair',
        'answer latest web',
        'signal latest go',
        'report',
      ];
      for (const command of commands) {
        const argv = command
          .split(' ')
          .map((word) => (word === 'latest' ? basename(join(path, '..')) : word));
        if (argv.length === 1 || argv[1] === '--repair') argv.splice(1, 0, basename(join(path, '..')));
        const { exitCode, stdout, stderr } = project.lockstep(...argv);
        expect(stderr, command).toContain(
          `is of version ${JSON.stringify(version)}, and this Lockstep reads journals up to version ${JOURNAL_VERSION}`,
        );
        expect(stderr, command).toContain('journal-newer');
        expect(stderr, command).toContain('It was written by lockstep 9.8.7.');
        expect({ command, exitCode, stdout }).toEqual({ command, exitCode: 1, stdout: '' });
        expect(readFileSync(path).equals(before), command).toBe(true);
      }
    },
  );

  it('what this Lockstep writes says its version in the first entry', () => {
    project = scratch();
    project.write('w.yaml', 'lockstep: 1\nname: w\nsteps:\n  - { id: a, run: echo a }\n');
    expect(project.lockstep('run', 'w.yaml').exitCode).toBe(0);
    const [first] = lines(join(runs(), 'latest'));
    expect(JSON.parse(first ?? '')).toMatchObject({ kind: 'run-started', journal_version: JOURNAL_VERSION });
  });
});
