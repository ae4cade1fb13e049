// story: what a conversation between a person and a client came to, as its transcript tells it.

import type { Todo } from './session-record.ts';

export interface Story {
  /** What the person asked, oldest first. Of a long one the first ones and the last. */
  prompts: string[];
  /** The last messages, oldest first. */
  messages: { by: 'person' | 'agent'; text: string }[];
  /** Files that were written, the one written last at the end. */
  files: string[];
  /** The list that the agent keeps for itself, as it was last. */
  todos: Todo[];
}
