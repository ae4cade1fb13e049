// stdin: what a command reads from its standard input, as far as the line tells.

import { constantOf, possibleWords, type Variables } from './possible-words.ts';
import { descriptorOf } from './program-arguments.ts';
import type { Part, Redirection, Script, Simple, Word } from './tree.ts';

export type Stdin =
  /** Nothing of this line. */
  | { kind: 'none' }
  | { kind: 'file'; target: Word }
  /** A heredoc or a here-string. */
  | { kind: 'text'; parts: readonly Part[] }
  /** What these commands print. */
  | { kind: 'commands'; script: Script }
  | { kind: 'unknown' };

/** Undefined: the redirections leave it as it is. The last one counts. */
export function stdinOf(redirections: readonly Redirection[]): Stdin | undefined {
  let found: Stdin | undefined;
  for (const { operator, target, body, descriptor = '0' } of redirections) {
    if (descriptor !== '0') continue;
    if (operator === '<<' || operator === '<<-') found = { kind: 'text', parts: body ?? [] };
    else if (operator === '<<<') found = { kind: 'text', parts: target.parts };
    else if (operator === '<&') found = { kind: 'unknown' };
    else if (operator === '<' || operator === '<>') {
      const [part] = target.parts;
      // Its own standard input by another name: what it was before.
      if (descriptorOf(constantOf(possibleWords(target, new Map())[0] ?? []) ?? '') === '0') continue;
      found =
        part?.kind === 'command' && part.form === '<('
          ? { kind: 'commands', script: part.script }
          : { kind: 'file', target };
    }
  }
  return found;
}

/** The text, if all of it is known. */
export function textOfParts(parts: readonly Part[], variables: Variables): string[] | undefined {
  const quoted = parts.map((part) => ({ ...part, quote: 'double' as const }));
  const text = constantOf(
    possibleWords({ source: '', parts: quoted }, variables)[0] ?? [{ pieces: [''], count: 'one' }],
  );
  return text === undefined ? undefined : [text];
}

/** The texts that `echo`, `printf` or `cat` of a heredoc may print; undefined: that is known only when they run. */
export function printedBy(stdin: Stdin, variables: Variables): string[] | undefined {
  if (stdin.kind !== 'commands' || stdin.script.length !== 1) return undefined;
  const [command] = stdin.script;
  if (command?.kind !== 'simple') return undefined;
  const words = command.words.flatMap((word) => possibleWords(word, variables)).map(constantOf);
  const [name, ...args] = words;
  if (words.some((word) => word === undefined)) return undefined;
  const texts = args as string[];
  if (name === 'cat' && texts.every((text) => text === '-')) return catted(command, variables);
  if (name === 'echo') return withEscapes(texts.filter((text) => !/^-[neE]+$/.test(text)).join(' '));
  if (name !== 'printf') return undefined;
  const [format = '', ...values] = texts.filter((text) => text !== '--');
  // With another directive, or fewer of them than values, more is printed than this follows.
  const directives = format.match(/%[^%]/g) ?? [];
  if (
    directives.some((one) => !/%[bsq]/.test(one)) ||
    (directives.length < values.length && directives.length > 0)
  )
    return undefined;
  let next = 0;
  const filled = format.replace(/%[bsq]/g, () => values[next++] ?? '');
  const printed = [filled, values.join(' '), values.join('\n')].map(withEscapes);
  return printed.every((text) => text !== undefined) ? printed.flat() : undefined;
}

function catted({ redirections }: Simple, variables: Variables): string[] | undefined {
  return textOfStdin(stdinOf(redirections), variables);
}

export function textOfStdin(stdin: Stdin | undefined, variables: Variables): string[] | undefined {
  return stdin?.kind === 'text' ? textOfParts(stdin.parts, variables) : undefined;
}

/** With its backslashes as they are, and as the program may read them; undefined: an escape that is not followed. */
function withEscapes(text: string): string[] | undefined {
  if (!text.includes('\\')) return [text];
  if (/\\[^nt\\]/.test(text)) return undefined;
  return [
    text,
    text.replace(/\\([nt\\])/g, (_, letter) => (letter === 'n' ? '\n' : letter === 't' ? '\t' : '\\')),
  ];
}
