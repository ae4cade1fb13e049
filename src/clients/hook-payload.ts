// hook-payload: what the payload of a hook has with every client, read without trusting any of it.
//
// R1. Never throws, whatever the payload holds.
// R2. A payload that names no event, no session or no folder is a `problem`: whoever brings it answers as in trouble.
// R3. A call that cannot be read is `unreadable` (K2); it is never left out.
// R4. A name goes into names of files and into the journal, so it has plain characters and is short; texts are cut.
// R5. An event that is delivered twice has the same delivery id, and two events have different ones, as far as the payload
//     tells. A call is known by its id, its turn and its input together: a model's server may count its ids anew in each turn.
//     What neither names a call nor has a time of its own (Stop, SessionStart, PermissionRequest …; two of them may be alike to
//     the letter) is told apart by `asking`, which the hook program makes. Two programs installed for one event are then two
//     deliveries; without `asking`, two stops of one turn with the same last words are one.

import { isObject, type Json, type JsonObject, objectOf } from '../model/json.ts';
import type {
  ClientName,
  HookEvent,
  HookHappening,
  HookOrigin,
  SessionSource,
} from '../model/live-session.ts';
import type { ToolAct } from '../model/tool-call.ts';
import type { ToolPolicy } from '../model/workflow.ts';
import type { ToolCall } from './call-paths.ts';

/** What a reader is handed, since it can neither compute a hash nor know what is installed. */
export interface ReadAround {
  hash(text: string): string;
  /** Names this one asking: made when the hook program starts, and the same when it asks a second time. */
  asking?: string;
  /** Servers that are Lockstep's own, by the names that this client has for them (own-calls.ts). Absent: as installed. */
  ownServers?: readonly string[];
  /** Whether a server that goes by such a name is ours, where the client says what it has started. */
  isOurs?(server: NamedServer): boolean;
  /** Names of all servers that the client has, where they are known. */
  servers?: readonly string[];
  /** The lists that bind the session now, where they are known. */
  tools?: ToolPolicy;
}

export interface NamedServer {
  name: string;
  command?: string;
  args: string[];
  url?: string;
}

export type HookReading = HookEvent | { problem: string };

/** What a client calls an event → what happens in it. Names that are not here are of no concern (`other`). */
export type HookTable = Readonly<
  Record<string, (payload: JsonObject, around: ReadAround, cwd: string) => HookHappening>
>;

const PLAIN_NAME = /^[A-Za-z0-9][\w.:-]{0,199}$/;
const SESSION_ID = /^[A-Za-z0-9][\w.-]{0,127}$/;
const LONGEST_PATH = 4_096;
const LONGEST_EVENT = 100;

export function readPayload(
  client: ClientName,
  table: HookTable,
  given: JsonObject,
  around: ReadAround,
): HookReading {
  const payload = objectOf(given);
  const { hook_event_name: name, session_id: id, cwd } = payload;
  if (typeof name !== 'string' || name === '') return { problem: 'the payload names no event' };
  if (typeof id !== 'string' || !SESSION_ID.test(id))
    return { problem: 'the payload has no session id that can be used' };
  if (!isAbsolutePath(cwd)) return { problem: 'the payload names no folder that the session works in' };
  const read = Object.hasOwn(table, name) ? table[name] : undefined;
  const happening = read?.(payload, around, cwd) ?? { kind: 'other', name: name.slice(0, LONGEST_EVENT) };
  const origin: HookOrigin = {
    session: { client, id },
    cwd,
    delivery: deliveryOf(name, happening, payload, around),
  };
  const { agent_id: agent, transcript_path: transcript, permission_mode: mode } = payload;
  if (isPlainName(agent)) {
    origin.subagent = { id: agent };
    if (isPlainName(payload.agent_type)) origin.subagent.type = payload.agent_type;
  }
  if (isAbsolutePath(transcript)) origin.transcript = transcript;
  if (isPlainName(mode)) origin.mode = mode;
  return { ...origin, ...happening };
}

/** R5. */
function deliveryOf(name: string, { kind }: HookHappening, payload: JsonObject, around: ReadAround): string {
  const { tool_use_id: use, timestamp, prompt_id: prompt, turn_id: turn } = payload;
  const isCall = kind === 'tool_call' || kind === 'tool_result';
  const known = isCall && isPlainName(use) ? use : isPlainName(timestamp) ? timestamp : undefined;
  const isTold =
    known !== undefined || (kind === 'user_prompt' && (isPlainName(prompt) || isPlainName(turn)));
  const asking = isTold ? '' : (around.asking ?? '');
  const digest = around.hash(`${safeJson(payload) ?? ''}\n${asking}`);
  return [name.slice(0, LONGEST_EVENT), known, digest].filter((part) => part !== undefined).join(' ');
}

