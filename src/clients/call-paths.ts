// call-paths: every path that stands in the input of a call, whichever field it stands in. A client may take one field and
// overlook another; which one that is depends on the tool and on the version, so all of them are asked about.

import type { Json, JsonObject } from '../model/json.ts';
import { isOwnCall } from '../model/own-tools.ts';
import type { ToolAct } from '../model/tool-call.ts';
import { globReach } from './glob-reach.ts';

/** A call as a hook is told of it. */
export interface ToolCall {
  name: string;
  input: JsonObject;
  /** Where the agent stands now; absent: where it was started. */
  cwd?: string;
}

/** Fields that hold a path, or a list of them, in the tools of any client and of MCP servers, as snake_case. */
const PATH_FIELDS: ReadonlySet<string> = new Set([
  ...[
    'path',
    'paths',
    'file',
    'files',
    'file_path',
    'file_paths',
    'filepath',
    'filename',
    'filenames',
    'file_name',
  ],
  ...[
    'notebook_path',
    'absolute_path',
    'relative_path',
    'dir',
    'dir_path',
    'directory',
    'directory_path',
    'folder',
  ],
  ...[
    'folder_path',
    'target_path',
    'target_file',
    'source_path',
    'source',
    'destination',
    'destination_path',
  ],
  ...['old_path', 'new_path', 'output_path', 'plan_path'],
]);
/** Fields that hold a path or something else: they count where what they hold looks like a path. */
const PERHAPS_PATH =
  /^(?:uri|url|target|to|dest|dst|output|out|location|new_name|old_name|name|root|cwd|workdir)$/;
/** Whatever the field: a text that names a place which no call may write. */
const PROTECTED =
  /(?:^|[/\\])\.(?:git|lockstep|wrangler|claude|codex|gemini|agents|mcp\.json|claude\.json)(?:[/\\]|$)/i;
const MOST_PATHS = 200;
const DEEPEST = 40;
const MOST_VALUES = 50_000;
const TOO_MANY = 'it names more paths, or names them deeper, than can be judged';

function isPath(field: string | undefined, text: string): boolean {
  const name = (field ?? '')
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toLowerCase();
  if (PATH_FIELDS.has(name) || /(?:^|_)(?:path|file|filename|dir|folder|pathname)s?$/.test(name)) return true;
  if (/\s/.test(text) || text.length > 4_096) return false;
  if (PERHAPS_PATH.test(name))
    return /^(?:file:|[./~])|\//.test(text) && !/^(?!file:)[a-z][\w+.-]+:/i.test(text);
  return PROTECTED.test(text);
}

/** A path as a URI is a path. */
function withoutScheme(text: string): string {
  return text.replace(/^file:\/\/(?:localhost)?(?=\/)/i, '').replace(/^file:(?=[^/]|\/[^/])/i, '');
}

interface Named {
  path: string;
  /** Of the input itself; absent: deeper in it. */
  field?: string;
}

/**
 * One event for each path in the input; one without a file where there is none. `first`: the fields that this tool is
 * known to take, the one that counts in front. Too many to be asked about: the call is unreadable, and denied.
 */
export function pathActs(tool: string, input: JsonObject, first: readonly string[] = []): ToolAct[] {
  // What an issue says is text, whatever it looks like, and the server takes no folder but its project.
  if (isOwnCall(tool)) return [{ tool, input }];
  const named = namedPaths(input, first);
  if (named === undefined) return [{ tool, input, unreadable: TOO_MANY }];
  if (named.length === 0) return [{ tool, input }];
  return named.map(({ path, field }) => ({ tool, input, file: path, ...(field !== undefined && { field }) }));
}

