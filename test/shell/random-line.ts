// random-line: shell lines that nobody would write by hand. Three ways to make one: from a grammar that hides a command
// in ever other surroundings, by damaging a line of the corpora, and from tokens in a row.

import type { Random } from './random.ts';

/** Commands that no list of the fuzz is against. */
const HARMLESS = [
  'npm test',
  'npm run build',
  'npm ci',
  'git diff --stat',
  'git diff HEAD a.txt',
  'git status',
  'git log -1',
  'ls -la',
  'node x.js',
  'echo hi',
  'make all',
  'true',
];
/** Commands that the fuzz watches for. */
const WATCHED = [
  'git push',
  'git push origin main',
  'rm x',
  'rm -rf src',
  'touch X',
  'git push --force',
  'curl localhost',
];
const WRAPPERS = [
  'sudo',
  'sudo -u me',
  'env',
  'env -i',
  'env A=b',
  'env -u A',
  'timeout 5',
  'timeout -k 1 5',
  'nice',
  'nice -n 5',
  'nohup',
  'setsid',
  'stdbuf -oL',
  'xargs',
  'xargs -r',
  'xargs -n 1',
  'xargs -I{}',
  'command',
  'command -p',
  'builtin command',
  'exec',
  'exec -a x',
  'time',
  'time -p',
  'ionice -c 3',
  'taskset 1',
  'flock a.txt',
  'strace -f',
  'doas',
  'busybox',
  'coproc',
  '!',
  'eval',
  'watch',
  'find . -maxdepth 0 -exec',
];
const SHELLS = [
  'sh',
  'bash',
  'dash',
  'zsh',
  '/bin/sh',
  'sudo sh',
  'env bash',
  'bash -e',
  'bash --norc',
  'sh -u',
];
const REDIRECTIONS = [
  '>/dev/null',
  '2>&1',
  '2>/dev/null',
  '</dev/null',
  '<a.txt',
  '>out',
  '>>a.txt',
  '2>err',
  '&>out',
  '>|out',
  '<>out',
  '>&2',
  '3>&1',
  '{fd}>out',
  '<<<x',
  '>&out',
  '0<a.txt',
];
const BLANKS = [' ', ' ', ' ', ' ', '  ', '\t', ' \\\n', '\\\n '];
/** What is a blank to somebody else, or nothing at all. */
const ODD = [
  '\r',
  '\v',
  '\f',
  '\u00a0',
  '\u2003',
  '\u0085',
  '\u2028',
  '\u200b',
  '\ufeff',
  '\u0001',
  '\u007f',
  '\b',
];
const TOKENS = [
  ...[
    'git',
    'push',
    'rm',
    'x',
    'npm',
    'test',
    'touch',
    'X',
    'echo',
    'sh',
    '-c',
    'eval',
    'env',
    'a.txt',
    'git push',
  ],
  ...[
    ';',
    '&',
    '&&',
    '||',
    '|',
    '|&',
    '(',
    ')',
    '{',
    '}',
    '((',
    '))',
    '[[',
    ']]',
    '[',
    ']',
    '!',
    '\n',
    ';;',
    ';&',
  ],
  ...[
    '$',
    '$(',
    '${',
    '$((',
    '$[',
    '`',
    '"',
    "'",
    "$'",
    '$"',
    '\\',
    '\\\n',
    '#',
    ' #',
    '~',
    '*',
    '?',
    '=',
    '+=',
    ',',
  ],
  ...['<', '>', '>>', '<<', '<<-', '<<<', '<(', '>(', '>&', '<&', '&>', '<>', '>|', '2>', '0<'],
  ...[
    'if',
    'then',
    'else',
    'elif',
    'fi',
    'for',
    'in',
    'do',
    'done',
    'while',
    'until',
    'case',
    'esac',
    'select',
  ],
  ...[
    'function',
    'time',
    'coproc',
    'f()',
    'EOF',
    '\nEOF\n',
    "<<'EOF'\n",
    '<<EOF\n',
    'x=',
    'a=(',
    '${x:-',
    '${x#',
    '$x',
  ],
  ...[
    '$@',
    '$*',
    '$#',
    '$?',
    '$$',
    '$!',
    '$0',
    '$1',
    '${#x}',
    '${x}',
    '{a,b}',
    '{1..2}',
    '-',
    '--',
    ':',
    '.',
    'true',
  ],
  ...[' ', ' ', ' ', ' ', '  ', '\t', ...ODD],
];

