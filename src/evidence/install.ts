// install: how the dependencies of a project are put into a clone of it, as its lock file says.

export interface Install {
  argv: string[];
  /** Files that decide what comes of it: the same texts give the same. */
  from: string[];
}

const LOCKED: { lock: string; argv: string[] }[] = [
  { lock: 'pnpm-lock.yaml', argv: ['pnpm', 'install', '--frozen-lockfile', '--prefer-offline'] },
  { lock: 'yarn.lock', argv: ['yarn', 'install', '--frozen-lockfile', '--prefer-offline'] },
  { lock: 'bun.lock', argv: ['bun', 'install', '--frozen-lockfile'] },
  { lock: 'bun.lockb', argv: ['bun', 'install', '--frozen-lockfile'] },
  { lock: 'npm-shrinkwrap.json', argv: ['npm', 'ci', '--no-audit', '--no-fund', '--prefer-offline'] },
  { lock: 'package-lock.json', argv: ['npm', 'ci', '--no-audit', '--no-fund', '--prefer-offline'] },
];

/** Undefined: the project names no dependencies, or no lock file of a kind that is installed into the project's folder. */
export function installOf(
  files: readonly string[],
  text: (path: string) => string | undefined,
): Install | undefined {
  const names = new Set(files);
  const found = LOCKED.find(({ lock }) => names.has(lock));
  if (found === undefined || isEmpty(found.lock, text)) return undefined;
  const manifests = files.filter((path) => path === 'package.json' || path.endsWith('/package.json'));
  return { argv: found.argv, from: [found.lock, '.npmrc', 'pnpm-workspace.yaml', ...manifests] };
}

/** A lock file of npm that locks nothing but the project itself. */
function isEmpty(lock: string, text: (path: string) => string | undefined): boolean {
  if (!lock.endsWith('.json')) return false;
  try {
    const { packages } = JSON.parse(text(lock) ?? '') as { packages?: Record<string, unknown> };
    return packages !== undefined && Object.keys(packages).every((name) => name === '');
  } catch {
    return false;
  }
}

const COUNTS = [
  'dependencies',
  'devDependencies',
  'optionalDependencies',
  'peerDependencies',
  'workspaces',
  'overrides',
];

/** What decides what is installed: where it is the same, what was installed is used again. */
export function installInput(install: Install, text: (path: string) => string | undefined): string {
  const of = (path: string) => {
    const given = text(path);
    if (given === undefined || !path.endsWith('package.json')) return given ?? '';
    try {
      const { scripts = {}, ...manifest } = JSON.parse(given) as Record<string, Record<string, unknown>>;
      const hooks = ['preinstall', 'install', 'postinstall', 'prepare'].map((name) => scripts[name]);
      return JSON.stringify([...COUNTS.map((name) => manifest[name]), hooks]);
    } catch {
      return given;
    }
  };
  return JSON.stringify([install.argv, ...install.from.map((path) => [path, of(path)])]);
}
