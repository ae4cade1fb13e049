// stage: a project without a client or a model, for programs that talk to `lockstep mcp` by themselves.

import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { type Scratch, scratch } from '../../test/scratch.ts';
import { link } from './clients/installed.ts';
import { type Ended, launcher } from './launch.ts';
import { endProcesses } from './processes.ts';

export interface Stage {
  root: string;
  env: Record<string, string>;
  run(...words: string[]): Promise<Ended>;
  /** Fails where a process was left behind. */
  close(): Promise<void>;
}

/** `commands`: of those that e2e/package.json pins. */
export function openStage(files: Record<string, string>, commands: string[]): Stage {
  const project: Scratch = scratch({ git: true });
  const root = realpathSync(project.root);
  const base = join(root, '..');
  for (const command of commands) link(join(base, 'bin'), command);
  for (const [path, text] of Object.entries(files)) project.write(path, text);
  project.sh('git add -A && git commit -qm "The project"');
  const { launch, killAll } = launcher(root, project.env);
  return {
    root,
    env: project.env,
    run: (...words) => launch(words).ended,
    async close() {
      killAll();
      const left = await endProcesses(join(base, 'home'));
      project.remove();
      if (left.length > 0) throw new Error(`left behind:\n${left.join('\n')}`);
    },
  };
}
