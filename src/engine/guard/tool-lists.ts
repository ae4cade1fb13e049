// tool-lists: whether the lists of a step let a call through (rule 8). An item is `Read`, `Bash(npm *)`,
// `Write(docs/**)`, `mcp__github__*`.
//
// T1. A denial is read generously, an allowance strictly: where one cannot be sure, the call is denied.
// T2. Of a shell line every command must be allowed, and none may be denied. A pattern allows writing to a file by
//     redirection only if it has a `>` itself.
// T3. A path counts as it is spelt and as where it leads, links followed: each of them may be denied, all must be
//     allowed. Relative patterns are of the workspace; `/…` and `~/…` are of the machine.
// T4. A glob is judged by what it can reach: one that reads files by all of it; a search by all of it where it says which
//     folder it means (`secret/*`), else (`**/*.ts`) by the folder it starts in.
// T5. A pattern that denies a path to one tool that writes denies it to all of them; one that denies reading a file denies
//     searching in it.
// T6. `.git` and the folder of runs are never written; definitions and clients' settings only where `allow` names them
//     (protected-places.ts).
// T7. A file that a shell line visibly writes is judged as if Write wrote it: denied where Write is denied, and held to the
//     paths that `allow` gives to tools that write, where it gives any. Files in the folders for temporary files are not
//     judged, because tools put files there that the step does not hand on.
// T8. A file that a shell line changed against the lists may be written by one: it has to be put back.

import { plainName } from '../../model/own-place.ts';
import type { ToolAct } from '../../model/tool-call.ts';
import {
  isAkin,
  isReservedServer,
  isWritingTool,
  namesTool,
  parseToolItem,
  type ToolItem,
} from '../../model/tool-policy.ts';
import type { ToolPolicy } from '../../model/workflow.ts';
import { braceAlternatives } from '../../text/brace-alternatives.ts';
import { coversGlob, fitsPattern, literalPattern, meetsPattern } from './path-pattern.ts';
import { namesOf, type SettledPlace, whyProtected } from './protected-places.ts';
import { commandNotAllowed, type NotAllowed, whyLineDenied } from './shell-lists.ts';

/** What patterns are about, and what is ours. */
export interface Surroundings {
  root: string;
  home?: string;
  /** Folders for temporary files. */
  temporary?: readonly string[];
  /** Files that a line has changed and may write to put them back (T8). */
  returning?: readonly string[];
  /** Exact names of the tools of MCP servers that this run has started itself. */
  ownTools?: readonly string[];
  /** Exact names of the tools of our own server that this agent was given: judged as any other. */
  givenTools?: readonly string[];
}

/** What a client's answer to our schema goes through: never filtered out (rule 8). */
const ANSWERS = 'StructuredOutput';
const FILE_TOOLS = new Set(['Read', 'Write', 'Edit', 'MultiEdit', 'NotebookEdit', 'Grep', 'Glob', 'LS']);
/** Where the text that a pattern is about stands in the input of other tools. */
const SUBJECTS: Readonly<Record<string, string>> = {
  WebFetch: 'url',
  WebSearch: 'query',
  Task: 'subagent_type',
};

export function isOwnTool(tool: string, { ownTools = [] }: Pick<Surroundings, 'ownTools'>): boolean {
  return tool === ANSWERS || ownTools.includes(tool);
}

/** A tool of some other server that goes by the name of Lockstep's own. */
function isReserved(tool: string): boolean {
  const [, rest = ''] = /^mcp__(.*)$/i.exec(tool) ?? [];
  return (
    rest !== '' &&
    rest
      .split('__')
      .some((_, index, parts) => index > 0 && isReservedServer(parts.slice(0, index).join('__')))
  );
}

/** Why not; undefined: the lists have nothing against it. */
export function whyWithheld(policy: ToolPolicy, call: ToolAct, around: Surroundings): string | undefined {
  const { allow, deny } = policy;
  if (isOwnTool(call.tool, around)) return undefined;
  if (call.unreadable !== undefined) return `${call.tool} cannot be judged: ${call.unreadable}`;
  if (isReserved(call.tool) && !around.givenTools?.includes(call.tool))
    return `${call.tool} is not of a server that Lockstep has started`;
  if (call.tool === 'Bash') {
    const why = whyLineDenied(deny, call.command);
    if (why !== undefined) return why;
  }
  const denying = call.tool === 'Bash' ? undefined : deny.find((item) => isMeant(item, call, 'deny', around));
  if (denying !== undefined) return `\`${denying}\` is denied in this step`;
  const protectedBy = whyCallProtected(policy, call, around);
  if (protectedBy !== undefined) return protectedBy;
  if (allow === undefined) return undefined;
  if (allow.length === 0) return 'no tool is allowed in this step';
  const refused = call.tool === 'Bash' ? lineRefused(allow, call) : fileRefused(allow, call, around);
  if (refused === undefined) return undefined;
  const because = refused.because === undefined ? '' : `, because ${refused.because}`;
  return `${refused.text} is not among what is allowed in this step: ${named(allow)}${because}`;
}

