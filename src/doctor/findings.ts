// findings: (facts) → what they mean for somebody who wants to run a workflow, and what to do about it.
// A problem is what keeps runs from working; the rest is told. That no client is there is no problem: scripts and
// commands answer prompts too.

import { count, either, list } from '../views/text/words.ts';
import { clientFindings } from './client-findings.ts';
import type { Facts, GitFacts, HookFacts, LibraryFacts, McpFacts } from './facts.ts';
import { guardFindings } from './guard-findings.ts';
import { isBefore } from './version.ts';

export interface Finding {
  topic: string;
  level: 'ok' | 'note' | 'warning' | 'problem';
  /** One line. */
  says: string;
  /** What to do, one or two sentences. */
  advice?: string;
}

/** As `engines` in package.json has it. */
export const LEAST_NODE = '20.19.0';
/** A journal, logs and a worktree soon need more. */
const LITTLE_SPACE = 100 * 1024 * 1024;
const NO_SPACE = 1024 * 1024;

export function findingsOf(facts: Facts): Finding[] {
  return [
    nodeFinding(facts.node),
    ...gitFindings(facts.git),
    ...runsFindings(facts.runs),
    libraryFinding(facts.library),
    hookFinding(facts.hook),
    mcpFinding(facts.mcp),
    ...facts.clients.flatMap((client) =>
      clientFindings(
        client,
        facts.hazards.filter((hazard) => hazard.client === client.name),
      ),
    ),
    ...guardFindings(facts),
    ...(facts.clients.some(({ found }) => found !== undefined) ? [] : [noClient(facts)]),
  ];
}

function nodeFinding(version: string): Finding {
  if (!isBefore(version, LEAST_NODE)) return { topic: 'node', level: 'ok', says: `Node ${version}` };
  return {
    topic: 'node',
    level: 'problem',
    says: `Node ${version} is too old: ${LEAST_NODE} is needed`,
    advice: `Install Node ${LEAST_NODE} or later.`,
  };
}

function gitFindings({ version, problem, repository, identity }: GitFacts): Finding[] {
  const lost = 'changed(), worktrees and the watch over agents that may not write do not work';
  if (version === undefined)
    return [
      {
        topic: 'git',
        level: 'warning',
        says: `git ${problem}: ${lost}`,
        advice: 'Install git. Workflows that need none of this run without it.',
      },
    ];
  const here: Finding = repository
    ? { topic: 'git', level: 'ok', says: `git ${version}, in a repository` }
    : {
        topic: 'git',
        level: 'warning',
        says: `git ${version}, but this is not a repository: ${lost}`,
        advice: 'Run `git init`, or go to the repository you want to work in.',
      };
  const commits: Finding =
    identity !== undefined
      ? { topic: 'commits', level: 'ok', says: `commits are made as ${identity}` }
      : {
          topic: 'commits',
          level: 'warning',
          says: 'git does not know whose commits to make: steps and agents that commit will fail',
          advice: 'Run `git config --global user.name "…"` and `git config --global user.email "…"`.',
        };
  return [here, commits];
}

function runsFindings({ folder, unwritable, free }: Facts['runs']): Finding[] {
  if (unwritable !== undefined)
    return [
      {
        topic: 'runs',
        level: 'problem',
        says: `runs cannot be kept in ${folder}: ${unwritable}`,
        advice: 'Make it writable, or name another folder with --state-dir or LOCKSTEP_STATE_DIR.',
      },
    ];
  const kept: Finding = { topic: 'runs', level: 'ok', says: `runs are kept in ${folder}` };
  if (free === undefined || free >= LITTLE_SPACE) return [kept];
  const mebibytes = (free / 1024 / 1024).toFixed(1);
  return [
    kept,
    {
      topic: 'disk',
      level: free < NO_SPACE ? 'problem' : 'warning',
      says: `only ${mebibytes} MiB are left on the disk of ${folder}`,
      advice: 'Free some space: `lockstep clean --older-than 30d` removes old runs.',
    },
  ];
}

function libraryFinding({ project, counts, invalid }: LibraryFacts): Finding {
  const held = Object.entries(counts).flatMap(([kind, number]) => (number > 0 ? [count(number, kind)] : []));
  const what = held.length === 0 ? 'nothing yet' : list(held);
  if (invalid.length > 0) {
    const names = invalid.map(({ name }) => name);
    const isOurs = invalid.some(
      ({ layer }) => layer === 'project' || layer === 'wrangler' || layer === 'gobby',
    );
    return {
      topic: 'library',
      level: isOurs ? 'problem' : 'warning',
      says: `library: ${what}; ${list(names, 5)} ${names.length === 1 ? 'has' : 'have'} errors`,
      advice: `\`lockstep validate ${names.slice(0, 5).join(' ')}\` says which.`,
    };
  }
  if (project) return { topic: 'library', level: 'ok', says: `library: ${what}, all valid` };
  return {
    topic: 'library',
    level: 'note',
    says: `the project has no .lockstep/ of its own; library: ${what}`,
    advice: '`lockstep init` writes a starter workflow.',
  };
}

function mcpFinding({ answers, tookMs, problem }: McpFacts): Finding {
  if (answers)
    return { topic: 'mcp', level: 'ok', says: `\`lockstep mcp\` answers clients, after ${tookMs} ms` };
  return {
    topic: 'mcp',
    level: 'warning',
    says: `\`lockstep mcp\` does not answer: ${problem}`,
    advice: 'Start it by hand to see why. Workflows that `lockstep run` drives do not need it.',
  };
}

function hookFinding({ answers, tookMs, failsClosed, problem }: HookFacts): Finding {
  if (answers && failsClosed)
    return {
      topic: 'hook',
      level: 'ok',
      says: `hook: answers in ${tookMs} ms, and denies when nobody is there to ask`,
    };
  return {
    topic: 'hook',
    level: 'problem',
    says: answers
      ? `hook: it does not deny when nobody is there to ask (${problem})`
      : `hook: nothing comes back from the program that clients ask before they use a tool (${problem})`,
    advice: 'Install Lockstep again. If that does not help, please report it.',
  };
}

function noClient({ clients }: Facts): Finding {
  return {
    topic: 'clients',
    level: 'note',
    says: 'no client is here, so nobody answers prompts by default',
    advice: `Install ${either(clients.map(({ name }) => name))}; or answer from a script (\`lockstep run hello --script …\`), or with a command of your own (docs/agents.md).`,
  };
}
