// secret-names: a name that is a secret and stands in `env` too.

import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Step } from '../../model/workflow.ts';
import { problem, type Subject } from './subject.ts';

export function checkSecretNames(subject: Subject): Diagnostic[] {
  return subject.outline.spots.flatMap(({ step }) => secretNames(subject, step));
}

/** Allowed, because a default may stand there on purpose: the value is masked all the same. */
function secretNames(subject: Subject, step: Step): Diagnostic[] {
  return step.secrets
    .filter((name) => Object.hasOwn(step.env, name))
    .map((name) =>
      problem(subject, 'warning', [step, 'env'], {
        code: 'secret-in-env',
        message: `\`${name}\` is both a secret and in \`env\`: the command gets what stands in \`env\`, where anybody can read it`,
        hint: 'A secret is passed through from outside: take it out of `env`.',
      }),
    );
}
