// choice: what holds the sessions of a project: `.lockstep/local/guard.json`. A person writes it with a command; a session does not.

import { Fault } from '../../model/fault.ts';
import { isObject, type Json, type JsonObject } from '../../model/json.ts';

export const CHOICE_FILE = '.lockstep/local/guard.json';

export interface GuardChoice {
  /** With steps: one at most. */
  workflow?: string;
  /** Without: they only watch. */
  lifecycles: string[];
  vars: JsonObject;
  inputs: JsonObject;
  /** As the workflow says, for hooks that find nobody to ask. Absent: block. */
  engineDown?: 'allow';
  /** Who switched it off, when, and why. */
  disabled?: { by: string; at: string; why?: string };
}

export const NOTHING_CHOSEN: GuardChoice = { lifecycles: [], vars: {}, inputs: {} };

/** Fault `guard-choice-invalid`: a file that cannot be read holds nothing, and that must not go unnoticed. */
export function readChoice(text: string): GuardChoice {
  let found: Json;
  try {
    found = JSON.parse(text) as Json;
  } catch (error) {
    throw invalid(error instanceof Error ? error.message : String(error));
  }
  if (!isObject(found) || found.guard !== 1) throw invalid('it does not say `"guard": 1`');
  const { workflow, lifecycles = [], vars = {}, inputs = {}, disabled, engine_down: engineDown } = found;
  if (workflow !== undefined && workflow !== null && typeof workflow !== 'string')
    throw invalid('`workflow` is no name');
  if (!Array.isArray(lifecycles) || !lifecycles.every((name) => typeof name === 'string'))
    throw invalid('`lifecycles` is no list of names');
  if (!isObject(vars) || !isObject(inputs)) throw invalid('`vars` and `inputs` are maps');
  return {
    ...(typeof workflow === 'string' && { workflow }),
    ...{ lifecycles: lifecycles as string[], vars, inputs },
    ...(engineDown === 'allow' && { engineDown }),
    ...(isObject(disabled) && { disabled: disabledOf(disabled) }),
  };
}

export function writeChoice({
  workflow,
  lifecycles,
  vars,
  inputs,
  engineDown,
  disabled,
}: GuardChoice): string {
  const written = {
    guard: 1,
    workflow: workflow ?? null,
    lifecycles,
    vars,
    inputs,
    ...(engineDown && { engine_down: engineDown }),
    disabled: disabled ?? null,
  };
  return `${JSON.stringify(written, null, 2)}\n`;
}

function disabledOf({ by, at, why }: JsonObject): NonNullable<GuardChoice['disabled']> {
  return { by: String(by ?? ''), at: String(at ?? ''), ...(typeof why === 'string' && { why }) };
}

function invalid(why: string): Fault {
  return new Fault('guard-choice-invalid', `${CHOICE_FILE} cannot be read: ${why}`, {
    hint: 'Write it anew with `lockstep workflow set NAME`, or let sessions go free with `lockstep workflow clear`.',
    exitCode: 2,
  });
}