function whyCallProtected(policy: ToolPolicy, call: ToolAct, around: Surroundings): string | undefined {
  const { file } = call;
  if (file === undefined || !isWritingTool(call.tool)) return undefined;
  return whyProtected({ ...call, file }, (name) =>
    (policy.allow ?? []).some((item) => namesPlace(item, call.tool, name, around)),
  );
}

/**
 * Why a file must not be written by something that is no tool of its own, such as a redirection of a shell line: a pattern
 * denies it to a tool that writes, or it is protected (T5, T6). Undefined: nothing is against it.
 */
export function whyWriteWithheld(
  policy: ToolPolicy,
  place: SettledPlace,
  around: Surroundings,
): string | undefined {
  const isReturned = namesOf(place).every((name) => around.returning?.includes(name));
  const denying = isReturned ? undefined : denyingPath(policy, place, around, 'Write');
  if (denying !== undefined) return `${denying}, and this line writes ${place.file}`;
  const protectedBy = whyProtected(place, (name) =>
    (policy.allow ?? []).some((item) => namesPlace(item, undefined, name, around)),
  );
  if (protectedBy !== undefined || isReturned || isTemporary(place, around)) return protectedBy;
  const whole = policy.deny.find((item) => {
    const parsed = parseToolItem(item);
    return parsed !== undefined && isWhole(parsed) && namesTool(parsed.tool, 'Write');
  });
  if (whole !== undefined) return `\`${whole}\` is denied in this step, and this line writes ${place.file}`;
  return whyNotAmongWritten(policy.allow ?? [], place, around);
}

/** Where `allow` says which paths may be written, a line writes no others. Without a word about it, it is not asked. */
function whyNotAmongWritten(
  allow: readonly string[],
  place: SettledPlace,
  around: Surroundings,
): string | undefined {
  const writing = allow.flatMap((item) => {
    const parsed = parseToolItem(item);
    return parsed !== undefined && isAkin(parsed.tool, 'Write') ? [{ item, ...parsed }] : [];
  });
  if (writing.length === 0 || writing.some(isWhole)) return undefined;
  const call: ToolAct = { tool: 'Write', input: {}, ...place };
  if (writing.some(({ pattern }) => fitsFile(pattern ?? '', call, 'allow', around) === true))
    return undefined;
  return `this line writes ${place.file}, and only ${writing.map(({ item }) => item).join(', ')} may be written in this step`;
}

const TEMPORARY = ['/tmp', '/var/tmp', '/private/tmp', '/private/var/tmp', '/dev/shm'];

/** Outside of the workspace, by every name it has. */
function isTemporary(place: SettledPlace, { temporary = [] }: Surroundings): boolean {
  const folders = [...TEMPORARY, ...temporary.map((folder) => folder.replace(/\/$/, ''))];
  return namesOf(place).every((name) => folders.some((folder) => name.startsWith(`${folder}/`)));
}

/** The same for a file that is read: a pattern denies it to Read. */
export function whyReadWithheld(
  policy: ToolPolicy,
  place: SettledPlace,
  around: Surroundings,
): string | undefined {
  return denyingPath(policy, place, around, 'Read');
}

/** An item with a pattern that denies the path. */
function denyingPath(
  { deny }: ToolPolicy,
  place: SettledPlace,
  around: Surroundings,
  tool: 'Write' | 'Read',
): string | undefined {
  const call: ToolAct = { tool, input: {}, ...place };
  const denying = deny.find(
    (item) => parseToolItem(item)?.pattern !== undefined && isMeant(item, call, 'deny', around),
  );
  return denying === undefined ? undefined : `\`${denying}\` is denied in this step`;
}

/** Whether an item of `allow` lets this path be written, and says so in its own words: `**` names nothing. */
function namesPlace(
  item: string,
  tool: string | undefined,
  { name, path }: { name: string; path: string },
  around: Surroundings,
): boolean {
  const parsed = parseToolItem(item);
  if (parsed?.pattern === undefined) return false;
  const isMeantFor = tool === undefined ? isAkin(parsed.tool, 'Write') : namesTool(parsed.tool, tool);
  const alternatives = isMeantFor ? (braceAlternatives(parsed.pattern) ?? []) : [];
  return alternatives.some(
    (one) =>
      one.split('/').some((part) => plainName(part) === name) &&
      fitsPath(one, path, undefined, 'allow', around) === true,
  );
}

function named(allow: readonly string[]): string {
  return allow.length <= 20 ? allow.join(', ') : `${allow.slice(0, 20).join(', ')}, …`;
}

function fileRefused(allow: readonly string[], call: ToolAct, around: Surroundings): NotAllowed | undefined {
  if (allow.some((item) => isMeant(item, call, 'allow', around))) return undefined;
  return { text: call.file === undefined ? call.tool : `${call.tool}(${call.file})` };
}

