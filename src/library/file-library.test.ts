import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { FileNeed, LibraryKind, LoadedFile, MissingFile } from '../model/library.ts';
import type { Library } from '../ports/library.ts';
import { fileLibrary } from './file-library.ts';

const base = realpathSync(mkdtempSync(join(tmpdir(), 'lockstep-library-')));
afterAll(() => rmSync(base, { recursive: true, force: true }));
let count = 0;
let folder: string;
let library: Library;

beforeEach(() => {
  count += 1;
  folder = join(base, `${count}`);
  mkdirSync(join(folder, 'project'), { recursive: true });
  library = fileLibrary({
    project: join(folder, 'project'),
    user: join(folder, 'home/.lockstep'),
    userGobby: join(folder, 'home/.gobby'),
    builtin: join(folder, 'package/builtin'),
    cwd: join(folder, 'project'),
  });
});

const put = (path: string, text = path) => {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
};
const link = (path: string, target: string) => {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  symlinkSync(target, join(folder, path));
};
const named = (kind: LibraryKind, name: string): FileNeed => ({ by: 'name', kind, name });
const loaded = (file: LoadedFile | MissingFile): LoadedFile => {
  if ('missing' in file) throw new Error(`missing: ${JSON.stringify(file)}`);
  return file;
};

const project = 'project/.lockstep/';
const wrangler = 'project/.wrangler/';
const gobby = 'project/.gobby/';
const userGobby = 'home/.gobby/';
const user = 'home/.lockstep/';
const builtin = 'package/builtin/';

