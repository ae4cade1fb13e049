import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { type StoreProcess, storeProcesses } from '../../../test/support/store-process.ts';
import type { SessionKey } from '../../model/live-session.ts';
import { handoffOf, sessionsContract } from '../../ports/sessions.contract.ts';
import { fileSessions } from './file-sessions.ts';
import { nameOfSession, openRecord } from './session-files.ts';

const processes = storeProcesses();
afterAll(() => processes.remove());
afterEach(() => vi.useRealTimers());

const ME: SessionKey = { client: 'claude', id: 'a1b2c3d4-0000-4000-8000-000000000001' };
const at = (folder: string) =>
  fileSessions({ folder, now: () => Date.now(), machine: 'm', mask: (text) => text });
const own = (folder: string) => join(folder, 'claude', ME.id);
const numbers = (folder: string) => readdirSync(own(folder)).sort();

describe('file-sessions', () => {
  sessionsContract(() => {
    const folder = processes.folder();
    return (parts) => fileSessions({ folder, ...parts });
  });

  it('R4: files and folders are for this user alone', () => {
    const folder = processes.folder();
    at(join(folder, 'sessions')).seen(ME);
    const modes = ['sessions', 'sessions/claude', `sessions/claude/${ME.id}`].map(
      (name) => statSync(join(folder, name)).mode & 0o777,
    );
    expect(modes).toEqual([0o700, 0o700, 0o700]);
    for (const name of [`${ME.id}.json`, `${ME.id}/1.json`])
      expect(statSync(join(folder, 'sessions/claude', name)).mode & 0o777).toBe(0o600);
  });

  it('R5: shows the record to people under the plain name, and never reads it back', () => {
    const folder = processes.folder();
    const sessions = at(folder);
    sessions.seen(ME, { project: '/p' });
    const shown = join(folder, 'claude', `${ME.id}.json`);
    expect(JSON.parse(readFileSync(shown, 'utf8'))).toEqual(sessions.get(ME));
    writeFileSync(shown, '{"status":"forged"}');
    expect(sessions.get(ME)?.status).toBe('active');
    sessions.update(ME, (record) => ({ ...record, title: 't' }));
    expect(JSON.parse(readFileSync(shown, 'utf8'))).toMatchObject({ title: 't' });
  });

  it('an id is never a path', () => {
    for (const id of ['../../x', '.', '..', '', 'a/b', '\0', 'A'.repeat(10), 'x-abcdefgh', 'con', 'ü', '-rf'])
      expect(nameOfSession(id)).toMatch(/^x-[0-9a-f]{40}$/);
    expect(nameOfSession(ME.id)).toBe(ME.id);
    const folder = processes.folder();
    at(join(folder, 'deep/sessions')).seen({ client: 'claude', id: '../../../escaped' });
    expect(readdirSync(folder)).toEqual(['deep']);
    expect(readdirSync(join(folder, 'deep/sessions'))).toEqual(['claude']);
  });

  it('R3: what is foreign or cannot be read is no record, and stops nothing', () => {
    const folder = processes.folder();
    const sessions = at(folder);
    sessions.seen({ ...ME, id: 'good-session' });
    mkdirSync(own(folder), { recursive: true });
    const attempts: (string | Buffer)[] = [
      '',
      '{',
      'null',
      '[]',
      '{"client":"claude"}',
      Buffer.from([0xff, 0xfe, 0]),
      '{"client":"codex","id":"x","started":"","last_seen":""}',
      'x'.repeat(5 * 1024 * 1024),
    ];
    for (const [index, text] of attempts.entries()) {
      writeFileSync(join(own(folder), `${index * 3 + 1}.json`), text);
      expect(sessions.get(ME)).toBeUndefined();
      expect(sessions.find({}).map(({ id }) => id)).toEqual(['good-session']);
      expect(sessions.retain({ most: 100, age: 1e12 })).toBe(0);
    }
    expect(sessions.seen(ME)).toMatchObject(ME);
    expect(sessions.get(ME)).toMatchObject(ME);
    // The record of another session, and of another client, in this one's place.
    const text = readFileSync(join(folder, 'claude/good-session/1.json'), 'utf8');
    mkdirSync(join(folder, 'codex/good-session'), { recursive: true });
    writeFileSync(join(folder, 'codex/good-session/1.json'), text);
    mkdirSync(join(folder, 'claude/other-session'));
    writeFileSync(join(folder, 'claude/other-session/1.json'), text);
    expect(sessions.get({ client: 'codex', id: 'good-session' })).toBeUndefined();
    expect(sessions.get({ client: 'claude', id: 'other-session' })).toBeUndefined();
    // Fields of the wrong kind are left out, and nothing is inherited.
    writeFileSync(
      join(own(folder), '90.json'),
      JSON.stringify({
        ...ME,
        started: 's',
        last_seen: 's',
        runs: 'x',
        todos: [1, { content: 2 }, { content: 'a' }],
        handoff: { notes: 1 },
        parent: { client: 'x' },
        title: {},
      }).replace('{', '{"__proto__":{"status":"polluted"},'),
    );
    expect(sessions.get(ME)).toEqual({
      ...{
        ...ME,
        project: '',
        machine: '',
        started: 's',
        last_seen: 's',
        runs: [],
        title: '',
        status: '',
        summary: '',
      },
      ...{ context_restored: false, todos: [{ content: 'a', status: 'pending' }] },
    });
    expect(({} as { status?: string }).status).toBeUndefined();
  });

  it('R4: follows no symlink', () => {
    const folder = processes.folder();
    const elsewhere = processes.folder();
    at(elsewhere).seen(ME);
    mkdirSync(join(folder, 'claude'));
    symlinkSync(own(elsewhere), own(folder));
    const sessions = at(folder);
    expect(sessions.get(ME)).toBeUndefined();
    expect(() => sessions.seen(ME)).toThrow(/symlink/);
    expect(numbers(elsewhere)).toEqual(['1.json']);
    rmSync(own(folder));
    mkdirSync(own(folder));
    symlinkSync(join(own(elsewhere), '1.json'), join(own(folder), '1.json'));
    expect(sessions.get(ME)).toBeUndefined();
  });

  it('R2: clears what was replaced a minute ago, and who took too long has lost', () => {
    const folder = processes.folder();
    const sessions = at(folder);
    sessions.seen(ME);
    const slow = openRecord({ folder: join(folder, 'claude'), client: 'claude', name: ME.id });
    for (const title of ['a', 'b', 'c']) sessions.update(ME, (record) => ({ ...record, title }));
    expect(numbers(folder)).toEqual(['1.json', '2.json', '3.json', '4.json']);
    vi.useFakeTimers({ now: Date.now() + 120_000, toFake: ['Date'] });
    sessions.update(ME, (record) => ({ ...record, title: 'd' }));
    expect(numbers(folder)).toEqual(['5.json']);
    // Its number is free again: it was another's.
    expect(slow.replace({ ...(slow.record as NonNullable<typeof slow.record>), title: 'lost' })).toBe(false);
    expect(sessions.get(ME)?.title).toBe('d');
    expect(numbers(folder)).toEqual(['5.json']);
  });

  it('a record that is written while it is removed stays', () => {
    const folder = processes.folder();
    const sessions = at(folder);
    sessions.seen(ME);
    const looked = openRecord({ folder: join(folder, 'claude'), client: 'claude', name: ME.id });
    sessions.update(ME, (record) => ({ ...record, title: 'new' }));
    expect(looked.remove()).toBe(false);
    expect(sessions.get(ME)?.title).toBe('new');
  });

  it('R1: drafts that a killed process left are cleared when they are old, and are never read', () => {
    const folder = processes.folder();
    const sessions = at(folder);
    sessions.seen(ME);
    for (const name of ['.tmp-old', '.tmp-new']) writeFileSync(join(own(folder), name), '{');
    utimesSync(join(own(folder), '.tmp-old'), 0, 0);
    linkSync(join(own(folder), '.tmp-new'), join(own(folder), 'foreign'));
    sessions.update(ME, (record) => ({ ...record, title: 't' }));
    expect(numbers(folder)).toEqual(['.tmp-new', '1.json', '2.json', 'foreign']);
  });
});