/** How one client's call is read: what its input may be, and what it does. */
export interface CallTable {
  inputOf(value: Json | undefined): JsonObject | undefined;
  actsOf(call: Required<ToolCall>): ToolAct[];
  /** By our word for it, where the acts have none. */
  toolOf?(name: string): string;
}

export interface CallReading {
  /** As the client names the call. Gemini names none: the tool and its input stand for it. */
  call: string;
  tool: string;
  input: JsonObject;
  acts: ToolAct[];
}

const UNNAMED = 'unnamed';

/** R3. */
export function readCall(
  payload: JsonObject,
  around: ReadAround,
  cwd: string,
  table: CallTable,
): CallReading {
  const { tool_name: name, tool_input: given, tool_use_id: use } = payload;
  const input = isTooMuch(given) ? undefined : table.inputOf(given);
  const call = isPlainName(use) ? use : around.hash(safeJson([name ?? '', given ?? '']) ?? '');
  if (typeof name !== 'string' || name.trim() === '' || name.length > 500)
    return unreadable(call, UNNAMED, input, 'the call names no tool');
  const tool = table.toolOf?.(name) ?? name;
  if (input === undefined)
    return unreadable(call, tool, undefined, 'its input is no map of names, or is too large to be judged');
  const acts = table.actsOf({ name, input, cwd });
  return { call, tool: acts[0]?.tool ?? tool, input, acts };
}

function unreadable(call: string, tool: string, input: JsonObject = {}, why: string): CallReading {
  return { call, tool, input, acts: [{ tool, input, unreadable: why }] };
}

/** A call without any input has an empty one. */
export function inputMap(value: Json | undefined): JsonObject | undefined {
  if (value === undefined || value === null) return {};
  return isObject(value) ? value : undefined;
}

const DEEPEST = 100;
const MOST_VALUES = 50_000;

/** Deeper, or of more values, than those can take who write it down: JSON.stringify itself gives up on it. */
function isTooMuch(value: Json | undefined): boolean {
  let left = MOST_VALUES;
  let level: Json[] = value === undefined ? [] : [value];
  for (let depth = 0; level.length > 0; depth++) {
    left -= level.length;
    if (depth > DEEPEST || left < 0) return true;
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []));
  }
  return false;
}

const SOURCES: readonly string[] = ['startup', 'resume', 'clear', 'compact', 'fork'];

/** One that a client may get one day begins a session, as far as anybody knows. */
export function sourceOf({ source }: JsonObject): SessionSource {
  return typeof source === 'string' && SOURCES.includes(source) ? (source as SessionSource) : 'startup';
}

/** A short word of the client's own: a reason, a trigger. */
export function wordOf(value: Json | undefined): string {
  return typeof value === 'string' ? value.slice(0, LONGEST_EVENT) : '';
}

const LONGEST_TEXT = 10_000;
const END_OF_TEXT = 4_000;
/** What our own server answers is read by who binds a session to a run: whole. */
export const LONGEST_OWN_TEXT = 200_000;
const LONGEST_PROMPT = 100_000;

export function promptOf({ prompt }: JsonObject): string {
  return typeof prompt === 'string' ? prompt.slice(0, LONGEST_PROMPT) : '';
}

/** What a tool or a model has said, whatever form the client gives it: its beginning and its end. */
export function textOf(value: Json | undefined, longest = LONGEST_TEXT): string {
  const text = wholeText(value, 0);
  if (text.length <= longest) return text;
  const tail = Math.min(END_OF_TEXT, Math.floor(longest / 2));
  const dropped = text.length - longest;
  return `${text.slice(0, longest - tail)}\n[… ${dropped} characters …]\n${text.slice(-tail)}`;
}

/** Fields in which clients put what a person would read. */
const TEXT_FIELDS = ['llmContent', 'text', 'content', 'stdout', 'stderr'];

function wholeText(value: Json | undefined, depth: number): string {
  if (typeof value === 'string') return value;
  if (value === undefined || value === null) return '';
  if (depth < 4) {
    if (Array.isArray(value)) {
      const texts = value.slice(0, 1_000).map((one) => wholeText(one, depth + 1));
      return texts.filter((text) => text !== '').join('\n');
    }
    if (typeof value === 'object') {
      const fields = TEXT_FIELDS.filter((field) => Object.hasOwn(value, field));
      const texts = fields.map((field) => wholeText(value[field], depth + 1));
      if (fields.length > 0) return texts.filter((text) => text !== '').join('\n');
    }
  }
  return safeJson(value) ?? '';
}

function safeJson(value: Json): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    // Nested deeper than the stack is.
    return undefined;
  }
}

function isAbsolutePath(value: Json | undefined): value is string {
  return (
    typeof value === 'string' &&
    value.startsWith('/') &&
    value.length <= LONGEST_PATH &&
    !value.includes('\0')
  );
}

function isPlainName(value: Json | undefined): value is string {
  return typeof value === 'string' && PLAIN_NAME.test(value);
}
