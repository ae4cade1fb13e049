// An agent arms the repository while it works; Lockstep's own git looks at it afterwards, in every command. The canary is
// a program that leaves a file behind.

import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Scratch, scratch } from '../scratch.ts';

let project: Scratch;
beforeEach(() => {
  project = scratch({ git: true });
  project.write('../canary.sh', `#!/bin/sh\necho "$*" >> '${project.root}/../sung'\ncat\n`);
  chmodSync(join(project.root, '../canary.sh'), 0o755);
});
afterEach(() => project.remove());

const sung = () => existsSync(join(project.root, '../sung'));
const sh = (line: string): string => {
  const { exitCode, stdout, stderr } = project.sh(line);
  if (exitCode !== 0) throw new Error(`${line}: ${stderr}`);
  return stdout.trim();
};
const outcomes = () =>
  readFileSync(join(project.root, '.lockstep/runs/latest/journal.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { kind: string; path?: string; outcome?: { repository?: unknown } })
    .filter(({ kind }) => kind === 'attempt-finished')
    .map(({ path, outcome }) => [path, outcome?.repository]);

/** Every way to a program that it can write down, and files that make git use them. */
const ARM = `c="$(cd .. && pwd)/canary.sh"
while [ ! -x "$c" ]; do c="$(dirname "$(dirname "$c")")/canary.sh"; done
for key in filter.x.clean filter.x.smudge filter.x.process diff.x.textconv diff.external core.fsmonitor core.sshCommand gpg.program core.pager core.editor credential.helper
do git config "$key" "$c"; done
git config log.showSignature true
git config core.hooksPath "$(dirname "$c")/hooks"
h="$(git rev-parse --git-common-dir)/hooks"; mkdir -p "$h"
for hook in post-checkout post-index-change reference-transaction; do cp "$c" "$h/$hook"; done
echo '* filter=x diff=x' > .gitattributes
touch a.txt
`;

describe('SEC-GIT-CLI: an agent that arms the repository', () => {
  it.each(['in-place', 'worktree'])('nothing of it runs, and it is on record: %s', (kind) => {
    project.write('a.txt', 'one\n');
    project.write('arm.sh', ARM);
    project.write(
      '.lockstep/workflows/w.yaml',
      `lockstep: 1
name: w
${kind === 'worktree' ? 'workspace: worktree\n' : ''}steps:
  - { id: arm, prompt: { text: Work } }
  - { id: look, if: 'changed("**").size() > 0', tools: { allow: [Read] }, prompt: { text: Look } }
  - { id: list, run: [echo, '{{ changed("**") }}'] }
`,
    );
    project.write('s.yaml', 'answers: { arm: { run: "sh arm.sh", text: ok }, look: { text: fine } }\n');
    sh('git add . && git commit -qm definitions');
    const run = project.lockstep('run', 'w', '--script', 's.yaml', '--without', 'outside');
    expect(`${run.exitCode} ${run.stderr}`).toMatch(/^0 /);
    expect(run.stdout.replace(/\s+/g, ' ')).toMatch(
      /Warnings? .*arm: the git repository was changed meanwhile/,
    );
    expect(outcomes()[0]).toEqual([
      'arm',
      {
        settings: expect.arrayContaining([
          expect.stringMatching(/^\.git\/config: filter\.x\.clean is ".*canary\.sh" \(it was not set\)$/),
          '.git/hooks/post-checkout is new',
        ]),
      },
    ]);
    expect(outcomes().slice(1)).toEqual([
      ['look', undefined],
      ['list', undefined],
    ]);
    for (const argv of [['report'], ['audit', 'latest'], ['logs', 'latest']]) {
      const told = project.lockstep(...(argv as [string]));
      expect(`${argv[0]} ${told.exitCode} ${told.stderr}`).toBe(`${argv[0]} 0 `);
      if (argv[0] !== 'logs') expect(told.stdout.replace(/\s+/g, ' '), argv[0]).toContain('filter.x.clean');
    }
    for (const argv of [['doctor'], ['worktree', 'list'], ['record', 'latest', '--output', 'r.test.yaml']])
      project.lockstep(...(argv as [string]));
    if (kind === 'worktree') project.lockstep('worktree', 'remove', 'latest', '--force', '--branch');
    // A later run, in the repository as it was left.
    const again = project.lockstep('run', 'w', '--script', 's.yaml', '--without', 'outside');
    expect(again.exitCode).toBe(0);
    expect(sung()).toBe(false);
    // It would have: the user's own git does.
    project.sh('git status');
    expect(sung()).toBe(true);
  });
});

describe('SEC-GIT-RECORD: what changes in the repository while a step runs', () => {
  it('commits on its own branch are not worth a word; other references, settings and hooks are', () => {
    project.write(
      '.lockstep/workflows/w.yaml',
      `lockstep: 1
name: w
steps:
  - { id: honest, prompt: { text: Work } }
  - { id: noop, run: [/bin/true] }
  - { id: branches, run: 'git branch other && git tag v1 && git branch -f old HEAD~1' }
  - { id: tracks, run: 'git config branch.main.remote origin' }
  - { id: token, run: 'git config http.https://example.org/.extraHeader "AUTHORIZATION: basic abc123" && git remote add origin https://me:hunter2@example.org/x.git' }
  - { id: ignores, run: 'echo secret >> .git/info/exclude && rm -f .git/hooks/mine' }
  - { id: packs, run: 'git pack-refs --all && git gc -q' }
  - { id: switches, run: 'git checkout -q -b feature' }
`,
    );
    project.write('s.yaml', 'answers: { honest: { write: { a.txt: x }, commit: work, text: ok } }\n');
    project.write('.git/hooks/mine', '#!/bin/sh\n');
    sh('git add . && git commit -qm definitions && git branch old');
    const run = project.lockstep('run', 'w', '--script', 's.yaml');
    expect(`${run.exitCode} ${run.stderr}`).toMatch(/^0 /);
    const hash = expect.stringMatching(/^refs\/heads\/other: new, [0-9a-f]{12}$/);
    expect(outcomes()).toEqual([
      ['honest', undefined],
      ['noop', undefined],
      [
        'branches',
        {
          references: [
            // `old` was the commit before the agent's, and is again.
            hash,
            expect.stringMatching(/^refs\/tags\/v1: new, [0-9a-f]{12}$/),
          ],
        },
      ],
      ['tracks', { references: ['.git/config: branch.main.remote is "origin" (it was not set)'] }],
      [
        'token',
        {
          settings: [
            '.git/config: http.https://example.org/.extraheader is hidden (it was not set)',
            '.git/config: remote.origin.fetch is "+refs/heads/*:refs/remotes/origin/*" (it was not set)',
            '.git/config: remote.origin.url is "https://…@example.org/x.git" (it was not set)',
          ],
        },
      ],
      ['ignores', { settings: ['.git/hooks/mine was removed', '.git/info/exclude was changed'] }],
      ['packs', undefined],
      [
        'switches',
        {
          references: [
            'HEAD: refs/heads/main → refs/heads/feature',
            expect.stringMatching(/^refs\/heads\/feature: new, /),
          ],
        },
      ],
    ]);
    const journal = readFileSync(join(project.root, '.lockstep/runs/latest/journal.jsonl'), 'utf8');
    expect(journal.match(/hunter2|abc123/g)?.length).toBe(2);
    const summary = run.stdout.replace(/\s+/g, ' ');
    expect(summary).toContain('switches: HEAD: refs/heads/main → refs/heads/feature');
    const audit = project.lockstep('audit', 'latest').stdout.replace(/\s+/g, ' ');
    expect(audit).toContain('git reference changed meanwhile: refs/heads/other: new');
    expect(audit).toContain('the git repository was changed meanwhile: .git/info/exclude was changed');
  });
});
