// random-template: shell lines with `{{ }}` in them, where authors put them and where they should not.

import type { Random } from './random.ts';

export interface Template {
  line: string;
  /** What the line runs depends on the value by itself: `case {{ x }} in …`. */
  depends: boolean;
  /** The line writes files by itself. */
  writes: boolean;
}

const A = '{{ inputs.a }}';
const B = '{{ inputs.b }}';

/** The value goes to `npm` as it is, or nowhere. */
const STEADY = [
  ...[
    `npm ${A}`,
    `npm x${A}y`,
    `npm "${A}"`,
    `npm "x ${A} y"`,
    `npm '${A}'`,
    `npm 'x ${A} y'`,
    `npm ${A}${B}`,
  ],
  ...[`npm "${A}"'${B}'${A}`, `npm --x=${A}`, `npm "--x=${A}" ${B}`, `npm ${A} ${B} ${A}`, `npm "${A}${B}"`],
  ...[
    `npm a\\ ${A}`,
    `npm \\\\${A}`,
    `npm \\${A}`,
    `npm "\\${A}"`,
    `npm "\\\\${A}"`,
    `npm '\\${A}'`,
    `npm \\\n ${A}`,
  ],
  ...[`npm $'${A}'`, `npm $"${A}"`, `npm $${A}`, `npm "$${A}"`, `npm \\$${A}`],
  ...[
    `npm '$${A}'`,
    `npm "\\$${A}"`,
    `npm $#${A}`,
    // Another variable than those that other pieces set: an unquoted one would be split, as its author wrote it.
    `npm $unset${A}`,
    `npm "$unset${A}"`,
    `npm $?${A}`,
    `npm a$${A}b`,
  ],
  ...[
    `npm $(( ${A} ))`,
    `npm "$(( ${A} + 1 ))"`,
    `npm $((1 + (${A})))`,
    `npm $[ ${A} ]`,
    `(( ${A} )); npm x`,
  ],
  ...[
    `let x=${A}; npm x`,
    `let "x=${A}"; npm x`,
    `x[${A}]=1; npm x`,
    `x["${A}"]=1; npm x`,
    `npm \${x[${A}]}`,
  ],
  ...[
    `npm \${ ${A} }`,
    `npm \${x:-${A}}`,
    `npm "\${x:-${A}}"`,
    `npm "\${x:-'${A}'}"`,
    `npm \${x:-"${A}"}`,
    `npm \${x#${A}}`,
  ],
  ...[
    `npm \${x:+a} ${A}`,
    `npm "\${x}" "${A}"`,
    `npm \${x:-'}'} ${A}`,
    `npm "\${x:-'}" ${A}`,
    `npm \${x:- #} ${A}`,
  ],
  ...[
    `npm \`npm ${A}\``,
    `npm \`npm "${A}"\``,
    `npm "\`npm '${A}'\`"`,
    `npm \`npm x\` ${A}`,
    `npm "\`npm x\`${A}"`,
  ],
  ...[
    `npm $(npm ${A})`,
    `npm "$(npm ${A})"`,
    `npm "$(npm "${A}")"`,
    `npm "$(npm '${A}')" ${B}`,
    `npm $(npm x) "${A}"`,
  ],
  ...[`npm "$(npm ")" ${A})"`, `npm $(npm \\) ${A})`, `npm $(npm x # )\n) ${A}`, `npm $( (npm ${A}) )`],
  ...[
    `npm <<EOF\n${A}\nEOF\n`,
    `npm <<'EOF'\n${A}\nEOF\n`,
    `npm <<"EOF"\nx ${A}\nEOF\n`,
    `npm <<-EOF\n\t${A}\n\tEOF\n`,
  ],
  ...[
    `npm <<EOF\n"${A}"\nEOF\n`,
    `npm <<EOF\n$(npm ${A})\nEOF\n`,
    `npm <<EOF ${A}\nx\nEOF\n`,
    `npm <<${A}\nx\n${A}\n`,
  ],
  ...[
    `cat <<EOF\nit's\nEOF\nnpm ${A}`,
    `cat <<'EOF'\n"\nEOF\nnpm "${A}"`,
    `cat <<EOF\n\`npm x\`\nEOF\nnpm '${A}'`,
  ],
  ...[
    `cat <<EOF; npm ${A}\nx\nEOF\n`,
    `npm "$(cat <<'EOF'\nx\nEOF\n)" ${A}`,
    `npm "$(cat <<'EOF'\n${A}\nEOF\n)"`,
  ],
  ...[
    `npm <<< ${A}`,
    `npm <<< "${A}"`,
    `npm <<<'${A}' x`,
    `npm x # ${A}`,
    `# ${A}\nnpm y`,
    `npm x#${A}`,
    `npm "#" ${A}`,
  ],
  ...[
    `npm a # it's\nnpm ${A}`,
    `npm a # "\nnpm '${A}'`,
    `npm x;# ${A}`,
    `npm $# ${A}`,
    `npm \\# ${A}`,
    `npm a'#'${A}`,
  ],
  ...[
    `case x in *) npm ${A};; esac`,
    `case x in x) npm 1;; esac; npm ${A}`,
    `npm $(case x in x) npm ${A};; esac)`,
  ],
  ...[
    `npm "$(case x in (x) npm "${A}";; esac)" ${B}`,
    `case ")" in ")") npm "${A}";; esac`,
    `(case x in x) npm '${A}';; esac)`,
  ],
  ...[
    `x=${A}; npm "$x"`,
    `x="${A}" npm y`,
    `x='${A}'; npm "$x" ${B}`,
    `export X=${A}; npm "$X"`,
    `x=(${A} "${B}"); npm "\${x[@]}"`,
  ],
  ...[
    `x=a${A}b; npm "$x"`,
    `x=$(npm ${A}); npm "$x"`,
    `set -- ${A} ${B}; npm "$@"`,
    `readonly Y="${A}"; npm "$Y"`,
  ],
  ...[
    `if true; then npm ${A}; fi`,
    `if [ -n x ]; then npm "${A}"; else npm '${B}'; fi`,
    `true && npm ${A} || npm 1`,
  ],
  ...[
    `for i in ${A} ${B}; do npm "$i"; done`,
    `for i in 1; do npm ${A}; done`,
    `for i in "${A}"; do npm "$i" '${B}'; done`,
  ],
  ...[
    `while true; do npm ${A}; break; done`,
    `until npm ${A}; do break; done`,
    `(npm ${A})`,
    `{ npm ${A}; }`,
    `! npm ${A}`,
  ],
  ...[`f() { npm ${A}; }; f`, `f() { npm "$1" "\${2}"; }; f ${A} "${B}"`, `f() ( npm '${A}' ); f`],
  ...[
    `npm ${A} | npm "${B}"`,
    `npm ${A} &`,
    `npm ${A}; npm '${B}'`,
    `npm ${A}\nnpm ${B}`,
    `npm ${A} 2>&1`,
    `npm ${A} >/dev/null`,
  ],
  ...[`npm <(npm ${A})`, `time npm ${A}`, `env X=${A} npm ${B}`, `timeout 5 npm ${A}`, `nohup npm ${A}`],
  ...[
    `echo x | xargs npm ${A}`,
    `find . -maxdepth 0 -exec npm ${A} \\;`,
    `sh -c 'npm "$1"' sh ${A}`,
    `bash -c 'npm "$@"' _ ${A} ${B}`,
  ],
  ...[`ssh host "npm ${A}"`, `ssh host npm ${A}`, `ssh host 'npm "${A}"'`, `docker exec c sh -c "npm ${A}"`],
  ...[
    `npm {a,${A}}`,
    `npm {${A},b}`,
    `npm ~${A}`,
    `npm no-such-*${A}`,
    `npm [${A}]`,
    `npm =${A}`,
    `npm a=${A}`,
    `npm -${A}`,
    `npm @(${A})`,
  ],
  ...[`npm {% if inputs.a != "zz" %}"${A}"{% endif %} x`, `npm {% if inputs.a == "zz" %}'{% endif %}${A}`],
  ...[
    `npm {% if inputs.a != "zz" %}"{% endif %}${A}{% if inputs.a != "zz" %}"{% endif %}`,
    `npm {% for x in ["a", "b"] %}"{{ x }}${A}" {% endfor %}`,
  ],
  ...[
    `npm {% for x in ["a", "b"] %}'{{ x }}${A}{% endfor %}'`,
    `npm {% raw %}$({% endraw %}npm ${A})`,
    `npm "{% if true %}${A}{% endif %}"`,
  ],
];

