// git-claims: what an answer says of files and commits, held against what git has. Pure.
// An answer claims where it has `filesChanged` or `commits`; whatever else it says is no matter of git.

import { isObject, type Json, type JsonObject } from '../../model/json.ts';
import type { OnRemote, Work } from '../../ports/checkout.ts';
import { listed } from './outcome.ts';

export interface Claims {
  /** Absent: it says nothing of them. */
  files?: string[];
  commits?: string[];
  /** Why there was nothing to do. */
  nothing?: string;
  pushed?: boolean;
}

const MOST_NAMED = 10;

export function readClaims(output: Json): Claims {
  if (!isObject(output)) return {};
  const files = texts(output.filesChanged, 'path');
  const commits = texts(output.commits, 'hash', 'id');
  const nothing = reasonFor(output);
  return {
    ...(files && { files }),
    ...(commits && { commits }),
    ...(nothing !== undefined && { nothing }),
    ...(typeof output.pushed === 'boolean' && { pushed: output.pushed }),
  };
}

/** A list of texts, or of objects that have one. */
function texts(value: Json | undefined, ...keys: string[]): string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return value.flatMap((item) => {
    const text = isObject(item) ? keys.map((key) => item[key]).find((each) => each !== undefined) : item;
    return typeof text === 'string' && text.trim() !== '' ? [text.trim()] : [];
  });
}

/** Issues that were left alone, each with a reason, are one: nothing was to be mended. */
function reasonFor({ nothingToDo, notFixed }: JsonObject): string | undefined {
  if (typeof nothingToDo === 'string' && nothingToDo.trim() !== '') return nothingToDo.trim();
  if (!Array.isArray(notFixed) || notFixed.length === 0) return undefined;
  const reasons = texts(notFixed, 'why') ?? [];
  return reasons.length === notFixed.length ? reasons.join('; ') : undefined;
}

/** `run`: since the run began, `step`: since the step did. One sentence for each kind of thing that is not there. */
export function missingWork(claims: Claims, { run, step }: { run: Work; step: Work }): string[] {
  const { files = [], commits = [], nothing } = claims;
  const missing: string[] = [];
  const noFile = files.filter((file) => !run.files.some((each) => isSame(file, each)));
  const noCommit = commits.filter((commit) => !run.commits.some((each) => names(commit, each)));
  if (noFile.length > 0)
    missing.push(
      `The answer says that ${named(noFile)} changed, and git sees no change of ${noFile.length === 1 ? 'it' : 'them'} on this branch (what git ignores is in no commit). Make the change, or leave the name out.`,
    );
  if (noCommit.length > 0)
    missing.push(
      `The answer names the ${noCommit.length === 1 ? 'commit' : 'commits'} ${named(noCommit.map((each) => JSON.stringify(each)))}, and this branch has none of that name. Commit the work, and name each commit by its hash or its subject.`,
    );
  const isClaim = claims.files !== undefined || claims.commits !== undefined;
  if (isClaim && step.files.length === 0 && nothing === undefined)
    missing.push(
      `Nothing has changed${step.commits.length > 0 ? `: the ${step.commits.length === 1 ? 'commit leaves' : 'commits leave'} every file as it was` : ''}. Do the work; or, if there was nothing to do, say why under \`nothingToDo\`.`,
    );
  return missing;
}

/** `remotes`: each with what it has of the branch. */
export function missingPush(branch: string, head: string, remotes: readonly OnRemote[]): string | undefined {
  if (remotes.some((remote) => remote.head === head)) return undefined;
  if (remotes.length === 0)
    return 'The answer says `pushed: true`, and this repository has no remote. Say `false`.';
  const told = remotes.map(({ remote, head: there, problem }) => {
    if (problem !== undefined) return `${remote} could not be asked (${problem})`;
    return there === undefined ? `${remote} has no such branch` : `${remote} has it at ${there.slice(0, 12)}`;
  });
  return `The answer says \`pushed: true\`; ${branch} is at ${head.slice(0, 12)}, and ${listed(told)}. Push it, or say \`false\` and why.`;
}

/** A path from the workspace; from elsewhere where it ends like one. A folder stands for what is in it. */
function isSame(claimed: string, file: string): boolean {
  const path = claimed.replaceAll('\\', '/').replace(/^\.\//, '').replace(/\/$/, '');
  return path === file || file.startsWith(`${path}/`) || path.endsWith(`/${file}`);
}

/** By its subject, its hash or the beginning of it, or both. */
function names(claimed: string, { id, subject }: Work['commits'][number]): boolean {
  const plain = (text: string) => text.replace(/\s+/g, ' ').trim().toLowerCase();
  const [said, its] = [plain(claimed.split('\n')[0] ?? ''), plain(subject)];
  if (said === its) return true;
  const hashes = said.match(/\b[0-9a-f]{4,64}\b/g) ?? [];
  if (hashes.some((hash) => id.startsWith(hash))) return true;
  return (
    its !== '' && !hashes.some((hash) => /\d/.test(hash) && hash.length >= 7) && said.endsWith(` ${its}`)
  );
}

function named(names: readonly string[]): string {
  if (names.length <= MOST_NAMED) return listed(names);
  return `${names.slice(0, MOST_NAMED).join(', ')} and ${names.length - MOST_NAMED} more`;
}
