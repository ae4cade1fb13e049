// weigh-claim: the claim of a client, weighed as the answer of an agent is. Apart from handed.ts, which `fold` needs: the page
// folds in the browser, without expressions.

import type { Command } from '../model/command.ts';
import { isObject } from '../model/json.ts';
import type { OpenStep } from '../model/state.ts';
import type { Done } from '../model/workflow.ts';
import type { Decision } from './decision.ts';
import { dispatchOf } from './steps/dispatch.ts';

/** An interlude of ours: what the client handed in becomes an outcome. */
export function weighClaim(decision: Decision, { claim, session }: NonNullable<OpenStep['claim']>): Command {
  const { started, dispatch } = dispatchOf(decision, 'claim');
  return {
    entry: { ...started, ...(session !== undefined && { session }) },
    perform: {
      ...dispatch,
      kind: 'weigh-claim',
      claim,
      ...(session !== undefined && { session }),
      takesClaim: takesClaim(decision.open.step.done),
    },
  };
}

/** A schema with `notesMarkdown` describes the claim itself; any other one describes the answer in it. */
function takesClaim(done: Done | undefined): boolean {
  return (
    done?.checks.some(
      (check) =>
        check.kind === 'schema' &&
        isObject(check.schema.properties) &&
        Object.hasOwn(check.schema.properties, 'notesMarkdown'),
    ) === true
  );
}
