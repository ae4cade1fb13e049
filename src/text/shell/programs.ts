// programs: what is known about programs that run other programs, or read a text as commands. A denial has to see
// through them; an allowance never needs to, since whoever allows `timeout *` has allowed what it starts.

const list = (names: string): ReadonlySet<string> => new Set(names.trim().split(/\s+/));

/** Shells: `-c` is followed by a script; without a file they read one from their standard input. */
const SHELLS = list(`
  sh bash dash zsh ksh ash mksh pdksh oksh yash posh rbash fish csh tcsh elvish xonsh nu busybox toybox su runuser sg newgrp
`);

/** Any name that looks like a shell's: `bash-5.2`, `zsh5`. What is called so and is none takes `-c` for something else. */
export function looksLikeShell(name: string): boolean {
  return SHELLS.has(name) || /^-?(?:r?ba|z|k|da|a|c|tc|fi|mk)?sh(?:[-.]?[\d.]+)?$/.test(name);
}

/** Options of bash that are words, with one dash or two. They are no bundle of letters. */
export const WORD_OPTIONS =
  /^--?(?:debug|debugger|dump-strings|dump-po-strings|help|init-file|login|noediting|nolineediting|noprofile|norc|posix|pretty-print|protected|rcfile|restricted|verbose|version|wordexp)$/;

/** Words that run the words after them, and how many words of their own stand before these. */
export const WRAPPERS: ReadonlyMap<string, number> = new Map([
  ...[
    ...list(`
    sudo doas env choom fd fdfind chronic ifne pee mispipe runuser command builtin exec nohup time nice ionice stdbuf setsid strace ltrace busybox toybox
    xargs parallel gparallel systemd-run systemd-inhibit fakeroot unshare nsenter chpst firejail bwrap caffeinate unbuffer
    rlwrap xvfb-run dbus-run-session dbus-launch valgrind catchsegv gdb lldb cross-env dotenv dotenvx env-cmd tini
    dumb-init proxychains proxychains4 torsocks npx bunx pnpx uvx pipx time gtime winpty entr start-stop-daemon
    watch hyperfine ssh-agent sem
    nodemon concurrently wait-for-it s6-setuidgid pkexec sudoedit prlimit setpriv capsh cpulimit numactl
    ts-node-dev run-parts softlimit retry eatmydata linux32 linux64
    uname26 i386 x86_64 coproc
  `),
  ].map((name): [string, number] => [name, 0]),
  ...[
    ...list(
      'timeout gtimeout flock chrt logsave faketime envdir chroot taskset setarch arch gosu su-exec setuidgid proot script ssh rsh mosh dsh pssh',
    ),
  ].map((name): [string, number] => [name, 1]),
]);

/** Programs that run a command with one of their subcommands only (`docker exec c rm x`), and those subcommands. */
export const SUBCOMMAND_WRAPPERS: ReadonlyMap<string, RegExp> = new Map([
  ...[...list('npm pnpm yarn bun corepack')].map((name): [string, RegExp] => [name, /^(?:exec|x|dlx)$/]),
  ...[
    ...list('poetry pipenv uv pdm rye hatch conda mamba micromamba op doppler foreman flatpak toolbox volta'),
  ].map((name): [string, RegExp] => [name, /^(?:run|tool)$/]),
  ...[
    ...list('bundle rbenv pyenv nodenv nvm fnm direnv mise asdf aws-vault chamber lxc incus multipass'),
  ].map((name): [string, RegExp] => [name, /^(?:exec|x|shell|run)$/]),
  ...[...list('docker podman nerdctl kubectl oc buildah docker-compose')].map((name): [string, RegExp] => [
    name,
    /^(?:run|exec|compose|container|debug)$/,
  ]),
  ['ip', /^(?:netns|vrf)$/],
  ['nix', /^(?:run|develop|shell)$/],
  ['guix', /^(?:shell|environment)$/],
  ['distrobox', /^enter$/],
  ['vagrant', /^ssh$/],
  ['perf', /^(?:stat|record|trace)$/],
  [
    'tmux',
    /^(?:new|new-session|neww|new-window|splitw|split-window|send|send-keys|respawn\w*|run|run-shell)$/,
  ],
  ['screen', /^-\w*[dX]/],
]);

