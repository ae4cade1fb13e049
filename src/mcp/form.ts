// form: what no tool takes, whatever its schema says: more than can be kept, names that programs stumble over, text that is
// no text. Looked at before anything else is done with a call, so a refusal changes nothing.

import { isObject } from '../model/json.ts';
import { type Problem, said } from './check-value.ts';

export const FORM_LIMITS = {
  /** Characters of one text. Notes longer than this belong into a file. */
  text: 256 * 1024,
  /** Characters of all texts and names of a call. */
  all: 1024 * 1024,
  keys: 5000,
  items: 20_000,
  levels: 64,
} as const;

const FORBIDDEN_NAMES = ['__proto__', 'constructor', 'prototype'];
const LONGEST_NAME = 1024;

/** The first thing that is wrong with it, if anything is. */
export function formProblem(value: unknown): Problem | undefined {
  const counted = { keys: 0, items: 0, characters: 0 };
  const open: { value: unknown; pointer: string; level: number }[] = [{ value, pointer: '', level: 0 }];
  for (let one = open.pop(); one; one = open.pop()) {
    const problem = look(one.value, one.pointer, one.level, counted);
    if (problem) return problem;
    for (const [name, inner] of membersOf(one.value))
      open.push({ value: inner, pointer: `${one.pointer}/${escaped(name)}`, level: one.level + 1 });
  }
  return undefined;
}

function look(
  value: unknown,
  pointer: string,
  level: number,
  counted: { keys: number; items: number; characters: number },
): Problem | undefined {
  if (typeof value === 'string') {
    counted.characters += value.length;
    return textProblem(value, pointer) ?? tooMuch(pointer, counted);
  }
  if (typeof value === 'number' && !Number.isFinite(value))
    return { pointer, expected: 'a number', came: String(value), fix: `Set ${said(pointer)} to 0.` };
  if (!isObject(value) && !Array.isArray(value)) return undefined;
  if (level > FORM_LIMITS.levels)
    return {
      ...{ pointer, expected: `at most ${FORM_LIMITS.levels} levels`, came: `${level} levels` },
      fix: `Set ${said(pointer)} to null.`,
    };
  if (Array.isArray(value)) counted.items += value.length;
  else {
    for (const name of Object.keys(value)) {
      counted.characters += name.length;
      const problem = nameProblem(name, pointer);
      if (problem) return problem;
      counted.keys += 1;
    }
  }
  return tooMuch(pointer, counted);
}

function textProblem(value: string, pointer: string): Problem | undefined {
  if (value.length > FORM_LIMITS.text)
    return {
      ...{ pointer, expected: `at most ${FORM_LIMITS.text} characters`, came: `${value.length} characters` },
      fix: `Shorten ${said(pointer)} to ${FORM_LIMITS.text}.`,
    };
  if (value.isWellFormed()) return undefined;
  return {
    ...{ pointer, expected: 'text in Unicode', came: 'half of a surrogate pair' },
    fix: `Set ${said(pointer)} to ${JSON.stringify(value.slice(0, 500).toWellFormed())}.`,
  };
}

function nameProblem(name: string, pointer: string): Problem | undefined {
  const place = `${pointer}/${escaped(name)}`;
  const leaveOut = (came: string): Problem => ({
    ...{ pointer: place, expected: 'another name', came, fix: `Leave out ${said(place)}.` },
  });
  if (FORBIDDEN_NAMES.includes(name)) return leaveOut(`the name ${name}`);
  if (name.length > LONGEST_NAME) return leaveOut(`a name of ${name.length} characters`);
  return name.isWellFormed() ? undefined : leaveOut('a name with half of a surrogate pair');
}

function tooMuch(
  pointer: string,
  { keys, items, characters }: { keys: number; items: number; characters: number },
): Problem | undefined {
  const refused = (most: number, unit: string): Problem => ({
    pointer,
    expected: `at most ${most} ${unit} in all`,
    came: `more than ${most}`,
    fix: `Leave out ${said(pointer)}.`,
  });
  if (keys > FORM_LIMITS.keys) return refused(FORM_LIMITS.keys, 'names');
  if (items > FORM_LIMITS.items) return refused(FORM_LIMITS.items, 'items');
  if (characters > FORM_LIMITS.all) return refused(FORM_LIMITS.all, 'characters');
  return undefined;
}

/** The last first, so that what is first is looked at first. */
function membersOf(value: unknown): [string, unknown][] {
  if (Array.isArray(value))
    return value.map((item, index): [string, unknown] => [String(index), item]).reverse();
  return isObject(value) ? Object.entries(value).reverse() : [];
}

function escaped(name: string): string {
  return name.slice(0, 80).toWellFormed().replaceAll('~', '~0').replaceAll('/', '~1');
}
