// hole-problems: what is said about a value that cannot stand where it does, and what to write instead. Each hint can be
// typed: a test puts them into lines and loads them.

import type { HolePlace } from './tree.ts';
import type { HoleNote } from './values/value-walk.ts';

/** A value that cannot stand where it does, or (`warning`) perhaps should not. */
export interface HoleProblem {
  /** Which of the values; undefined: the line as a whole. */
  index?: number;
  severity: 'error' | 'warning';
  message: string;
  hint: string;
}

const ARGUMENT = 'Hand it over as an argument, where it is text: sh -c \'echo "$1"\' sh {{ x }}';
const COMPARE =
  "Calculate and compare in the expression, which knows numbers: {{ x + 1 }}, if: 'inputs.x > 1'; or compare with [ {{ x }} -gt 1 ].";

export const PLACES: Record<Exclude<HolePlace, 'word'>, Pick<HoleProblem, 'message' | 'hint'>> = {
  'after-dollar': {
    message: 'a value right after `$` would be read by the shell, not taken as text',
    hint: 'Write `{{ x }}` without the `$`; for a dollar sign before it, write `\\$`.',
  },
  'after-name': {
    message: 'a value right after a variable would be read as the rest of its name',
    hint: 'Put the name into braces: "${name}{{ x }}".',
  },
  descriptor: {
    message: 'a value after `>&` is read by the shell, not taken as text',
    hint: 'Write `> {{ x }} 2>&1` to send everything into a file.',
  },
  'after-backslash': {
    message: 'a value right after a backslash cannot be quoted',
    hint: 'Take the backslash away: a value is quoted by itself.',
  },
  'ansi-quote': {
    message: "a value inside $'…' would be read by the shell, not taken as text",
    hint: 'Write it outside of the quotes, where it is quoted by itself.',
  },
  arithmetic: {
    message: 'a value inside (( )) is evaluated by the shell, which can run commands',
    hint: COMPARE,
  },
  backquote: {
    message: 'a value inside `backquotes` cannot be quoted',
    hint: 'Write $( ) instead.',
  },
  comment: {
    message: 'a value inside a comment could end it with a line break',
    hint: 'Take it out of the comment, or write the comment in YAML.',
  },
  expansion: {
    message: 'a value inside ${ } cannot be quoted',
    hint: 'Give it to a variable first: x={{ x }}; echo "${y:-$x}"',
  },
  heredoc: {
    message: 'a value inside a heredoc could end it, or run a command',
    hint: "Print it into the command instead: printf '%s\\n' {{ x }} | command; or write the file with save_to.",
  },
  'heredoc-delimiter': {
    message: 'a value cannot be the end of a heredoc',
    hint: 'Write the word that ends it.',
  },
  subscript: {
    message: 'a value in the index of an array is evaluated by the shell, which can run commands',
    hint: 'Choose the item in the expression: {{ list[0] }}',
  },
};

export function unclearLine(why: string): HoleProblem {
  return {
    severity: 'error',
    message: `values cannot be put into this line safely, because it cannot be followed: ${why}`,
    hint: SIMPLER,
  };
}

const SIMPLER =
  'Write it more simply, hand values to a script as arguments (sh deploy.sh {{ x }}), or make a step of its own of the part that has no values.';

/** How a value is handed to a program text, by the program. */
function asArgument(program: string): string {
  if (/^python|^pypy/.test(program)) return `${program} -c 'import sys; print(sys.argv[1])' {{ x }}`;
  if (/^node/.test(program)) return `${program} -e 'console.log(process.argv[1])' {{ x }}`;
  if (/awk$/.test(program)) return `${program} -v x={{ x }} '{ print x }' file`;
  if (/^perl/.test(program)) return `perl -e 'print $ARGV[0]' {{ x }}`;
  if (/^ruby/.test(program)) return `ruby -e 'puts ARGV[0]' {{ x }}`;
  if (program === 'psql') return 'psql -v x={{ x }} -f query.sql';
  if (/^g?make$/.test(program)) return 'make VERSION={{ x }}';
  return `put the program into a file, which reads its arguments: ${program} program {{ x }}`;
}

export function problemOf({ index, place, program }: HoleNote): HoleProblem {
  const problem = (severity: HoleProblem['severity'], message: string, hint: string): HoleProblem => ({
    index,
    severity,
    message,
    hint,
  });
  switch (place) {
    case 'script':
      return problem(
        'error',
        `a value inside a text that a shell reads again (\`${program}\`) would be run as commands`,
        program === 'ssh' ? REMOTE : ARGUMENT,
      );
    case 'line':
      return problem(
        'warning',
        `\`${program}\` may read this text as commands, the value in it included`,
        program === 'ssh'
          ? REMOTE
          : `If it does, hand it over as an argument, where it is text: sh -c 'echo "$1"' sh {{ x }}`,
      );
    case 'code':
      return problem(
        'error',
        `a value inside a program text for \`${program}\` would be part of the program`,
        `Hand it over as an argument, where it is text: ${asArgument(program)}`,
      );
    case 'sed':
      return problem(
        'warning',
        'a value inside a program text for `sed` is part of the program: the step fails if it could be more than the text it replaces',
        "Hand it over as an argument, where it is text: awk -v x={{ x }} '{ gsub(/VERSION/, x) } 1' file",
      );
    case 'operand':
      return problem(
        'error',
        `a value stands where \`${program}\` takes options: \`-c\` would run the words after it`,
        `Say that no option follows (only an input may name the script): ${program} -- {{ inputs.script }}`,
      );
    case 'command':
      return problem(
        'error',
        'a value stands where the name of a program is expected; only an input may say what runs',
        'Write the program out, or choose among programs with `if`; an input may stand here: {{ inputs.tool }}',
      );
    case 'variable':
      return problem(
        'error',
        'a variable that holds a value stands where the name of a program is expected',
        'Write the program out, and hand the value over as an argument: npm run "$x"',
      );
    case 'options':
      return problem(
        'error',
        `a text made of this value may begin with \`-\`, and \`${program}\` runs what some options say`,
        `Say that no option follows: ${program === 'git' ? 'git log -- "$x"' : `${program} -- "$x"`}; or put {{ x }} itself there, which is looked at when it runs.`,
      );
    case 'split':
      return problem(
        'error',
        `a value that is not quoted becomes several words here, which \`${program}\` may take for options or commands`,
        'Put quotes around it: "$x", "$(command)"',
      );
    case 'file':
      return problem(
        'error',
        `the line runs a file that it may have written itself (\`${program}\`), and values may be in it`,
        'Hand the value over as an argument: sh script.sh {{ x }}. Or write the file in a step before, without values in it.',
      );
    case 'unclear':
      return problem('error', `a value cannot be followed in this line: ${program}`, SIMPLER);
    default:
      return problem('error', `\`${program}\` evaluates this value, which can run commands`, COMPARE);
  }
}

const REMOTE =
  "Send it on the standard input, where it is text: printf '%s\\n' {{ x }} | ssh host 'read -r x; echo \"$x\"'";

/** An input that is a command of several words, inside a line: there it would be one word. */
export function wholeCommand(index: number, text: string): HoleProblem {
  const shown = text.length > 40 ? `${text.slice(0, 40)}…` : text;
  return {
    index,
    severity: 'error',
    message: `inside a line an input is one word, and \`${shown.replaceAll('\n', ' ')}\` is no name of a program`,
    hint: "Make it a step of its own, where it is the whole command: run: '{{ inputs.test }}'. What follows in the line can be the next step, which reads its output.",
  };
}
