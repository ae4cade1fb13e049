// A canary is a program that leaves a file behind. It is named wherever a repository can name a program, and every
// operation of ours is done in that repository: the file must never be there. Real git, real repositories.

import { execFileSync, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { workspaces } from '../workspaces.ts';
import { gitWorktrees } from './git-worktrees.ts';
import { runStarted, startGit } from './start-git.ts';

const base = realpathSync(mkdtempSync(join(tmpdir(), 'lockstep-hostile-')));
const canary = join(base, 'canary.sh');
const sung = join(base, 'sung');
const home = join(base, 'home');
const library = join(base, 'library');
const template = join(base, 'template');
const inherited = { ...process.env };
let count = 0;
let root: string;

const plainEnvironment = {
  PATH: process.env.PATH ?? '',
  HOME: home,
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_ALLOW_PROTOCOL: 'file',
};

function git(folder: string, ...args: string[]): string {
  const person = ['-c', 'user.name=Anna', '-c', 'user.email=anna@example.org', '-c', 'commit.gpgsign=false'];
  return execFileSync('git', [...person, ...args], {
    cwd: folder,
    env: plainEnvironment,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

function put(path: string, content: string, mode = 0o644): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content, { mode });
}

beforeAll(() => {
  // It passes on what it is given, as a filter would, so that nothing fails for its sake.
  put(canary, `#!/bin/sh\necho "$0 $*" >> '${sung}'\ncat 2>/dev/null\nexit 0\n`, 0o755);
  put(join(home, '.gitconfig'), '[user]\n\tname = Anna\n\temail = anna@example.org\n');
  for (const name of Object.keys(process.env)) if (name.startsWith('GIT_')) delete process.env[name];
  Object.assign(process.env, { HOME: home, GIT_CONFIG_NOSYSTEM: '1' });
  mkdirSync(library);
  git(library, 'init', '-q', '-b', 'main');
  put(join(library, 'inner.txt'), 'inner');
  git(library, 'add', '.');
  git(library, 'commit', '-q', '-m', 'library');
  mkdirSync(template);
  git(template, 'init', '-q', '-b', 'main');
  for (const name of ['a.txt', 'b.txt', 'c.md']) put(join(template, name), name);
  put(join(template, '.gitattributes'), '* filter=x diff=x merge=x\n');
  git(template, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library, 'sub');
  git(template, 'add', '-A');
  git(template, 'commit', '-q', '-m', 'one');
  put(join(template, 'a.txt'), 'two');
  git(template, 'commit', '-q', '-a', '-m', 'two');
});
beforeEach(() => {
  count += 1;
  root = join(base, `project-${count}`);
  cpSync(template, root, { recursive: true });
  rmSync(sung, { force: true });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));
afterAll(() => {
  for (const name of Object.keys(process.env)) if (!(name in inherited)) delete process.env[name];
  Object.assign(process.env, inherited);
  rmSync(base, { recursive: true, force: true });
});

/** Same content, another time: git reads it again, through its filter. */
function touch(folder = root): void {
  for (const name of ['a.txt', 'b.txt', 'sub/inner.txt'])
    if (existsSync(join(folder, name))) utimesSync(join(folder, name), 1, 1);
}

/** All that Lockstep asks of git. What fails, fails loudly; what it must not do is run the canary. */
async function everything(): Promise<void> {
  const attempt = async (work: () => unknown) => {
    try {
      await work();
    } catch {}
  };
  touch();
  const since = git(template, 'rev-parse', 'HEAD~1').trim();
  await attempt(() => workspaces().mark(root));
  await attempt(async () => {
    const workspace = workspaces().open(root, since);
    const print = (await workspace.fingerprint()) ?? '';
    put(join(root, 'b.txt'), 'changed');
    put(join(root, 'sub/inner.txt'), 'changed');
    put(join(root, 'new.txt'), 'new');
    await workspace.changed('**');
    await workspace.uncommitted('**');
    workspace.commits();
    await workspace.changedSince(print);
    return workspace.branch;
  });
  const worktrees = gitWorktrees();
  await attempt(() => worktrees.whyNot(root));
  await attempt(async () => {
    const wanted = { name: 'spec', branches: 'lockstep/spec', keepFolder: true };
    const reserved = await worktrees.reserve(root, wanted);
    if (reserved.kind !== 'reserved') return;
    const { path, base: from } = reserved;
    const worktree = { path, branch: 'lockstep/spec/run', base: from };
    await worktrees.ensure({ project: root, from: root, worktree, wasThere: false });
    touch(path);
    await workspaces().open(path, since).changed('**');
    await worktrees.list(root);
    await worktrees.remove(root, [path], { force: true, branch: true });
  });
}

const heard = () => (existsSync(sung) ? readFileSync(sung, 'utf8') : '');

/** Every setting of git that names a program, a folder or a file of programs, or leads to another file of settings. */
const PROGRAMS = [
  'alias.status=!CANARY',
  'alias.diff=!CANARY',
  'browser.x.cmd=CANARY',
  'browser.x.path=CANARY',
  'core.alternateRefsCommand=CANARY',
  'core.askPass=CANARY',
  'core.editor=CANARY',
  'core.fsmonitor=CANARY',
  'core.gitProxy=CANARY',
  'core.hooksPath=HOOKS',
  'core.pager=CANARY',
  'core.sshCommand=CANARY',
  'core.worktree=ELSEWHERE',
  'credential.helper=!CANARY',
  'credential.https://example.org.helper=!CANARY',
  'diff.external=CANARY',
  'diff.guitool=x',
  'diff.tool=x',
  'diff.x.command=CANARY',
  'diff.x.textconv=CANARY',
  'difftool.x.cmd=CANARY',
  'difftool.x.path=CANARY',
  'extensions.worktreeConfig=true',
  'filter.x.clean=CANARY',
  'filter.x.process=CANARY',
  'filter.x.smudge=CANARY',
  'gpg.openpgp.program=CANARY',
  'gpg.program=CANARY',
  'gpg.ssh.defaultKeyCommand=CANARY',
  'gpg.ssh.program=CANARY',
  'gpg.x509.program=CANARY',
  'guitool.x.cmd=CANARY',
  'help.browser=x',
  'hook.x.command=CANARY',
  'imap.tunnel=CANARY',
  'include.path=INCLUDED',
  'includeIf.gitdir:**.path=INCLUDED',
  'includeIf.onbranch:**.path=INCLUDED',
  'init.templateDir=HOOKS',
  'instaweb.browser=CANARY',
  'instaweb.httpd=CANARY',
  'interactive.diffFilter=CANARY',
  'lfs.customtransfer.x.path=CANARY',
  'lfs.extension.x.clean=CANARY',
  'log.showSignature=true',
  'man.viewer=x',
  'man.x.cmd=CANARY',
  'man.x.path=CANARY',
  'merge.guitool=x',
  'merge.tool=x',
  'merge.x.driver=CANARY',
  'mergetool.x.cmd=CANARY',
  'mergetool.x.path=CANARY',
  'pager.branch=CANARY',
  'pager.diff=CANARY',
  'pager.log=CANARY',
  'pager.status=CANARY',
  'pager.worktree=CANARY',
  'protocol.allow=always',
  'protocol.ext.allow=always',
  'receive.procReceiveRefs=refs',
  'remote.origin.proxy=CANARY',
  'remote.origin.receivepack=CANARY',
  'remote.origin.uploadpack=CANARY',
  'remote.origin.vcs=CANARY',
  'sendemail.ccCmd=CANARY',
  'sendemail.headerCmd=CANARY',
  'sendemail.sendmailCmd=CANARY',
  'sendemail.smtpServer=CANARY',
  'sendemail.toCmd=CANARY',
  'sequence.editor=CANARY',
  'ssh.variant=simple',
  'submodule.sub.update=!CANARY',
  'tar.x.command=CANARY',
  'trailer.x.cmd=CANARY',
  'trailer.x.command=CANARY',
  'uploadpack.packObjectsHook=CANARY',
  'url.ext::CANARY .insteadOf=file://',
  'web.browser=x',
];

/** Settings whose name sounds like a program, and which are none, with what they are. */
const NO_PROGRAMS: Record<string, string> = {
  'advice.ignoredHook': 'a switch',
  'advice.waitingForEditor': 'a switch',
  'completion.commands': 'names of git commands, for shells',
  'credential.protectProtocol': 'a switch',
  'diff.<driver>.cachetextconv': 'a switch',
  'fsmonitor.allowRemote': 'a switch',
  'fsmonitor.socketDir': 'a folder for sockets of git itself',
  'help.htmlPath': 'a folder of pages',
  'instaweb.modulePath': 'a folder, used by instaweb alone',
  'log.diffMerges': 'a format',
  'notes.rewrite.<command>': 'a switch',
  'rebase.abbreviateCommands': 'a switch',
  'sendemail.aliasFileType': 'a format',
  'sendemail.aliasesFile': 'a file of addresses',
  'trace2.eventTarget': 'a file, read from the user’s configuration alone',
};

const CONTROLS: [setting: string, ...args: string[]][] = [
  ['filter.x.clean', 'status'],
  ['filter.x.smudge', 'worktree', 'add', '-q', '../control'],
  ['core.fsmonitor', 'status'],
  ['diff.external', 'diff'],
  ['diff.x.textconv', 'diff', 'HEAD~1'],
  ['core.hooksPath', 'worktree', 'add', '-q', '../control'],
  ['include.path', 'status'],
];

function fill(value: string): string {
  return value
    .replace('CANARY', canary)
    .replace('HOOKS', join(base, 'hooks'))
    .replace('INCLUDED', join(base, 'included'))
    .replace('ELSEWHERE', home);
}

const HOOKS = [
  'applypatch-msg',
  'commit-msg',
  'fsmonitor-watchman',
  'post-applypatch',
  'post-checkout',
  'post-commit',
  'post-index-change',
  'post-merge',
  'post-receive',
  'post-rewrite',
  'post-update',
  'pre-applypatch',
  'pre-auto-gc',
  'pre-commit',
  'pre-merge-commit',
  'pre-push',
  'pre-rebase',
  'pre-receive',
  'prepare-commit-msg',
  'proc-receive',
  'push-to-checkout',
  'reference-transaction',
  'sendemail-validate',
  'update',
];

beforeAll(() => {
  for (const hook of HOOKS) put(join(base, 'hooks', hook), readFileSync(canary, 'utf8'), 0o755);
  put(join(base, 'included'), `[filter "x"]\n\tclean = ${canary}\n\tsmudge = ${canary}\n`);
});

const set = (file: string, setting: string) => {
  const [, section, , subsection, key, value = ''] = /^(\w+)(\.(.+))?\.(\w+)=(.*)$/.exec(fill(setting)) ?? [];
  const below = subsection === undefined ? '' : ` "${subsection}"`;
  appendFileSync(file, `[${section}${below}]\n\t${key} = "${value}"\n`);
};
/** A filter is used by an attribute; what only reads a signature needs a signed commit. */
const signed = () => {
  const tree = git(root, 'rev-parse', 'HEAD^{tree}').trim();
  const person = 'Anna <anna@example.org> 1700000000 +0000';
  const text = `tree ${tree}\nparent ${git(root, 'rev-parse', 'HEAD').trim()}\nauthor ${person}\ncommitter ${person}\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----\n\nsigned\n`;
  const made = spawnSync('git', ['hash-object', '-t', 'commit', '-w', '--stdin'], {
    cwd: root,
    env: plainEnvironment,
    input: text,
    encoding: 'utf8',
  });
  git(root, 'update-ref', 'HEAD', made.stdout.trim());
};

describe('SEC-GIT-PROGRAMS: no program that a repository names is run', () => {
  // In groups, so that none is hidden by another that makes git fail.
  const groups = Array.from({ length: 5 }, (_, group) => PROGRAMS.filter((__, index) => index % 5 === group));
  it.each(groups)('%s, %s, %s and others', async (...settings) => {
    signed();
    if (settings.includes('extensions.worktreeConfig=true')) {
      git(root, 'config', 'core.repositoryFormatVersion', '1');
      for (const each of ['filter.x.clean=CANARY', 'filter.x.smudge=CANARY', 'core.hooksPath=HOOKS'])
        set(join(root, '.git/config.worktree'), each);
    }
    for (const setting of [...settings, 'log.showSignature=true', 'gpg.program=CANARY'])
      set(join(root, '.git/config'), setting);
    await everything();
    expect(heard()).toBe('');
  });

  it('all of them at once, in the submodule too, with every hook', async () => {
    signed();
    for (const config of ['.git/config', '.git/modules/sub/config'])
      for (const setting of PROGRAMS)
        if (!setting.startsWith('core.worktree')) set(join(root, config), setting);
    for (const folder of ['.git/hooks', '.git/modules/sub/hooks'])
      cpSync(join(base, 'hooks'), join(root, folder), { recursive: true });
    put(join(root, 'sub/.gitattributes'), '* filter=x diff=x\n');
    await everything();
    expect(heard()).toBe('');
  });

  it('the canary would sing: plain git runs it in the same repositories', () => {
    const silent = CONTROLS.filter(([key, ...args]) => {
      rmSync(sung, { force: true });
      rmSync(join(base, 'control'), { recursive: true, force: true });
      const folder = join(base, 'control-project');
      rmSync(folder, { recursive: true, force: true });
      cpSync(template, folder, { recursive: true });
      set(join(folder, '.git/config'), PROGRAMS.find((each) => each.startsWith(`${key}=`)) ?? '');
      put(join(folder, 'b.txt'), 'other');
      spawnSync('git', args, { cwd: folder, env: plainEnvironment });
      return heard() === '';
    });
    expect(silent.map(([key]) => key)).toEqual([]);
  });

  it('a setting of this git that sounds like a program is in the table, or said to be none', () => {
    const sounds =
      /cmd$|command|program$|helper|editor|pager\.|textconv|\.driver|filter\.<driver>|hook(?!version)|gitproxy|pack$|\.vcs|external|tool\b.*path|browser|askpass|fsmonitor$|alias|proxy$/i;
    const ours = PROGRAMS.map((each) => each.slice(0, each.indexOf('=')).toLowerCase());
    const isKnown = (key: string) => {
      const pattern = key
        .toLowerCase()
        .replace(/[.]/g, '\\.')
        .replace(/<[^>]+>|\*/g, '.+');
      return key in NO_PROGRAMS || ours.some((each) => new RegExp(`^${pattern}$`).test(each));
    };
    const keys = git(base, 'help', '-c').split('\n');
    expect(keys.length).toBeGreaterThan(500);
    const unknown = keys.filter((key) => sounds.test(key) && !isKnown(key));
    expect(unknown.filter((key) => !/^http\.|useHttp|interactive\.singleKey/.test(key))).toEqual([]);
  });
});

describe('SEC-GIT-SETTINGS: of the repository’s settings our git sees only what is known to be harmless', () => {
  const seen = (folder: string, writes: boolean) => {
    const { stdout } = runStarted(startGit(folder, { writes }), folder, [
      'config',
      '--list',
      '-z',
      '--show-scope',
    ]);
    const records = stdout.toString().split('\0');
    return records.flatMap((scope, index) =>
      index % 2 === 0 && (scope === 'local' || scope === 'worktree')
        ? [(records[index + 1] ?? '').split('\n')[0] ?? '']
        : [],
    );
  };

  it.each([false, true])('any setting that this git knows, writing: %s', (writes) => {
    const keys = git(base, 'help', '-c')
      .split('\n')
      .filter((key) => /^[a-z0-9]+\.\S+$/i.test(key) && !/^extensions\.|repositoryFormat/i.test(key))
      .map((key) => key.replace(/<[^>]+>|\*/g, 'x'));
    const lines = keys.map((key) => {
      const [first, last] = [key.indexOf('.'), key.lastIndexOf('.')];
      const below = first === last ? '' : ` "${key.slice(first + 1, last)}"`;
      return `[${key.slice(0, first)}${below}]\n\t${key.slice(last + 1)} = ${canary}\n`;
    });
    appendFileSync(join(root, '.git/config'), lines.join(''));
    const harmless =
      /^(core\.(attributesfile|autocrlf|bigfilethreshold|checkroundtripencoding|checkstat|compression|eol|excludesfile|filemode|fsync|hidedotfiles|ignorecase|logallrefupdates|loosecompression|precomposeunicode|repositoryformatversion|safecrlf|sharedrepository|sparsecheckout|sparsecheckoutcone|symlinks|trustctime)|index\.sparse|(user|author|committer)\.(name|email)|user\.useconfigonly|remote\..+\.(url|promisor|partialclonefilter))$/;
    const kept = seen(root, writes);
    expect(kept.length).toBeGreaterThan(5);
    expect(kept.filter((key) => !harmless.test(key))).toEqual([]);
  });

  it.each([
    'ext::sh -c canary',
    '-oProxyCommand=canary',
    'ssh://-oProxyCommand=canary/x',
    'relative/path',
    'fd::17',
    'x::y',
  ])('an address such as %s is none', (address) => {
    git(root, 'config', 'remote.evil.url', address);
    git(root, 'config', 'remote.evil.promisor', 'true');
    git(root, 'config', 'remote.good.url', 'https://example.org/x.git');
    expect(seen(root, true).filter((key) => key.startsWith('remote.'))).toEqual(['remote.good.url']);
  });
});

describe('SEC-GIT-ELSEWHERE: nor one that is named somewhere else', () => {
  const evil = [
    'filter.x.clean=CANARY',
    'filter.x.smudge=CANARY',
    'core.fsmonitor=CANARY',
    'core.hooksPath=HOOKS',
    'diff.external=CANARY',
  ];

  it.each([['.gitattributes', 'sub/.gitattributes'], ['.git/info/attributes'], ['attributes']])(
    'by attributes in %s',
    async (...files) => {
      for (const file of files) put(join(root, file), '* filter=y diff=y merge=y\n');
      git(root, 'config', 'core.attributesFile', join(root, 'attributes'));
      for (const config of ['.git/config', '.git/modules/sub/config'])
        for (const key of ['filter.y.clean', 'filter.y.smudge', 'filter.y.process', 'diff.y.textconv'])
          set(join(root, config), `${key}=CANARY`);
      await everything();
      expect(heard()).toBe('');
    },
  );

  it('a repository inside that nobody added, and a file `.git` that points at one elsewhere', async () => {
    for (const folder of [join(root, 'nested'), join(base, `elsewhere-${count}`)]) {
      cpSync(template, folder, { recursive: true });
      for (const setting of evil) set(join(folder, '.git/config'), setting);
    }
    git(root, 'add', '-f', 'nested');
    await everything();
    expect(heard()).toBe('');
    rmSync(join(root, '.git'), { recursive: true });
    writeFileSync(join(root, '.git'), `gitdir: ${join(base, `elsewhere-${count}`, '.git')}\n`);
    await everything();
    expect(heard()).toBe('');
  });

  it('a folder that looks like a bare repository, when one stands in it', async () => {
    const folder = join(root, 'docs');
    mkdirSync(join(folder, 'objects'), { recursive: true });
    mkdirSync(join(folder, 'refs'));
    writeFileSync(join(folder, 'config'), '[core]\n\trepositoryformatversion = 0\n\tworktree = .\n');
    writeFileSync(join(folder, 'HEAD'), 'ref: refs/heads/main\n');
    for (const setting of evil) set(join(folder, 'config'), setting);
    put(join(folder, 'page.md'), 'page');
    const workspace = workspaces().open(folder);
    expect(await workspace.changed('**')).toContain('page.md');
    expect(workspace.branch).toBe('main');
    rmSync(join(root, '.git'), { recursive: true });
    rmSync(join(folder, 'HEAD'));
    symlinkSync('refs/heads/none', join(folder, 'HEAD'));
    expect(() => runStarted(startGit(folder), folder, ['status'])).not.toThrow();
    expect(gitWorktrees().whyNot(folder)).toContain('not in a git repository');
    expect(heard()).toBe('');
  });

  it('a program called git or git-lfs in a folder of the project that is on PATH', async () => {
    const path = process.env.PATH ?? '';
    const bin = join(root, 'node_modules/.bin');
    for (const name of ['git', 'git-lfs', 'git-remote-https', 'ssh'])
      put(join(bin, name), readFileSync(canary, 'utf8'), 0o755);
    symlinkSync(bin, join(base, `link-${count}`));
    process.env.PATH = [bin, 'node_modules/.bin', '', join(base, `link-${count}`), path].join(':');
    try {
      await everything();
      expect(await workspaces().open(root).changed('**')).toContain('new.txt');
    } finally {
      process.env.PATH = path;
    }
    expect(heard()).toBe('');
  });

  it('a partial clone that would fetch what it lacks from an address that is a program', async () => {
    git(root, 'config', 'core.repositoryFormatVersion', '1');
    git(root, 'config', 'extensions.partialClone', 'evil');
    for (const setting of [
      'remote.evil.promisor=true',
      'remote.evil.url=ext::CANARY',
      'remote.evil.uploadpack=CANARY',
      'protocol.ext.allow=always',
    ])
      set(join(root, '.git/config'), setting);
    // A folder of the name of the remote, which git would take for its address.
    cpSync(template, join(root, 'evil'), { recursive: true });
    set(join(root, 'evil/.git/config'), 'uploadpack.packObjectsHook=CANARY');
    const blob = git(root, 'rev-parse', 'HEAD:c.md').trim();
    rmSync(join(root, '.git/objects', blob.slice(0, 2), blob.slice(2)), { force: true });
    rmSync(join(root, 'c.md'));
    await everything();
    expect(heard()).toBe('');
  });

  it('what was changed while git ran does not count: its settings are a copy of ours', () => {
    const start = startGit(root);
    for (const setting of evil) set(join(root, '.git/config'), setting);
    touch();
    runStarted(start, root, ['status']);
    expect(heard()).toBe('');
  });

  it('variables of the environment that name programs of git', async () => {
    const names = ['GIT_EXTERNAL_DIFF', 'GIT_SSH_COMMAND', 'GIT_PAGER', 'GIT_EDITOR', 'GIT_PROXY_COMMAND'];
    for (const name of names) process.env[name] = canary;
    process.env.GIT_DIR = '/nowhere';
    try {
      await everything();
    } finally {
      for (const name of [...names, 'GIT_DIR']) delete process.env[name];
    }
    expect(heard()).toBe('');
  });
});

describe('SEC-GIT-PROGRAMS: one place starts git', () => {
  it('no other file of src/ does, but the scripted agent, whose git is that of an agent', () => {
    const source = join(import.meta.dirname, '../..');
    const files = (readdirSync(source, { recursive: true }) as string[]).filter(
      (file) => file.endsWith('.ts') && !/\.(?:test|contract)\.ts$|fixtures/.test(file),
    );
    const starts = /(?:spawn|exec|run)\w*\(\s*\[?'git'|argv: \['git'|command: 'git'/;
    expect(files.filter((file) => starts.test(readFileSync(join(source, file), 'utf8'))).sort()).toEqual([
      'agents/script/act.ts',
      'workspaces/git/start-git.ts',
    ]);
  });

  it('a folder for temporary files in the work tree does not show as a change', async () => {
    const before = process.env.TMPDIR;
    mkdirSync(join(root, 'tmp'));
    process.env.TMPDIR = join(root, 'tmp');
    try {
      expect(await workspaces().open(root).uncommitted('**')).toEqual([]);
    } finally {
      if (before === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = before;
    }
  });
});

describe('SEC-GIT-OWN-FILTER: filters of the user’s own configuration are used as they were', () => {
  /** Stored in capital letters, checked out in small ones. */
  const upper = "tr 'a-z' 'A-Z'";
  const lower = "tr 'A-Z' 'a-z'";
  const users = () => {
    const file = join(base, `user-config-${count}`);
    writeFileSync(file, '');
    for (const [key, value] of [
      ['user.name', 'Anna'],
      ['user.email', 'anna@example.org'],
      ['filter.case.clean', upper],
      ['filter.case.smudge', lower],
      ['filter.case.required', 'true'],
    ] as const)
      git(base, 'config', '--file', file, key, value);
    return file;
  };
  const filtered = (config: string) => {
    const environment = { ...plainEnvironment, GIT_CONFIG_GLOBAL: config };
    const run = (...args: string[]) => execFileSync('git', args, { cwd: root, env: environment });
    put(join(root, '.gitattributes'), '*.txt filter=case\n');
    run('add', '-A');
    run('commit', '-q', '-m', 'filtered');
    for (const name of ['a.txt', 'b.txt']) rmSync(join(root, name));
    run('checkout', '-q', '--', 'a.txt', 'b.txt');
  };
  const worktree = async () => {
    const worktrees = gitWorktrees();
    const reserved = await worktrees.reserve(root, { name: 'w', branches: 'lockstep/w', keepFolder: true });
    if (reserved.kind !== 'reserved') throw new Error(reserved.why);
    const { path, base: from } = reserved;
    return await worktrees.ensure({
      project: root,
      from: root,
      worktree: { path, branch: 'lockstep/w/r', base: from },
      wasThere: false,
    });
  };
  afterEach(() => {
    delete process.env.GIT_CONFIG_GLOBAL;
  });

  it('a filtered file is unchanged, a worktree is checked out through it, also when the repository repeats it', async () => {
    const config = users();
    filtered(config);
    process.env.GIT_CONFIG_GLOBAL = config;
    git(root, 'config', 'filter.case.clean', upper);
    git(root, 'config', 'filter.case.smudge', lower);
    touch();
    expect(await workspaces().open(root).uncommitted('**')).toEqual([]);
    const { warnings, worktree: made } = await worktree();
    expect([...warnings, ...workspaces().warnings(root)]).toEqual([]);
    expect(readFileSync(join(made.path, 'b.txt'), 'utf8')).toBe('b.txt');
    expect(git(root, 'cat-file', 'blob', 'HEAD:b.txt')).toBe('B.TXT');
  });

  it('the repository’s own definition of it is not run, and a warning says so', async () => {
    const config = users();
    filtered(config);
    process.env.GIT_CONFIG_GLOBAL = config;
    set(join(root, '.git/config'), 'filter.case.clean=CANARY');
    set(join(root, '.git/config'), 'filter.other.clean=CANARY');
    touch();
    expect(await workspaces().open(root).uncommitted('**')).toEqual([]);
    expect((await worktree()).warnings).toEqual([]);
    expect(workspaces().warnings(root)).toEqual([
      expect.stringMatching(/filter "case".*is not run by Lockstep: the one .* in your own configuration is/),
      expect.stringMatching(/filter "other".*is not run by Lockstep.*git config --global/),
    ]);
    expect(heard()).toBe('');
  });

  it('SEC-GIT-FROZEN: what is written into the user’s configuration later changes nothing', async () => {
    const config = users();
    filtered(config);
    process.env.GIT_CONFIG_GLOBAL = config;
    expect(await workspaces().open(root).uncommitted('**')).toEqual([]);
    for (const key of ['filter.case.clean', 'filter.case.smudge'])
      git(base, 'config', '--file', config, key, canary);
    git(base, 'config', '--file', config, 'diff.external', canary);
    touch();
    expect(await workspaces().open(root).uncommitted('**')).toEqual([]);
    await worktree();
    expect(heard()).toBe('');
  });
});

describe('SEC-GIT-NAMES: no name, path or value of a repository becomes a setting of git', () => {
  const ensured = async () => {
    const worktrees = gitWorktrees();
    const reserved = await worktrees.reserve(root, { name: 'w', branches: 'lockstep/w', keepFolder: true });
    if (reserved.kind !== 'reserved') throw new Error(JSON.stringify(reserved));
    const worktree = { path: reserved.path, branch: 'lockstep/w/run', base: reserved.base };
    const made = await worktrees.ensure({ project: root, from: root, worktree, wasThere: false });
    return { path: reserved.path, said: JSON.stringify(made) };
  };
  const record = (name: string, path = 'sub') =>
    `[submodule "${name}"]\n\tpath = ${path}\n\turl = ${library}\n`;

  it.each([
    [
      'a setting in the name, before the true record',
      `${record(`sub.update=!${canary}; #`)}${record('sub')}`,
    ],
    ['a setting in the name, after it', `${record('sub')}${record(`sub.update=!${canary}; #`)}`],
    ['alone', record(`sub.update=!${canary}; #`)],
    ['two records of one path', `${record('sub')}${record('other')}`],
    ['a path that is a pattern', record('sub', ':(glob)*')],
    ['a path that leads out', record('sub', '../library')],
  ])('%s', async (_, text) => {
    put(join(root, '.gitmodules'), text);
    git(root, 'commit', '-q', '-a', '-m', 'modules');
    const { path, said } = await ensured();
    expect(said).toContain('is not in the worktree: ');
    expect(existsSync(join(path, 'sub/.git'))).toBe(false);
    expect(heard()).toBe('');
  });

  it('an honest submodule is made, whatever .gitmodules says about how', async () => {
    git(root, 'config', '--file', '.gitmodules', 'submodule.sub.update', 'none');
    git(root, 'commit', '-q', '-a', '-m', 'modules');
    const { path } = await ensured();
    expect(readFileSync(join(path, 'sub/inner.txt'), 'utf8')).toBe('inner');
    expect(heard()).toBe('');
  });
});
