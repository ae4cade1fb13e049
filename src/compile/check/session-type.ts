// session-type: what `session` and `event` are, for the check of expressions. The names are those of the model.

import type { Type } from '../../expressions/expressions.ts';
import { ANY, INT, STRING } from '../../expressions/type-relations.ts';
import type { Json } from '../../model/json.ts';
import { type EventView, NO_EVENT, NO_SESSION, type SessionView } from '../../model/session-view.ts';
import { objectType, valueType } from './result-type.ts';

const TEXTS: Type = { kind: 'list', of: STRING };

/** Counts and seconds are whole. */
function typeOf(value: Json): Type {
  return typeof value === 'number' ? INT : valueType(value);
}

/** Of lists and maps that are empty without a session, what they hold. */
const HELD: Partial<Record<keyof SessionView, Type>> = {
  files_read: TEXTS,
  files_modified: TEXTS,
  step: objectType(
    Object.entries(NO_SESSION.step).map(([key, value]) => [
      key,
      key === 'files_modified' ? TEXTS : typeOf(value),
    ]),
  ),
  observations: {
    kind: 'list',
    of: objectType([
      ['tool', STRING],
      ['about', STRING],
      ['error', ANY],
      ['text', STRING],
    ]),
  },
  artifacts: { kind: 'map', of: STRING },
  handoff: objectType([
    ['phase', STRING],
    ['notes', STRING],
    ['pending_tasks', { kind: 'list', of: ANY }],
    ['artifacts', { kind: 'map', of: ANY }],
    ['from', STRING],
  ]),
  todos: { kind: 'list', of: { kind: 'map', of: ANY } },
};

export const SESSION: Type = objectType(
  Object.entries(NO_SESSION).map(([key, value]) => [key, HELD[key] ?? typeOf(value)]),
);

/** `input` is as the client has it. */
const INPUT: Partial<Record<keyof EventView, Type>> = { input: { kind: 'map', of: ANY } };

export const EVENT: Type = objectType(
  Object.entries(NO_EVENT).map(([key, value]) => [key, INPUT[key] ?? typeOf(value)]),
);
