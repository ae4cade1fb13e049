// patch: which files a patch of codex's own format is about, and how.
//
// P1. A header is read as codex reads it: a line ends at `\n`, and whatever Unicode calls white space is trimmed from both
//     ends (JavaScript's `trim` leaves U+0085, its `.` stops at `\r`, U+2028 and U+2029).
// P2. Rather one file too many: what would be a header to a parser that ends lines elsewhere is asked about as well.
// P3. What looks like a header and is none makes the patch unreadable, and so does a patch without any.

export interface PatchedFile {
  path: string;
  /** A file that is moved is updated where it was, and added where it goes. */
  change: 'add' | 'update' | 'delete';
}

export type PatchReading = { files: PatchedFile[] } | { unreadable: string };

const BEGIN = '*** Begin Patch';
const END = '*** End Patch';
const MARK = 'LOCKSTEP_PATCH';
const CHANGES = {
  'Add File': 'add',
  'Update File': 'update',
  'Delete File': 'delete',
  'Move to': 'add',
} as const;

/** What Rust trims. */
const SPACE = '[\\t-\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]';
/** And what nobody sees. */
const BLANK = '[\\s\\u0085\\u00ad\\u180e\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f\\ufeff\\u0000]';
const ENDS_LINE = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/;
const HEADER = new RegExp(
  `^${BLANK}*\\*\\*\\* (Add File|Update File|Delete File|Move to): ([\\s\\S]*)$`,
  'u',
);
const PLAIN = /^\*\*\* (Begin Patch|End Patch|End of File)$/;
const LIKE_HEADER = new RegExp(
  `^${BLANK}*\\*{3,}${BLANK}*((add|update|delete|remove|create|modify|rename|copy|move)${BLANK}*file|move${BLANK}*to|environment${BLANK}*id)${BLANK}*[:：]`,
  'iu',
);
const TRIM = new RegExp(`^${SPACE}+|${SPACE}+$`, 'gu');
const TRIM_BLANK = new RegExp(`^${BLANK}+|${BLANK}+$`, 'gu');

export function readPatch(patch: string): PatchReading {
  const files: PatchedFile[] = [];
  const add = (path: string, change: PatchedFile['change']) => {
    if (!files.some((file) => file.path === path && file.change === change)) files.push({ path, change });
  };
  // As codex ends lines, and as others might: what is a header to either counts.
  for (const line of [...patch.split('\n'), ...patch.split(ENDS_LINE)]) {
    const [, header, rest = ''] = HEADER.exec(line) ?? [];
    if (header === undefined) {
      if (isLikeHeader(line)) return { unreadable: `"${shown(line)}" looks like a header and is none` };
      continue;
    }
    const change = CHANGES[header as keyof typeof CHANGES];
    const path = rest.replace(TRIM, '');
    if (path.replace(TRIM_BLANK, '') === '' || path.includes('\0'))
      return { unreadable: `"${shown(line)}" names no file` };
    add(path, change);
    // Some headers codex does not trim: `*** Move to:` is one.
    const untrimmed = rest.replace(/\r$/, '');
    if (untrimmed !== path) add(untrimmed, change);
  }
  return files.length > 0 ? { files } : { unreadable: 'the patch names no file' };
}

/** A line that begins with `***` is a header or nothing that codex takes; others may be of the text that is changed. */
function isLikeHeader(line: string): boolean {
  const bare = line.replace(TRIM_BLANK, '');
  if (PLAIN.test(bare)) return false;
  return line.startsWith('***') || LIKE_HEADER.test(line);
}

function shown(line: string): string {
  return JSON.stringify(line.slice(0, 80)).slice(1, -1);
}

/** The patch of a command line that is nothing else: codex applies it by itself, no shell ever sees it. */
export function patchOfCommand(command: string): string | undefined {
  const [, , mark, body] = /^\s*apply_patch\s+<<\s*(['"])(\w+)\1[ \t]*\n([\s\S]*)$/.exec(command) ?? [];
  if (mark === undefined || body === undefined) return undefined;
  const lines = body.trimEnd().split('\n');
  // The first line that is the mark must be the last of all: what follows it would be a command.
  return lines.indexOf(mark) === lines.length - 1 ? lines.slice(0, -1).join('\n') : undefined;
}

export interface AddedFile {
  path: string;
  content: string;
}

/** Of a patch that adds one file and does nothing else. */
export function addedFile(patch: string): AddedFile | undefined {
  const reading = readPatch(patch);
  const [file, ...others] = 'files' in reading ? reading.files : [];
  if (file?.change !== 'add' || others.length > 0) return undefined;
  const [begin, header = '', ...lines] = patch.trim().split('\n');
  if (begin !== BEGIN || header !== `*** Add File: ${file.path}` || lines.pop() !== END) return undefined;
  if (!lines.every((line) => line.startsWith('+'))) return undefined;
  return { path: file.path, content: lines.map((line) => `${line.slice(1)}\n`).join('') };
}

export function patchThatAdds({ path, content }: AddedFile): string {
  const lines = content === '' ? [] : content.replace(/\n$/, '').split('\n');
  return [BEGIN, `*** Add File: ${path}`, ...lines.map((line) => `+${line}`), END, ''].join('\n');
}

/** For the shell tool, where it takes patches. */
export function commandOfPatch(patch: string): string {
  return `apply_patch <<'${MARK}'\n${patch.trimEnd()}\n${MARK}\n`;
}

export function holdsPatch(command: string): boolean {
  return /\*{3}\s*Begin\s*Patch/i.test(command);
}
