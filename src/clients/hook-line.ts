// hook-line: the line for a shell that a client runs for every event.
// L1. It looks for the project's or the session's file by itself and starts nothing where there is none: a session that no
//     workflow binds costs that look, and ends with 0 whatever is broken.
// L2. Where there is one and the program cannot be started, what may be refused is: exit code 2, with text, since Codex and
//     Gemini overlook a 2 without a word, and every client lets 127 through somewhere.
// L3. No process is started for the look, and no path is ever read as code: a project's folder may have any name.
// L4. Its number changes with what it hands to the program. A program that knows only lower numbers refuses and says so.

import type { ClientName } from '../model/live-session.ts';
import { singleQuoted } from '../text/shell/quote.ts';

export const LINE_NUMBER = 1;

export interface OwnCommand {
  /** Absolute paths of Node and of dist/lockstep.js. Where one is gone, `lockstep` on the PATH is tried. */
  node: string;
  program: string;
}

/** Which folder the session is about; Gemini sets Claude's variable as well. */
const PROJECT: Record<ClientName, string> = {
  claude: '"${CLAUDE_PROJECT_DIR:-$PWD}"',
  codex: '"$PWD"',
  gemini: '"${GEMINI_PROJECT_DIR:-$PWD}"',
};

const HOME = '"${LOCKSTEP_HOME:-$HOME/.lockstep}"';

/** Sets `f` to the file of the session. Codex does not tell a hook's shell which session it is: any will do for a first look. */
const SESSION: Record<ClientName, string> = {
  claude: `f=${HOME}/sessions/claude/"$CLAUDE_CODE_SESSION_ID".json`,
  codex: `set -- ${HOME}/sessions/codex/*.json; f=$1`,
  gemini: `f=${HOME}/sessions/gemini/"$GEMINI_SESSION_ID".json`,
};

/** `own` undefined: `lockstep` on the PATH. */
export function hookLine(client: ClientName, isClosed: boolean, own: OwnCommand | undefined): string {
  const look = [
    `d=${PROJECT[client]}`,
    'while f="$d/.lockstep/local/guard.json"; [ ! -e "$f" ]',
    'do case $d in ?*/*|/?*) [ -d "$d/.git" ] || { d=${d%/*}; continue; };; esac',
    `${SESSION[client]}; [ -e "$f" ] && break; exit 0`,
    'done',
  ].join('; ');
  // What a project sets for its own Node programs is not for ours.
  const start = `NODE_OPTIONS= NODE_EXTRA_CA_CERTS= "$@" hook ${client} ${LINE_NUMBER}`;
  return `${look}; ${chosenCommand(own)}; ${start} || ${failing(isClosed)}`;
}

/** What a line has that is ours, whichever version wrote it; for finding it again in settings. */
export function isHookLine(command: string): boolean {
  return (
    command.includes('.lockstep/local/guard.json') && /"\$@" hook (claude|codex|gemini) \d+/.test(command)
  );
}

/** A line of this version and nothing else, wherever its program is: what a shell of a client's hook runs, and no other does. */
export function isWholeHookLine(command: string): boolean {
  return wholeLines().some((line) => line.test(command));
}

export function lineNumberOf(command: string): number {
  return Number(/"\$@" hook \w+ (\d+)/.exec(command)?.[1] ?? 0);
}

function chosenCommand(own: OwnCommand | undefined): string {
  if (own === undefined) return 'set -- lockstep';
  const [node, program] = [singleQuoted(own.node), singleQuoted(own.program)];
  return `if [ -x ${node} ] && [ -r ${program} ]; then set -- ${node} ${program}; else set -- lockstep; fi`;
}

function failing(isClosed: boolean): string {
  const cannot = 'Lockstep guards this session and could not be started';
  if (!isClosed)
    return `{ [ $? -eq 2 ] && exit 2; echo '{"systemMessage":"${cannot}. lockstep doctor says why."}'; exit 0; }`;
  return `{ [ $? -eq 2 ] || echo "${cannot}: denied. For the person: lockstep doctor says why; to work without it, remove $f" >&2; exit 2; }`;
}

let whole: RegExp[] | undefined;

/** Made when somebody asks: the hook program, which starts with every event, does not. */
function wholeLines(): RegExp[] {
  whole ??= (Object.keys(PROJECT) as ClientName[]).flatMap((client) =>
    [true, false].flatMap((isClosed) => [
      wholly(hookLine(client, isClosed, undefined)),
      wholly(hookLine(client, isClosed, { node: '@', program: '@' })),
    ]),
  );
  return whole;
}

function wholly(line: string): RegExp {
  const escaped = line.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${escaped.replaceAll("'@'", "'(?:[^']|'\\\\'')*'")}$`);
}
