import { symlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { call, type Stage, type StageOptions, stage } from '../../../test/support/stage.ts';
import { HANDLERS } from '../../model/handlers.ts';

let open: Stage | undefined;
function on(options?: StageOptions): Stage {
  open = stage(options);
  return open;
}
afterEach(() => open?.remove());

describe('noop', () => {
  it('F2: is over at once, and gives the value it was given', () => {
    const here = on();
    expect(here.perform(call('noop', { value: { a: [1] } }))).toEqual({
      now: { kind: 'outcome', outcome: { ok: true, output: { a: [1] }, exit_code: 0, duration_ms: 0 } },
    });
    expect(here.perform(call('noop', {})).now).toMatchObject({ outcome: { output: null } });
    expect(here.run.logs()).toEqual([]);
    expect(here.events).toEqual([]);
  });

  it('S3: masks the value', async () => {
    const here = on({ environment: { TOKEN: 'hunter2' }, secrets: ['TOKEN'] });
    expect((await here.outcome(call('noop', { value: ['hunter2'] }))).output).toEqual(['***']);
  });
});

describe('write-file', () => {
  it('writes text as it is and anything else as JSON, and gives the path', async () => {
    const here = on();
    expect((await here.outcome(call('write-file', { path: 'a/b.txt', content: 'x\n' }))).output).toBe(
      'a/b.txt',
    );
    expect(here.read('a/b.txt')).toBe('x\n');
    await here.outcome(call('write-file', { path: 'b.json', content: { a: [1] } }));
    expect(here.read('b.json')).toBe('{\n  "a": [\n    1\n  ]\n}\n');
    await here.outcome(call('write-file', { path: 'empty.txt', content: '' }));
    expect(here.read('empty.txt')).toBe('');
  });

  it('S4: writes nothing outside the workspace', async () => {
    const here = on();
    for (const path of ['../x', '/tmp/x', 'a/../../x']) {
      expect(await here.outcome(call('write-file', { path, content: '' }))).toMatchObject({
        ok: false,
        exit_code: 2,
        error: { class: 'path' },
      });
    }
  });
});

describe('read-file', () => {
  it('gives the content as `capture` says, a text to the last newline', async () => {
    const here = on();
    here.write('a.txt', '\n x\ny\n\n');
    here.write('b.json', '{"a": 1}');
    const capture = { limit: 100, onParseError: 'fail' } as const;
    const read = async (path: string, as: 'text' | 'lines' | 'json') =>
      (await here.outcome(call('read-file', { path }, { capture: { ...capture, as } }))).output;
    expect(await read('a.txt', 'text')).toBe('\n x\ny\n\n');
    expect(await read('a.txt', 'lines')).toEqual(['', ' x', 'y', '']);
    expect(await read('b.json', 'json')).toEqual({ a: 1 });
  });

  it('fails where the file is not there, is not what is wanted, or lies outside', async () => {
    const here = on();
    here.write('a.txt', 'no json');
    symlinkSync('/etc/passwd', join(here.root, 'link'));
    const capture = { as: 'json', limit: 100, onParseError: 'fail' } as const;
    expect((await here.outcome(call('read-file', { path: 'no.txt' }))).error).toMatchObject({
      class: 'missing-files',
      details: { missing_files: ['no.txt'] },
    });
    expect((await here.outcome(call('read-file', { path: 'a.txt' }, { capture }))).error?.class).toBe(
      'output',
    );
    expect((await here.outcome(call('read-file', { path: 'link' }))).error?.class).toBe('path');
    here.write('folder/x', '');
    expect((await here.outcome(call('read-file', { path: 'folder' }))).ok).toBe(false);
  });

  it('marks what does not fit', async () => {
    const here = on();
    here.write('big.txt', 'x'.repeat(1000));
    const capture = { as: 'text', limit: 100, onParseError: 'fail' } as const;
    const outcome = await here.outcome(call('read-file', { path: 'big.txt' }, { capture }));
    expect(outcome.output).toContain('[… 900 bytes left out; all of it is in big.txt …]');
    expect(outcome.truncated).toEqual({ bytes: 1000, kept: 100 });
  });
});

describe('a pattern', () => {
  const written = (here: Stage, path: string, content: string, time: number) => {
    here.write(path, content);
    utimesSync(join(here.root, path), time, time);
  };

  it('GOB-ACTION-READ: read-file takes the file that matches and was changed last', async () => {
    const here = on();
    written(here, 'docs/b.plan.md', 'newest', 2_000_000_000);
    written(here, 'docs/c.plan.md', 'oldest', 1_000_000_000);
    written(here, 'a.plan.md', 'old', 1_500_000_000);
    here.write('z.plan.md/inside', 'a folder of that name');
    expect((await here.outcome(call('read-file', { pattern: '**/*.plan.md' }))).output).toBe('newest');
    expect((await here.outcome(call('read-file', { pattern: 'a.plan.md' }))).output).toBe('old');
    expect((await here.outcome(call('read-file', { pattern: '**/*.spec' }))).error).toMatchObject({
      class: 'missing-files',
      message: 'no file matches "**/*.spec"',
    });
  });

  it('GOB-ACTION-CAPTURE: capture-artifact with a name gives the content, and shows it in `session.artifacts`', async () => {
    const here = on({ environment: { TOKEN: 'hunter2' }, secrets: ['TOKEN'] });
    written(here, 'a.plan.md', 'old', 1_000_000_000);
    written(here, 'b.plan.md', 'hunter2, api_key=abc12345', 2_000_000_000);
    const outcome = await here.outcome(call('capture-artifact', { files: '*.plan.md', as: 'current_plan' }));
    expect(outcome).toMatchObject({
      ok: true,
      masked: true,
      output: '***, api_key=***',
      session_facts: { artifacts: { current_plan: '***, api_key=***' } },
    });
    expect([here.artifact('a.plan.md'), here.artifact('b.plan.md')]).toEqual([
      'old',
      '***, api_key=abc12345',
    ]);
  });

  it('GOB-ACTION-CAPTURE: content has a name of its own, and stays in bounds', async () => {
    const here = on();
    const outcome = await here.outcome(call('capture-artifact', { content: { a: 1 }, as: 'spec' }));
    expect(outcome).toMatchObject({
      output: '{\n  "a": 1\n}\n',
      session_facts: { artifacts: { spec: outcome.output } },
    });
    expect(here.artifact('spec')).toBe('{\n  "a": 1\n}\n');
    const long = await here.outcome(call('capture-artifact', { content: 'x'.repeat(50_000), as: 'long' }));
    expect(long.truncated).toEqual({ bytes: 50_000, kept: 20_000 });
    expect(here.artifact('long')).toHaveLength(50_000);
    for (const as of ['../x', 'a/b', '', '.hidden'])
      expect((await here.outcome(call('capture-artifact', { content: 'x', as }))).ok).toBe(false);
    expect((await here.outcome(call('capture-artifact', { content: 'x' }))).ok).toBe(false);
  });
});

describe('move', () => {
  it('moves, into a folder where that is meant, and gives the new path', async () => {
    const here = on();
    here.write('in/a.task', 'x');
    expect((await here.outcome(call('move', { from: 'in/a.task', to: 'done/' }))).output).toBe('done/a.task');
    expect((await here.outcome(call('move', { from: 'done/a.task', to: 'b.task' }))).output).toBe('b.task');
    expect([here.exists('in/a.task'), here.exists('done/a.task'), here.read('b.task')]).toEqual([
      false,
      false,
      'x',
    ]);
  });

  it('fails where there is nothing to move, or it would leave the workspace', async () => {
    const here = on();
    here.write('a', 'x');
    expect((await here.outcome(call('move', { from: 'no', to: 'b' }))).error).toMatchObject({
      class: 'error',
      message: expect.stringContaining('"no"'),
    });
    expect((await here.outcome(call('move', { from: 'a', to: '../b' }))).error?.class).toBe('path');
    expect(here.exists('a')).toBe(true);
  });
});

describe('move, done again', () => {
  it('overwrites nothing', async () => {
    const here = on();
    here.write('in/a', 'new');
    here.write('done/a', 'old');
    for (const again of [undefined, true] as const) {
      const outcome = await here.outcome(call('move', { from: 'in/a', to: 'done/' }, { again }));
      expect(outcome.error).toMatchObject({ details: { code: 'file-exists' } });
      expect([here.read('in/a'), here.read('done/a')]).toEqual(['new', 'old']);
    }
  });

  it('E4: after a crash what was moved is moved; otherwise what is missing is missing', async () => {
    const here = on();
    here.write('done/a', 'moved');
    const command = call('move', { from: 'in/a', to: 'done/' });
    expect(await here.outcome({ ...command, again: true })).toMatchObject({ ok: true, output: 'done/a' });
    expect(await here.outcome(command)).toMatchObject({ ok: false });
    expect((await here.outcome(call('move', { from: 'in/b', to: 'done/' }, { again: true }))).ok).toBe(false);
    expect(here.read('done/a')).toBe('moved');
  });

  it('S4: a goal that has become a symlink to the outside is refused', async () => {
    const here = on();
    here.write('a', 'x');
    symlinkSync('/tmp', join(here.root, 'done'));
    expect((await here.outcome(call('move', { from: 'a', to: 'done/' }))).error?.class).toBe('path');
    expect(here.exists('a')).toBe(true);
  });
});

describe('capture-artifact', () => {
  it('copies what matches into the artifacts of the run, and gives the list', async () => {
    const here = on();
    here.write('out/a.md', 'ay');
    here.write('out/deep/b.md', 'bee');
    const outcome = await here.outcome(call('capture-artifact', { files: ['out/**', 'out/a.md'] }));
    expect(outcome.output).toEqual(['out/a.md', 'out/deep/b.md']);
    expect(here.artifact('out/a.md')).toBe('ay');
    expect(here.artifact('out/deep/b.md')).toBe('bee');
  });

  it('S3: masks them, like all we write', async () => {
    const here = on({ environment: { TOKEN: 'hunter2' }, secrets: ['TOKEN'] });
    here.write('big.txt', `${'x'.repeat(256 * 1024 - 3)}hunter2 end`);
    await here.outcome(call('capture-artifact', { files: 'big.txt' }));
    expect(here.artifact('big.txt')?.slice(-10)).toBe('xxx*** end');
  });

  it('fails where nothing matches', async () => {
    const { error } = await on().outcome(call('capture-artifact', { files: ['*.md', 'x'] }));
    expect(error).toMatchObject({ class: 'missing-files', details: { missing_files: ['*.md', 'x'] } });
  });
});

describe('every handler', () => {
  const wrong: [string, Record<string, never> | Record<string, number | null>, string][] = [
    ['write-file', { path: 1 }, 'with.path'],
    ['write-file', {}, 'with.path'],
    ['read-file', {}, 'with.path'],
    ['move', { from: null }, 'with.from'],
    ['capture-artifact', { files: 3 }, 'with.files'],
    ['call-mcp-tool', {}, 'with.tool'],
  ];
  it.each(wrong)(
    '%s names an argument that is missing or of the wrong kind: %j',
    async (handler, given, name) => {
      const outcome = await on().outcome(call(handler, given));
      expect(outcome).toMatchObject({ ok: false, exit_code: 2, error: { class: 'error' } });
      expect(outcome.error?.message).toContain(`\`${name}\``);
    },
  );

  it('is there; those that need a live session say so', async () => {
    const here = on();
    const given = { status: 'x', mode: 'x', todos: [], todo: 'x' };
    for (const [name, { needs }] of Object.entries(HANDLERS)) {
      const { error } = await here.outcome(call(name, needs === undefined ? {} : given));
      expect([name, error?.message.includes('not part of this version') ?? false]).toEqual([name, false]);
      expect([name, error?.message.includes('needs a live session') ?? false]).toEqual([
        name,
        needs !== undefined,
      ]);
    }
  });

  it('is held to a schema, its own or one of the workspace', async () => {
    const here = on();
    here.write('s.json', '{"required": ["b"]}');
    here.write('a.json', '{"a": 1}');
    const capture = { as: 'json', limit: 100, onParseError: 'fail' } as const;
    const read = { path: 'a.json' };
    expect(await here.outcome(call('read-file', read, { capture, schemaFile: 's.json' }))).toMatchObject({
      ok: true,
      violations: ['the answer must have the property "b"'],
    });
    const schema = { name: 'x', schema: { type: 'object' } };
    expect((await here.outcome(call('read-file', read, { capture, schema }))).violations).toEqual([]);
    expect(await here.outcome(call('read-file', read, { capture, schemaFile: 'no.json' }))).toMatchObject({
      ok: false,
      exit_code: 2,
      error: { class: 'missing-files', details: { missing_files: ['no.json'] } },
    });
  });

  it('is refused without its secrets and its reads', async () => {
    const here = on();
    const reads = { files: ['no'], optional: [], inject: 'none', position: 'prepend' } as const;
    const write = { path: 'a', content: '' };
    expect((await here.outcome(call('write-file', write, { secrets: ['NO'] }))).error?.class).toBe(
      'missing-secrets',
    );
    expect(
      (await here.outcome(call('write-file', write, { reads: { ...reads, files: ['no'], optional: [] } })))
        .error?.class,
    ).toBe('missing-files');
    expect(here.exists('a')).toBe(false);
  });
});
