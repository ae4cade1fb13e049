// phrases: what was said and what is run, in a live session (`user_says`, `command_runs`).

/** The whole phrase, in any case, however the words are spaced. */
export function saysPhrase(said: string, phrase: string): boolean {
  const text = normalised(said);
  const wanted = normalised(phrase);
  if (wanted === '') return false;
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
    if (!joins(text, at) && !joins(text, at + wanted.length)) return true;
  }
  return false;
}

function normalised(text: string): string {
  return text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
    .join(' ');
}

const LETTER = /[\p{L}\p{N}_]/u;

/** Whether a word goes on across this place. */
function joins(text: string, at: number): boolean {
  return LETTER.test(text.charAt(at - 1)) && LETTER.test(text.charAt(at));
}

/** The words follow each other inside one simple command of the line; a quoted text is one word. */
export function runsCommand(line: string, wanted: string): boolean {
  const words = commandsOf(wanted, 0).flat();
  if (words.length === 0) return false;
  return commandsOf(line, 0).some((command) =>
    command.some((_, at) => words.every((word, index) => command[at + index] === word)),
  );
}

/** `bash -c '…'` inside `bash -c '…'`: followed this far. */
const DEEPEST = 3;
const SHELLS = new Set(['sh', 'bash', 'dash', 'zsh', 'ksh']);

/** The simple commands of a shell line, those handed to another shell or substituted into a text included. */
function commandsOf(line: string, depth: number): string[][] {
  const { commands, substituted } = split(line);
  if (depth >= DEEPEST) return commands;
  const inner = [...substituted];
  for (const command of commands) {
    const shell = command.findIndex((word) => SHELLS.has(word.slice(word.lastIndexOf('/') + 1)));
    const flag =
      shell < 0 ? -1 : command.findIndex((word, index) => index > shell && /^-[a-z]*c$/.test(word));
    if (flag >= 0) inner.push(command[flag + 1] ?? '');
    if (command[0] === 'eval') inner.push(command.slice(1).join(' '));
  }
  return [...commands, ...inner.flatMap((script) => commandsOf(script, depth + 1))];
}

/** Good enough to tell words and commands apart; it expands nothing. */
function split(line: string): { commands: string[][]; substituted: string[] } {
  const commands: string[][] = [[]];
  const substituted: string[] = [];
  let word: string | undefined;
  const endWord = () => {
    if (word !== undefined) commands.at(-1)?.push(word);
    word = undefined;
  };
  for (let at = 0; at < line.length; at++) {
    const character = line.charAt(at);
    if (character === '\\') {
      at++;
      if (line.charAt(at) !== '\n') word = (word ?? '') + line.charAt(at);
    } else if (character === "'" || character === '"') {
      const end = endOfQuote(line, at);
      const quoted = line.slice(at + 1, end);
      word = (word ?? '') + (character === '"' ? quoted.replace(/\\(["\\$`])/g, '$1') : quoted);
      if (character === '"' && /\$\(|`/.test(quoted)) substituted.push(quoted);
      at = end;
    } else if (/[ \t]/.test(character)) {
      endWord();
    } else if (/[;&|()\n`<>]/.test(character)) {
      endWord();
      commands.push([]);
    } else {
      word = (word ?? '') + character;
    }
  }
  endWord();
  return { commands: commands.filter((command) => command.length > 0), substituted };
}

function endOfQuote(line: string, start: number): number {
  const quote = line.charAt(start);
  for (let at = start + 1; at < line.length; at++) {
    if (line.charAt(at) === quote) return at;
    if (quote === '"' && line.charAt(at) === '\\') at++;
  }
  return line.length;
}
