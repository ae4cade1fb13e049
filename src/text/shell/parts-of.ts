// parts-of: a walk over the parts of a script.

import type { Command, Part } from './tree.ts';

export type Hole = Part & { kind: 'hole' };

/** The values in these parts, those inside substitutions included. */
export function holesInside(parts: readonly Part[]): Hole[] {
  return parts.flatMap((part): Hole[] => {
    if (part.kind === 'hole') return [part];
    if (part.kind === 'command') return eachPart(part.script, holesInside);
    return part.kind === 'text' ? [] : holesInside(part.inner);
  });
}

/** What `read` finds in each of the places of a script that hold parts. */
export function eachPart<T>(script: readonly Command[], read: (parts: readonly Part[]) => T[]): T[] {
  return script.flatMap((command: Command): T[] => {
    if (command.kind === 'pipeline') return eachPart(command.parts, read);
    const found = [
      ...command.words.flatMap(({ parts }) => read(parts)),
      ...command.redirections.flatMap(({ target, body }) => [...read(target.parts), ...read(body ?? [])]),
    ];
    if (command.kind === 'block') return [...found, ...eachPart(command.body, read)];
    return [
      ...command.assignments.flatMap(({ value, items, subscript }) => [
        ...read(subscript ?? []),
        ...read(value?.parts ?? []),
        ...(items ?? []).flatMap(({ parts }) => read(parts)),
      ]),
      ...found,
    ];
  });
}
