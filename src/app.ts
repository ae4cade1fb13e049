// app: the composition root. The only file that names concrete stores, agents, workspaces, processes, libraries and dialects.
// Everything heavy is imported by the command that needs it, so that the command line starts fast.

import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir, hostname, userInfo } from 'node:os';
import { join, normalize, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { runCommandLine } from './cli/command-line.ts';
import type { DaemonServices, PageServices, Pages, Services } from './cli/services.ts';
import { stateDirectory } from './cli/settings.ts';
import type { ClientName, DoctorParts } from './doctor/doctor.ts';
import type { Hosting } from './hosting/hosting.ts';
import type { Holder } from './model/entry.ts';
import { Fault } from './model/fault.ts';
import type { Clock } from './ports/clock.ts';
import type { Sessions } from './ports/sessions.ts';
import type { Tracker } from './ports/tracker.ts';
import { systemClock } from './system/clock.ts';

const packageFolder = resolve(import.meta.dirname, '..');

const ownProgram = join(packageFolder, 'dist/lockstep.js');

/** What a command takes from its process. Tests run commands in a process of their own, and hand these over. */
export type World = Pick<Services, 'cwd' | 'environment' | 'stdin' | 'stdout' | 'stderr'>;

export async function main(args: string[]): Promise<void> {
  process.exitCode = await runIn(thisProcess(), args);
}

/** The exit code. */
export function runIn(world: World, args: string[]): Promise<number> {
  return runCommandLine(args, compose(world));
}

function thisProcess(): World {
  return {
    cwd: currentFolder(),
    environment: Object.fromEntries(
      Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
    ),
    // Opening one costs, and most commands use one of them.
    get stdin() {
      return process.stdin;
    },
    get stdout() {
      return process.stdout;
    },
    get stderr() {
      return process.stderr;
    },
  };
}

/** It may have been removed under the shell that stands in it. */
function currentFolder(): string {
  try {
    return process.cwd();
  } catch {
    process.stderr.write('error: the folder you stand in is gone. Change to another one.\n');
    process.exit(2);
  }
}

function compose(world: World): Services {
  const { cwd, environment } = world;
  const home = environment.LOCKSTEP_HOME ?? join(homedir(), '.lockstep');
  const clock = systemClock();
  const version = (
    JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as { version: string }
  ).version;
  const projectRoot = async () => (await import('./workspaces/project-root.ts')).projectRoot(cwd);
  const runsFolder = async (given?: string) => {
    const chosen = given ?? stateDirectory(environment);
    return chosen === undefined ? join(await projectRoot(), '.lockstep', 'runs') : resolve(cwd, chosen);
  };
  const store = async (stateDirectory?: string) => {
    const { fileStore } = await import('./stores/file/file-store.ts');
    return fileStore({ directory: await runsFolder(stateDirectory) });
  };
  return {
    version,
    cwd,
    environment,
    home,
    user: userName(),
    get stdin() {
      return world.stdin;
    },
    get stdout() {
      return world.stdout;
    },
    get stderr() {
      return world.stderr;
    },
    clock,
    hash,
    projectRoot,
    async projectFiles() {
      const { workspaces } = await import('./workspaces/workspaces.ts');
      const { projectFiles } = await import('./workspaces/project-files.ts');
      return projectFiles(workspaces().open(await projectRoot()));
    },
    at: (folder, environment) =>
      compose(standingIn(world, workingFolder(resolve(cwd, folder), folder), environment)),
    readFile: (path) => readNamedFile(resolve(cwd, path), path),
    writeNew: (path, text) => writeNamedFile(resolve(cwd, path), path, text),
    // `normalize` from the root: no `..` leads out of it.
    readPackaged: (path) => readNamedFile(join(packageFolder, 'builtin', normalize(`/${path}`)), path),
    pages: () => pagesIn(join(packageFolder, 'docs')),
    async library() {
      const [{ fileLibrary }, { lookAtPlace }] = await Promise.all([
        import('./library/file-library.ts'),
        import('./workspaces/place.ts'),
      ]);
      const project = await projectRoot();
      return fileLibrary({
        project,
        user: home,
        userGobby: join(environment.HOME ?? homedir(), '.gobby'),
        builtin: join(packageFolder, 'builtin'),
        cwd,
        look: (need) => lookAtPlace(project, need),
      });
    },
    dialects: async () => (await import('./dialects/dialects.ts')).DIALECTS,
    runsFolder,
    store,
    async hosting(stateDirectory) {
      const runs = await runsFolder(stateDirectory);
      const project = await projectRoot();
      const parts = { store: await store(stateDirectory), environment, holder: holder(version), home };
      const fence = join(packageFolder, 'builtin/fence');
      return { ...(await composeHosting(parts, project, cwd)), ownServer: ownServer(project, runs), fence };
    },
    async processed(workspace, folder, kept) {
      const { processedFolder } = await import('./workspaces/processed.ts');
      return processedFolder(workspace, folder, kept);
    },
    tracker: async () => composeTracker(await projectRoot()),
    git: async () => (await import('./workspaces/git/start-git.ts')).ownGit(),
    worktrees: async () => (await import('./workspaces/git/git-worktrees.ts')).gitWorktrees(),
    sessions: () => composeSessions(home, clock),
    callers: async () => (await import('./system/callers.ts')).callers(home, clientsFolder(home)),
    daemon: () => composeDaemon(version, home),
    doctor: async () => composeDoctor(environment, await projectRoot(), cwd, { home, version }),
    sizeOf: folderSize,
    page: () => composePage(home),
  };
}

/** The clients of held sessions (system/live-clients.ts). */
function clientsFolder(home: string): string {
  return join(home, 'guard', 'clients');
}

async function composeSessions(home: string, clock: Clock): Promise<Sessions> {
  const [{ fileSessions }, { maskSecretShapes }] = await Promise.all([
    import('./stores/file/file-sessions.ts'),
    import('./text/secret-shapes.ts'),
  ]);
  return fileSessions({
    folder: join(home, 'sessions'),
    now: clock.now,
    machine: hostname(),
    mask: maskSecretShapes,
  });
}

function standingIn(world: World, cwd: string, environment?: Record<string, string>): World {
  return Object.create(world, {
    cwd: { value: cwd },
    ...(environment && { environment: { value: environment } }),
  }) as World;
}

function workingFolder(path: string, shown: string): string {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats?.isDirectory()) return realpathSync(path);
  throw new Fault('working-dir-invalid', stats ? `${shown} is not a folder` : `there is no folder ${shown}`, {
    hint: `It is relative to where you stand: ${path}`,
    exitCode: 2,
  });
}