export class LineMaker {
  readonly #random: Random;
  readonly #corpus: readonly string[];

  constructor(random: Random, corpus: readonly string[]) {
    this.#random = random;
    this.#corpus = corpus;
  }

  /** Any kind. No line holds a NUL: no shell could be given it. */
  line(): string {
    const kind = this.#random.next();
    const made =
      kind < 0.55
        ? this.#grammar(3)
        : kind < 0.65
          ? this.#damaged(this.#grammar(2))
          : kind < 0.88
            ? this.#damaged()
            : this.#soup();
    return made.replaceAll('\0', '');
  }

  /** A line as somebody in a hurry would write it: harmless commands, plain words, ordinary grammar. */
  plain(): string {
    const random = this.#random;
    const one = () => this.#nested(2);
    const around = random.next();
    // What must end a line stands at the end of it.
    if (around < 0.05) return `${one()} # ${random.pick(HARMLESS)}`;
    if (around < 0.1) return `cat <<'EOF'\n${random.pick(HARMLESS)}; it's text\nEOF`;
    if (around < 0.15) return `${one()} && git commit -m "$(cat <<'EOF'\n${random.pick(HARMLESS)}\nEOF\n)"`;
    if (around < 0.2) return `cat <<EOF\n$(${one()}) \\$x\nEOF\n${one()}`;
    return one();
  }

  #nested(depth: number): string {
    const random = this.#random;
    const one = () => (depth > 0 && random.chance(0.5) ? this.#nested(depth - 1) : random.pick(HARMLESS));
    return random.pick([
      () => one(),
      () => `${one()} && ${one()}`,
      () => `${one()}; ${one()}`,
      () => `${one()} | cat`,
      () => `(${one()})`,
      () => `{ ${one()}; }`,
      () => `if ${one()}; then ${one()}; fi`,
      () => `for f in a b "c d"; do ${one()}; done`,
      () => `while ${one()}; do ${one()}; break; done`,
      () => `case "$x" in a|b) ${one()} ;; *) ${one()} ;; esac`,
      () => `echo "$(${one()})"`,
      () => `${random.pick(HARMLESS)} 2>&1 | tail -5`,
      () => `${random.pick(HARMLESS)} > out.txt`,
      () => `A=b ${random.pick(HARMLESS)}`,
      () => `timeout 5 ${random.pick(HARMLESS)}`,
      () => `[[ -f a && $x == b* ]] && ${one()}`,
      () => `f() { ${one()}; }`,
      () => `bash -c '${random.pick(HARMLESS)}'`,
      () => `diff <(${one()}) <(${one()})`,
      () => 'echo "${x:-default}" $((1 + 2))',
    ])();
  }

