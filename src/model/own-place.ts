// own-place: which files of a project are not there for an agent to change, told by their path alone.
// `.git` and the folder of runs are never written, neither by a tool call nor by a step. What steers Lockstep or a client
// (`.lockstep/`, `.claude/` …) is written by a tool call only where `tools.allow` names it.
// Names are compared without regard to case: on some disks `.GIT` is `.git`. A disk may also overlook the characters that
// nobody sees (HFS+).

export type OwnPlace = 'git' | 'runs';

/** Folders and files that say how a client or Lockstep behaves. What a model only reads (CLAUDE.md) is none of them. */
const SETTINGS: ReadonlySet<string> = new Set([
  '.lockstep',
  '.claude',
  '.claude.json',
  '.codex',
  '.gemini',
  '.agents',
  '.mcp.json',
]);
/** In `.wrangler/` and `.gobby/` lie a project's papers as well, which agents write: only these are definitions. */
const DEFINITIONS: ReadonlySet<string> = new Set(['workflows', 'agents', 'prompts', 'gates', 'schemas']);
/** Names that a wildcard may reach, where it begins with the dot: `.g*`. */
export const PROTECTED_NAMES: readonly string[] = ['.git', ...SETTINGS];
const UNSEEN = /[\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g;

/** The names of a path as the disk may know them. */
function namesOf(path: string): string[] {
  return path
    .split('/')
    .map((name) => plainName(name))
    .filter((name) => name !== '' && name !== '.');
}

/** As a disk that overlooks case and unseen characters knows it. */
export function plainName(name: string): string {
  return name.replace(UNSEEN, '').toLowerCase();
}

/** `path`: without `..`, relative or absolute. */
export function ownPlaceOf(path: string): OwnPlace | undefined {
  const names = namesOf(path);
  if (names.includes('.git')) return 'git';
  return names.some((name, index) => name === '.lockstep' && names[index + 1] === 'runs')
    ? 'runs'
    : undefined;
}

/** The name that makes it a setting or definition: `.claude`. Issues of the tracker are neither. */
export function settingNameOf(path: string): string | undefined {
  const names = namesOf(path);
  return names.find((name, index) => {
    const next = names[index + 1];
    if (name === '.lockstep' && next === 'issues') return false;
    // wrangler itself has them one folder deeper.
    const inside = name === '.wrangler' && next === 'orchestration' ? names[index + 2] : next;
    if (name === '.wrangler' || name === '.gobby') return inside !== undefined && DEFINITIONS.has(inside);
    return SETTINGS.has(name);
  });
}

/** For messages. */
export const OWN_PLACE_WORDS: Readonly<Record<OwnPlace, string>> = {
  git: "the repository's own files (.git) are git's to write",
  runs: 'the folder of runs holds the records of Lockstep',
};
