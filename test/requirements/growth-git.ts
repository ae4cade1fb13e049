import type { Requirement } from '../ledger.ts';

const GROWTH = 'src/workspaces/git/growth.test.ts';
const READ = `${GROWTH} › files are read again only when they may have changed`;
const STARTS = `${GROWTH} › how often git is started`;

/** What looks at a work tree of very many files cost. */
export const growthGit: Requirement[] = [
  {
    id: 'LS-GROW-READ',
    requirement:
      'A look at the work tree reads no untracked or changed file twice in a process while its path, inode, size, mtime and ctime are the same; one that was written just before a look is read again.',
    proof: `${READ} › LS-GROW-READ:*`,
  },
  {
    id: 'LS-GROW-APPROVAL',
    requirement:
      'The digest of an approval reads each file once in a process, and sees every change all the same: neither the index nor a time that was set back hides one.',
    proof: `${READ} › LS-GROW-APPROVAL:*`,
  },
  {
    id: 'LS-GROW-TURNS',
    requirement:
      'A look at many files gives way to others: git is waited for without stopping the event loop, and loops over files take turns.',
    proof: `${GROWTH} › others have their turn while many files are looked at › LS-GROW-TURNS:*`,
  },
  {
    id: 'LS-GROW-SHARED',
    requirement:
      'Steps that start or end together share one look at the work tree; none is given a look that began before it asked.',
    proof: [`${GROWTH} › one look for many › LS-GROW-SHARED:*`, `${STARTS} › LS-GROW-SHARED:*`],
  },
  {
    id: 'LS-GROW-WORKTREES',
    requirement:
      'The list of worktrees looks into each once, several at a time; completion and removal look at no more than they need.',
    proof: `${STARTS} › LS-GROW-WORKTREES:*`,
  },
];
