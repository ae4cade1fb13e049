// holes: where values stand in a shell line, and how each is put in so that the shell sees it as text and nothing else.
//
// V1. A value is text wherever it stands, or the line is refused. Nothing is guessed: a line that cannot be followed
//     takes no values.
// V2. A text that a shell or another program reads as commands takes no values. They are handed over as arguments.

import { type HoleNote, holeNotes } from './commands-run.ts';
import { eachPart, holesInside } from './parts-of.ts';
import { insideSingleQuotes, singleQuoted } from './quote.ts';
import { readScript } from './read-script.ts';
import { type Block, HOLE, type HolePlace, type Quote, type Script } from './tree.ts';

/** A value that cannot stand where it does, or (`warning`) perhaps should not. */
export interface HoleProblem {
  /** Which of the values; undefined: the line as a whole. */
  index?: number;
  severity: 'error' | 'warning';
  message: string;
  hint: string;
}

/** What is known of a value before it is there. `mayName`: it may be the name of the program. */
export interface HoleKind {
  mayName: boolean;
}

/** What is wrong with the places of the values in this line, in which HOLE stands for each of them. */
export function checkHoles(line: string, kinds: readonly HoleKind[]): HoleProblem[] {
  const read = readScript(line, true);
  if (read.kind === 'unclear') return [unclear(read.why)];
  const holes = [...eachPart(read.script, holesInside), ...holesInside(read.stray)];
  const problems = holes.flatMap(({ index, place }): HoleProblem[] =>
    place === 'word' ? [] : [{ index, severity: 'error', ...PLACES[place] }],
  );
  const told = new Set(problems.map(({ index }) => index));
  const evaluated = evaluatedIn(read.script).map(
    (index): HoleNote => ({ index, place: 'name', program: '[[ ]]' }),
  );
  for (const note of [...holeNotes(line), ...evaluated]) {
    if (
      told.has(note.index) ||
      note.place === 'option' ||
      (note.place === 'command' && kinds[note.index]?.mayName)
    )
      continue;
    told.add(note.index);
    problems.push(problemOf(note));
  }
  return problems;
}

/** The line with its values in it, or why not. */
export function fillHoles(
  line: string,
  values: readonly string[],
  kinds: readonly HoleKind[],
): { kind: 'filled'; line: string } | { kind: 'refused'; why: string } {
  const problem = checkHoles(line, kinds).find(({ severity }) => severity === 'error');
  if (problem !== undefined) return { kind: 'refused', why: problem.message };
  const option = holeNotes(line).find(
    ({ place, index }) => place === 'option' && values[index]?.startsWith('-'),
  );
  if (option !== undefined)
    return {
      kind: 'refused',
      why: `the value \`${shortened(values[option.index] ?? '')}\` begins with \`-\`, and \`${option.program}\` would take it for an option; put \`--\` or \`./\` before it`,
    };
  const read = readScript(line, true);
  const holes = read.kind === 'script' ? eachPart(read.script, holesInside) : [];
  const quotes = new Map(holes.map(({ index, quote }) => [index, quote]));
  let index = 0;
  const filled = line.replaceAll(HOLE, () => {
    const quote = quotes.get(index) ?? 'none';
    return quoted(values[index++] ?? '', quote);
  });
  return { kind: 'filled', line: filled };
}

function quoted(value: string, quote: Quote): string {
  if (quote === 'double') return value.replace(/["\\$`]/g, '\\$&');
  return quote === 'single' ? insideSingleQuotes(value) : singleQuoted(value);
}

function shortened(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

const ARGUMENT = 'Hand it over as an argument, where it is text: sh -c \'echo "$1"\' sh {{ x }}';

const PLACES: Record<Exclude<HolePlace, 'word'>, Pick<HoleProblem, 'message' | 'hint'>> = {
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
    hint: 'Calculate in the expression, which knows numbers: {{ x + 1 }}',
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

function unclear(why: string): HoleProblem {
  return {
    severity: 'error',
    message: `values cannot be put into this line safely, because it cannot be followed: ${why}`,
    hint: 'Write it more simply, hand values to a script as arguments (sh deploy.sh {{ x }}), or use a list: run: [deploy, "{{ x }}"]',
  };
}

function problemOf({ index, place, program }: HoleNote): HoleProblem {
  switch (place) {
    case 'script':
      return {
        index,
        severity: 'error',
        message: `a value inside a text that a shell reads again${program === '' ? '' : ` (\`${program}\`)`} would be run as commands`,
        hint: ARGUMENT,
      };
    case 'line':
      return {
        index,
        severity: 'warning',
        message: `\`${program}\` may read this text as commands, the value in it included`,
        hint: `If it does, ${ARGUMENT.charAt(0).toLowerCase()}${ARGUMENT.slice(1)}`,
      };
    case 'code':
      return {
        index,
        severity: 'error',
        message: `a value inside a program text for \`${program}\` would be part of the program`,
        hint: `Hand it over as an argument, where it is text: ${/awk/.test(program) ? "awk -v x={{ x }} '…'" : `${program} … {{ x }}`}`,
      };
    case 'operand':
      return {
        index,
        severity: 'error',
        message: `a value stands where \`${program}\` takes options: \`-c\` would run the words after it`,
        hint: `Say that no option follows (only an input may name the script): ${program} -- {{ inputs.script }}`,
      };
    case 'command':
      return {
        index,
        severity: 'error',
        message:
          'a value stands where the shell expects the name of a program; only an input may say what runs',
        hint: 'Write the program out, or choose among programs with `if`; an input may stand here: {{ inputs.tool }}',
      };
    default:
      return {
        index,
        severity: 'error',
        message: `\`${program}\` evaluates this value, which can run commands`,
        hint: "Give it to a variable first (x={{ x }}), or print it with printf '%s\\n' {{ x }}.",
      };
  }
}

const COMPARES_NUMBERS = /^-(?:eq|ne|lt|le|gt|ge)$/;

/** Values that `[[ ]]` evaluates: beside `-eq` and its like, and after `-v`. */
function evaluatedIn(script: Script): number[] {
  return script.flatMap((command): number[] => {
    if (command.kind === 'pipeline') return evaluatedIn(command.parts);
    if (command.kind === 'simple') return [];
    const own = command.form === 'conditional' ? evaluatedWords(command) : [];
    return [...own, ...evaluatedIn(command.body)];
  });
}

function evaluatedWords({ words }: Block): number[] {
  return words.flatMap(({ parts }, at) => {
    const [before, after] = [words[at - 1]?.source ?? '', words[at + 1]?.source ?? ''];
    const isEvaluated =
      COMPARES_NUMBERS.test(before) || COMPARES_NUMBERS.test(after) || /^-[vR]$/.test(before);
    const isOperator =
      parts[0]?.kind === 'hole' &&
      /^(?:\[\[|!|\(|&&|\|\|)?$/.test(before) &&
      after !== '' &&
      !/^(?:&&|\|\||\)|=~|==?|!=|<|>|-..)$/.test(after);
    return isEvaluated || isOperator ? holesInside(parts).map(({ index }) => index) : [];
  });
}