async function composeHosting(
  { home, ...given }: Pick<Hosting, 'store' | 'environment' | 'holder'> & { home: string },
  project: string,
  cwd: string,
): Promise<Hosting> {
  const { environment } = given;
  const [
    { keepNurserySmall },
    { childProcesses },
    { workspaces },
    { gitWorktrees },
    { agentsFor },
    { readDefinition },
    { hookDoor },
    { removeFoldersOf },
    { callers },
    { gitRooms },
  ] = await Promise.all([
    import('./system/nursery.ts'),
    import('./system/processes.ts'),
    import('./workspaces/workspaces.ts'),
    import('./workspaces/git/git-worktrees.ts'),
    import('./agents/agents.ts'),
    import('./library/read-definition.ts'),
    import('./system/hook-door.ts'),
    import('./agents/private-folder.ts'),
    import('./system/callers.ts'),
    import('./workspaces/git/git-rooms.ts'),
  ]);
  keepNurserySmall();
  const clock = systemClock();
  const processes = childProcesses({});
  const clients = {
    processes,
    clock,
    environment,
    hookDoor: hookDoor({ program: join(packageFolder, 'dist/hook.cjs') }),
    cwd: project,
    beside: packageFolder,
    isRoot: process.getuid?.() === 0,
    load: loadModule,
  };
  const parts = { processes, workspaces: workspaces(), clock, clients };
  return {
    ...given,
    clock,
    workspaces: parts.workspaces,
    worktrees: gitWorktrees({ standing: cwd }),
    rooms: gitRooms({
      folder: join(home, 'rooms'),
      home: environment.HOME ?? homedir(),
      reporters: join(packageFolder, 'builtin', 'reporters'),
    }),
    processes,
    callers: callers(home, clientsFolder(home)),
    tracker: () => composeTracker(project),
    agentsFor: (workflow, script) => agentsFor(workflow, script, parts),
    async sweep({ host, pid }) {
      if (host === hostname()) removeFoldersOf(pid);
      await clients.hookDoor.sweep();
    },
    hash,
    readDefinition(path) {
      const definition = readDefinition(path);
      return 'text' in definition ? definition.text : undefined;
    },
  };
}

