// compare-ends: whether a run that was killed on its way came to the same end as one that was not (E4).

import { byBranch } from './branch-order.ts';
import { partingOf, showParting } from './compare-path.ts';
import { differences } from './compare-value.ts';
import type { Told } from './told.ts';

export interface End {
  told: Told | undefined;
  /** The folder of the scratch project. */
  root: string;
  exitCode: number;
  commits: string[];
  /** Every file of the workspace with its text. */
  files: Map<string, string>;
}

/** One line or more for each thing that is different; empty: the same. */
export function compareEnds(first: End, second: End): string[] {
  const [whole, crashed] = [first, second].map(anonymous) as [End, End];
  const lines: string[] = [];
  const [one, other] = [whole.told, crashed.told];
  if (!one || !other) return one === other ? [] : ['no run was made'];
  if (one.status !== other.status) {
    lines.push(`the run is ${other.status}, without the crash ${one.status}`);
    if (other.error) lines.push(`  ${other.failedAt ?? 'the run'}: ${other.error.message}`);
    for (const { path, text } of other.status === 'paused' ? other.asked.slice(-1) : [])
      lines.push(`  ${path} asks: ${text}`);
  }
  lines.push(...differences(whole.exitCode, crashed.exitCode, 'exit code'));
  lines.push(...differences(one.outputs, other.outputs, 'outputs'));
  lines.push(...differences(one.vars, other.vars, 'vars'));
  const [before, after] = [one, other].map(({ path, atOnce }) => byBranch(path, atOnce)) as [
    string[],
    string[],
  ];
  const parting = partingOf(before, after);
  if (parting) lines.push('other steps, or in another order:', ...showParting(before, after, parting));
  for (const step of one.steps.values()) {
    const now = other.steps.get(step.path)?.status;
    if (now !== step.status)
      lines.push(`${step.path} is ${now ?? 'not there'}, without the crash ${step.status}`);
  }
  const apart = partingOf(whole.commits, crashed.commits);
  if (apart) lines.push('other commits:', ...showParting(whole.commits, crashed.commits, apart));
  return [...lines, ...fileDifferences(whole.files, crashed.files)];
}

/** Without what is another in every run: its id, the time in it, where it was played. */
function anonymous(end: End): End {
  const { told } = end;
  if (!told) return end;
  const words = [end.root, ...told.names].sort((a, b) => b.length - a.length);
  const plain = (text: string) => words.reduce((left, word) => left.replaceAll(word, '<run>'), text);
  const deep = <T>(value: T): T => JSON.parse(plain(JSON.stringify(value))) as T;
  return {
    ...end,
    told: { ...told, outputs: deep(told.outputs), vars: deep(told.vars) },
    commits: end.commits.map(plain),
    files: new Map([...end.files].map(([path, text]) => [plain(path), plain(text)])),
  };
}

function fileDifferences(whole: Map<string, string>, crashed: Map<string, string>): string[] {
  const lines: string[] = [];
  for (const [path, text] of whole) {
    const now = crashed.get(path);
    if (now === undefined) lines.push(`the file ${path} is missing`);
    else if (now !== text) lines.push(`the file ${path} is another`);
  }
  for (const path of crashed.keys()) if (!whole.has(path)) lines.push(`the file ${path} is there too`);
  return lines;
}
