// sandbox: runs shell lines for real, where they can harm nothing, and tells what they ran and wrote.
//
// A line runs in a root folder of its own (chroot), without a network, as a user without rights, in a folder with a few
// files. Every program there, whatever path leads to it, is either a stub that writes its arguments to a log, or one of
// the wrappers that the lines are about (`env`, `xargs`, `timeout` …), which run the stubs.
//
// S1. The log is at a fixed path, so that `env -i` hides nothing.
// S2. A line ends when each of its processes has ended: also those in the background count.
// S3. Lines do not see each other: what one wrote is removed before the next.

import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';

export type ShellName = 'bash' | 'dash';

/** What came of one line. */
export interface Ran {
  /** Each program that was started, with its arguments: `['git', 'push', 'origin']`. */
  programs: string[][];
  /** Commands that were looked for and not found. Only bash tells. */
  missing: string[][];
  /** The line made or changed a file. */
  wrote: boolean;
  /** The shell's exit code; 2 also where the line is no shell line. */
  exitCode: number;
  /** It did not end by itself. */
  stuck: boolean;
}

/** Programs that only write down how they were called. */
const STUBS =
  'git npm npx node rm touch ls make pytest cargo go curl wget ssh scp docker kubectl gh jq rg grep tsc vitest yarn ' +
  'pnpm mv cp ln chmod mkdir tee sleep date wc sort uniq head tail diff psql vim less man tar rsync python3 ruby php';
/** Real programs that run others, and the few that feed them. */
const REAL =
  'env timeout nice nohup setsid xargs find flock ionice taskset chrt cat printf awk sed perl seq tr base64 rev ' +
  'setarch';
/** Wrappers that are not everywhere: each runs the words after its options. */
const WRAPPERS =
  'sudo doas stdbuf busybox unshare chroot strace ltrace systemd-run start-stop-daemon ssh-agent entr ' +
  'firejail proot fakeroot gosu chronic caffeinate unbuffer dbus-run-session pkexec prlimit catchsegv linux64 proxychains';
/** Wrappers that hand a line to a shell. */
const LINE_RUNNERS = 'script watch su runuser sg parallel';
/** Other names of the two shells. */
const SHELLS: readonly [name: string, shell: ShellName][] = [
  ['sh', 'dash'],
  ['ash', 'dash'],
  ['zsh', 'bash'],
  ['ksh', 'bash'],
  ['mksh', 'bash'],
  ['rbash', 'bash'],
  ['fish', 'bash'],
];

const STUB = `#!/usr/bin/dash
printf '%s\\0' RUN "$#" "\${0##*/}" "$@" >>/log/current
echo printed
`;

/** A word that is no program is the value of the option before it, or one of the wrapper's own (the folder of chroot). */
const WRAPPER = `#!/usr/bin/dash
before=
case \${0##*/} in chroot | gosu | flock | taskset | chrt | ionice | setarch | proot | prlimit | nice | timeout) before=own ;; esac
for word; do
  case $word in
    -* | *=*) before=option; shift ;;
    *) file=$(command -v -- "$word") && [ -f "$file" ] && [ -x "$file" ] && exec "$@"
      [ -n "$before" ] || exit 127
      before=
      shift ;;
  esac
done
`;

const LINE_RUNNER = `#!/usr/bin/dash
while [ $# -gt 0 ]; do
  case $1 in
    -*c | --command) exec sh -c "$2" ;;
    --command=*) exec sh -c "\${1#*=}" ;;
    -* | me | root | [0-9]*) shift ;;
    *) exec sh -c "$*" ;;
  esac
done
`;

/** Reads lines from fd 9 and writes a record END after what each did. */
const DRIVER = `
shell=$1
ulimit -c 0 -f 2000 -t 2 -v 2000000 -u 80
command_not_found_handle() { printf '%s\\0' MISSING "$(($# - 1))" "$@" >>/log/current; return 127; }
export -f command_not_found_handle
unset OLDPWD
shopt -s dotglob nullglob
furnish() {
  cd /w
  /real/find /w /tmp -mindepth 1 -delete
  mkdir=/real/mkdir
  $mkdir src
  : >a.txt; : >b.ts; : >src/c.ts
  : >/log/stamp
}
furnish
while IFS= read -r -d '' line <&9; do
  waiting=$(exec /usr/bin/$shell -c "$line" 8>&1 9<&- >/dev/null 2>&1 </dev/null)
  code=$?
  names=(* /tmp/*)
  wrote=0
  if [[ "\${names[*]}" != 'a.txt b.ts src' || a.txt -nt /log/stamp || b.ts -nt /log/stamp || src -nt /log/stamp \\
    || src/c.ts -nt /log/stamp ]]; then
    wrote=1
    furnish
  fi
  printf '%s\\0' END 1 "$code" "$wrote" >>/log/current
  printf . >>/log/ended
done
`;