/** Options of programs that take the word after them as their value; other options of theirs take none. */
export const VALUE_OPTIONS: ReadonlyMap<string, RegExp> = new Map([
  [
    'git',
    /^(?:-C|-c|--git-dir|--work-tree|--namespace|--exec-path|--config-env|--attr-source|--super-prefix)$/,
  ],
  ['npm', /^(?:--prefix|-C|-w|--workspace|--registry|--userconfig|--cache|--loglevel)$/],
  ['pnpm', /^(?:-C|--dir|--filter|-F|--config\.\S+|--reporter)$/],
  ['yarn', /^(?:--cwd|--registry)$/],
  ['cargo', /^(?:--manifest-path|--config|-C|-Z|--color)$/],
  ['go', /^-C$/],
  ['gh', /^(?:-R|--repo|--hostname)$/],
  ['make', /^(?:-C|-f|-j|-I|-o|-W|--directory|--file|--jobs)$/],
  ['docker', /^(?:--context|-c|-H|--host|--config|-l|--log-level)$/],
  ['kubectl', /^(?:-n|--namespace|--context|--kubeconfig|--cluster|--user|-s|--server|--as|--token)$/],
  ['rm', /^$/],
  ['xargs', /^(?:-[nPIaEdLsRSJ]|--(?:max-args|max-procs|replace|arg-file|delimiter|max-lines|max-chars))$/],
  ['sudo', /^(?:-[ugpCrtTUDRh]|--(?:user|group|prompt|chdir|host|role|type))$/],
  ['env', /^(?:-[uCS]|--(?:unset|chdir|split-string))$/],
  ['timeout', /^(?:-[ks]|--(?:kill-after|signal))$/],
  ['nice', /^(?:-n|--adjustment)$/],
  ['stdbuf', /^-[ioe]$/],
  ['npx', /^(?:-p|--package|-c|--call)$/],
  ['nohup', /^$/],
  ['setsid', /^$/],
  ['command', /^$/],
  ['exec', /^-a$/],
  ['runuser', /^-[ugGsw]$/],
]);

/** Wrappers that add words of their own, read from somewhere, to what they run. */
export const FEEDERS = list('xargs parallel gparallel');

/** Programs of which any argument may be a line for a shell. */
export const LINE_TAKERS = list(`
  watch ssh rsh mosh dsh pssh hyperfine parallel gparallel sem entr concurrently script flock su runuser sg env xterm expect at
  batch nix-shell docker-compose
`);

/** Those of them that surely hand it to a shell of this machine. */
export const RUNS_LINES = list(
  'watch hyperfine parallel gparallel entr concurrently script flock su runuser sg env nix-shell at batch alias PS4',
);

/** Options after which a program is likely to take a line for a shell. */
export const LINE_OPTION =
  /^(?:-[a-z]*c|-x|-X|-P|-S|-e|-exec|--(?:command|exec|run|shell|call|eval|cmd|extcmd|split-string|to-command|use-compress-program|checkpoint-action|rsh|init-command|shell-command|on-change|pre|preview|source)(?:=.*)?)$/;

