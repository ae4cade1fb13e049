// transcript: the file in which a client keeps a conversation → its story. What cannot be understood is passed over: these
// files are the client's own, have no promised form, and end in the middle of a line while the client writes.

import { isObject, type JsonObject } from '../model/json.ts';
import type { ClientName } from '../model/live-session.ts';
import type { Story } from '../model/story.ts';
import { readEntry as claude } from './claude/read-transcript.ts';
import { readEntry as codex } from './codex/read-transcript.ts';
import { readEntry as gemini } from './gemini/read-transcript.ts';
import type { Telling } from './telling.ts';

type ReadEntry = (entry: JsonObject) => Telling[];

const READERS: Readonly<Record<ClientName, ReadEntry>> = { claude, codex, gemini };

const MOST_PROMPTS = 40;
const MOST_MESSAGES = 12;
const MOST_FILES = 100;
const LONGEST = 4_000;

/** `text`: lines of JSON, or one JSON document. A gap in it does no harm. */
export function readTranscript(client: ClientName, text: string): Story {
  const read = READERS[client];
  const story: Story = { prompts: [], messages: [], files: [], todos: [] };
  const told = new Set<string>();
  for (const entry of entriesIn(text)) {
    // A client may write a message again when more is known of it.
    const id = typeof entry.id === 'string' ? entry.id : undefined;
    for (const telling of orNothing(() => read(entry))) {
      const name = id === undefined ? undefined : JSON.stringify([id, telling]);
      if (name !== undefined && told.has(name)) continue;
      if (name !== undefined) told.add(name);
      tell(story, telling);
    }
  }
  return story;
}

function tell(story: Story, telling: Telling): void {
  switch (telling.kind) {
    case 'prompt': {
      const text = bounded(telling.text);
      // Twice in a row: clients that keep a message and an event of it.
      if (text === '' || (story.messages.at(-1)?.by === 'person' && story.messages.at(-1)?.text === text))
        return;
      story.prompts.push(text);
      if (story.prompts.length > MOST_PROMPTS) story.prompts.splice(MOST_PROMPTS / 2, 1);
      return addMessage(story, { by: 'person', text });
    }
    case 'said': {
      const text = bounded(telling.text);
      if (text === '' || (story.messages.at(-1)?.by === 'agent' && story.messages.at(-1)?.text === text))
        return;
      return addMessage(story, { by: 'agent', text });
    }
    case 'wrote': {
      story.files = [...story.files.filter((file) => file !== telling.file), telling.file].slice(-MOST_FILES);
      return;
    }
    case 'todos':
      story.todos = telling.todos;
  }
}

function addMessage(story: Story, message: Story['messages'][number]): void {
  story.messages.push(message);
  if (story.messages.length > MOST_MESSAGES) story.messages.shift();
}

function bounded(text: string): string {
  const trimmed = text.trim();
  return trimmed.length <= LONGEST
    ? trimmed
    : `${trimmed.slice(0, LONGEST).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

function* entriesIn(text: string): Generator<JsonObject> {
  const whole = text.trimStart().startsWith('{') ? parsed(text) : undefined;
  if (whole !== undefined) {
    const { messages } = whole;
    if (Array.isArray(messages)) yield* messages.filter(isObject);
    else yield whole;
    return;
  }
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf('\n', start);
    const entry = parsed(text.slice(start, end < 0 ? undefined : end));
    if (entry !== undefined) yield entry;
    if (end < 0) return;
    start = end + 1;
  }
}

function parsed(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function orNothing(read: () => Telling[]): Telling[] {
  try {
    return read();
  } catch {
    return [];
  }
}
