// shell: the one reader of shell lines. The guard, `command_runs`, the vendors' agents and the templates of `run:` all
// read a line through it, so they never disagree about what it is.
// Owns: which commands a line is made of, which it may run, where a value may stand in it. Never: runs or expands anything.

export { type CommandsReading, commandsRun } from './commands-run.ts';
export { evaluationIn } from './evaluated.ts';
export { filesWritten, foldersVisited } from './files-written.ts';
export { checkHoles, fillHoles, type HoleKind, lineOfWords, whyRefused } from './holes.ts';
export { lineRuns, readingRuns } from './line-runs.ts';
export { readScript } from './read-script.ts';
export { scriptWord } from './script-word.ts';
export { HOLE } from './tree.ts';
