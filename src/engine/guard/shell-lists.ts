// shell-lists: whether the lists of a step let a shell line through.
//
// L1. `deny` looks at every command that the line may run, also through wrappers, other shells and substitutions. A line
//     that cannot be followed, or whose commands depend on values that only the shell knows, is denied too.
// L2. `allow` must fit every command of the line as it is written. A line that cannot be followed is not allowed.
// L3. A pattern allows writing to a file by redirection only if it has a `>` itself.

import { namesTool, parseToolItem } from '../../model/tool-policy.ts';
import {
  type CommandsReading,
  commandsRun,
  evaluationIn,
  readingRuns,
  readScript,
} from '../../text/shell/shell.ts';
import type { Command, Part, Simple, Word } from '../../text/shell/tree.ts';

/** Why an item of `deny` refuses the line; undefined: none does. */
export function whyLineDenied(deny: readonly string[], line: string | undefined): string | undefined {
  let reading: CommandsReading | undefined;
  for (const item of deny) {
    const parsed = parseToolItem(item);
    // Looked at when the workflow was loaded; one that slipped through opens nothing.
    if (parsed === undefined) return denied(item);
    if (!namesTool(parsed.tool, 'Bash')) continue;
    const { pattern } = parsed;
    if (pattern === undefined || pattern === '*' || pattern === '**' || line === undefined)
      return denied(item);
    if (fitsText(pattern, trimmed(line))) return denied(item);
    reading ??= commandsRun(line);
    const runs = readingRuns(reading, pattern);
    if (runs.kind === 'yes') return denied(item);
    if (runs.kind === 'unclear')
      return `it cannot be told whether this line runs what \`${item}\` denies in this step: ${runs.why}`;
  }
  return undefined;
}

function denied(item: string): string {
  return `\`${item}\` is denied in this step`;
}

/** A command of the line that none of the patterns allows, and why, where it looks as if one did. */
export interface NotAllowed {
  text: string;
  because?: string;
}

/** Undefined: all commands of the line are allowed. */
export function commandNotAllowed(patterns: readonly string[], line: string): NotAllowed | undefined {
  // Written out whole, it is meant as it is.
  if (patterns.includes(trimmed(line))) return undefined;
  const read = readScript(line);
  const text = trimmed(line);
  if (read.kind === 'unclear') return { text, because: `it cannot be followed: ${read.why}` };
  const { evaluates, hides, sets } = evaluationIn(read.script);
  if (evaluates && hides) return { text, because: 'it may hide a command in the index of an array' };
  const commands = [...writtenCommands(read.script), ...sets.filter(isMeaningful).map(assignmentOf)];
  if (commands.length === 0) return { text };
  const refused = commands.find((command) => !patterns.some((pattern) => allows(pattern, command)));
  if (refused === undefined) return undefined;
  const isWriting = refused.writes && patterns.some((pattern) => fitsText(pattern, refused.text));
  return {
    text: refused.text,
    ...(isWriting && { because: 'it writes a file with `>`, and none of these patterns has a `>`' }),
  };
}

/** A command as a pattern sees it. */
interface Written {
  text: string;
  /** Its words without quotes, where all of them are plain text. */
  plain: string | undefined;
  /** It redirects its output to a file. */
  writes: boolean;
}

/** Stands for a blank inside a word: no blank of a pattern fits it. */
const INNER_BLANK = '\u0001';

function allows(pattern: string, { text, plain, writes }: Written): boolean {
  if (writes) return pattern.includes('>') && fitsText(pattern, text);
  return fitsText(pattern, text) || (plain !== undefined && fitsText(pattern, plain));
}

/** Every command in the line, those inside blocks and substitutions too. */
function writtenCommands(script: readonly Command[]): Written[] {
  return script.flatMap((command): Written[] => {
    if (command.kind === 'pipeline') return writtenCommands(command.parts);
    const inside = [
      ...command.words.flatMap(({ parts }) => inParts(parts)),
      ...command.redirections.flatMap(({ target, body }) => inParts([...target.parts, ...(body ?? [])])),
    ];
    if (command.kind === 'simple') {
      const assigned = command.assignments.flatMap(({ value, items, subscript }) =>
        inParts([
          ...(value?.parts ?? []),
          ...(items ?? []).flatMap(({ parts }) => parts),
          ...(subscript ?? []),
        ]),
      );
      return [...inside, ...assigned, writtenAs(command)];
    }
    const own: Written[] = [];
    // Arithmetic sets variables, as an assignment does.
    const setsOther = command.form === 'for' && command.name !== undefined && isMeaningful(command.name);
    if (command.form === 'arithmetic' || setsOther || writesFile(command))
      own.push({ text: command.text, plain: undefined, writes: writesFile(command) });
    return [...inside, ...own, ...writtenCommands(command.body), ...otherwiseRun(command.otherwise)];
  });
}

/** A variable that says to the shell or to programs how to behave: PATH, NODE_OPTIONS. */
function isMeaningful(name: string): boolean {
  return !/^(?!npm_)[a-z_]\w*$/.test(name);
}

function assignmentOf(name: string): Written {
  return { text: `${name}=`, plain: undefined, writes: false };
}

/** What a POSIX shell would run of `[[ … ]]`: the parts after an operator, where they begin with a name. */
function otherwiseRun(script: readonly Command[]): Written[] {
  return writtenCommands(script).filter(({ text, writes }) => writes || !/^(?:\[\[|[-!$"'*])/.test(text));
}

function inParts(parts: readonly Part[]): Written[] {
  return parts.flatMap((part) => {
    if (part.kind === 'command') return writtenCommands(part.script);
    if (part.kind === 'text' || part.kind === 'hole') return [];
    const [first] = part.inner;
    // `${x:=y}` sets a variable.
    const sets = part.kind === 'parameter' && first?.kind === 'text' && /^:?=/.test(first.text);
    return [...(sets ? [assignmentOf(part.name)] : []), ...inParts(part.inner)];
  });
}

function writtenAs(command: Simple): Written {
  const texts = command.words.map(plainText);
  const isPlain = command.assignments.length === 0 && texts.every((text) => text !== undefined);
  return {
    text: command.text,
    plain: isPlain ? texts.map((text) => text?.replace(/\s/g, INNER_BLANK)).join(' ') : undefined,
    writes: writesFile(command),
  };
}

function plainText({ parts }: Word): string | undefined {
  return parts.every((part) => part.kind === 'text' && part.posix === undefined)
    ? parts.map((part) => (part.kind === 'text' ? part.text : '')).join('')
    : undefined;
}

const NO_FILE = /^(?:\/dev\/(?:null|stdout|stderr)|\d+|-|\d+-)$/;

function writesFile({ redirections }: Command & { kind: 'simple' | 'block' }): boolean {
  return redirections.some(({ operator, target }) => {
    const text = plainText(target);
    if (/^\/dev\/(?:tcp|udp)\//.test(text ?? '')) return true;
    if (!operator.includes('>')) return false;
    if (text === undefined) return true;
    return operator === '>&' || operator === '<&'
      ? !NO_FILE.test(text)
      : !/^\/dev\/(?:null|stdout|stderr)$/.test(text);
  });
}

/** `*` is anything; Claude's `npm test:*` is `npm test` and whatever follows. */
function fitsText(pattern: string, text: string): boolean {
  return namesTool(pattern.replace(/:\*$/, '*'), text);
}

function trimmed(line: string): string {
  return line.replace(/^[ \t\n]+|[ \t\n]+$/g, '');
}