/** Undefined: too many, or too deep. */
function namedPaths(
  input: JsonObject,
  first: readonly string[],
  except: readonly string[] = [],
): Named[] | undefined {
  const known = first.flatMap((field) => textsOf(input[field]).map((path) => ({ path, field })));
  const others: Named[] = [];
  let left = MOST_VALUES;
  let isTooMuch = false;
  const visit = (value: Json, key: string | undefined, depth: number): void => {
    isTooMuch ||= depth > DEEPEST || left-- <= 0 || others.length > MOST_PATHS;
    if (isTooMuch) return;
    if (typeof value === 'string') {
      if (isPath(key, value))
        others.push({ path: withoutScheme(value), ...(depth === 1 && key !== undefined && { field: key }) });
    } else if (Array.isArray(value)) for (const one of value) visit(one, key, depth + 1);
    else if (typeof value === 'object' && value !== null) {
      for (const [name, one] of Object.entries(value))
        if (depth > 0 || !except.includes(name)) visit(one, name, depth + 1);
    }
  };
  visit(input, undefined, 0);
  if (isTooMuch) return undefined;
  const all = [...known, ...others];
  const found = all.filter(({ path }, index) => all.findIndex((other) => other.path === path) === index);
  return found.length > MOST_PATHS ? undefined : found;
}

export interface SearchFields {
  /** Where it starts. */
  folder: readonly string[];
  /** What it looks for: these reach further than the folder. */
  globs?: readonly string[];
  /** What it leaves out of what is in the folder: these matter only where they lead out of it. */
  filters?: readonly string[];
}

/** Of a search, or of a tool that reads whatever fits a glob. */
export function searchActs(tool: string, input: JsonObject, fields: SearchFields): ToolAct[] {
  const patterns = [...(fields.globs ?? []), ...(fields.filters ?? [])];
  const named = namedPaths(input, fields.folder, patterns);
  if (named === undefined) return [{ tool, input, unreadable: TOO_MANY }];
  const [folder, ...others] = named;
  const globs = (fields.globs ?? []).flatMap((field) => textsOf(input[field]));
  const filters = (fields.filters ?? [])
    .flatMap((field) => textsOf(input[field]))
    .flatMap((filter) => [filter, ...filter.split(/\s+/), ...filter.split(/[\s,]+/)])
    .filter((filter) => filter !== '' && !filter.startsWith('!'));
  const started: ToolAct = {
    tool,
    input,
    ...(folder !== undefined && { file: folder.path, ...(folder.field && { field: folder.field }) }),
  };
  const reached = [...new Set(globs)].flatMap((glob) => reachEvents(tool, input, glob, folder?.path));
  const ledOut = [...new Set(filters)]
    .flatMap((filter) => reachEvents(tool, input, filter, folder?.path))
    .filter(({ file, glob }) => (file ?? '.') !== (folder?.path ?? '.') || glob?.startsWith('**') === false);
  const elsewhere = others.map(({ path }) => ({ tool, input, file: path }));
  // What it looks for says more than the folder it starts in.
  const events = [...(reached.length > 0 ? reached : [started]), ...ledOut, ...elsewhere];
  return events.length > MOST_PATHS ? [{ tool, input, unreadable: TOO_MANY }] : events;
}

function reachEvents(tool: string, input: JsonObject, glob: string, folder: string | undefined): ToolAct[] {
  const reached = globReach(glob, folder);
  if (reached === undefined) return [{ tool, input }];
  return reached.map((one) => {
    // A name without a folder is looked for in all folders by some clients.
    const isBare = one.file === (folder ?? '.') && one.glob?.includes('/') === false;
    const glob = tool !== 'Read' && isBare ? `**/${one.glob}` : one.glob;
    // As long as nobody has said where, it is of everywhere, as a search without a folder.
    const isAnywhere = folder === undefined && one.file === '.' && glob?.startsWith('**');
    if (tool !== 'Read' && isAnywhere) return { tool, input };
    return { tool, input, file: one.file, ...(glob !== undefined && { glob }) };
  });
}

/** The same calls, with the folder that they happen in. */
export function standingIn(cwd: string | undefined, events: ToolAct[]): ToolAct[] {
  return cwd === undefined ? events : events.map((event) => ({ cwd, ...event }));
}

export function textsOf(value: Json | undefined): string[] {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}
