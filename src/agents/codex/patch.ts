// patch: which files a patch of codex's own format is about, and how.

export interface PatchedFile {
  path: string;
  /** A file that is moved is updated where it was, and added where it goes. */
  change: 'add' | 'update' | 'delete';
}

const BEGIN = '*** Begin Patch';
const END = '*** End Patch';
const MARK = 'LOCKSTEP_PATCH';
const HEADER = /^\s*\*\*\* (Add File|Update File|Delete File|Move to): (.+)$/;
const CHANGES = {
  'Add File': 'add',
  'Update File': 'update',
  'Delete File': 'delete',
  'Move to': 'add',
} as const;

/** Rather one too many: a line of content that looks like a header is asked about as well. */
export function patchedFiles(patch: string): PatchedFile[] {
  return patch.split('\n').flatMap((line) => {
    const [, header, path = ''] = HEADER.exec(line) ?? [];
    if (header === undefined) return [];
    return [{ path: path.trim(), change: CHANGES[header as keyof typeof CHANGES] }];
  });
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
  const [begin, header = '', ...lines] = patch.trim().split('\n');
  const [, path] = /^\*\*\* Add File: (.+)$/.exec(header) ?? [];
  if (begin !== BEGIN || path === undefined || lines.pop() !== END) return undefined;
  if (!lines.every((line) => line.startsWith('+'))) return undefined;
  return { path, content: lines.map((line) => `${line.slice(1)}\n`).join('') };
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
  return command.includes(BEGIN);
}
