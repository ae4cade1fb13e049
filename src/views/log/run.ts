// run: lines of the log about the run as a whole.

import type { Entry } from '../../model/entry.ts';
import type { Outline } from '../outline/shape.ts';
import { refusedText } from '../text/refused-text.ts';
import { count, duration, list } from '../text/words.ts';
import type { LineLevel } from './level.ts';

export function tellRun(outline: Outline, entry: Entry): { level: LineLevel; message: string } | undefined {
  const after = (): string => ` after ${duration(outline.runTime)}`;
  switch (entry.kind) {
    case 'run-started':
      return {
        level: 'info',
        message: `run ${entry.run.id} started: ${entry.workflow} (${entry.workflow_file}) by ${entry.by.user}@${entry.by.host}, lockstep ${entry.by.version}${entry.worktree ? `, in the worktree ${entry.worktree.path} on ${entry.worktree.branch}` : ''}`,
      };
    case 'worktree-prepared':
      return {
        level: entry.how === 'put-back' ? 'warn' : 'info',
        message: `worktree ${entry.worktree.path} ${entry.how === 'put-back' ? 'had gone and was put back' : 'is there'}, on ${entry.worktree.branch}`,
      };
    case 'run-resumed':
      return {
        level: entry.warnings ? 'warn' : 'info',
        message: [`run resumed by ${entry.by.user}@${entry.by.host}`, ...(entry.warnings ?? [])].join('. '),
      };
    case 'run-completed': {
      const past = entry.continued_past > 0 ? `, past ${count(entry.continued_past, 'failure')}` : '';
      return { level: 'info', message: `run completed${after()}${past}` };
    }
    case 'run-failed': {
      const where = entry.path === undefined ? '' : ` at ${entry.path}`;
      return { level: 'error', message: `run failed${after()}${where}: ${entry.error.message}` };
    }
    case 'run-paused':
      return {
        level: 'warn',
        message: `run paused${after()}, waits for a person at ${list(entry.questions, 3)}`,
      };
    case 'run-interrupted':
      return { level: 'warn', message: `run interrupted by ${entry.by}${after()}` };
    case 'run-cancelled':
      return {
        level: 'warn',
        message: `run cancelled by ${entry.by}${entry.why === undefined ? '' : `: ${entry.why}`}`,
      };
    case 'end-requested':
      return { level: 'warn', message: `${entry.by} asked for the run to be ${entry.to}` };
    case 'limit-reached':
      return { level: 'error', message: `the limit on ${entry.limit} was reached: ${entry.message}` };
    case 'signal-received':
      return { level: 'info', message: `signal ${entry.name} from ${entry.by}` };
    case 'message-refused':
      return { level: 'warn', message: `the run refused ${refusedText(entry)}` };
    default:
      return undefined;
  }
}