/** In words alone, which everybody may read: some clients keep their environment from the servers they start. */
function ownServer(project: string, runs: string): NonNullable<Hosting['ownServer']> {
  return (run, tools) => ({
    command: process.execPath,
    args: [
      ...[ownProgram, 'mcp', '--for-run', run, '--tools', tools.join(',')],
      ...['--workspace', project, '--state-dir', runs],
    ],
  });
}

async function composePage(home: string): Promise<PageServices> {
  const [{ pageFiles }, { showInBrowser }, { knownServer, noteServer }] = await Promise.all([
    import('./system/page-files.ts'),
    import('./system/browser.ts'),
    import('./system/page-servers.ts'),
  ]);
  const servers = join(home, 'ui');
  return {
    files: () => pageFiles(join(packageFolder, 'dist/ui')),
    show: showInBrowser,
    noteServer: (folder, server) => noteServer(servers, folder, server),
    knownServer: (folder) => knownServer(servers, folder),
  };
}

async function composeTracker(project: string): Promise<Tracker> {
  const { fileTracker } = await import('./tracker/file-tracker.ts');
  return fileTracker({ root: project, now: systemClock().now });
}

async function composeDoctor(
  environment: Record<string, string>,
  project: string,
  cwd: string,
  own: { home: string; version: string },
): Promise<DoctorParts> {
  const [{ thisMachine }, { childProcesses }, { hookDoor }, { clients, usableClients }, { ownGit }] =
    await Promise.all([
      import('./system/machine.ts'),
      import('./system/processes.ts'),
      import('./system/hook-door.ts'),
      import('./agents/clients.ts'),
      import('./workspaces/git/start-git.ts'),
    ]);
  const [{ lookAtHooks }, { LIMITS }, { daemonsOf }, { unansweredFile }] = await Promise.all([
    import('./setup/look-at-hooks.ts'),
    import('./clients/hook-limits.ts'),
    import('./daemon/daemon.ts'),
    import('./daemon/unanswered.ts'),
  ]);
  const usable = usableClients(environment);
  const machine = thisMachine();
  return {
    machine,
    async guard() {
      const { build } = ownBuild(own.version);
      const daemons = await daemonsOf(own.home, ownBuild(own.version));
      return {
        bound: machine.exists(join(project, '.lockstep/local/guard.json')),
        ...{ build, daemons, unanswered: linesIn(unansweredFile(own.home)) },
      };
    },
    processes: childProcesses({}),
    hookDoor: hookDoor({ program: join(packageFolder, 'dist/hook.cjs') }),
    server: [process.execPath, ownProgram],
    clock: systemClock(),
    git: ownGit(),
    environment,
    cwd,
    clients: Object.entries(clients).map(([name, { find, install }]) => ({
      name: name as ClientName,
      install,
      switchedOff: !usable.includes(name),
      hooks: () => ({
        ...lookAtHooks(name as ClientName, { project, environment, exists: machine.exists }),
        limits: LIMITS.flatMap(({ client, limit, remedy }) => (client === name ? [{ limit, remedy }] : [])),
      }),
      find: () => find({ environment, cwd: project, beside: packageFolder }),
    })),
  };
}

