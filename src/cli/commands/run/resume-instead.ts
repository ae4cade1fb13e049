// resume-instead: `lockstep run --resume RUN` is `lockstep resume RUN`. What a run was started with is pinned, so what
// says otherwise is refused; a specification that is named again is not read again, and that is told.

import { Fault } from '../../../model/fault.ts';
import type { Services } from '../../services.ts';
import type { RunCommandOptions } from '../run.ts';

/** All that only a new run can be given. */
const OF_A_NEW_RUN = {
  workflow: '--workflow',
  input: '--input',
  inputFile: '--input-file',
  context: '--context',
  contextFile: '--context-file',
  var: '--var',
  script: '--script',
  dialect: '--dialect',
  model: '--model',
  dryRun: '--dry-run',
  skipStep: '--skip-step',
  skipChecks: '--skip-checks',
  gate: '--gate',
  skipTestCheck: '--skip-test-check',
  cleanProcessed: '--clean-processed',
  archiveProcessed: '--archive-processed',
} satisfies Partial<Record<keyof RunCommandOptions, string>>;

export async function resumeInstead(
  services: Services,
  given: string | undefined,
  run: string,
  options: RunCommandOptions,
): Promise<number> {
  const refused = Object.entries(OF_A_NEW_RUN)
    .filter(([name]) => options[name as keyof typeof OF_A_NEW_RUN] !== undefined)
    .map(([, flag]) => flag);
  if (refused.length > 0)
    throw new Fault(
      'not-with-resume',
      `${refused.join(', ')} cannot be given with --resume: a run goes on with what it was started with`,
      {
        hint: `Leave it out; or start a new run of the file as it is now, with the same inputs: lockstep resume ${run} --force-restart`,
        exitCode: 2,
      },
    );
  if (given !== undefined && !options.quiet) {
    const message = `${given} is not read again: the run goes on with what it was started with.`;
    services.stdout.write(options.json ? `${JSON.stringify({ kind: 'note', message })}\n` : `${message}\n`);
  }
  return (await import('../resume.ts')).resume(services, run, options);
}
