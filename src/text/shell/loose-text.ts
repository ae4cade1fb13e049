// loose-text: a quoted argument that reads as a command line as a whole. Many programs have an option that runs one
// (`rg --pre`, `go test -exec`, `psql -c '\! …'`), more than a table can hold. What is found so counts for patterns of two
// words and more: `git push` in an argument is a command, `rm` may be anything.

import type { RunCommand } from './commands-run.ts';
import { constantOf, possibleWords } from './possible-words.ts';
import { baseName, plainWord } from './program-arguments.ts';
import { looksLikeShell, WRAPPERS } from './programs.ts';
import { readScript } from './read-script.ts';
import type { Command, Simple } from './tree.ts';

const DEEPEST = 3;
/** How other languages mark a line for the shell: `!…` of editors, `\!` of psql, `.shell` of sqlite, `|…` of less. */
const MARK = /^\s*(?:\\?!|\||\.(?:shell|system)\s|system\s|shell\s|run\s)\s*/;

/** The commands that the text would run, where it is a line and all their words are known. */
export function looseCommands(text: string, depth = 0): RunCommand[] {
  if (depth > DEEPEST || !/\s/.test(text)) return [];
  const read = readScript(text.replace(MARK, ''));
  if (read.kind === 'unclear') return [];
  return read.script.flatMap(simpleCommands).flatMap((command) => {
    const words = command.words.map((word) => constantOf(possibleWords(word, new Map())[0] ?? []));
    const known = words.indexOf(undefined);
    const texts = (known === -1 ? words : words.slice(0, known)) as string[];
    const [first = '', ...others] = texts;
    // `"git push"`, quotes and all.
    const inner = looseCommands(first, depth + 1);
    return [...fromEach(texts), ...inner, ...looseArguments(baseName(first), others, depth + 1)];
  });
}

/** What stands behind a wrapper or a shell may be the command: `sudo -u me git push`. */
function fromEach(texts: readonly string[]): RunCommand[] {
  const found: RunCommand[] = [];
  let isBehind = true;
  for (const [at, text] of texts.slice(0, 8).entries()) {
    if (!isBehind) break;
    found.push({ words: texts.slice(at).map(plainWord), isLoose: true });
    const name = baseName(text);
    isBehind = at > 0 ? isBehind : WRAPPERS.has(name) || looksLikeShell(name);
  }
  return found;
}

function simpleCommands(command: Command): Simple[] {
  if (command.kind === 'simple') return [command];
  return (command.kind === 'pipeline' ? command.parts : command.body).flatMap(simpleCommands);
}

/** Programs that print, search or keep what they are given, and never run it. */
const KEEPS =
  /^(?:\[\[|touch|mkdir|cd|ls|cp|mv|rm|ln|rmdir|chmod|stat|find|fd|fdfind|tmux|screen|[gmn]?awk|python[\d.]*|node|perl|ruby|php|echo|printf|print|cat|e?grep|fgrep|rg|ag|ack|zgrep|sed|gsed|jq|yq|xq|tr|cut|test|\[|:|true|false|git|gh|glab|hub|claude|codex|gemini|lockstep|logger|notify-send|say|mail|read|export|local|declare|typeset|readonly|case|return|trap|alias|eval|expr|basename|dirname|log\w*|info|warn\w*|error|err|die|fail\w*|fatal|ok|note|notice|success|debug|msg|message|usage|header|section|step|title|abort|xdotool)$/;
/** Options whose value is a text about something: a message, a title, the name of a test. */
const ABOUT =
  /^(?:-[mtgkbdnHFqp]|--?(?:message|msg|title|body|notes?|grep|description|testNamePattern|test-name-pattern|run|query|search|data(?:-\w+)?|text|subject|name|label|comment|reason|regexp?|pattern|match|format|arg|argjson|content|header|prompt|summary|changelog|tag))$/;

/** Of a command whose name is known: the commands in those of its arguments that may be lines. */
export function looseArguments(
  name: string,
  texts: readonly (string | undefined)[],
  depth = 0,
): RunCommand[] {
  const isKept = (KEEPS.test(name) || looksLikeShell(name)) && !(name === 'gh' && texts[0] === 'alias');
  return texts.flatMap((text, at) => {
    if (text === undefined) return [];
    const before = texts[at - 1] ?? '';
    // A filter of rg is a program; the rest of its arguments are patterns.
    const isProgram = name === 'rg' && (/^--pre$/.test(before) || text.startsWith('--pre='));
    if ((isKept || ABOUT.test(before)) && !isProgram) return [];
    if (before === '-wrapper') return looseCommands(text.replaceAll(',', ' '), depth);
    if (!/\s/.test(text) || /^-[mt]\S*\s/.test(text)) return [];
    return looseValues(text, true, depth);
  });
}

/** `NAME=value`, `--option=value`, `-toolexec=value`: each part behind a `=` too. */
export function looseValues(text: string, withWhole: boolean, depth = 0): RunCommand[] {
  const parts = [...text.matchAll(/=/g)].slice(0, 4).map(({ index }) => text.slice(index + 1));
  const isAbout = ABOUT.test(/^(--?[\w-]+)=/.exec(text)?.[1] ?? '');
  if (isAbout) return [];
  return [...(withWhole ? [text] : []), ...parts].flatMap((part) => looseCommands(part, depth));
}
