// params: the params of a step that mean something to codex; docs/agents.md has the list.

import { isObject, type Json, type JsonObject } from '../../model/json.ts';

export interface CodexParams {
  /** `-c` settings of the user's own, by key. */
  config: [string, Json][];
  profile?: string;
  /** All hooks that codex finds, reviewed or not. */
  trustsAllHooks: boolean;
  warnings: string[];
}

export function codexParams(params: JsonObject): CodexParams {
  const { effort, profile, config, hook_trust, ...unknown } = params;
  const result: CodexParams = { config: [], trustsAllHooks: hook_trust === 'all', warnings: [] };
  const wrong = (name: string, must: string) =>
    result.warnings.push(`codex: \`params.${name}\` must be ${must}; it is not passed on`);
  if (typeof effort === 'string') result.config.push(['model_reasoning_effort', effort]);
  else if (effort !== undefined) wrong('effort', 'a text such as `high`');
  if (typeof profile === 'string' && !profile.startsWith('-')) result.profile = profile;
  else if (profile !== undefined) wrong('profile', 'the name of a profile');
  if (isObject(config)) {
    result.config.push(...Object.entries(config).filter(([, value]) => value !== null));
  } else if (config !== undefined) wrong('config', 'a map of settings');
  if (hook_trust !== undefined && hook_trust !== 'all' && hook_trust !== 'own')
    wrong('hook_trust', '`own` or `all`');
  for (const name of Object.keys(unknown))
    result.warnings.push(`codex knows no \`params.${name}\`: it is not passed on`);
  return result;
}
