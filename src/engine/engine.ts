// engine: pure and synchronous. A workflow and the fold of its journal go in, what must happen next comes out.
// Owns: order, and what counts as done. Never: I/O, clocks, chance (E1).

export { validateAnswer } from './answer.ts';
export { factKey } from './bindings.ts';
export { besideText, changedText } from './changed-text.ts';
export { decide } from './decide.ts';
export { fold, foldAndTell, initialState } from './fold.ts';
export { judge, rulesAt, rulesOf } from './guard.ts';
export { claimProblem } from './handed.ts';
export { listen } from './notices.ts';
export { effectName } from './opening.ts';
export { isSpending } from './places.ts';
export { sessionValue } from './session-value.ts';
export { inputProblem } from './steps/workflow.ts';
export { type Asked, currentHanded, isCheckable, weighEvent } from './weigh.ts';
export { asksForWorktrees, openWorktrees } from './worktree.ts';