/** What runs, or which words there are, is decided by the value: only harm is looked for. */
const DEPENDENT = [
  ...[`npm $$${A}`, `npm "$$${A}"`, `${A} x`, `"${A}" ${B}`],
  ...[
    `case ${A} in x) npm 1;; *) npm 2;; esac`,
    `case x in ${A}) npm 1;; *) npm 2;; esac`,
    `case "${A}" in "${B}") npm 1;; esac`,
  ],
  ...[
    `[[ ${A} == x ]] && npm 1`,
    `[[ "${A}" == "${B}" ]] || npm 1`,
    `[[ ${A} -eq 1 ]] && npm 1`,
    `[[ 1 -lt "${A}" ]]; npm x`,
  ],
  ...[
    `[[ -v ${A} ]]; npm x`,
    `[[ x =~ ${A} ]]; npm x`,
    `[[ -n ${A} && ${B} ]]; npm x`,
    `[ ${A} = x ] && npm 1`,
    `[ -n "${A}" ] && npm "${A}"`,
  ],
  ...[
    `[ ${A} -eq 1 ] && npm 1`,
    `[ ${A} ${B} ]; npm x`,
    `test ${A} ${B}; npm x`,
    `[ -v ${A} ]; npm x`,
    `test -v "${A}"; npm x`,
  ],
  ...[
    `[ "${A}" -gt 3 ] || npm 1`,
    `x=${A}; npm $x`,
    `x="${A}"; [ "$x" = y ] || npm "$x"`,
    `x=${A}; npm $(($x))`,
    `x=${A}; npm $((x))`,
  ],
  ...[
    `printf -v ${A} x; npm x`,
    `printf ${A}; npm x`,
    `printf ${A} ${B} x; npm x`,
    `printf '%s' ${A} | npm x`,
    `read ${A} < a.txt; npm x`,
  ],
  ...[
    `unset ${A}; npm x`,
    `unset "${A}"; npm x`,
    `declare ${A}; npm x`,
    `export ${A}; npm x`,
    `local ${A}; npm x`,
    `readonly "${A}"; npm x`,
  ],
  ...[
    `let ${A}; npm x`,
    `mapfile ${A} < a.txt; npm x`,
    `mapfile -C ${A} -c 1 y < a.txt; npm x`,
    `for ((i=0; i<${A}; i++)); do npm 1; break; done`,
  ],
  ...[
    `eval "npm ${A}"`,
    `eval npm ${A}`,
    `eval 'npm ${A}'`,
    `eval ${A}`,
    `eval "$(printf %s ${A})"`,
    `eval "x='${A}'"; npm x`,
  ],
  ...[
    `sh -c "npm ${A}"`,
    `sh -c 'npm ${A}'`,
    `sh -c ${A}`,
    `sh -c npm\\ ${A}`,
    `bash -lc "npm '${A}'"`,
    `sudo sh -c "npm ${A}"`,
  ],
  ...[
    `env bash -ec "npm \\"${A}\\""`,
    `sh -c 'npm "$1" '"${A}" sh x`,
    `sh -c "$(printf %s ${A})"`,
    `sh ${A} ${B}`,
    `bash -${A} x`,
  ],
  ...[
    `xargs -I{} sh -c 'npm {} ${A}' < a.txt`,
    `echo x | xargs -I{} sh -c "npm {} ${A}"`,
    `echo x | xargs sh -c ${A}`,
  ],
  ...[
    `echo ${A} | sh`,
    `echo "${A}" | bash -s`,
    `sh <<< ${A}`,
    `sh <<< "npm ${A}"`,
    `sh <<EOF\nnpm ${A}\nEOF\n`,
    `bash <<'EOF'\nnpm ${A}\nEOF\n`,
  ],
  ...[
    `trap "npm ${A}" EXIT`,
    `trap ${A} EXIT`,
    `trap 'npm ${A}' EXIT; npm x`,
    `. <(echo ${A})`,
    `bash <(echo "npm ${A}")`,
  ],
  ...[
    `su -c "npm ${A}"`,
    `flock a.txt -c "npm ${A}"`,
    `watch "npm ${A}"`,
    `watch npm ${A}`,
    `script -c "npm ${A}" /dev/null`,
  ],
  ...[
    `find . -maxdepth 0 -exec sh -c "npm ${A}" \\;`,
    `find . -maxdepth 0 -exec sh -c 'npm "$1"' _ ${A} \\;`,
    `parallel npm ${A} ::: x`,
  ],
  ...[
    `env -S "npm ${A}"`,
    `timeout 5 bash -c "npm ${A}"`,
    `nohup sh -c 'npm "${A}"'`,
    `exec sh -c "npm ${A}"`,
    `command eval "npm ${A}"`,
  ],
  ...[
    `x="npm ${A}"; npm "$x"`,
    `echo "npm ${A}" | sudo bash`,
    `printf '%s\\n' "npm ${A}" | sh`,
    `cat <<EOF | sh\nnpm ${A}\nEOF\n`,
  ],
  ...[
    `f() { eval "$1"; }; f 'npm x'; npm ${A}`,
    `alias npm=${A}\nnpm x`,
    `alias y="npm ${A}"\ny`,
    `hash -p ${A} npm; npm x`,
  ],
  ...[
    `npm < ${A}; npm x`,
    `npm 2>&1 < "${A}"`,
    `cd ${A}; npm x`,
    `\${x:-${A}} y`,
    `{ ${A}; }`,
    `(${A})`,
    `${A}`,
    `"${A}"`,
    `X=${A} ${B}`,
  ],
  ...[
    `f${A}() { npm x; }; f`,
    `for ${A} in x; do npm x; done`,
    `function ${A} { npm x; }`,
    `select ${A} in x; do break; done`,
  ],
  ...[
    `npm {% if inputs.a == "" %}none{% else %}${A}{% endif %}`,
    `{% if inputs.a != "" %}npm "${A}"{% endif %}; npm x`,
  ],
  ...[
    `BASH_ENV=${A} bash -c 'npm x'`,
    `PS4=${A} bash -xc 'npm x'`,
    `PROMPT_COMMAND=${A} bash -c 'npm x'`,
    `ENV=${A} sh -c 'npm x'`,
  ],
  ...[
    `coproc sh -c "npm ${A}"`,
    `npm x "$(sh -c "npm ${A}")"`,
    `npm "$(eval "npm ${A}")"`,
    `npm \`eval npm ${A}\``,
  ],
  ...[
    `mapfile -t x <<< ${A}; npm "\${x[0]}"`,
    `read -r x <<< "${A}"; npm "$x"`,
    `npm "\${x/${A}/b}"`,
    `npm "\${x:${A}}"`,
    `npm \${!${A}}`,
  ],
];

