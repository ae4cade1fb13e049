// refusal: a call that was not done, said the same way by every tool: a code with its page, what is wrong, what to do.

import { Fault } from '../model/fault.ts';
import { type Problem, problemText } from './check-value.ts';
import { object, type Schema, text } from './schema.ts';

export interface Refusal {
  code: string;
  message: string;
  /** A correction that passes, or a call that works. */
  suggestedFix: string;
}

const REFUSAL = object(
  {
    code: text('A name for what is wrong.'),
    message: text('What is wrong, and where.'),
    suggestedFix: text('What to do instead.'),
  },
  ['code', 'message', 'suggestedFix'],
  'Present only where nothing was done, and says why.',
);

/** What every tool may answer instead of what it gives: nothing of it is required then. */
export function orRefused<T extends object>(schema: Schema<T>): Schema<T> {
  const { properties, required, ...more } = schema as Record<string, unknown>;
  return {
    ...more,
    properties: { ...(properties as object), refused: REFUSAL },
    anyOf: [{ required: required ?? [] }, { required: ['refused'] }],
  } as unknown as Schema<T>;
}

/** A tool throws one to refuse. */
export class Refused extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.message);
    this.refusal = refusal;
  }
}

export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refused) return error.refusal;
  if (error instanceof Fault)
    return {
      code: error.code,
      message: error.message,
      suggestedFix: error.hint ?? `\`lockstep explain ${error.code}\` says more.`,
    };
  const message = error instanceof Error ? error.message : String(error);
  return {
    code: 'server-fault',
    message,
    suggestedFix: 'This is a fault of Lockstep. Call again, or report it.',
  };
}

export function misformed(tool: string, problems: Problem[]): Refusal {
  return {
    code: 'arguments-invalid',
    message: `${tool}: ${problems.map(problemText).join('; ')}`,
    suggestedFix: problems.map(({ fix }) => fix).join(' '),
  };
}

export function refusalText({ code, message, suggestedFix }: Refusal): string {
  return `Refused (${code}): ${message}\n${suggestedFix}`;
}