  #grammar(depth: number): string {
    const random = this.#random;
    if (depth === 0 || random.chance(0.15)) return this.#command();
    const inner = () => this.#grammar(depth - 1);
    const word = () => this.#word();
    return random.pick([
      () =>
        `${inner()}${this.#blank()}${random.pick(['&&', '||', ';', '|', '&', '|&', '\n'])}${this.#blank()}${inner()}`,
      () => `${inner()}${random.pick([';', '&&', '|', '\n', '&', '||'])}${inner()}`,
      () => `${inner()} ${inner()}`,
      () => `(${inner()})`,
      () => `{ ${inner()}; }`,
      () => `! ${inner()}`,
      () => `if ${inner()}; then ${inner()}; fi`,
      () => `if true; then ${inner()}; else ${inner()}; fi`,
      () => `for i in ${word()} ${word()}; do ${inner()}; done`,
      () =>
        `for i in git push rm; do ${random.pick(['$i', 'git $i', '"$i"', 'npm $i', 'git "${i}" x', 'echo $i'])} ${word()}; done`,
      () => `for ((i=0;i<1;i++)); do ${inner()}; done`,
      () => `while ${inner()}; do ${inner()}; break; done`,
      () => `until ${inner()}; do break; done`,
      () =>
        `case ${word()} in ${random.pick(['*', 'a', '(a)', 'a|b', '"a)"', '[a-z]*'])}) ${inner()};; *) ${inner()};; esac`,
      () => `case a in\na) ${inner()}\n;; esac`,
      () => `f() { ${inner()}; }; f`,
      () => `function f { ${inner()}; }; f ${word()}`,
      () => `npm() { ${inner().replaceAll('npm', 'node')}; }; npm test`,
      () => `echo $(${inner()})`,
      () => `echo "$(${inner()})"`,
      () => `echo \`${inner().replaceAll(/[\\`$]/g, '\\$&')}\``,
      () => `echo "a \`${inner().replaceAll(/[\\`]/g, '\\$&')}\` b"`,
      () => `npm test $(${inner()})`,
      () => `$(${inner()})`,
      () => `x=$(${inner()})`,
      () => `x=$(${inner()}) ${inner()}`,
      () => `echo \${x:-$(${inner()})}`,
      () => `echo "\${x:-$(${inner()})}"`,
      () => `npm test \${x:- #};${inner()}`,
      () =>
        `npm test \${x:-${random.pick(["'", '"', '}', "'}'", '"}"', '\\}', '$(', ';', ' # '])}};${inner()}`,
      () => `echo $((1 + $(${inner()}; echo 1)))`,
      () => `echo $((a[$(${inner()})]))`,
      () => `((x = $(${inner()}; echo 1)))`,
      () => `[[ -n $(${inner()}) ]] && ${inner()}`,
      () => `[[ a == ${word()} || $(${inner()}) ]]`,
      () => `[ -n "$(${inner()})" ]`,
      () => `cat <(${inner()})`,
      () => `npm test > >(${inner()})`,
      () => `${inner()} <<< ${word()}`,
      () => `${random.pick(SHELLS)} <<< ${this.#quoted(inner())}`,
      () => `${random.pick(SHELLS)} -c ${this.#quoted(inner())}`,
      () =>
        `${random.pick(SHELLS)} ${random.pick(['-ec', '-xc', '-c --', '-c -e', '-lc', '-uc'])} ${this.#quoted(inner())} ${word()}`,
      () => `eval ${this.#quoted(inner())}`,
      () => `eval ${inner()}`,
      () => `echo ${this.#quoted(inner())} | ${random.pick(SHELLS)}`,
      () => `printf '%s\\n' ${this.#quoted(inner())} | ${random.pick(SHELLS)}`,
      () =>
        `echo ${this.#quoted(inner())} | xargs ${random.pick(['', '-r', '-n1', '-I{}', '-0'])} ${random.pick(['git', 'env', 'sh -c', 'npm', 'npm {}', 'sh -c {}', 'git {}'])}`,
      () => `echo ${word()} | xargs ${this.#command()}`,
      () => `trap ${this.#quoted(inner())} ${random.pick(['EXIT', '0', 'ERR', 'DEBUG'])}`,
      () => this.#heredoc(depth),
      () =>
        `find . -maxdepth 0 -exec ${this.#command()} ${random.pick(['\\;', '+', "';'", '{} \\;', '{} +'])}`,
      () => `${inner()} # ${inner().replaceAll('\n', ' ')}`,
      () => `# ${inner().replaceAll('\n', ' ')}\n${inner()}`,
      () => `npm test # ${random.pick(["'", '"', '`', '\\', '$('])}\n${inner()}`,
      () => `npm test ${random.pick(ODD)}# ; ${inner()}`,
      () => `${random.pick(['x', 'PATH', 'A'])}=${word()} ${inner()}`,
      () =>
        `x=${random.pick(['git', 'push', "'git push'", 'rm', '"rm x"'])}; ${random.pick(['$x push', 'git $x', '$x', '"$x" x', 'eval $x', 'npm $x', 'echo $x', 'git "$x"'])}`,
      () => `set -- ${inner()}; ${random.pick(['"$@"', '$*', 'git "$@"', '$1 $2', 'npm "$@"'])}`,
      () => `${random.pick(WRAPPERS)} ${inner()}`,
      () => `${this.#command()} ${this.#blank()}${random.pick(REDIRECTIONS)}`,
      () => `alias ${random.pick(['npm', 'x'])}=${this.#quoted(inner())}\n${random.pick(['npm test', 'x'])}`,
      () =>
        `${random.pick(['mapfile -c 1 -C', 'PROMPT_COMMAND=', 'BASH_ENV=', 'complete -C'])} ${this.#quoted(inner())} ${word()}`,
    ])();
  }

  #heredoc(depth: number): string {
    const random = this.#random;
    const reader = random.pick([
      'cat',
      'npm test',
      'sh',
      'bash -s',
      'sudo sh',
      'cat | sh',
      'git commit -F -',
      'xargs git',
      'while read l; do $l; done',
    ]);
    const [written, end] = random.pick([
      ['EOF', 'EOF'],
      ["'EOF'", 'EOF'],
      ['"EOF"', 'EOF'],
      ['\\EOF', 'EOF'],
      ["E'O'F", 'EOF'],
      ["'E F'", 'E F'],
      ["''", ''],
      ['a$b', 'a$b'],
    ] as const);
    const dash = random.chance(0.2) ? '-' : '';
    const body = random.pick([
      () => this.#grammar(depth - 1),
      () => `text $(${this.#grammar(depth - 1)})`,
      () => `it's "text \`${random.pick(WATCHED)}\``,
      () => `${end} \n\t${end}`,
      () => `a\\`,
      () => `\${x:-$(${random.pick(WATCHED)})}`,
    ])();
    const text =
      `${reader} <<${dash}${random.chance(0.2) ? ' ' : ''}${written}${random.chance(0.2) ? `; ${this.#command()}` : ''}\n${body}\n${dash}${end}`.replace(
        /\n-([^\n]*)$/,
        '\n\t$1',
      );
    const ended = random.chance(0.9) ? `${text}\n` : text;
    return random.chance(0.4)
      ? `git commit -m "$(${ended})"`
      : `${ended}${random.chance(0.5) ? this.#grammar(depth - 1) : ''}`;
  }

  /** One simple command, with its words in disguise. */
  #command(): string {
    const random = this.#random;
    let words = random.pick(random.chance(0.55) ? WATCHED : HARMLESS).split(' ');
    if (words[0] === 'git' && random.chance(0.25)) {
      const options = [
        '-C .',
        '--no-pager',
        '-c a=b',
        '--git-dir=.git',
        '-P',
        '-c "a b=c"',
        '--git-dir .git',
        '$X',
        '-C "$x"',
        '--work-tree=.',
      ];
      words = ['git', random.pick(options), ...words.slice(1)];
    }
    if (random.chance(0.15))
      words[0] = random.pick([
        `/usr/bin/${words[0]}`,
        `/bin/${words[0]}`,
        `\\${words[0]}`,
        `../bin/${words[0]}`,
      ]);
    if (random.chance(0.1)) words.push(this.#word());
    const heavy = random.chance(0.35);
    words = words.map((word, index) =>
      random.chance(heavy ? 0.5 : index < 2 ? 0.08 : 0.03) ? this.#disguised(word) : word,
    );
    if (random.chance(0.15)) words.splice(random.below(words.length + 1), 0, random.pick(REDIRECTIONS));
    if (random.chance(0.1))
      words.unshift(random.pick(['A=b', 'A="c d"', 'A=$(true)', 'a[0]=1', 'A+=b', 'A=']));
    if (random.chance(0.15)) words.unshift(random.pick(WRAPPERS));
    return words.reduce((line, word) => `${line}${this.#blank()}${word}`);
  }

  #disguised(word: string): string {
    const random = this.#random;
    const at = random.below(word.length + 1);
    const [before, after] = [word.slice(0, at), word.slice(at)];
    return random.pick([
      () => `'${word}'`,
      () => `"${word}"`,
      () => `${before}''${after}`,
      () => `${before}""${after}`,
      () => `${before}'${after}'`,
      () => `"${before}"${after}`,
      () => (/^\w/.test(after) ? `${before}\\${after}` : word),
      () => `${before}\\\n${after}`,
      () => `$'${word}'`,
      () => `$'${[...word].map((letter) => `\\x${letter.charCodeAt(0).toString(16)}`).join('')}'`,
      () => `$"${word}"`,
      () => `\${x:-${word}}`,
      () => `\${x-${word}}`,
      () => `${before}\${x}${after}`,
      () => `${before}$x${/^\w/.test(after) ? '""' : ''}${after}`,
      () => `${before}$@${after}`,
      () => `$(echo ${word})`,
      () => `"$(echo ${word})"`,
      () => `\`echo ${word}\``,
      () => `{${word},}`,
      () => `{${word},x}`,
      () => `${before}{${after},}`,
      () => (at > 0 ? `${before.slice(0, -1)}[${before.slice(-1)}]${after}` : word),
      () => (at > 0 ? `${before.slice(0, -1)}?${after}` : word),
      () => `${before}*`,
      () => `${before}${random.pick(ODD)}${after}`,
      () => `${random.pick(ODD)}${word}`,
    ])();
  }

  #word(): string {
    return this.#random.pick([
      ...[
        'a',
        'x',
        'push',
        'git',
        'rm',
        '"a b"',
        "'a;b'",
        '$x',
        '"$x"',
        '${x:-a}',
        '*',
        'a.txt',
        '-n',
        '--',
        '{a,b}',
        '~',
      ],
      ...[
        "'git push'",
        '"rm x"',
        'a\\ b',
        '$((1+1))',
        "it\\'s",
        "$'a\\'b'",
        '"a\\"b"',
        '"$(true)"',
        '`true`',
        '#',
        'a#b',
        '-c',
      ],
    ]);
  }

  #blank(): string {
    return this.#random.chance(0.02) ? this.#random.pick(ODD) : this.#random.pick(BLANKS);
  }

  #quoted(text: string): string {
    const random = this.#random;
    return random.pick([
      () => `'${text.replaceAll("'", `'\\''`)}'`,
      () => `'${text.replaceAll("'", `'\\''`)}'`,
      () => `"${text.replaceAll(/["\\$`]/g, '\\$&')}"`,
      () => `"${text.replaceAll(/["\\`]/g, '\\$&')}"`,
      () => `$'${text.replaceAll(/['\\]/g, '\\$&').replaceAll('\n', '\\n')}'`,
      () => text.replaceAll(/[^\w\n]/g, '\\$&'),
      () => `"$(echo '${text.replaceAll("'", `'\\''`)}')"`,
      () => text,
    ])();
  }

  #damaged(given = this.#random.pick(this.#corpus)): string {
    const random = this.#random;
    let line = given;
    for (let times = 1 + random.below(3); times > 0; times--) {
      const at = random.below(line.length + 1);
      const length = 1 + random.below(6);
      const [before, after] = [line.slice(0, at), line.slice(at)];
      line = random.pick([
        () => `${before}${after.slice(1)}`,
        () => `${before}${after.slice(length)}`,
        () => `${before}${random.pick(TOKENS)}${after}`,
        () => `${before}${random.pick(TOKENS)}${after}`,
        () => `${before}${random.pick(TOKENS)}${after.slice(1)}`,
        () => `${before}${after.slice(0, length)}${after}`,
        () =>
          `${before}${random.pick([';', '&&', '\n', '|', ' ', '&', '||'])}${random.pick(WATCHED)}${random.pick([';', '\n', ' ', ' #', ''])}${after}`,
        () => `${before}$(${random.pick(WATCHED)})${after}`,
        () =>
          line.replace(
            random.pick(['git push', 'npm test', 'git status', 'echo', 'git']),
            random.pick([...WATCHED, ...HARMLESS]),
          ),
        () =>
          line.replace(
            random.pick(['"', "'", '$', '\\', ')', '(', '`', '}', '{', ' ', '\n', ';']),
            random.pick(TOKENS),
          ),
        () => `${line}${random.pick(['; ', ' && ', '\n', ' | ', ' & ', ' '])}${random.pick(this.#corpus)}`,
        () => `${random.pick(WRAPPERS)} ${line}`,
      ])();
    }
    return line.slice(0, 4000);
  }

  #soup(): string {
    const random = this.#random;
    let line = random.chance(0.6)
      ? `${random.pick(['npm test', 'git diff x', 'echo a', 'npm run', 'git', 'sh -c'])} `
      : '';
    for (let count = 2 + random.below(12); count > 0; count--) {
      line += random.pick(TOKENS);
      if (random.chance(0.4)) line += ' ';
    }
    return random.chance(0.5)
      ? `${line}${random.pick([';', '\n', '&&', '|', ' '])}${random.pick(WATCHED)}`
      : line;
  }
}
