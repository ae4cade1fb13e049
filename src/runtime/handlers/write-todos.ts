// write-todos: { todos }. The list goes into the record of the session. No client lets a hook write the list that its model
// keeps, so the model is told to. Gives the list.

import { todoFields } from '../../model/session-fields.ts';
import type { Handled, HandlerCall } from './handler.ts';
import { changeRecord, givenTo, sessionOf } from './live-call.ts';
import { readTodos, TODO_TOOLS, todoLines } from './todos.ts';

export function writeTodos(call: HandlerCall): Handled {
  const { key } = sessionOf(call);
  const todos = readTodos('todos', givenTo(call).todos);
  const record = changeRecord(call, (before) => ({ ...before, todos }));
  const say =
    todos.length === 0
      ? `Your to-do list is empty now. Clear it with ${TODO_TOOLS[key.client]}.`
      : `Your to-do list is this one. Take it over with ${TODO_TOOLS[key.client]}, in this order, and keep to it:\n${todoLines(record.todos)}`;
  return { output: todoFields(record.todos), say, sessionFacts: { todos: todoFields(record.todos) } };
}