/** These make a file, whose name the value is. */
const WRITING = [
  `npm > ${A}`,
  `npm 2> "${A}"`,
  `npm >> '${A}'`,
  `npm x >& ${A}`,
  `npm >| "x${A}"`,
  `npm <> ${A}`,
  `npm &> "${A}"`,
];

/** Surroundings; `@` is what they surround. */
const AROUND = [
  ...[
    '@',
    '@',
    '@',
    '@',
    '@\n@',
    '@; @',
    '@ && @',
    '@ || @',
    '@ | npm x',
    '(@)',
    '{ @\n}',
    'if true; then @\nfi',
    'if @\nthen npm x; fi',
  ],
  ...[
    'npm $(@)',
    'npm "$(@)"',
    'npm "a $(@\n) b"',
    'npm `@`',
    'npm "`@`"',
    'x=$(@\n)',
    'npm ${x:-$(@)}',
    'npm "${x:-$(@)}"',
    'npm $((1 + $(@)))',
  ],
  ...[
    'for i in 1 2; do @\ndone',
    'case x in x) @\n;; esac',
    'f() { @\n}; f',
    'npm <(@)',
    "npm 'it'\\''s'; @",
    'npm "a\\"b"; @',
    "npm $'a\\'b'; @",
  ],
  ...[
    'npm # it\'s "\n@',
    "cat <<EOF\nit's\nEOF\n@",
    'sh -c "@"',
    "sh -c '@'",
    'eval "@"',
    'sh <<EOF\n@\nEOF\n',
    'npm <<EOF\n$(@)\nEOF\n',
    'ssh host "@"',
  ],
  ...[
    'npm ${x:-"}"} ; @',
    "npm ${x:-'}'} ; @",
    'npm "${x:-"a"}" ; @',
    'npm ${x#*"} ; "} ; @',
    "[[ a =~ ' ' ]]; @",
    '[[ a == "(" ]] && @',
    '((1 < 2)); @',
    'npm $((1 << 2)); @',
  ],
  ...[
    '! @',
    'time @',
    'npm $(npm "$(@)")',
    'npm "$(npm `npm x`)"; @',
    'x=(a b); @',
    'npm {a,b}; @',
    'npm a\\\nb; @',
    'npm \\"; @',
    "npm \\'; @",
  ],
];

