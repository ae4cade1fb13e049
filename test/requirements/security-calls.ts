// security-calls: what a tool call may touch, whichever client makes it (THREATS.md).

import type { Requirement } from '../ledger.ts';

const GUARD = 'src/engine/guard.test.ts';
const DISPATCH = 'src/runtime/perform/tool-guard.test.ts';
const CLI = 'test/cli/guard.test.ts';

export const securityCalls: Requirement[] = [
  {
    id: 'SEC-CALLS-PATHS',
    requirement:
      'The path field is chosen by tool, and every path in a call is judged, whichever field it stands in.',
    proof: ['src/clients/claude/tools.test.ts › *SEC-CALLS-PATHS*'],
  },
  {
    id: 'SEC-CALLS-MANY',
    requirement: 'A call that names more paths, or deeper ones, than can be judged is denied.',
    proof: ['src/clients/claude/tools.test.ts › *SEC-CALLS-MANY*'],
  },
  {
    id: 'SEC-CALLS-FIELDS',
    requirement:
      'A text that names a protected place counts as a path, whichever field of a call it stands in.',
    proof: ['src/clients/claude/tools.test.ts › *SEC-CALLS-FIELDS*'],
  },
  {
    id: 'SEC-CALLS-SPELLING',
    requirement:
      'A path is judged by where it leads, however it is spelt: links, /proc, `~`, blanks, `..`, the folder that the agent stands in. What cannot be told is denied.',
    proof: [`${DISPATCH} › SEC-CALLS-SPELLING*`],
  },
  {
    id: 'SEC-CALLS-NAMES',
    requirement:
      'A rule is evaluated for each name of a file, as spelt and as where it leads, and the strictest answer counts.',
    proof: [`${GUARD} › AG-GUARD-RULES: rule 9: the rules › SEC-CALLS-NAMES*`],
  },
  {
    id: 'SEC-CALLS-KIN',
    requirement:
      'A pattern that denies a path to one tool that writes denies it to all of them; one that denies reading denies searching in it.',
    proof: [
      `${GUARD} › AG-GUARD-LISTS: rule 8: the lists › *.github*`,
      `${GUARD} › AG-GUARD-LISTS: rule 8: the lists › *secrets*`,
    ],
  },
  {
    id: 'SEC-CALLS-ANSWER',
    requirement:
      'No answer is one that its client ignores: whatever the reason of a denial, the client obeys it; a rewritten call is rewritten or denied.',
    proof: [
      'src/clients/answers.test.ts › SEC-CALLS-ANSWER*',
      `${GUARD} › AG-GUARD-RULES: rule 9: the rules › G10*`,
    ],
  },
  {
    id: 'SEC-CALLS-PATCH',
    requirement:
      'A patch is read as codex reads it; whatever looks like a header gives its path, or the patch is denied.',
    proof: ['src/clients/codex/patch.test.ts › SEC-CALLS-PATCH*'],
  },
  {
    id: 'SEC-CALLS-GLOB',
    requirement:
      'A glob is judged by what it can reach, braces, `..`, absolute alternatives and `~` included.',
    proof: [
      'src/clients/glob-reach.test.ts › SEC-CALLS-GLOB*',
      'src/clients/gemini/tools.test.ts › SEC-CALLS-GLOB*',
      'src/engine/guard/path-pattern.test.ts › SEC-CALLS-GLOB*',
    ],
  },
  {
    id: 'SEC-CALLS-OWN',
    requirement:
      'A call passes unjudged only if it names a tool of a server that this run started; a server of that name in a workflow is an error, in the settings of a client refused.',
    proof: [`${GUARD} › SEC-CALLS-OWN*`, `${CLI} › SEC-CALLS-RUN* › an MCP server that is called lockstep*`],
  },
  {
    id: 'SEC-CALLS-PROTECTED',
    requirement:
      "`.git` and the folder of runs are never written by a tool call; definitions and clients' settings only where an item of tools.allow names them, without any list too.",
    proof: [`${GUARD} › SEC-CALLS-PROTECTED*`, `${DISPATCH} › SEC-CALLS-SPELLING* › SEC-CALLS-PROTECTED*`],
  },
  {
    id: 'SEC-CALLS-STEPS',
    requirement:
      '`.git` and the folder of runs are never written by save_to, write-file or move: an error at load where it is spelt out, else a failed step.',
    proof: ['src/workspaces/own-folders.test.ts › SEC-CALLS-STEPS*'],
  },
  {
    id: 'SEC-CALLS-RUN',
    requirement: 'All of this holds in a run of the built command.',
    proof: [`${CLI} › SEC-CALLS-RUN*`],
  },
];
