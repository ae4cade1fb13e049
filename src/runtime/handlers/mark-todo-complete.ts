// mark-todo-complete: { todo | index }. Ticks one thing off the list in the record of the session, and tells the model to do the
// same. Gives the list.

import type { JsonObject } from '../../model/json.ts';
import { todoFields } from '../../model/session-fields.ts';
import type { Todo } from '../../model/session-record.ts';
import { Breakdown, UNPERFORMABLE } from '../perform/outcome.ts';
import { wrong } from './argument.ts';
import type { Handled, HandlerCall } from './handler.ts';
import { changeRecord, givenTo, sessionOf } from './live-call.ts';
import { TODO_TOOLS } from './todos.ts';

export function markTodoComplete(call: HandlerCall): Handled {
  const { key } = sessionOf(call);
  const given = givenTo(call);
  let done: Todo | undefined;
  const { todos } = changeRecord(call, (record) => {
    const place = placeIn(record.todos, given);
    done = record.todos[place];
    return {
      ...record,
      todos: record.todos.map((todo, index) => (index === place ? { ...todo, status: 'completed' } : todo)),
    };
  });
  return {
    output: todoFields(todos),
    say: `This is done: "${done?.content}". Mark it as completed in your to-do list with ${TODO_TOOLS[key.client]}.`,
    sessionFacts: { todos: todoFields(todos) },
  };
}

/** A template gives an index as text. */
function placeIn(todos: readonly Todo[], { todo, index }: JsonObject): number {
  if (index !== undefined) {
    const number = typeof index === 'string' && /^\d{1,6}$/.test(index.trim()) ? Number(index) : index;
    if (typeof number !== 'number' || !Number.isInteger(number) || number < 0)
      throw wrong('index', 'a whole number from 0', index);
    if (number >= todos.length) throw unknown(`number ${number}, counted from 0`, todos);
    return number;
  }
  if (typeof todo !== 'string' || todo.trim() === '') throw wrong('todo', 'a text', todo);
  const asked = todo.trim();
  const byId = todos.findIndex(({ id }) => id === asked);
  if (byId >= 0) return byId;
  // One that is still open first: the same words may stand twice.
  const named = todos.flatMap(({ content }, place) => (content.trim() === asked ? [place] : []));
  const place = named.find((one) => todos[one]?.status !== 'completed') ?? named[0];
  if (place === undefined) throw unknown(JSON.stringify(asked), todos);
  return place;
}

function unknown(asked: string, todos: readonly Todo[]): Breakdown {
  const list = todos.length === 0 ? 'it is empty' : `it has ${todos.length}`;
  return new Breakdown(
    {
      class: 'error',
      message: `the to-do list of the session has no ${asked}: ${list}`,
      hint: 'Give the session its list with `call: write-todos` first.',
    },
    UNPERFORMABLE,
  );
}
