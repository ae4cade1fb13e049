// status: a step's status in the words of state.json.

import type { StepRecord } from '../step-record.ts';

export function statusName(record: StepRecord): 'pending' | 'running' | 'completed' | 'failed' | 'skipped' {
  switch (record.status) {
    case 'done':
      return 'completed';
    case 'waiting':
      return 'running';
    case 'asking':
      // What is held has failed, and stays so until a person says otherwise.
      return record.settled === 'failed' ? 'failed' : 'running';
    case 'cancelled':
      // What was interrupted runs again; what was cancelled does not.
      return record.outcome?.error?.class === 'interrupted' ? 'pending' : 'failed';
    default:
      return record.status;
  }
}