describe('several processes', () => {
  const together = async (children: StoreProcess[]) => {
    for (const child of children) await child.next();
    for (const child of children) child.child.stdin?.write('go\n');
    return Promise.all(children.map((child) => child.done()));
  };
  /** Ready, and then all at once. */
  const onGo = (work: string) =>
    `say('ready'); process.stdin.once('data', () => { ${work}; process.stdin.destroy(); });`;

  it('GOB-HANDOFF-ONCE: of many that want one handoff at once exactly one gets it', async () => {
    for (let round = 0; round < 5; round += 1) {
      const folder = processes.folder();
      at(folder).update(ME, (record) => ({ ...record, handoff: handoffOf(ME) }));
      const children = ['1', '2', '3', '4'].map((by) =>
        processes.start(
          folder,
          onGo(`say(sessions.consume(given.me, { client: 'codex', id: given.by }) ?? null)`),
          { given: { me: ME, by } },
        ),
      );
      const said = (await together(children)).map(([, got]) => got as { consumed_by: SessionKey } | null);
      const winners = said.flatMap((got, index) =>
        got === null ? [] : [[got.consumed_by.id, String(index + 1)]],
      );
      expect(winners).toHaveLength(1);
      expect(winners[0]?.[0]).toBe(winners[0]?.[1]);
      expect(at(folder).get(ME)?.handoff?.consumed_by?.id).toBe(winners[0]?.[0]);
    }
  }, 60_000);

  it('GOB-SESSION-WRITERS: nothing that one of them writes is lost, and nothing is written twice', async () => {
    const folder = processes.folder();
    const children = ['a', 'b', 'c'].map((name) =>
      processes.start(
        folder,
        onGo(`
          for (let n = 0; n < 15; n += 1)
            sessions.update(given.me, (record) => ({ ...record, runs: [...record.runs, { run: given.name + n, workflow: 'w' }] }))`),
        { given: { me: ME, name } },
      ),
    );
    await together(children);
    const runs =
      at(folder)
        .get(ME)
        ?.runs.map(({ run }) => run) ?? [];
    const wanted = ['a', 'b', 'c'].flatMap((name) => Array.from({ length: 15 }, (_, n) => `${name}${n}`));
    expect([...runs].sort()).toEqual(wanted.sort());
  }, 60_000);

  it('GOB-SESSION-CRASH: a process killed in the middle of writing leaves a whole record, the last that it said or the one after', async () => {
    for (let round = 0; round < 5; round += 1) {
      const folder = processes.folder();
      const child = processes.start(
        folder,
        `for (let n = 1; ; n += 1) {
           sessions.update(given.me, (record) => ({ ...record, title: String(n), summary: 'x'.repeat(15_000) }));
           say(n);
         }`,
        { given: { me: ME } },
      );
      while (((await child.next()) as number) < 10 + round * 7);
      await child.kill();
      const last = child.said.at(-1) as number;
      const title = Number(at(folder).get(ME)?.title);
      expect([last, last + 1]).toContain(title);
      // It stops nobody.
      expect(at(folder).update(ME, (record) => ({ ...record, status: 'ended' }))).toMatchObject({
        status: 'ended',
        title: String(title),
      });
      expect(existsSync(join(folder, 'claude', `${ME.id}.json`))).toBe(true);
    }
  }, 60_000);
});

