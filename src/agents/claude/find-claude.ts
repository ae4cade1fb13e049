// find-claude: the Agent SDK, where the project or the user can resolve it, else the `claude` command on PATH.

import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { findOnPath } from '../find-on-path.ts';

export interface FoundClaude {
  kind: 'sdk' | 'cli';
  /** Of the module, or of the command. */
  path: string;
  version?: string;
}

const SDK = '@anthropic-ai/claude-agent-sdk';

/**
 * `LOCKSTEP_CLAUDE=cli` or `sdk` takes one of the two only.
 * `beside`: where Lockstep itself is installed; the SDK may be its neighbour there.
 */
export function findClaude(
  environment: Readonly<Record<string, string>>,
  cwd: string,
  beside?: string,
): FoundClaude | undefined {
  const wanted = environment.LOCKSTEP_CLAUDE;
  if (wanted !== 'cli') {
    const sdk = findSdk(cwd) ?? (beside === undefined ? undefined : findSdk(beside));
    if (sdk !== undefined) return sdk;
  }
  if (wanted === 'sdk') return undefined;
  const path = findOnPath('claude', environment, cwd);
  return path === undefined ? undefined : { kind: 'cli', path };
}

function findSdk(folder: string): FoundClaude | undefined {
  try {
    const path = createRequire(join(realpathSync(folder), 'package.json')).resolve(SDK);
    const version = versionOf(path);
    return { kind: 'sdk', path, ...(version !== undefined && { version }) };
  } catch {
    return undefined;
  }
}

function versionOf(module: string): string | undefined {
  const manifest = join(dirname(module), 'package.json');
  if (!existsSync(manifest)) return undefined;
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version?: unknown };
  return typeof version === 'string' ? version : undefined;
}