async function composeDaemon(version: string, home: string): Promise<DaemonServices> {
  const [
    { actsUnder, answerHook, readHook },
    { canCarry, patienceMs },
    { ownToolNames },
    { TOOLSETS },
    { isWholeHookLine },
    { hookOrigins },
  ] = await Promise.all([
    import('./clients/hook-clients.ts'),
    import('./clients/hooks.ts'),
    import('./clients/own-calls.ts'),
    import('./mcp/toolsets.ts'),
    import('./clients/hook-line.ts'),
    import('./system/live-clients.ts'),
  ]);
  const ownTools = ownToolNames([...TOOLSETS.workflow, ...TOOLSETS.guard]);
  return {
    own: ownBuild(version),
    command: [process.execPath, ownProgram],
    origins: hookOrigins(clientsFolder(home), isWholeHookLine),
    speech: {
      read: (client, payload, asking) => readHook(client, payload, { hash, asking }),
      answer: answerHook,
    },
    clients: {
      ...{ actsUnder, patienceMs, carries: canCarry },
      ownTools: () => ownTools,
      canRewrite: () => true,
    },
  };
}

/** The program's name has the hash of its text (B4 of scripts/build.js). */
function ownBuild(version: string): DaemonServices['own'] {
  const build = /app-([0-9a-f]+)\.cjs$/.exec(import.meta.filename)?.[1] ?? 'source';
  return {
    version,
    build,
    builtAt: Math.trunc(statSync(ownProgram, { throwIfNoEntry: false })?.mtimeMs ?? 0),
  };
}

function linesIn(file: string): number {
  try {
    return readFileSync(file, 'utf8').split('\n').length - 1;
  } catch {
    return 0;
  }
}

/** A package of the user's own, by its path. (B6 of scripts/build.js) */
async function loadModule(path: string): Promise<unknown> {
  const load = createRequire(import.meta.filename)(join(packageFolder, 'dist/import.cjs')) as (
    url: string,
  ) => Promise<unknown>;
  return load(pathToFileURL(path).href);
}

function holder(version: string): Holder {
  return { user: userName(), host: hostname(), pid: process.pid, version };
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? 'unknown'); // a user id without a name, as in containers
  }
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** The pages that come with the package (`files` in package.json). */
function pagesIn(folder: string): Pages {
  return {
    folder,
    names: () => readdirSync(join(folder, 'errors')).map((file) => file.replace(/\.md$/, '')),
    read: (code) => readNamedFile(join(folder, 'errors', `${code}.md`), `the page of ${code}`),
  };
}

function folderSize(folder: string): number {
  let size = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    size += entry.isDirectory() ? folderSize(path) : (lstatSync(path, { throwIfNoEntry: false })?.size ?? 0);
  }
  return size;
}

function writeNamedFile(path: string, shown: string, text: string): void {
  try {
    writeFileSync(path, text, { flag: 'wx' });
  } catch (error) {
    const isThere = (error as NodeJS.ErrnoException).code === 'EEXIST';
    throw new Fault(
      'file-unwritable',
      `cannot write ${shown}: ${isThere ? 'it is there already' : (error as Error).message}`,
      {
        hint: isThere ? 'Remove it first, or choose another name.' : 'Choose a folder that you may write in.',
        exitCode: 2,
      },
    );
  }
}

function readNamedFile(path: string, shown: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    const why = READ_PROBLEMS[(cause as NodeJS.ErrnoException).code ?? ''] ?? (cause as Error).message;
    throw new Fault('file-unreadable', `cannot read ${shown}: ${why}`, { cause, exitCode: 2 });
  }
}

const READ_PROBLEMS: Record<string, string> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  ENOTDIR: 'there is no such file',
  EACCES: 'you may not read it',
};
