// abilities: what an agent says that it can is read off the table of what its client can be held to
// (model/capabilities.ts): one list, so that the two cannot differ.

import { CAPABILITIES, type Capability, type Client } from '../model/capabilities.ts';
import type { Ability } from '../ports/agent.ts';

/** An agent has an ability where its client has all of these at least partly. */
const NEEDED: Readonly<Record<Ability, readonly Capability[]>> = {
  'system-prompt': ['system-prompt'],
  tools: ['tools.allow', 'tools.deny', 'tools.patterns'],
  rules: ['rules.block', 'rules.ask', 'rules.warn'],
  rewrite: ['rules.rewrite'],
  model: ['model'],
  schema: ['schema'],
  session: ['session'],
  mcp: ['mcp'],
  'setting-sources': ['setting-sources'],
  'permission-mode': ['permission-mode'],
  'max-turns': ['max-turns'],
  usage: ['usage'],
  cost: ['cost'],
  // Every client of ours tells what it does while it does it.
  streaming: [],
};

/** A command's abilities depend on what its words have places for: it says so itself. */
export function abilitiesOf(client: Exclude<Client, 'command'>): ReadonlySet<Ability> {
  const has = (capability: Capability) => CAPABILITIES[client][capability].level !== 'none';
  const abilities = Object.keys(NEEDED) as Ability[];
  return new Set(abilities.filter((ability) => NEEDED[ability].every(has)));
}
