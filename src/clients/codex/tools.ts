// tools: what codex is about to do, in the one vocabulary (model/tool-call). Its names in hooks: Bash, apply_patch,
// view_image, spawn_agent, mcp__server__tool.

import type { Json, JsonObject } from '../../model/json.ts';
import type { ToolAct } from '../../model/tool-call.ts';
import { isWithheld, namesTool, parseToolItem } from '../../model/tool-policy.ts';
import type { ToolPolicy } from '../../model/workflow.ts';
import { foldersVisited } from '../../text/shell/shell.ts';
import { pathActs, standingIn, type ToolCall } from '../call-paths.ts';
import { addedFile, commandOfPatch, holdsPatch, patchOfCommand, patchThatAdds, readPatch } from './patch.ts';
import { readingEvents } from './reading.ts';

/** What a name may stand for: the servers of the step, and its lists. */
export interface Known {
  tools: ToolPolicy;
  servers: readonly string[];
}

/** Its own book-keeping: these touch nothing, and without the search it does not find the tools of MCP servers. */
const HARMLESS = /^(tool_search|update_plan|(get|create|update)_goal|request_user_input|sleep)$/;
/** Some names of these come with what they belong to in front: `multi_agent_v1wait_agent`. */
const SUBAGENTS = /(spawn|close|resume|wait|list|interrupt)_agents?$|send_(input|message)$|followup_task$/;

/** One for each file it touches; none: nobody needs to be asked. */
export function toolActs({ name, input, cwd }: ToolCall, known: Known): ToolAct[] {
  return standingIn(cwd, eventsOf(name, input, known));
}

function eventsOf(name: string, input: JsonObject, known: Known): ToolAct[] {
  const command = text(input.command);
  if (name === 'Bash') return commandEvents(command ?? '', input, known);
  if (name === 'apply_patch') return patchEvents(command ?? '', input);
  if (name === 'view_image') return pathActs('Read', input, ['path']);
  if (HARMLESS.test(name)) return [];
  if (name.startsWith('mcp__')) return pathActs(serversName(name, known), input);
  return pathActs(SUBAGENTS.test(name) ? 'Task' : name, input);
}

/** Codex makes an underscore of whatever else stands in a name: `mcp__my-server__do-it` comes as `mcp__my_server__do_it`. */
function serversName(name: string, { tools, servers }: Known): string {
  const items = [...(tools.allow ?? []), ...tools.deny].map((item) => parseToolItem(item)?.tool ?? '');
  const candidates = [...items, ...servers.map((server) => `mcp__${server}__*`)];
  const meant = candidates.find((candidate) => {
    const plain = candidate.replaceAll(/[^\w*]/g, '_');
    return candidate.startsWith('mcp__') && plain !== candidate && namesTool(plain, name);
  });
  if (meant === undefined) return name;
  const [head = '', ...rest] = meant.split('*');
  const tail = rest.at(-1) ?? '';
  return rest.length === 0 ? meant : head + name.slice(head.length, name.length - tail.length) + tail;
}

function commandEvents(command: string, input: JsonObject, { tools }: Known): ToolAct[] {
  const patch = patchOfCommand(command);
  if (patch !== undefined) return patchEvents(patch, input).map(fromUnknownFolder);
  const bash: ToolAct = { tool: 'Bash', input, command };
  if (holdsPatch(command)) return [bash, ...embeddedPatch(command, input)];
  const reading = readingEvents(command) ?? [];
  // Also for whoever has commands: what was read counts as read, and what is denied is denied. That a list names Bash and
  // not Read takes no `cat` from it.
  if (namesBash(tools))
    return [bash, ...reading.filter(({ tool }) => !isWithheld({ ...tools, deny: [] }, tool))];
  const isPlain = reading.length > 0 && (!hasReadPatterns(tools) || reading.every(isAbsolute));
  return isPlain ? reading : [bash];
}

/** A command may be given another folder to run in, which no hook is told. */
function fromUnknownFolder(event: ToolAct): ToolAct {
  return event.file === undefined || isAbsolute(event) ? event : { ...event, isFromUnknownFolder: true };
}

/** A patch among other commands, or a text about patches: one that cannot be read may be an edit of any file. */
function embeddedPatch(command: string, input: JsonObject): ToolAct[] {
  const events = patchEvents(command, input).map(({ unreadable, ...event }) => fromUnknownFolder(event));
  // `cd sub && apply_patch`: its paths are from there.
  const below = foldersVisited(command).flatMap((folder) =>
    events
      .filter(({ file }) => file !== undefined && !file.startsWith('/'))
      .map((event) => ({ ...event, file: `${folder}/${event.file}` })),
  );
  return [...events, ...below];
}

/** With Bash as a whole, or no list at all, a command is a command. */
function namesBash({ allow }: ToolPolicy): boolean {
  if (allow === undefined) return true;
  return allow.some((item) => {
    const parsed = parseToolItem(item);
    return parsed?.tool === 'Bash' && parsed.pattern === undefined;
  });
}

/** Only an absolute path says where it leads. */
function isAbsolute({ file }: ToolAct): boolean {
  return file?.startsWith('/') ?? false;
}

function hasReadPatterns({ allow = [], deny }: ToolPolicy): boolean {
  return [...allow, ...deny].some((item) => /^(Read|Grep|Glob|LS)\s*\(/.test(item.trim()));
}

/** A whole new file comes with its content under the names that rules know, beside codex's own. */
function patchEvents(patch: string, input: JsonObject): ToolAct[] {
  const reading = readPatch(patch);
  if ('unreadable' in reading) return [{ tool: 'Edit', input, unreadable: reading.unreadable }];
  const added = addedFile(patch);
  if (added !== undefined) {
    const { path, content } = added;
    return [{ tool: 'Write', input: { ...input, file_path: path, content }, file: path, field: 'file_path' }];
  }
  return reading.files.map(({ path, change }) => ({
    tool: change === 'add' ? 'Write' : 'Edit',
    input,
    file: path,
  }));
}

/** What codex is to do instead, in its own words. Undefined: it cannot be told so. */
export function handBack(call: ToolCall, event: ToolAct, input: JsonObject): JsonObject | undefined {
  if (text(call.input.command) === undefined) return input;
  const command = text(input.command);
  if (command !== undefined && command !== event.input.command) return { ...call.input, command };
  const changed = Object.keys({ ...event.input, ...input }).filter(
    (key) => !isSame(event.input[key], input[key]),
  );
  if (changed.length === 0) return call.input;
  const [path, content] = [text(input.file_path), text(input.content)];
  if (path === undefined || content === undefined || event.tool !== 'Write') return undefined;
  if (changed.some((key) => key !== 'file_path' && key !== 'content')) return undefined;
  const patch = patchThatAdds({ path, content });
  return { ...call.input, command: call.name === 'apply_patch' ? patch : commandOfPatch(patch) };
}

function isSame(one: Json | undefined, other: Json | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function text(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** `/bin/bash -lc 'npm test'` as the stream has it → `npm test`. */
export function commandOf(line: string): string {
  const [, quoted] = /^\S*sh -l?c ([\s\S]+)$/.exec(line) ?? [];
  if (quoted === undefined) return line;
  const [, single] = /^'([\s\S]*)'$/.exec(quoted) ?? [];
  if (single !== undefined) return single.replaceAll(`'\\''`, "'").replaceAll(`'"'"'`, "'");
  const [, double] = /^"([\s\S]*)"$/.exec(quoted) ?? [];
  return double === undefined ? quoted : double.replaceAll(/\\(["\\$`])/g, '$1');
}
