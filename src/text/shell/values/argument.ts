// argument: a word of a command as far as the line tells, with the values that it carries.

import { holeMark, type Possible, possibleWords, type Variables } from '../possible-words.ts';
import { HOLE, type Part, type Script, type Word } from '../tree.ts';

/** Stands in a text for what only the shell will know. */
export const UNKNOWN = '\u0002';

export interface Argument {
  /** Its text, with a mark for each value and UNKNOWN for the rest that is not known. Undefined: one of several texts. */
  text: string | undefined;
  /** The values that it may be made of, also through variables, substitutions and files. */
  holes: readonly number[];
  /** Not quoted, and made of a value: it may become several words. */
  isSplit: boolean;
  /** May be no word, or several, of what the line does not tell. */
  isOpen: boolean;
  /** `<( )`: the name of what these commands print. */
  prints?: Script;
}

const MARK = new RegExp(`${HOLE}(\\d+);`, 'g');

export function argumentsOf(
  word: Word,
  variables: Variables,
  carriedBy: (parts: readonly Part[]) => number[],
): Argument[] {
  const holes = carriedBy(word.parts);
  const isSplit =
    holes.length > 0 &&
    word.parts.some(
      (part) =>
        (part.kind === 'parameter' || (part.kind === 'command' && !/^[<>]/.test(part.form))) &&
        part.quote === 'none' &&
        carriedBy([part]).length > 0,
    );
  return possibleWords(word, variables).map((ways) => argumentOf(ways, holes, isSplit));
}

function argumentOf(ways: readonly Possible[], holes: readonly number[], isSplit: boolean): Argument {
  const [only, ...others] = ways;
  const text = only?.pieces.map((piece) => piece ?? UNKNOWN).join('');
  const argument: Argument = {
    text: others.length > 0 ? undefined : text,
    holes,
    isSplit,
    isOpen: ways.some(({ count }) => count === 'any'),
  };
  return only?.prints === undefined ? argument : { ...argument, prints: only.prints };
}

/** A text that is known to the last character, and no value in it. */
export function constantText({ text, holes, isOpen }: Argument): string | undefined {
  return text === undefined || holes.length > 0 || isOpen || text.includes(UNKNOWN) ? undefined : text;
}

export function constantWord(text: string): Argument {
  return { text, holes: [], isSplit: false, isOpen: false };
}

/** It is one value and nothing else, as it was given. */
export function isExact({ text, holes, isSplit }: Argument): boolean {
  return !isSplit && holes.length === 1 && text === holeMark(holes[0] as number);
}

/** The values that a text begins with: such a word may be an option. */
export function leading({ text = '', holes }: Argument): readonly number[] {
  if (holes.length === 0) return [];
  if (text.startsWith(HOLE)) return [Number(new RegExp(MARK.source).exec(text)?.[1])];
  return text === '' || text.startsWith(UNKNOWN) ? holes : [];
}

export function hasValue(text: string | undefined): boolean {
  return text?.includes(HOLE) ?? false;
}
