// A person's word is a person's: what an agent tries in a branch beside a question that is put to people. The agent is a
// real process that Lockstep starts; everything it tries is tried with the built command or with real files.

import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { afterEach, describe, expect, it } from 'vitest';
import { commandTree } from '../../src/cli/command-line.ts';
import type { Services } from '../../src/cli/services.ts';
import { fileStore } from '../../src/stores/file/file-store.ts';
import type { Scratch } from '../scratch.ts';
import { endStarted, journal, projectWith, runIds, start, startOnTerminal, until } from './started.ts';

const GATED = `lockstep: 1
name: gated
guard: { unenforceable: warn }
providers: { rogue: { command: [sh, agent.sh], input: none } }
steps:
  - id: both
    parallel: true
    steps:
      - { id: gate, ask: 'Ship it?', choices: ['yes', 'no'] }
      - { id: worker, provider: rogue, prompt: { text: Do your work. }, tools: { deny: [Write, Edit, NotebookEdit] } }
  - { id: publish, run: 'echo published > published.txt' }
`;
const WAITS = `lockstep: 1
name: waits
steps:
  - id: both
    parallel: true
    steps:
      - { id: wait, wait: { signal: go } }
      - { id: send, run: 'lockstep signal "$LOCKSTEP_RUN" go > sent.txt' }
`;
const ASKS = `lockstep: 1
name: asks
steps:
  - { id: q, ask: 'Well?', choices: ['yes', 'no'] }
`;
/** The agent begins once the question has been put. */
const ASKED = 'until grep -q question-asked "$LOCKSTEP_RUN_ROOT/journal.jsonl"; do sleep 0.02; done\n';

let project: Scratch;
afterEach(() => {
  endStarted();
  project.remove();
});

const text = (file: string) => readFileSync(join(project.root, file), 'utf8');
/** What the agent has left: outside of the workspace, in which it may not write. */
const kept = (file: string) => text(join('../tmp', file));
const kinds = () => journal(project).map(({ kind }) => kind);
const refusals = () => journal(project).filter(({ kind }) => kind === 'message-refused');

function gated(agent: string, files: Record<string, string> = {}) {
  project = projectWith(
    { 'w.yaml': GATED, 'asks.yaml': ASKS, 'agent.sh': `${ASKED}${agent}`, ...files },
    { git: true },
  );
  return project.spawned('run', 'w.yaml');
}