/** All items together: each command of a line may be another's. */
function lineRefused(allow: readonly string[], { tool, command }: ToolAct): NotAllowed | undefined {
  const items = allow
    .flatMap((item) => parseToolItem(item) ?? [])
    .filter((item) => namesTool(item.tool, tool));
  if (items.some(isWhole)) return undefined;
  if (command === undefined) return { text: tool };
  const patterns = items.flatMap(({ pattern }) => pattern ?? []);
  const refused = commandNotAllowed(patterns, command);
  return refused && { ...refused, text: `${tool}(${refused.text})` };
}

function isWhole({ pattern }: ToolItem): boolean {
  return pattern === undefined || pattern === '*' || pattern === '**';
}

type Stance = 'deny' | 'allow';

function isMeant(item: string, call: ToolAct, stance: Stance, around: Surroundings): boolean {
  const parsed = parseToolItem(item);
  // Looked at when the workflow was loaded; one that slipped through opens nothing.
  if (parsed === undefined) return stance === 'deny';
  if (!namesTool(parsed.tool, call.tool)) {
    const isAlso = stance === 'deny' && parsed.pattern !== undefined && isAkin(parsed.tool, call.tool);
    // A search without a folder is one of everything: that a file must not be read takes no search away.
    if (!isAlso || (SEARCHES.has(call.tool) && call.file === undefined)) return false;
  }
  if (parsed.pattern === undefined || isWhole(parsed)) return true;
  return fitsSubject(parsed.pattern, call, stance, around) ?? stance === 'deny';
}

/** Undefined: one cannot tell. */
function fitsSubject(
  pattern: string,
  call: ToolAct,
  stance: Stance,
  around: Surroundings,
): boolean | undefined {
  if (FILE_TOOLS.has(call.tool)) return fitsFile(pattern, call, stance, around);
  const key = Object.hasOwn(SUBJECTS, call.tool) ? (SUBJECTS[call.tool] as string) : '';
  const subject = Object.hasOwn(call.input, key) ? call.input[key] : undefined;
  if (typeof subject !== 'string') return undefined;
  return pattern.startsWith('domain:') ? fitsHost(pattern.slice(7), subject) : fitsText(pattern, subject);
}

function fitsFile(pattern: string, call: ToolAct, stance: Stance, around: Surroundings): boolean | undefined {
  const { file, tool, glob } = call;
  if (file === undefined || (call.isFromUnknownFolder && !file.startsWith('/'))) return undefined;
  // A search that says of no folder that it means it is one of where it starts (T4).
  const isWide = SEARCHES.has(tool) && stance === 'deny' && glob?.startsWith('**');
  const answers = namesOf({ ...call, file }).map((path) =>
    fitsPath(pattern, path, isWide ? undefined : glob, stance, around),
  );
  if (stance === 'deny' && answers.includes(true)) return true;
  if (answers.includes(undefined)) return undefined;
  return stance === 'allow' && !answers.includes(false);
}

const SEARCHES = new Set(['Grep', 'Glob']);

/** `glob`: what is reached below the path; absent: the path itself. Undefined: one cannot tell. */
function fitsPath(
  written: string,
  path: string,
  glob: string | undefined,
  stance: Stance,
  { root, home }: Surroundings,
): boolean | undefined {
  const pattern = settledPattern(written, home);
  if (pattern === undefined) return undefined;
  const folder = root.replace(/\/$/, '');
  const fits = (one: string) => {
    if (glob === undefined) return fitsPattern(pattern, one);
    const reached = one === '.' ? glob : `${literalPattern(one === '/' ? '' : one)}/${glob}`;
    return stance === 'deny' ? meetsPattern(pattern, reached) : coversGlob(pattern, reached);
  };
  if (pattern.startsWith('/'))
    return fits(path.startsWith('/') ? path : path === '.' ? folder : `${folder}/${path}`);
  if (!path.startsWith('/')) return fits(path);
  // A denial of `**/*.md` is meant wherever the file is; an allowance is of the workspace.
  return stance === 'deny' && pattern.startsWith('**') ? fits(path) : false;
}

function settledPattern(pattern: string, home: string | undefined): string | undefined {
  if (pattern.startsWith('~/')) {
    return home === undefined ? undefined : `${home.replace(/\/$/, '')}${pattern.slice(1)}`;
  }
  // Claude's way to write an absolute one.
  if (pattern.startsWith('//')) return pattern.slice(1);
  return pattern.replace(/^(?:\.\/)+/, '');
}

function fitsHost(host: string, url: string): boolean | undefined {
  const found = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#@]*@)?([^/?#:]+)/i.exec(url)?.[1]?.toLowerCase();
  return found === undefined ? undefined : fitsText(host.toLowerCase(), found);
}

/** `*` is anything; Claude's `npm test:*` is `npm test` and whatever follows. */
function fitsText(pattern: string, text: string): boolean {
  return namesTool(pattern.replace(/:\*$/, '*'), text);
}