describe('a transcript', () => {
  const file = (name: string, text: string) => {
    const path = join(mkdtempSync(join(processes.root, 'transcript-')), name);
    writeFileSync(path, text);
    return path;
  };
  const sessions = () => at(processes.folder());

  it('is read whole where it is small', () => {
    expect(sessions().transcript(file('a.jsonl', '{"a":1}\n{"b":'))).toEqual({
      head: '{"a":1}\n{"b":',
      tail: '',
    });
  });

  it('of a large one the two ends are read, in whole lines', () => {
    const line = `${JSON.stringify({ text: 'x'.repeat(997) })}\n`;
    const text = `{"first":1}\n${line.repeat(8_000)}{"last":1}\n`;
    const read = sessions().transcript(file('a.jsonl', text));
    expect(read?.head.startsWith('{"first":1}\n')).toBe(true);
    expect(read?.tail.endsWith('{"last":1}\n')).toBe(true);
    expect((read?.head.length ?? 0) + (read?.tail.length ?? 0)).toBeLessThan(4.3 * 1024 * 1024);
    for (const one of `${read?.head}${read?.tail}`.trim().split('\n')) JSON.parse(one);
  });

  it('is nothing where it is not there, is no file, a link, or not called like one', () => {
    const path = file('a.jsonl', '{}');
    symlinkSync(path, `${path}.link.jsonl`);
    for (const wrong of ['/nowhere/a.jsonl', processes.root, `${path}.link.jsonl`, '/etc/passwd', ''])
      expect(sessions().transcript(wrong)).toBeUndefined();
  });
});
