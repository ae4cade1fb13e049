// security-git: Lockstep's own git runs nobody's code (THREATS.md).

import type { Requirement } from '../ledger.ts';

const HOSTILE = 'src/workspaces/git/hostile-repository.test.ts';
const CLI = 'test/cli/own-git.test.ts';

export const securityGit: Requirement[] = [
  {
    id: 'SEC-GIT-PROGRAMS',
    requirement:
      "Lockstep's own git runs no program that the configuration, the hooks or the attributes of a repository or of its submodules name.",
    proof: `${HOSTILE} › SEC-GIT-PROGRAMS: no program that a repository names is run`,
  },
  {
    id: 'SEC-GIT-SETTINGS',
    requirement:
      "Of a repository's configuration Lockstep's own git is told a list of harmless settings; any other is not visible to it, and addresses that name programs are none.",
    proof: `${HOSTILE} › SEC-GIT-SETTINGS: *`,
  },
  {
    id: 'SEC-GIT-ELSEWHERE',
    requirement:
      'Nor is a program run that is named by other attributes, a repository inside, a `.git` that points elsewhere, a folder that looks like a bare repository, PATH, a partial clone or the environment.',
    proof: `${HOSTILE} › SEC-GIT-ELSEWHERE: nor one that is named somewhere else`,
  },
  {
    id: 'SEC-GIT-OWN-FILTER',
    requirement:
      "Filters of the user's own configuration are used; one that the repository defines is not run, and the run says so.",
    proof: `${HOSTILE} › SEC-GIT-OWN-FILTER: *`,
  },
  {
    id: 'SEC-GIT-FROZEN',
    requirement:
      "What is written into the user's git configuration during a run changes nothing for Lockstep's own git.",
    proof: `${HOSTILE} › SEC-GIT-OWN-FILTER: * › SEC-GIT-FROZEN: *`,
  },
  {
    id: 'SEC-GIT-CLI',
    requirement:
      'An agent that writes filters, monitors, hooks and attributes into the repository makes no command of Lockstep run them, in place and in a worktree.',
    proof: `${CLI} › SEC-GIT-CLI: an agent that arms the repository`,
  },
  {
    id: 'SEC-GIT-NAMES',
    requirement:
      'No name, path or value out of a repository becomes a setting of git; a submodule whose name or path could is refused with a warning.',
    proof: `${HOSTILE} › SEC-GIT-NAMES: *`,
  },
  {
    id: 'SEC-GIT-TREES',
    requirement:
      "Lockstep's own git takes no setting, common folder, attribute or alternate from the folder of a run, and starts nothing that is named there.",
    proof: 'src/workspaces/git/kept-tree.test.ts › SEC-GIT-TREES: *',
  },
  {
    id: 'SEC-CUT-COMMITS',
    requirement: 'The number of commits that a run made is the true one, however many there are.',
    proof: 'src/workspaces/git/git-workspaces.test.ts › changed › SEC-CUT-COMMITS: *',
  },
  {
    id: 'SEC-GIT-RECORD',
    requirement:
      'Changes of configuration, hooks, info and references during a step are in the journal, summary, report and audit; commits on the branch of the step are not.',
    proof: [`${CLI} › SEC-GIT-RECORD: *`, 'src/workspaces/git/repository-watch.test.ts › *'],
  },
];
