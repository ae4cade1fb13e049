// skip-agreement: checks and steps are left out on a person's word only. The agent may ask for it; it is put to the person,
// and where the client cannot do that, it is refused with what the person can do.

import type { Skips } from '../model/entry.ts';
import type { CallContext } from './call-context.ts';
import { Refused } from './refusal.ts';
import type { Elicitation } from './tool.ts';

const SKIPS = 'skips';

interface Wanted {
  skipChecks?: boolean | undefined;
  skipStepNames?: string[] | undefined;
}

export function agreedSkips(
  { skipChecks = false, skipStepNames = [] }: Wanted,
  { said, canAsk, client }: CallContext,
): Skips | { ask: Elicitation } {
  const skips: Skips = { steps: skipStepNames, checks: skipChecks, dry_run: false };
  if (!skipChecks && skipStepNames.length === 0) return skips;
  const what = [
    ...(skipChecks ? ['all checks'] : []),
    ...skipStepNames.map((name) => `the step "${name}"`),
  ].join(', ');
  // The agreement is for exactly this: what is asked for now may be something else.
  const asked = JSON.stringify([skipChecks, skipStepNames]);
  if (said?.about.kind === SKIPS && said.about.asked === asked) {
    if (said.action === 'accept' && said.content.agree === true) return skips;
    throw refused(`the person did not agree to leaving out ${what}`);
  }
  if (!canAsk)
    throw refused(`${what}: only a person may agree to leaving that out, and ${client} cannot ask one`);
  return {
    ask: {
      message: `${client} wants to start a session that leaves out ${what}. Nothing would check that work. Do you agree?`,
      schema: {
        type: 'object',
        properties: { agree: { type: 'boolean', title: `Leave out ${what}`, default: false } },
        required: ['agree'],
      },
      about: { kind: SKIPS, asked },
    },
  };
}

function refused(message: string): Refused {
  return new Refused({
    code: 'skip-needs-person',
    message,
    suggestedFix:
      'Leave out /skipChecks. Leave out /skipStepNames. A person can type `lockstep run … --skip-checks` or `--skip-step` in a terminal of their own.',
  });
}