describe.runIf(process.platform === 'linux')('below an agent [skip: needs /proc]', () => {
  it('SEC-PEOPLE-BELOW: no command that changes a run or speaks for a person is obeyed, however it is started', () => {
    const id = '"$LOCKSTEP_RUN"';
    const clear = 'env -i PATH="$PATH" HOME="$HOME"';
    const tricks: Record<string, string> = {
      answer: `lockstep answer ${id} yes`,
      page: 'timeout 20 lockstep ui --answer --no-open',
      unset: `env -u LOCKSTEP_AGENT lockstep answer ${id} yes`,
      empty: `LOCKSTEP_AGENT= lockstep answer ${id} yes`,
      cleared: `${clear} lockstep answer ${id} yes`,
      session: `setsid -w ${clear} lockstep answer ${id} yes`,
      terminal: `${clear} script -qfec "lockstep answer $LOCKSTEP_RUN yes" /dev/null`,
      elsewhere: `cd / && ${clear} lockstep answer ${id} yes --state-dir "$LOCKSTEP_RUN_ROOT/.."`,
      deeper: `${clear} sh -c '${clear} sh -c "lockstep answer $0 yes"' ${id}`,
      disguised: `${clear} LOCKSTEP_STEP=publish LOCKSTEP_RUN=x sh -c 'lockstep answer "$0" yes; exit $?' ${id}`,
      // Loses its parent, keeps its session.
      orphan: [
        `(${clear} sh -c 'until test -f "$1.go"; do sleep 0.02; done; lockstep answer "$0" yes > "$1.out" 2>&1; echo $? > "$1.end"' ${id} "$TMPDIR/orphan" &)`,
        ': > "$TMPDIR/orphan.go"; until test -s "$TMPDIR/orphan.end"; do sleep 0.02; done',
        'cat "$TMPDIR/orphan.out"; exit $(cat "$TMPDIR/orphan.end")',
      ].join('; '),
      cancel: `lockstep cancel ${id}`,
      resume: `lockstep resume ${id} --take-over`,
      restart: `lockstep resume ${id} --force-restart`,
      run: `lockstep run --resume ${id}`,
      clean: 'lockstep clean --older-than 1m --paused',
      worktree: `lockstep worktree remove ${id} --force`,
      signal: `lockstep signal ${id} go`,
    };
    const agent = Object.entries(tricks)
      .map(
        ([name, line]) =>
          `( ${line} ) > "$TMPDIR/${name}.txt" 2>&1; echo "exit $?" >> "$TMPDIR/${name}.txt"\n`,
      )
      .join('');
    const { exitCode, stdout } = gated(agent);
    for (const name of Object.keys(tricks)) {
      expect(kept(`${name}.txt`), name).toContain('below-agent');
      expect(kept(`${name}.txt`), name).toMatch(/exit 2\n$/);
    }
    expect(stdout).toContain('Ship it?');
    expect(exitCode).toBe(3);
    expect(kinds()).not.toContain('question-answered');
    expect(existsSync(join(project.root, 'published.txt'))).toBe(false);
    // The person who types it is not refused.
    expect(project.spawned('answer', 'yes').exitCode).toBe(0);
    expect(text('published.txt')).toBe('published\n');
  });

  it('SEC-PEOPLE-BELOW: an agent that replaces itself by the command is known by what is above it', () => {
    const line = 'exec env -i PATH="$PATH" HOME="$HOME" ID="$LOCKSTEP_RUN"';
    gated(`${line} lockstep answer "$LOCKSTEP_RUN" yes`);
    expect(kinds()).not.toContain('question-answered');
    const said = project.spawned('logs', 'latest', 'both/worker').stdout;
    expect(said).toContain('below-agent');
    project.remove();
    // Disguised as the command of a step, which may end its own run: the process that started it knows better.
    gated(`${line} LOCKSTEP_STEP=x LOCKSTEP_RUN=y lockstep cancel "$LOCKSTEP_RUN"`);
    expect(refusals()).toMatchObject([{ asked: 'cancel', why: expect.stringContaining('below an agent') }]);
  });

  it('SEC-PEOPLE-LEFT: a process that the agent left behind is refused when nobody runs the run any more', async () => {
    const left =
      'until test -f paused; do sleep 0.05; done; lockstep answer latest yes > "$TMPDIR/left.txt" 2>&1; echo done > "$TMPDIR/left.end"';
    const { exitCode } = gated(`setsid sh -c '${left}' < /dev/null > /dev/null 2>&1 &\nexit 0\n`);
    expect(exitCode).toBe(3);
    project.write('paused', '');
    await until(() => existsSync(join(project.root, '../tmp/left.end')));
    expect(kept('left.txt')).toContain('below-agent');
    expect(kinds()).not.toContain('question-answered');
  });

  it('SEC-PEOPLE-NESTED: an agent may start a run, and may not speak in it, at a terminal neither', () => {
    const agent = `out="$TMPDIR"
lockstep run asks.yaml > "$out/nested.txt" 2>&1; echo "exit $?" >> "$out/nested.txt"
lockstep answer latest yes > "$out/answer.txt" 2>&1
printf "1\\n1\\n1\\n" | script -qfec "stty cols 80 rows 24; lockstep run asks.yaml" /dev/null > "$out/typed.txt" 2>&1; echo "exit $?" >> "$out/typed.txt"
lockstep run done.yaml > /dev/null
LOCKSTEP_KEEP_RUNS=0.000001 lockstep run done.yaml > "$out/kept.txt" 2>&1
`;
    const done = 'lockstep: 1\nname: done\nsteps:\n  - { id: a, run: "true" }\n';
    gated(agent, { 'done.yaml': done });
    expect(kept('nested.txt')).toMatch(/exit 3\n$/);
    expect(kept('answer.txt')).toContain('below-agent');
    expect(kept('typed.txt')).toMatch(/exit 3\n$/);
    const all = project.sh('cat .lockstep/runs/*/journal.jsonl').stdout;
    expect(all).not.toContain('question-answered');
    // Nothing is removed for an agent either.
    expect(kept('kept.txt')).not.toContain('Removed');
    expect(runIds(project)).toHaveLength(5);
  });

  it('SEC-PEOPLE-STEP: the command of a step may send a signal to its own run', () => {
    project = projectWith({ 'w.yaml': WAITS }, { git: true });
    expect(project.spawned('run', 'w.yaml').exitCode).toBe(0);
    expect(text('sent.txt')).toContain('Sent "go"');
    const received = journal(project).find(({ kind }) => kind === 'signal-received');
    expect(received?.channel).toMatchObject({ kind: 'command', step: `${runIds(project)[0]}/both/send` });
  });

  it('SEC-PEOPLE-CHECK: what an agent wrote and a check runs does not answer: beside the question, at a terminal, nor left behind', async () => {
    const answer = 'lockstep answer latest yes';
    const left = `until test -f paused; do sleep 0.05; done; ${answer} > left.txt 2>&1; echo done > left.end`;
    const tests = `${ASKED}${answer} > beside.txt 2>&1
script -qfec "lockstep resume latest" /dev/null < /dev/null > typed.txt 2>&1
setsid sh -c '${left}' < /dev/null > /dev/null 2>&1 &
exit 0
`;
    const workflow = GATED.replace(
      / {6}- \{ id: worker.*/,
      "      - { id: worker, run: 'sh agent.sh' }",
    ).replace(/^guard.*\nproviders.*\n/m, '');
    project = projectWith({ 'w.yaml': workflow, 'agent.sh': tests }, { git: true });
    expect(project.lockstep('run', 'w.yaml').exitCode).toBe(3);
    project.write('paused', '');
    await until(() => existsSync(join(project.root, 'left.end')));
    for (const file of ['beside.txt', 'left.txt'])
      expect(text(file), file).toMatch(
        /error\[below-agent\] lockstep answer is refused: it was started below a step/,
      );
    expect(text('typed.txt')).not.toContain('> ');
    expect(kinds()).not.toContain('question-answered');
    expect(existsSync(join(project.root, 'published.txt'))).toBe(false);
    expect(project.lockstep('answer', 'yes').exitCode).toBe(0);
  });

  it('SEC-PEOPLE-TABLE: every command is either refused below an agent or known to be harmless there', () => {
    const refused = [
      ...['answer', 'cancel', 'clean', 'handover', 'resume', 'signal', 'worktree remove'],
      ...['clear', 'disable', 'enable', 'handoff', 'import', 'phase', 'reset', 'set'].map(
        (name) => `workflow ${name}`,
      ),
    ];
    // They read, start runs of their own, or write what any program of the agent may write in the workspace. The server (mcp)
    // starts and changes no run below an agent (src/mcp/start-guided.ts). A hook tells what happened in a session, and the daemon judges
    // it: neither lets anybody go.
    const harmless = [
      ...[
        'audit',
        'completion',
        'convert',
        'daemon',
        'doctor',
        'explain',
        'graph',
        'hook',
        'init',
        'list',
        'logs',
        'mcp',
        'record',
        'report',
      ],
      ...[
        'run',
        'run-step',
        'runs',
        'schema',
        'show',
        'status',
        'test',
        // It reads; with --answer it is refused (SEC-PEOPLE-BELOW).
        'ui',
        'validate',
        'watch',
        'worktree list',
      ],
      ...['list', 'show', 'status'].map((name) => `workflow ${name}`),
      ...['complete', 'create', 'list', 'ready', 'search', 'show', 'update'].map((name) => `issues ${name}`),
    ];
    const streams = { stdout: { write: () => true }, stderr: { write: () => true } };
    const tree = commandTree({ version: '1', ...streams } as unknown as Services, () => {});
    const leaves = (command: Command, words: string[]): string[] =>
      command.commands.length === 0
        ? [words.join(' ')]
        : command.commands.flatMap((each) => leaves(each, [...words, each.name()]));
    const all = leaves(tree, []).filter((name) => !name.startsWith('_'));
    expect(all.sort()).toEqual([...refused, ...harmless].sort());
  });
});

/** Writes into the inbox whatever an agent can think of. Its parent's parent holds the run. */
const FORGER = `
const { createHash, randomUUID } = require('node:crypto');
const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const net = require('node:net');
const os = require('node:os');
let again = false;
const inbox = process.env.LOCKSTEP_RUN_ROOT + '/inbox/';
const stat = (pid) => { const t = fs.readFileSync('/proc/' + pid + '/stat', 'utf8'); return t.slice(t.lastIndexOf(')') + 2).split(' '); };
const holder = Number(stat(process.ppid)[1]);
const answer = (from) => ({ kind: 'answer', path: 'both/gate', answer: 'yes', by: 'ada', ...(from && { from }) });
const origin = (pid) => ({ host: os.hostname(), pid, started: stat(pid)[19], nonce: randomUUID() });
// Whole at once: the holder may look at any moment.
const make = (name, write) => {
  const draft = inbox + '../draft-' + name;
  write(draft);
  fs.renameSync(draft, inbox + name);
};
const put = (name, message) =>
  make(name, (draft) => fs.writeFileSync(draft, typeof message === 'string' ? message : JSON.stringify(message)));
const sealed = (message) => {
  const digest = createHash('sha256').update(JSON.stringify(message)).digest('hex').slice(0, 40);
  const path = '/tmp/lockstep-' + digest;
  return new Promise((resolve) => net.createServer().listen(path, () => { fs.unlinkSync(path); resolve(message); }));
};
(async () => {
  put('000000001-plain.json', answer());
  put('000000002-claims.json', { ...answer(), channel: { kind: 'terminal', pid: 1, above: [] } });
  put('000000003-itself.json', answer(origin(process.pid)));
  put('000000004-holder.json', answer(origin(holder)));
  put('000000005-first.json', answer(origin(1)));
  put('000000006-dead.json', answer({ ...origin(process.pid), pid: 4000000 }));
  put('000000007-host.json', answer({ ...origin(process.pid), host: 'elsewhere' }));
  put('000000008-shape.json', answer({ pid: '1' }));
  put('000000009-sealed.json', await sealed(answer(origin(process.pid))));
  put('000000010-sealed-for-holder.json', await sealed(answer(origin(holder))));
  put('000000011-cancel.json', { kind: 'cancel', by: 'ada' });
  put('000000012-signal.json', { kind: 'signal', name: 'go', data: 1, by: 'ada' });
  put('000000013-garbage.json', 'yes');
  put('yes.json', answer());
  fs.mkdirSync(inbox + '000000014-folder.json');
  fs.symlinkSync('/etc/hostname', inbox + '000000015-link.json');
  execFileSync('mkfifo', [inbox + '000000016-pipe.json']);
  make('000000017-huge.json', (draft) => { fs.writeFileSync(draft, ''); fs.truncateSync(draft, 17 << 20); });
  const wait = () => {
    const left = fs.readdirSync(inbox).filter((name) => name !== 'bad');
    if (left.length > 0) return setTimeout(wait, 20);
    // What was refused once is tried again under another name, and the same one again.
    if (!again) {
      again = true;
      make('000000018-replay.json', (draft) => fs.copyFileSync(inbox + 'bad/000000009-sealed.json', draft));
      put('000000001-plain.json', answer());
      return wait();
    }
    process.exit(0);
  };
  wait();
})();
`;

describe.runIf(process.platform === 'linux')('the inbox [skip: needs /proc]', () => {
  it('SEC-PEOPLE-FORGED: whatever an agent puts there is refused, on record and shown', () => {
    const { exitCode, stdout } = gated('node forger.js\n', { 'forger.js': FORGER });
    expect(exitCode).toBe(3);
    expect(kinds()).not.toContain('question-answered');
    expect(kinds()).not.toContain('end-requested');
    expect(kinds()).not.toContain('signal-received');
    const why = Object.fromEntries(
      refusals().map(({ file, why }) => [String(file).replace(/^\d+-/, ''), why]),
    );
    expect(why).toEqual({
      plain: expect.any(String),
      claims: 'it does not come from a lockstep command',
      itself: expect.stringContaining('did not send it'),
      holder: expect.stringContaining('did not send it'),
      first: expect.stringContaining('did not send it'),
      dead: expect.stringContaining('is gone'),
      host: expect.stringContaining('elsewhere'),
      shape: 'it does not come from a lockstep command',
      sealed: expect.stringContaining('below an agent'),
      'sealed-for-holder': expect.stringContaining('did not send it'),
      cancel: 'it does not come from a lockstep command',
      signal: 'it does not come from a lockstep command',
      garbage: 'its content is not a message',
      folder: expect.stringContaining('not a file'),
      link: expect.stringContaining('not a file'),
      pipe: expect.stringContaining('not a file'),
      huge: expect.stringContaining('not a file'),
      yes: expect.stringContaining('not named'),
      replay: expect.stringContaining('before'),
    });
    expect(refusals().filter(({ file }) => file === '000000001-plain')).toHaveLength(2);
    const told = 'refused an answer to both/gate in the name of ada';
    expect(stdout).toContain(told);
    for (const command of ['audit', 'status', 'report'])
      expect(project.spawned(command).stdout.replace(/\s+/g, ' '), command).toContain(told);
    expect(project.sh('cat .lockstep/runs/latest/logs/orchestrator.log').stdout).toContain(told);
    expect(project.spawned('answer', 'yes').exitCode).toBe(0);
  });

  it('SEC-PEOPLE-FORGED: a file that was put there while nobody ran the run is refused when it goes on', () => {
    project = projectWith({ 'asks.yaml': ASKS }, { git: true });
    expect(project.spawned('run', 'asks.yaml').exitCode).toBe(3);
    const message = JSON.stringify({ kind: 'answer', path: 'q', answer: 'yes', by: 'ada' });
    project.write('.lockstep/runs/latest/inbox/000000001-x.json', message);
    const { exitCode, stdout } = project.spawned('resume');
    expect(exitCode).toBe(3);
    expect(stdout).toContain('refused an answer to q in the name of ada');
    expect(kinds()).not.toContain('question-answered');
  });
});

describe('the channel of an answer', () => {
  it('SEC-PEOPLE-CHANNEL: a command without a terminal is told in audit and report', () => {
    project = projectWith({ 'asks.yaml': ASKS }, { git: true });
    project.spawned('run', 'asks.yaml');
    // As a script or a job of CI does: in a session of its own.
    expect(project.sh('setsid -w lockstep answer yes').exitCode).toBe(0);
    const answered = journal(project).find(({ kind }) => kind === 'question-answered');
    expect(answered?.channel).toMatchObject({ kind: 'command', above: expect.any(Array) });
    expect(answered?.channel).not.toHaveProperty('terminal');
    expect(project.spawned('audit').stdout).toContain(
      'without a terminal: it may not have been typed by a person',
    );
    expect(project.spawned('report').stdout).toContain('without a terminal');
  });

  it('SEC-PEOPLE-CHANNEL: the terminal of a command, and that of the process which runs the run', async () => {
    project = projectWith({ 'asks.yaml': ASKS }, { git: true });
    const typed = startOnTerminal(project, 'lockstep run asks.yaml');
    await typed.shows(/Well\?[\s\S]*> /);
    typed.type('1\r');
    expect((await typed.ended).exitCode).toBe(0);
    const channel = () => journal(project).find(({ kind }) => kind === 'question-answered')?.channel;
    expect(channel()).toMatchObject({ kind: 'terminal', terminal: expect.stringMatching(/^pts\//) });
    project.spawned('run', 'asks.yaml');
    expect((await startOnTerminal(project, 'lockstep answer yes').ended).exitCode).toBe(0);
    expect(channel()).toMatchObject({ kind: 'command', terminal: expect.stringMatching(/^pts\//) });
    expect(project.spawned('audit').stdout).toContain('with a command, in pts/');
  });
});

describe('an answer that comes while the run pauses', () => {
  /** A run that asks, and a holder of it that does not look into its inbox. */
  const heldBlindly = () => {
    project = projectWith({ 'asks.yaml': ASKS }, { git: true });
    expect(project.spawned('run', 'asks.yaml').exitCode).toBe(3);
    const [id = ''] = runIds(project);
    const store = fileStore({ directory: join(project.root, '.lockstep/runs') });
    const run = store.open(id, { user: 'bert', host: hostname(), pid: process.pid, version: '1' });
    return { run, inbox: join(run.location, 'inbox') };
  };
  const files = (inbox: string) => readdirSync(inbox).filter((name) => !name.startsWith('.'));

  it.each([
    [['answer', 'yes'], 'run-completed'],
    [['answer', 'yes', '--no-resume'], 'question-answered'],
    [['cancel'], 'run-cancelled'],
    [['signal', 'latest', 'go'], 'signal-received'],
  ])(
    'SEC-PEOPLE-PAUSE: %j is done by the command itself where the holder lets go without having looked',
    async (words, last) => {
      const { run, inbox } = heldBlindly();
      const command = start(project, ...words);
      await until(() => files(inbox).length === 1);
      run.close();
      const { exitCode, output } = await command.ended;
      expect(exitCode, output).toBe(0);
      expect(kinds().at(-1)).toBe(last);
      expect(files(inbox)).toEqual([]);
      if (last === 'question-answered') expect(project.spawned('resume').exitCode).toBe(0);
    },
  );

  it('SEC-PEOPLE-PAUSE: a message that somebody takes away is told to whoever sent it', async () => {
    const { run, inbox } = heldBlindly();
    const command = start(project, 'answer', 'yes');
    await until(() => files(inbox).length === 1);
    for (const name of files(inbox)) rmSync(join(inbox, name));
    const { exitCode, output } = await command.ended;
    expect(output).toContain('error[message-lost]');
    expect(exitCode).toBe(1);
    run.close();
  });

  it('SEC-PEOPLE-PAUSE: is taken, by the process that pauses or by the command itself, and never left lying', async () => {
    project = projectWith({ 'asks.yaml': ASKS }, { git: true });
    for (let round = 0; round < 6; round += 1) {
      const before = runIds(project).length;
      const run = start(project, 'run', 'asks.yaml');
      await until(() => runIds(project).length > before && kinds().includes('question-asked'));
      const answer = start(project, 'answer', 'latest', 'yes');
      const [ran, answered] = await Promise.all([run.ended, answer.ended]);
      expect(answered.exitCode, answered.output).toBe(0);
      expect([0, 3]).toContain(ran.exitCode);
      expect(kinds().filter((kind) => kind === 'question-answered')).toHaveLength(1);
      expect(kinds()).toContain('run-completed');
      expect(project.sh('ls -A .lockstep/runs/latest/inbox').stdout).toBe('');
    }
  });
});
