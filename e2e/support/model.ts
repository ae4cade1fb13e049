// model: what the model does in a scenario, written once and played through every client.
// A part begins where a prompt holds its key. Which turn of it is next is read off the conversation, so that a client
// may ask again, and in which order it likes.

import type { ModelRequest, ModelTurn, Script } from '../model-server/turn.ts';
import type { Client, Use } from './clients/client.ts';

export interface Turn extends Omit<ModelTurn, 'text' | 'calls'> {
  say?: string;
  use?: Use[];
  /** An answer of a certain shape: by the client's own tool for that, else as text. */
  answer?: unknown;
}

/** Some are up to what the model has been told by then, such as a token to hand back. */
export type Move = Turn | ((asked: ModelRequest) => Turn);

/** Turns, one after the other; or several of that, where the part begins again (a fresh session, a call that failed). */
export type Part = Move[] | { openings: Move[][] };

export const say = (text: string): Turn => ({ say: text });
export const answer = (value: unknown): Turn => ({ answer: value });
const use = (...uses: Use[]): Turn => ({ use: uses });
export const write = (file: string, content: string): Turn => use({ tool: 'Write', file, content });
export const edit = (file: string, old: string, next: string): Turn =>
  use({ tool: 'Edit', file, old, new: next });
export const read = (file: string): Turn => use({ tool: 'Read', file });
export const bash = (command: string): Turn => use({ tool: 'Bash', command });
export const callTool = (server: string, name: string, input: Record<string, unknown>): Turn =>
  use({ tool: 'MCP', server, name, input });

/** After the last turn of a part, unless that only said something: then it is said again. */
const THE_END = say('That is all.');

export function play(parts: Record<string, Part>, client: Client, root: string): Script {
  const openings = new Map<string, number>();
  return (request) => {
    if (client.isAside?.(request)) return { text: 'ok' };
    const { key, turn } = placeIn(request, Object.keys(parts));
    const part = parts[key] as Part;
    if (turn === 0) openings.set(key, (openings.get(key) ?? 0) + 1);
    const turns = Array.isArray(part) ? part : nth(part.openings, (openings.get(key) ?? 1) - 1);
    const move = turns[turn] ?? afterwards(turns);
    return inTheWordsOf(client, typeof move === 'function' ? move(request) : move, root, request);
  };
}

/** A client may ask again, as Claude does for an answer of a certain shape. */
function afterwards(turns: Move[]): Turn {
  const last = turns.at(-1);
  if (typeof last === 'function') return THE_END;
  return last?.say !== undefined && last.use === undefined ? last : THE_END;
}

/** The last repeats. */
function nth(openings: Move[][], index: number): Move[] {
  return openings[Math.min(index, openings.length - 1)] ?? [];
}

/** The latest prompt that holds a key, and how many turns the model has taken since. */
function placeIn({ messages }: ModelRequest, keys: string[]): { key: string; turn: number } {
  for (let index = messages.length - 1; index >= 0; index -= 1) {
    const { role, text } = messages[index] as (typeof messages)[number];
    const key = role === 'user' ? keys.find((each) => text.includes(each)) : undefined;
    if (key === undefined) continue;
    const since = messages.slice(index + 1).map((message) => message.role);
    return { key, turn: since.filter((each, at) => each === 'assistant' && since[at - 1] !== each).length };
  }
  const said = messages.filter(({ role }) => role === 'user').map(({ text }) => text.slice(-200));
  throw new Error(`the script has no part for this conversation:\n${said.join('\n')}`);
}

function inTheWordsOf(
  client: Client,
  { say: text, use: uses = [], answer: value, ...rest }: Turn,
  root: string,
  { tools }: ModelRequest,
): ModelTurn {
  const calls = uses.map((each) => client.call(each, root, tools));
  if (value !== undefined) {
    if (client.answerTool === undefined || !tools.includes(client.answerTool)) {
      return { ...rest, text: JSON.stringify(value) };
    }
    calls.push({ name: client.answerTool, input: value as Record<string, unknown> });
  }
  return { ...rest, ...(text !== undefined && { text }), ...(calls.length > 0 && { calls }) };
}
