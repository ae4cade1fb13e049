// candidates: which of the runs a client may have meant that wants to go on, the likeliest first, each with the reasons.

import { lookAtRunIn, readRunIn } from './reading.ts';
import type { Workplace } from './workplace.ts';

/** Older ones are found by their id only. */
const MOST_LOOKED_AT = 100;

export interface Wanted {
  query?: string | undefined;
  runId?: string | undefined;
  gitBranch?: string | undefined;
  gitHeadSha?: string | undefined;
}

export interface Candidate {
  run: string;
  workflow: string;
  branch: string;
  status: string;
  updated: string;
  /** The same, in milliseconds. */
  at: number;
  /** The step that is handed out. */
  step?: string;
  score: number;
  why: string[];
}

export async function candidatesFor(place: Workplace, wanted: Wanted): Promise<Candidate[]> {
  const { store } = place;
  const newest = store.list().toReversed();
  const looked = new Set([...newest.filter((id) => id === wanted.runId), ...newest.slice(0, MOST_LOOKED_AT)]);
  const found: Candidate[] = [];
  for (const id of looked) {
    const { view } = await lookAtRunIn(place, id);
    // What has ended is gone on with only where it is named.
    const isOver = view && ['completed', 'failed', 'cancelled'].includes(view.status);
    if (!view || (isOver && id !== wanted.runId)) continue;
    const candidate = await candidateOf(place, id, wanted);
    if (candidate) found.push(candidate);
  }
  return ranked(found);
}

/** By what fits, and then by when something happened last: ids tell the second in which a run began, and no more. */
function ranked(found: Candidate[]): Candidate[] {
  const [latest, ...others] = found.sort((a, b) => b.at - a.at);
  if (!latest) return [];
  const first = { ...latest, why: [...latest.why, 'something happened in it last'] };
  return [first, ...others].sort((a, b) => b.score - a.score || b.at - a.at);
}

/** undefined: it cannot be read, or Lockstep drives it itself. */
async function candidateOf(place: Workplace, id: string, wanted: Wanted): Promise<Candidate | undefined> {
  try {
    const { state, view, pinned } = await readRunIn(place, id);
    if (state.driven.drive !== 'guide') return undefined;
    const { run, handed } = state;
    const [first] = handed.values();
    const words = `${view.outline.workflow.name} ${JSON.stringify(view.outline.inputs)} ${first?.open.path ?? ''}`;
    const why = reasonsFor(wanted, { id, branch: run.branch, commit: pinned.since, words });
    const score = why.reduce((sum, reason) => sum + reason.weight, 0);
    return {
      ...{ run: id, workflow: view.outline.workflow.name, branch: run.branch, status: view.outline.status },
      at: view.outline.lastAt,
      updated: new Date(view.outline.lastAt).toISOString(),
      ...(first && { step: first.open.path }),
      score,
      why: why.map(({ words: said }) => said),
    };
  } catch {
    return undefined;
  }
}

function reasonsFor(
  { query, runId, gitBranch, gitHeadSha }: Wanted,
  { id, branch, commit, words }: { id: string; branch: string; commit: string | undefined; words: string },
): { weight: number; words: string }[] {
  const text = words.toLowerCase();
  const asked = (query ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  const met = asked.filter((word) => text.includes(word));
  return [
    ...(runId === id ? [{ weight: 100, words: 'it has this id' }] : []),
    ...(gitBranch !== undefined && gitBranch === branch
      ? [{ weight: 10, words: `it works on the branch ${branch}` }]
      : []),
    ...(gitHeadSha !== undefined && commit?.startsWith(gitHeadSha)
      ? [{ weight: 5, words: `it began at the commit ${gitHeadSha}` }]
      : []),
    ...(met.length > 0
      ? [{ weight: (8 * met.length) / asked.length, words: `it has the words ${met.join(', ')}` }]
      : []),
  ];
}
