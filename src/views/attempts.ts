// attempts: what is under way at a step. Mostly one thing or nothing, so a list that is shared while it is empty.

import { type Attempt, NO_ATTEMPTS, type StepRecord } from './step-record.ts';

export function attemptAt(record: StepRecord, part: string | undefined): Attempt | undefined {
  return record.attempts.find((attempt) => attempt.part === part);
}

export function addAttempt(record: StepRecord, attempt: Attempt): void {
  dropAttempt(record, attempt.part);
  if (record.attempts.length === 0) record.attempts = [attempt];
  else record.attempts.push(attempt);
}

export function dropAttempt(record: StepRecord, part: string | undefined): void {
  if (record.attempts.length === 1 && record.attempts[0]?.part === part) record.attempts = NO_ATTEMPTS;
  else if (record.attempts.length > 1)
    record.attempts = record.attempts.filter((attempt) => attempt.part !== part);
}

export function dropAttempts(record: StepRecord): void {
  record.attempts = NO_ATTEMPTS;
}
