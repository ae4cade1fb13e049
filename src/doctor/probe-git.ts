// probe-git: is git there, are we in a repository, and could a commit be made?

import { ask, lastWord } from './ask.ts';
import type { GitFacts } from './facts.ts';
import type { DoctorParts } from './parts.ts';

const PATIENCE_MS = 10_000;

export async function probeGit(parts: DoctorParts): Promise<GitFacts> {
  const { cwd, environment } = parts;
  const git = async (...args: string[]) => {
    const { command, options, env, end } = parts.git.start(cwd, { environment });
    return await ask(parts, { argv: [command, ...options, ...args], cwd, env }, PATIENCE_MS).finally(end);
  };
  const version = await git('--version');
  if (version.exitCode !== 0) return { repository: false, problem: lastWord(version) };
  const [inside, identity] = await Promise.all([
    git('rev-parse', '--is-inside-work-tree'),
    // The same look-up as that of `git commit`: variables, configuration, or what the system knows.
    git('var', 'GIT_COMMITTER_IDENT'),
  ]);
  const name = identity.exitCode === 0 ? /^(.*) <[^>]*> /.exec(identity.stdout)?.[1] : undefined;
  return {
    version: /\d+(\.\d+)+/.exec(version.stdout)?.[0] ?? version.stdout.trim(),
    repository: inside.exitCode === 0 && inside.stdout.trim() === 'true',
    ...(name !== undefined && { identity: name }),
  };
}