/** Programs that take a text in another language, and what that text says where it starts a command. */
const INTERPRETERS: readonly (readonly [name: RegExp, starts: RegExp])[] = [
  [/^(?:python[\d.]*|pypy[\d.]*)$/, /os\.|system|popen|subprocess|spawn|exec|pty/],
  [/^(?:node|nodejs|deno|bun|tsx|ts-node)$/, /child_process|exec|spawn|\$`|Deno/],
  [
    /^(?:perl|ruby|php|lua|luajit|tclsh|Rscript|julia|osascript|groovy|guile|racket|elixir|erl|swift|scala|pwsh|powershell)[\d.]*$/,
    /system|exec|spawn|popen|passthru|proc_open|shell|`|qx|%x|Open3|\bopen\b|\bcmd\b/,
  ],
  [/^[gmn]?awk$/, /system|\|/],
  [
    /^g?sed$/,
    /(?:^|[;{}\n]\s*)(?:\d+|\$|\/[^/]*\/)?(?:,(?:\d+|\$))?\s*!?\s*e(?:\s|$)|[/|#,@_][gpimIM0-9]*e[gpimIMw0-9]*\s*(?:[;}\n]|$)/,
  ],
  [/^(?:git|rsync|scp|sftp)$/, /ProxyCommand|ext::|^!/],
  [
    /^(?:make|gmake|vim?|nvim|view|ex|ed|emacs|gdb|lldb|tar|bsdtar|zip|socat|ncat?|expect|m4|gnuplot|cmake|ctest|nmap)$/,
    /\s/,
  ],
];

/** Undefined: it takes no text that could start a command. */
export function startsOf(name: string): RegExp | undefined {
  return INTERPRETERS.find(([names]) => names.test(name))?.[1];
}

/** Programs whose arguments are theirs alone: file names, texts, subcommands. */
export const PLAIN = list(`
  echo printf print cat tac head tail grep egrep fgrep rg ag ack zgrep ls dir tree exa eza lsd wc sort uniq cut tr rev paste join comm
  column fold fmt nl od xxd hexdump strings file stat du df diff cmp sdiff patch cp mv rm ln mkdir rmdir touch chmod chown
  chgrp install truncate dd tee sed awk gawk mawk jq yq xq git gh glab hub npm pnpm yarn bun node deno python python2 python3
  pip pip3 pytest ruby gem rake perl php composer go gofmt cargo rustc rustfmt rustup mvn gradle gradlew ant make cmake
  ninja ctest gcc g++ cc c++ clang ld ar nm java javac kotlinc dotnet swift tsc tsx ts-node eslint prettier biome vitest jest
  mocha playwright cypress curl wget ping dig nslookup host nc ss netstat ps top kill pkill killall pgrep jobs fg bg wait sleep
  true false test [ [[ : cd pwd pushd popd dirs export local declare typeset readonly set unset shift return exit break continue
  read mapfile readarray getopts let alias unalias type which whereis whatis hash help history id whoami who groups uname
  hostname date cal uptime free lscpu env_file printenv tput clear reset stty tty seq yes shuf expr bc factor basename dirname
  realpath readlink mktemp md5sum sha1sum sha256sum sha512sum shasum cksum sum base64 gzip gunzip zcat bzip2 xz zstd tar zip
  unzip 7z openssl gpg ssh-keygen ssh-add apt apt-get dpkg yum dnf apk brew snap systemctl service journalctl crontab mount
  umount lsblk fdisk helm terraform aws gcloud az heroku fly vercel netlify sqlite3 psql mysql redis-cli mongosh vim nano
  code less more man info ed turbo nx lerna rush black ruff flake8 mypy isort rspec rubocop phpunit ctags markdownlint
  shellcheck shfmt hadolint actionlint yamllint jsonlint lsof fuser strip objdump readelf ldd pkg-config rsync scp sftp
  umask ulimit times trap eval exec source . apply_patch lockstep claude codex gemini
`);

/** Variables whose value a program runs as a command. */
export const COMMAND_VARIABLES =
  /^(?:PS[0-4]|PROMPT_COMMAND|BASH_ENV|ENV|GIT_SSH(?:_COMMAND)?|GIT_PROXY_COMMAND|GIT_EXTERNAL_DIFF|(?:GIT_|GIT_SEQUENCE_)?EDITOR|VISUAL|(?:GIT_|MAN)?PAGER|BROWSER|LESSOPEN|LESSCLOSE|RSYNC_RSH|KUBE_EDITOR|SUDO_EDITOR|CC|CXX|GOFLAGS|npm_config_script_shell|CARGO_TARGET_\w+_RUNNER|(?:GIT_|SSH_|SUDO_)?ASKPASS|FZF_DEFAULT_COMMAND|RUSTC_WRAPPER|MAKEFLAGS)$/;
/** With these a line gives git settings, aliases among them, in a way that is not followed. */
export const GIT_SETTINGS = /^GIT_CONFIG_(?:COUNT|KEY_\d+|VALUE_\d+|PARAMETERS)$/;
/** Of these the shell itself runs what stands in them. */
export const SHELL_VARIABLES = /^(?:PS[0-4]|PROMPT_COMMAND|BASH_ENV|ENV)$/;
