// tool-lists: whether the lists of a step let a call through (rule 8). An item is `Read`, `Bash(npm *)`,
// `Write(docs/**)`, `mcp__github__*`.
//
// T1. A denial is read generously, an allowance strictly: where one cannot be sure, the call is denied.
// T2. Of a shell line every command must be allowed, and none may be denied. A pattern allows writing to a file by
//     redirection only if it has a `>` itself.
// T3. A path counts as it is spelt and as where it leads, links followed: each of them may be denied, both must be
//     allowed. Relative patterns are of the workspace; `/…` and `~/…` are of the machine.
// T4. A search is judged by the folder it starts in. One whose own pattern may lead out of it (`../x`, `/x`) is one of
//     which one cannot be sure.

import type { ToolEvent } from '../../model/tool-call.ts';
import { namesTool, parseToolItem, type ToolItem } from '../../model/tool-policy.ts';
import type { ToolPolicy } from '../../model/workflow.ts';
import { fitsPattern } from './path-pattern.ts';
import { commandNotAllowed, whyLineDenied } from './shell-lists.ts';

/** A call whose paths are settled: relative to the workspace where inside, else absolute; no `.` or `..` in them. */
export interface SettledCall extends ToolEvent {
  /** Where `file` leads, links followed; absent: as spelt. */
  real?: string;
}

/** The folders that patterns are about. */
export interface Surroundings {
  root: string;
  home?: string;
}

/** Ours, and the one that a client's answer to our schema goes through: never filtered out (rule 8). */
const OWN_TOOLS = ['mcp__lockstep__*', 'StructuredOutput'];
const FILE_TOOLS = new Set(['Read', 'Write', 'Edit', 'MultiEdit', 'NotebookEdit', 'Grep', 'Glob', 'LS']);
/** Where the text that a pattern is about stands in the input of other tools. */
const SUBJECTS: Readonly<Record<string, string>> = {
  WebFetch: 'url',
  WebSearch: 'query',
  Task: 'subagent_type',
};

/** Where a search says which files it is about, beside the folder. What Grep calls `pattern` is of text. */
const SOUGHT: Readonly<Record<string, readonly string[]>> = {
  Glob: ['pattern'],
  Grep: ['glob', 'include', 'include_pattern'],
};

export function isOwnTool(tool: string): boolean {
  return OWN_TOOLS.some((own) => namesTool(own, tool));
}

/** Why not; undefined: the lists have nothing against it. */
export function whyWithheld(
  { allow, deny }: ToolPolicy,
  call: SettledCall,
  around: Surroundings,
): string | undefined {
  if (isOwnTool(call.tool)) return undefined;
  if (call.tool === 'Bash') {
    const why = whyLineDenied(deny, call.command);
    if (why !== undefined) return why;
  }
  const denying = call.tool === 'Bash' ? undefined : deny.find((item) => isMeant(item, call, 'deny', around));
  if (denying !== undefined) return `\`${denying}\` is denied in this step`;
  if (allow === undefined) return undefined;
  if (allow.length === 0) return 'no tool is allowed in this step';
  const refused = call.tool === 'Bash' ? lineRefused(allow, call) : fileRefused(allow, call, around);
  return refused && `${refused} is not among what is allowed in this step: ${named(allow)}`;
}

function named(allow: readonly string[]): string {
  return allow.length <= 20 ? allow.join(', ') : `${allow.slice(0, 20).join(', ')}, …`;
}

function fileRefused(allow: readonly string[], call: SettledCall, around: Surroundings): string | undefined {
  if (allow.some((item) => isMeant(item, call, 'allow', around))) return undefined;
  return call.file === undefined ? call.tool : `${call.tool}(${call.file})`;
}

/** All items together: each command of a line may be another's. */
function lineRefused(allow: readonly string[], { tool, command }: SettledCall): string | undefined {
  const items = allow
    .flatMap((item) => parseToolItem(item) ?? [])
    .filter((item) => namesTool(item.tool, tool));
  if (items.some(isWhole)) return undefined;
  if (command === undefined) return tool;
  const patterns = items.flatMap(({ pattern }) => pattern ?? []);
  const refused = commandNotAllowed(patterns, command);
  return refused === undefined ? undefined : `${tool}(${refused})`;
}

function isWhole({ pattern }: ToolItem): boolean {
  return pattern === undefined || pattern === '*' || pattern === '**';
}

type Stance = 'deny' | 'allow';

function isMeant(item: string, call: SettledCall, stance: Stance, around: Surroundings): boolean {
  const parsed = parseToolItem(item);
  // Looked at when the workflow was loaded; one that slipped through opens nothing.
  if (parsed === undefined) return stance === 'deny';
  if (!namesTool(parsed.tool, call.tool)) return false;
  if (parsed.pattern === undefined || isWhole(parsed)) return true;
  return fitsSubject(parsed.pattern, call, stance, around) ?? stance === 'deny';
}

/** Undefined: one cannot tell. */
function fitsSubject(
  pattern: string,
  call: SettledCall,
  stance: Stance,
  around: Surroundings,
): boolean | undefined {
  if (FILE_TOOLS.has(call.tool)) return fitsFile(pattern, call, stance, around);
  const key = Object.hasOwn(SUBJECTS, call.tool) ? (SUBJECTS[call.tool] as string) : '';
  const subject = Object.hasOwn(call.input, key) ? call.input[key] : undefined;
  if (typeof subject !== 'string') return undefined;
  return pattern.startsWith('domain:') ? fitsHost(pattern.slice(7), subject) : fitsText(pattern, subject);
}

function fitsFile(
  written: string,
  call: SettledCall,
  stance: Stance,
  { root, home }: Surroundings,
): boolean | undefined {
  const { file, real } = call;
  if (file === undefined || mayLeadOut(call)) return undefined;
  const pattern = settledPattern(written, home);
  if (pattern === undefined) return undefined;
  const absolute = (path: string) => (path.startsWith('/') ? path : `${root.replace(/\/$/, '')}/${path}`);
  const fits = (path: string): boolean | undefined => {
    if (pattern.startsWith('/')) return fitsPattern(pattern, absolute(path));
    if (!path.startsWith('/')) return fitsPattern(pattern, path);
    // A denial of `**/*.md` is meant wherever the file is; an allowance is of the workspace.
    return stance === 'deny' && pattern.startsWith('**') ? fitsPattern(pattern, path) : false;
  };
  const answers = [...new Set([file, real ?? file])].map(fits);
  if (stance === 'deny' && answers.includes(true)) return true;
  if (answers.includes(undefined)) return undefined;
  return stance === 'allow' && !answers.includes(false);
}

function mayLeadOut({ tool, input }: SettledCall): boolean {
  const keys = Object.hasOwn(SOUGHT, tool) ? (SOUGHT[tool] as readonly string[]) : [];
  return keys
    .flatMap((key) => (Object.hasOwn(input, key) ? (input[key] ?? []) : []))
    .some((sought) => typeof sought === 'string' && leadsOut(sought.replaceAll('\\', '')));
}

function leadsOut(sought: string): boolean {
  // An alternative may begin so too: `{/etc,src}/*`.
  if (/(?:^|[{,(|!])\s*[/~]/.test(sought)) return true;
  return sought.split('/').some((level) => {
    // Two dots may come together from two places: `.{.,x}`.
    const dots = level.split(/[{},()|!\s]/).filter((part) => /^\.+$/.test(part));
    return dots.join('').length > 1;
  });
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