/** A user without rights, another one for each sandbox: the limit of processes is the user's. */
let users = 60_000 + (process.pid % 400) * 10;

/** Whether this machine lets us make one. */
export function canSandbox(): boolean {
  return spawnSync('unshare', [...namespaces(), 'true']).status === 0 && existsSync('/usr/bin/dash');
}

export class Sandbox {
  readonly #root: string;
  readonly #shell: ShellName;

  constructor(shell: ShellName) {
    this.#shell = shell;
    this.#root = mkdtempSync(join(tmpdir(), `lockstep-sandbox-${shell}-`));
    furnish(this.#root, users++);
  }

  /** One answer for each line, in their order. No line may hold a NUL: no shell can be given one. */
  async run(lines: readonly string[]): Promise<Ran[]> {
    const answers: Ran[] = [];
    while (answers.length < lines.length) {
      const rest = lines.slice(answers.length);
      const { found, cut, isWhole } = await this.#batch(rest);
      answers.push(...found);
      // The first that has no answer is the one that everything stopped at.
      if (!isWhole && answers.length < lines.length)
        answers.push({ ...cut, wrote: false, exitCode: 124, stuck: true });
    }
    return answers;
  }

  remove(): void {
    rmSync(this.#root, { recursive: true, force: true });
  }

  async #batch(lines: readonly string[]): Promise<Batch> {
    const log = join(this.#root, 'log/current');
    const ended = join(this.#root, 'log/ended');
    writeFileSync(log, '');
    writeFileSync(ended, '');
    writeFileSync(join(this.#root, 'lines'), lines.map((line) => `${line}\0`).join(''));
    const isEnded = await new Promise<boolean>((resolve, reject) => {
      const child = spawn(
        'unshare',
        [...namespaces(), '/bin/sh', join(this.#root, 'enter'), this.#root, this.#shell],
        {
          stdio: ['ignore', 'ignore', 'inherit'],
          env: { PATH: process.env.PATH ?? '/usr/bin:/bin' },
        },
      );
      let seen = 0;
      let idle = 0;
      const watch = setInterval(() => {
        const { size } = lstatSync(ended);
        idle = size === seen ? idle + 1 : 0;
        seen = size;
        if (idle >= 8) child.kill('SIGKILL');
      }, 1000);
      child.on('error', reject);
      child.on('close', (code) => {
        clearInterval(watch);
        resolve(code === 0);
      });
    });
    return { ...answersIn(readFileSync(log, 'utf8')), isWhole: isEnded };
  }
}

interface Batch {
  found: Ran[];
  /** What the line did at which everything stopped. */
  cut: Pick<Ran, 'programs' | 'missing'>;
  isWhole: boolean;
}

function answersIn(log: string): Omit<Batch, 'isWhole'> {
  const answers: Ran[] = [];
  let programs: string[][] = [];
  let missing: string[][] = [];
  const fields = log.split('\0');
  for (let at = 0; at + 2 < fields.length; ) {
    const kind = fields[at];
    const size = Number(fields[at + 1]);
    const words = fields.slice(at + 2, at + 3 + size);
    at += 3 + size;
    if (kind === 'RUN') programs.push(words);
    else if (kind === 'MISSING') missing.push(words);
    else if (kind === 'END') {
      const exitCode = Number(words[0]);
      answers.push({ programs, missing, wrote: words[1] === '1', exitCode, stuck: exitCode > 128 });
      programs = [];
      missing = [];
    } else throw new Error(`a record of the sandbox is torn: ${JSON.stringify(fields.slice(at, at + 6))}`);
  }
  return { found: answers, cut: { programs, missing } };
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}

function namespaces(): string[] {
  const own = ['--net', '--mount', '--pid', '--fork', '--kill-child', '--ipc', '--uts'];
  return isRoot() ? own : ['--user', '--map-root-user', ...own];
}

function furnish(root: string, user: number): void {
  const folder = (path: string) => {
    mkdirSync(join(root, path), { recursive: true });
    return join(root, path);
  };
  chmodSync(root, 0o755);
  for (const path of ['usr/bin', 'real', 'proc', 'dev', 'log', 'w', 'tmp', 'etc']) folder(path);
  for (const path of ['bin', 'sbin']) symlinkSync('usr/bin', join(root, path));
  for (const path of ['usr/sbin', 'usr/local/bin']) {
    folder(join(path, '..'));
    symlinkSync('/usr/bin', join(root, path));
  }
  const program = (name: string, text: string) => {
    writeFileSync(join(root, 'usr/bin', name), text);
    chmodSync(join(root, 'usr/bin', name), 0o755);
  };
  const real = (name: string, to: string) => {
    const found = ['/usr/bin', '/bin', '/usr/sbin', '/sbin'].map((at) => join(at, name)).find(existsSync);
    // What this machine has not got runs what follows it, like the other wrappers.
    if (found === undefined) return program(name, WRAPPER);
    copyFileSync(found, join(root, to, name));
    chmodSync(join(root, to, name), 0o755);
  };
  for (const name of STUBS.split(' ')) program(name, STUB);
  for (const name of WRAPPERS.split(' ')) program(name, WRAPPER);
  for (const name of LINE_RUNNERS.split(' ')) program(name, LINE_RUNNER);
  for (const name of ['bash', 'dash', ...REAL.split(' ')]) real(name, 'usr/bin');
  for (const name of ['find', 'mkdir', 'chroot', 'env']) real(name, 'real');
  for (const [name, shell] of SHELLS) symlinkSync(shell, join(root, 'usr/bin', name));
  writeFileSync(join(root, 'etc/passwd'), `me:x:${user}:${user}::/w:/bin/sh\n`);
  writeFileSync(join(root, 'driver'), DRIVER);
  for (const path of ['log', 'w', 'tmp']) if (isRoot()) chownSync(join(root, path), user, user);
  writeFileSync(join(root, 'enter'), enter(root, user));
}

/** Mounts what programs cannot do without, and goes in. */
function enter(root: string, user: number): string {
  const steps = ['set -e', 'root=$1'];
  for (const path of ['lib', 'lib64', 'usr/lib', 'usr/lib64']) {
    const here = `/${path}`;
    if (!existsSync(here)) continue;
    if (lstatSync(here).isSymbolicLink()) {
      symlinkSync(readlinkSync(here), join(root, path));
    } else {
      mkdirSync(join(root, path), { recursive: true });
      steps.push(`mount --bind ${here} "$root${here}"`);
    }
  }
  writeFileSync(join(root, 'dev/null'), '');
  for (const [name, target] of [
    ['fd', '/proc/self/fd'],
    ['stdin', '/proc/self/fd/0'],
    ['stdout', '/proc/self/fd/1'],
    ['stderr', '/proc/self/fd/2'],
  ] as const)
    symlinkSync(target, join(root, 'dev', name));
  steps.push('mount --bind /dev/null "$root/dev/null"', 'mount -t proc proc "$root/proc"');
  const who = isRoot() ? `--userspec=${user}:${user} --groups=${user}` : '';
  if (isRoot()) steps.push(`chown ${user}:${user} "$root/log/current" "$root/log/ended"`);
  // The shell that waits is the first process: when it is killed, so is everything in there.
  steps.push(
    `chroot ${who} "$root" /real/env -i PATH=/usr/bin HOME=/w LANG=C.UTF-8 FUNCNEST=20 /usr/bin/bash /driver "$2" 9<"$root/lines"`,
  );
  return `${steps.join('\n')}\n`;
}

/** A sandbox of each shell, made before the tests of the suite that asks and removed after them. */
export function bothShells(): { bash: Sandbox; dash: Sandbox; run(lines: readonly string[]): Promise<Both> } {
  const made: Partial<Record<ShellName, Sandbox>> = {};
  beforeAll(() => {
    made.bash = new Sandbox('bash');
    made.dash = new Sandbox('dash');
  });
  afterAll(() => {
    made.bash?.remove();
    made.dash?.remove();
  });
  return {
    get bash() {
      return made.bash as Sandbox;
    },
    get dash() {
      return made.dash as Sandbox;
    },
    run(lines) {
      return Promise.all([this.bash.run(lines), this.dash.run(lines)]);
    },
  };
}

/** What came of each line in bash, and in dash. */
type Both = [bash: Ran[], dash: Ran[]];

/** Reads lines that end in NUL, and says of each whether bash takes it for a shell line: 1 or 0. */
const SYNTAX = `while IFS= read -r -d '' line; do
  if bash -n -c "$line" 2>/dev/null; then printf 1; else printf 0; fi
done`;

/** Those that bash does not take for shell lines; it runs none of them. */
export function noShellLines(lines: readonly string[]): string[] {
  const input = lines.map((line) => `${line}\0`).join('');
  const env = { PATH: process.env.PATH ?? '/usr/bin:/bin' };
  const answers = execFileSync('bash', ['-c', SYNTAX], { input, encoding: 'utf8', env });
  if (answers.length !== lines.length) throw new Error('bash has not answered for each line');
  return lines.filter((_line, index) => answers[index] === '0');
}