describe('L1: the first layer that has a name wins', () => {
  it('project before user before built-in, the others are shadowed', () => {
    for (const layer of [builtin, user, project]) {
      put(`${layer}workflows/ship.yaml`);
      const file = loaded(library.load(named('workflow', 'ship')));
      expect(file.text).toBe(`${layer}workflows/ship.yaml`);
      expect(file.id).toBe(join(folder, `${layer}workflows/ship.yaml`));
    }
    const file = loaded(library.load(named('workflow', 'ship')));
    expect(file.layer).toBe('project');
    expect(file.path).toBe('.lockstep/workflows/ship.yaml');
    expect(file.shadows).toEqual([
      { layer: 'user', path: join(folder, `${user}workflows/ship.yaml`) },
      { layer: 'builtin', path: join(folder, `${builtin}workflows/ship.yaml`) },
    ]);
  });

  it.each([
    ['workflow', 'workflows/x.yaml'],
    ['workflow', 'workflows/x.yml'],
    ['workflow', 'workflows/x.json'],
    ['schema', 'schemas/x.json'],
    ['agent', 'agents/x.md'],
    ['prompt', 'prompts/x.md'],
    ['gate', 'gates/x.md'],
    ['workflow', 'workflows/team/deep/x.yaml'],
  ] as const)('a %s is %s', (kind, path) => {
    put(`${user}${path}`);
    const name = path.replace(/^\w+\//, '').replace(/\.\w+$/, '');
    expect(loaded(library.load(named(kind, name)))).toMatchObject({
      layer: 'user',
      text: `${user}${path}`,
      shadows: [],
    });
    expect(library.list(kind)).toEqual([
      { name, layer: 'user', path: join(folder, user, path), shadows: [] },
    ]);
  });

  it("the project's .wrangler/ comes between its .lockstep/ and the user's", () => {
    for (const layer of [builtin, user, wrangler, project]) {
      put(`${layer}agents/reviewer.md`);
      expect(loaded(library.load(named('agent', 'reviewer'))).text).toBe(`${layer}agents/reviewer.md`);
    }
    expect(library.list('agent')).toEqual([
      {
        name: 'reviewer',
        layer: 'project',
        path: '.lockstep/agents/reviewer.md',
        shadows: [
          { layer: 'wrangler', path: '.wrangler/agents/reviewer.md' },
          { layer: 'user', path: join(folder, `${user}agents/reviewer.md`) },
          { layer: 'builtin', path: join(folder, `${builtin}agents/reviewer.md`) },
        ],
      },
    ]);
    put(`${wrangler}workflows/ship.yaml`);
    put(`${wrangler}prompts/team/audit.md`);
    expect(loaded(library.load(named('workflow', 'ship'))).layer).toBe('wrangler');
    expect(loaded(library.load(named('prompt', 'team/audit'))).layer).toBe('wrangler');
    expect(library.load(named('agent', 'gone'))).toMatchObject({
      looked: ['.lockstep/agents', '.wrangler/agents', expect.anything(), expect.anything()],
    });
  });

  it("GOB-LAYERS: .gobby/workflows comes before the user's, ~/.gobby/workflows after it, and templates/ after each", () => {
    const order = [
      [builtin, 'builtin'],
      [`${userGobby}workflows/templates/`, 'gobby-user'],
      [`${userGobby}workflows/`, 'gobby-user'],
      [user, 'user'],
      [`${gobby}workflows/templates/`, 'gobby'],
      [`${gobby}workflows/`, 'gobby'],
      [project, 'project'],
    ] as const;
    for (const [place, layer] of order) {
      const path = `${place}${place.includes('gobby') ? '' : 'workflows/'}ship.yaml`;
      put(path);
      expect(loaded(library.load(named('workflow', 'ship')))).toMatchObject({ text: path, layer });
    }
    expect(library.list('workflow').map(({ name, shadows }) => [name, shadows.length])).toEqual([
      ['ship', 6],
    ]);
    put(`${gobby}agents/reviewer.md`);
    expect(library.list('agent')).toEqual([]);
  });

  it('in .wrangler/ gates lie beside the workflows, and what else is Markdown there is none', () => {
    put(`${wrangler}workflows/review-gates/security.md`);
    put(`${wrangler}workflows/review-gates/fast/lint.md`);
    put(`${wrangler}workflows/review-gates/off.md.disabled`);
    put(`${wrangler}workflows/agents/implementer.md`);
    put(`${wrangler}workflows/README.md`);
    expect(library.list('gate').map(({ name, layer, shadows }) => [name, layer, shadows])).toEqual([
      ['review-gates/fast/lint', 'wrangler', []],
      ['review-gates/security', 'wrangler', []],
    ]);
    const folder = (name: string) => library.load({ by: 'folder', kind: 'gate', name });
    expect(folder('review-gates')).toMatchObject({ text: 'security' });
    expect(folder('agents')).toMatchObject({ text: '' });
    expect(library.load(named('gate', 'agents/implementer'))).toMatchObject({ problem: 'not-found' });
    expect(loaded(library.load(named('gate', 'review-gates/security'))).path).toBe(
      '.wrangler/workflows/review-gates/security.md',
    );
  });

  it('two extensions in one layer: .yaml, .yml, .json, and the rest is listed as shadowed', () => {
    for (const extension of ['json', 'yml', 'yaml']) put(`${project}workflows/x.${extension}`);
    put(`${user}workflows/x.json`);
    const shadows = [
      { layer: 'project', path: '.lockstep/workflows/x.yml' },
      { layer: 'project', path: '.lockstep/workflows/x.json' },
      { layer: 'user', path: join(folder, `${user}workflows/x.json`) },
    ];
    expect(loaded(library.load(named('workflow', 'x')))).toMatchObject({
      path: '.lockstep/workflows/x.yaml',
      shadows,
    });
    expect(library.list('workflow')).toEqual([
      { name: 'x', layer: 'project', path: '.lockstep/workflows/x.yaml', shadows },
    ]);
  });

  it('what is not there: where it was looked for, and what is known', () => {
    put(`${project}agents/reviewer.md`);
    put(`${builtin}agents/team/planner.md`);
    put(`${builtin}agents/notes.txt`);
    put(`${builtin}agents/.hidden.md`);
    expect(library.load(named('agent', 'reviwer'))).toEqual({
      missing: true,
      problem: 'not-found',
      looked: ['.lockstep/agents', join(folder, `${user}agents`), join(folder, `${builtin}agents`)],
      known: ['reviewer', 'team/planner'],
    });
  });

  it('a project that is the home folder has one layer, not two', () => {
    const home = join(folder, 'home');
    put(`${user}workflows/x.yaml`);
    const here = fileLibrary({
      project: home,
      user: join(home, '.lockstep'),
      builtin: join(folder, builtin),
      cwd: home,
    });
    expect(here.list('workflow')).toEqual([
      { name: 'x', layer: 'project', path: '.lockstep/workflows/x.yaml', shadows: [] },
    ]);
  });
});

describe('L2: S4', () => {
  beforeEach(() => put('secret.yaml', 'secret'));

  it.each(['../../../secret', '/secret', '..', 'a/../../../../secret', './x', 'a//b', '.hidden', 'nul\0'])(
    'the name %j is outside',
    (name) => {
      put(`${project}workflows/.hidden.yaml`);
      expect(library.load(named('workflow', name))).toMatchObject({ missing: true, problem: 'outside' });
    },
  );

  it('no name reads a file outside its layer', () => {
    put(`${project}workflows/a/b.yaml`, 'inside');
    const segments = fc.array(fc.constantFrom('..', '.', '', 'a', 'b', 'secret', '/', '~'), { maxLength: 8 });
    fc.assert(
      fc.property(segments, fc.boolean(), (parts, absolute) => {
        const file = library.load(named('workflow', (absolute ? folder : '') + parts.join('/')));
        if (!('missing' in file)) expect(file.text).toBe('inside');
      }),
    );
  });

  it('a link of the project that leads outside is named, also where a lower layer has the name', () => {
    link(`${project}workflows/x.yaml`, join(folder, 'secret.yaml'));
    link(`${project}workflows/dir`, folder);
    put(`${builtin}workflows/x.yaml`, 'builtin');
    expect(library.load(named('workflow', 'x'))).toEqual({
      missing: true,
      problem: 'outside',
      looked: ['.lockstep/workflows/x.yaml'],
      known: [],
    });
    expect(library.load(named('workflow', 'dir/secret'))).toMatchObject({ problem: 'outside' });
    expect(library.list('workflow').map(({ name }) => name)).not.toContain('dir/secret');
  });

  it.each(['.lockstep', '.wrangler'])('a %s that is itself a link out of the project is outside', (name) => {
    put('elsewhere/workflows/x.yaml', 'elsewhere');
    link(`project/${name}`, join(folder, 'elsewhere'));
    expect(library.load(named('workflow', 'x'))).toMatchObject({ problem: 'outside' });
  });

  it('a link of .wrangler/ that leads out of it is named, and no path leaves it', () => {
    link(`${wrangler}agents/x.md`, join(folder, 'secret.yaml'));
    put(`${builtin}agents/x.md`, 'builtin');
    put(`${wrangler}workflows/w.yaml`);
    expect(library.load(named('agent', 'x'))).toMatchObject({ problem: 'outside' });
    const from = join(folder, `${wrangler}workflows/w.yaml`);
    for (const path of ['../../package.json', '../../../secret.yaml', '../agents/x.md'])
      expect(library.load({ by: 'path', kind: 'prompt', path, from })).toMatchObject({ problem: 'outside' });
  });

  it("links that stay in the layer are followed, and so are the user's own wherever they lead", () => {
    put(`${project}prompts/real.md`, 'real');
    link(`${project}prompts/alias.md`, 'real.md');
    put('dotfiles/mine.md', 'mine');
    link(`${user}prompts`, join(folder, 'dotfiles'));
    expect(loaded(library.load(named('prompt', 'alias')))).toMatchObject({
      text: 'real',
      id: join(folder, `${project}prompts/real.md`),
    });
    expect(loaded(library.load(named('prompt', 'mine')))).toMatchObject({
      text: 'mine',
      id: join(folder, 'dotfiles/mine.md'),
    });
    expect(library.list('prompt').map(({ name }) => name)).toEqual(['alias', 'mine', 'real']);
  });

  it('links in circles do not keep the list', () => {
    put(`${project}workflows/x.yaml`);
    for (const name of ['a', 'b', 'c', 'd']) link(`${project}workflows/${name}`, '.');
    for (const name of ['a', 'b']) link(`${user}workflows/${name}`, '..');
    put(`${user}other/y.yaml`);
    const from = performance.now();
    expect(library.list('workflow').map(({ name }) => name)).toContain('x');
    expect(performance.now() - from).toBeLessThan(5000);
  });
});

describe('L3, L4: files that are not what they should be', () => {
  const problem = (kind: LibraryKind, name: string) =>
    (library.load(named(kind, name)) as MissingFile).problem;

  it('too large is refused without being read: 100 GB that do not exist take no time', () => {
    put(`${project}prompts/huge.md`);
    truncateSync(join(folder, `${project}prompts/huge.md`), 100 * 2 ** 30);
    put(`${project}prompts/just.md`, 'x'.repeat(4 * 2 ** 20));
    put(`${project}prompts/over.md`, 'x'.repeat(4 * 2 ** 20 + 1));
    expect(problem('prompt', 'huge')).toBe('too-large');
    expect(problem('prompt', 'over')).toBe('too-large');
    expect(loaded(library.load(named('prompt', 'just'))).text).toHaveLength(4 * 2 ** 20);
  });

  it('bytes that are no UTF-8 are left for the compiler to point at; a byte order mark is not part of the text', () => {
    put(`${project}prompts/bom.md`, '\uFEFFhello');
    writeFileSync(join(folder, `${project}prompts/bytes.md`), new Uint8Array([0x61, 0xff, 0x62]));
    expect(loaded(library.load(named('prompt', 'bytes'))).text).toBe('a\uFFFDb');
    expect(loaded(library.load(named('prompt', 'bom'))).text).toBe('hello');
  });

  it('a folder, a pipe, a name that is too long, a file where a folder should be: not found, and nothing throws', () => {
    mkdirSync(join(folder, `${project}prompts/folder.md`), { recursive: true });
    execFileSync('mkfifo', [join(folder, `${project}prompts/pipe.md`)]);
    put(`${project}prompts/file.md`);
    for (const name of ['folder', 'pipe', 'n'.repeat(300), 'file.md/x', ''])
      expect(problem('prompt', name)).toBe('not-found');
    expect(library.loadFile('nul\0')).toMatchObject({ missing: true });
    expect(library.loadFile('n'.repeat(5000))).toMatchObject({ missing: true });
  });
});

describe('LS-GATE-LAYERS: which definitions a folder holds', () => {
  const folderNamed = (name: string): FileNeed => ({ by: 'folder', kind: 'gate', name });
  const names = (need: FileNeed) => loaded(library.load(need)).text;

  it('those of all layers together, in order, each once', () => {
    put(`${builtin}gates/review/security.md`);
    put(`${builtin}gates/review/style.md`);
    put(`${user}gates/review/mine.md`);
    put(`${project}gates/review/security.md`, 'ours');
    put(`${project}gates/other/x.md`);
    expect(loaded(library.load(folderNamed('review')))).toMatchObject({
      text: 'mine\nsecurity\nstyle',
      folder: true,
    });
    expect(loaded(library.load(named('gate', 'review/security'))).text).toBe('ours');
  });

  it('not those of folders below it, nor what is no gate', () => {
    for (const name of ['a.md', 'fast/b.md', 'c.md.disabled', '.hidden.md', 'README.md', 'd.txt'])
      put(`${project}gates/review/${name}`);
    mkdirSync(join(folder, `${project}gates/review/folder.md`));
    expect(names(folderNamed('review'))).toBe('a');
    expect(names(folderNamed('review/fast'))).toBe('b');
    expect(names(folderNamed('nothing'))).toBe('');
  });

  it("in the dialect's layer also beside its workflows", () => {
    put(`${wrangler}workflows/review-gates/security.md`, 'theirs');
    expect(names(folderNamed('review-gates'))).toBe('security');
    expect(loaded(library.load(named('gate', 'review-gates/security')))).toMatchObject({
      text: 'theirs',
      layer: 'wrangler',
    });
  });

  it('by path: beside the file that names it, within its layer (S4)', () => {
    put('project/flows/w.yaml');
    put('project/flows/reviews/a.md');
    put('elsewhere/b.md');
    link('project/flows/out', join(folder, 'elsewhere'));
    const relative = (path: string): FileNeed => ({
      by: 'folder',
      kind: 'gate',
      path,
      from: join(folder, 'project/flows/w.yaml'),
    });
    expect(names(relative('./reviews/'))).toBe('a');
    expect(names(relative('./none'))).toBe('');
    for (const path of ['../../elsewhere', './out', '/etc', 'nul\0'])
      expect(library.load(relative(path))).toMatchObject({ missing: true, problem: 'outside' });
    for (const name of ['../x', '/etc', 'a/../b'])
      expect(library.load(folderNamed(name))).toMatchObject({ problem: 'outside' });
  });
});

describe('by path', () => {
  const relative = (path: string, from: string): FileNeed => ({
    by: 'path',
    kind: 'schema',
    path,
    from: join(folder, from),
  });

  it('is relative to the file that names it, within its layer', () => {
    put(`${project}workflows/w.yaml`);
    put(`${project}workflows/near.json`, 'near');
    put(`${project}schemas/far.json`, 'far');
    put('project/package.json', 'package');
    const from = `${project}workflows/w.yaml`;
    expect(loaded(library.load(relative('near.json', from)))).toMatchObject({
      text: 'near',
      layer: 'project',
    });
    expect(loaded(library.load(relative('../schemas/far.json', from))).text).toBe('far');
    for (const path of [
      '../../package.json',
      '../../../secret',
      join(folder, 'project/package.json'),
      'nul\0',
    ])
      expect(library.load(relative(path, from))).toMatchObject({ missing: true, problem: 'outside' });
    expect(library.load(relative('gone.json', from))).toMatchObject({
      problem: 'not-found',
      looked: ['.lockstep/workflows/gone.json'],
    });
  });

  it('of a file in no layer: within the project, or else its own folder', () => {
    put('project/flows/w.yaml');
    put('project/schemas/s.json', 's');
    put('elsewhere/w.yaml');
    put('elsewhere/near.json', 'near');
    put('outer.json');
    expect(loaded(library.load(relative('../schemas/s.json', 'project/flows/w.yaml')))).toMatchObject({
      text: 's',
      layer: 'file',
    });
    expect(loaded(library.load(relative('near.json', 'elsewhere/w.yaml'))).text).toBe('near');
    expect(library.load(relative('../outer.json', 'elsewhere/w.yaml'))).toMatchObject({ problem: 'outside' });
  });

  it('S4: a link that leads out of the project is outside', () => {
    put('outer.json');
    put('project/w.yaml');
    link('project/link.json', join(folder, 'outer.json'));
    expect(library.load(relative('link.json', 'project/w.yaml'))).toMatchObject({ problem: 'outside' });
  });
});

describe('a file named on the command line', () => {
  it('is relative to where one stands, or absolute, and may lie anywhere', () => {
    put('project/w.yaml', 'here');
    put('elsewhere/w.yaml', 'there');
    expect(loaded(library.loadFile('w.yaml'))).toMatchObject({
      text: 'here',
      path: 'w.yaml',
      layer: 'file',
      id: join(folder, 'project/w.yaml'),
    });
    expect(loaded(library.loadFile('../elsewhere/w.yaml'))).toMatchObject({
      text: 'there',
      path: join(folder, 'elsewhere/w.yaml'),
    });
    expect(loaded(library.loadFile(join(folder, 'elsewhere/w.yaml'))).text).toBe('there');
  });

  it('that is not there: its neighbours are known', () => {
    put('project/ship.yaml');
    put('project/notes.txt');
    expect(library.loadFile('shpi.yaml')).toEqual({
      missing: true,
      problem: 'not-found',
      looked: ['shpi.yaml'],
      known: ['ship.yaml'],
    });
  });
});