const PAYLOADS = ['touch pwned', 'touch pwned #', '>pwned', 'touch pwned;true'];

export function randomTemplate(random: Random): Template {
  const kind = random.next();
  const pieces = (): { text: string; depends: boolean; writes: boolean } => {
    if (kind < 0.6) return { text: random.pick(STEADY), depends: false, writes: false };
    if (kind < 0.95) return { text: random.pick(DEPENDENT), depends: true, writes: false };
    return { text: random.pick(WRITING), depends: true, writes: true };
  };
  let depends = false;
  let writes = false;
  let line = '@';
  for (let depth = random.below(3); depth > 0; depth--) line = line.replace('@', () => random.pick(AROUND));
  line = line.replaceAll('@', () => {
    const piece = random.chance(0.8)
      ? pieces()
      : { text: random.pick(STEADY), depends: false, writes: false };
    depends ||= piece.depends;
    writes ||= piece.writes;
    return piece.text;
  });
  return { line, depends, writes };
}

/** Every single one, without surroundings. */
export function eachTemplate(): Template[] {
  return [
    ...STEADY.map((line) => ({ line, depends: false, writes: false })),
    ...DEPENDENT.map((line) => ({ line, depends: true, writes: false })),
    ...WRITING.map((line) => ({ line, depends: true, writes: true })),
  ];
}

/** A text that does harm wherever a shell reads it as more than text. */
export function hostileValue(random: Random): string {
  const payload = random.pick(PAYLOADS);
  return random.pick([
    ...[
      `$(${payload}\n)`,
      `\`${payload}\n\``,
      `;${payload}\n`,
      `\n${payload}\n`,
      `"; ${payload}; "`,
      `'; ${payload}; '`,
      `'"; ${payload}\n`,
    ],
    ...[
      `(${payload}\n)`,
      `{ ${payload}\n}`,
      `a[$(${payload}\n)]`,
      `a[\`${payload}\n\`]=1`,
      `x=$(${payload}\n)`,
      `x[$(${payload}\n)]=1`,
    ],
    ...[
      `\${x:-$(${payload}\n)}`,
      `$(( a[$(${payload}\n)] ))`,
      `<(${payload}\n)`,
      `>(${payload}\n)`,
      `| ${payload}`,
      `& ${payload}`,
      `&& ${payload}`,
    ],
    ...[
      `)\n${payload}\n(`,
      `}\n${payload}\n{`,
      `\`\n${payload}\n\``,
      `EOF\n${payload}\n`,
      `\nEOF\n${payload}\nEOF\n`,
      `*/ ;; *) ${payload} ;;`,
      `]]; ${payload}\n`,
    ],
    ...[
      `)); ${payload}\n`,
      `"$(${payload}\n)"`,
      `'$(${payload}\n)'`,
      `\\$(${payload}\n)`,
      `\\"; ${payload}; \\"`,
      `\\'; ${payload}; \\'`,
      `#\n${payload}`,
    ],
    ...[
      '',
      ' ',
      '-n',
      '-e',
      '-c',
      '-v',
      '--',
      '-',
      '*',
      '?',
      '[a-z]*',
      '~',
      '~root',
      '{a,b}',
      '!',
      '!!',
      '#',
      '# x',
      '\\',
      '\\\\',
      "'",
      '"',
      '`',
      '$',
      '$$',
      '$x',
    ],
    ...[
      '$(',
      '${',
      '${x',
      '"\'',
      '\n',
      'a\nb',
      '\t',
      'a b',
      ' a  b ',
      '\r',
      'a\r\nb',
      '\u00a0',
      'é 日本 🎉',
      '\u2028',
      '\u001b[31m',
      '%s%n',
      '%d',
      '1',
      '0x1',
      'a=b',
      '=',
      '+1',
      '-1',
    ],
    ...[
      'pwned',
      'touch pwned',
      'x'.repeat(5000),
      "'".repeat(999),
      '$('.repeat(200),
      '\\'.repeat(333),
      'EOF',
      '{{ x }}',
      '{% if %}',
      '@',
      '&1',
      '2>&1',
    ],
    ...[
      "'\\''",
      '"\\""',
      "$'\\x27'",
      'a\\',
      '\\\n',
      "a'b",
      'a"b',
      'a`b',
      'a$b',
      'a\\b',
      'a;b',
      'a&b',
      'a|b',
      'a>b',
      'a<b',
      'a(b',
      'a)b',
      '!x',
      '^',
      '%',
      'in',
      'do',
      'esac',
      'fi',
    ],
  ]);
}
