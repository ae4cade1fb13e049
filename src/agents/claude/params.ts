// params: what a step may say under `params` that is Claude's own. Anything else changes nothing, and a warning says so.

import type { Json, JsonObject } from '../../model/json.ts';

export interface ClaudeParams {
  /** low, medium, high, xhigh, max. */
  effort?: string;
  /** One, or several with commas, when the model is overloaded. */
  fallbackModel?: string;
  /** The client stops by itself at this cost. */
  maxBudgetUsd?: number;
  /** Further folders that its file tools may enter. */
  addDirs: string[];
  betas: string[];
  /** The agent's system prompt stands alone instead of after Claude's own. */
  replaceSystem: boolean;
  /** The prompt is as if a person had typed it: Claude's `/commands` and `@files` work in it. */
  asTyped: boolean;
  /** MCP servers of the step only, none of the user's or the project's. */
  strictMcp: boolean;
}

export function readParams(params: JsonObject): { params: ClaudeParams; warnings: string[] } {
  const read: ClaudeParams = {
    addDirs: [],
    betas: [],
    replaceSystem: false,
    asTyped: false,
    strictMcp: false,
  };
  const warnings: string[] = [];
  for (const [name, value] of Object.entries(params)) {
    const reader = Object.hasOwn(READERS, name) ? READERS[name] : undefined;
    if (reader === undefined)
      warnings.push(
        `claude has no parameter \`${name}\`: it is not passed on (docs/agents.md names those it has)`,
      );
    else {
      const wanted = reader(value, read);
      if (wanted !== undefined) warnings.push(`params: \`${name}\` must be ${wanted}: it is not passed on`);
    }
  }
  return { params: read, warnings };
}

/** What it has to be, where it is not. */
type Reader = (value: Json, into: ClaudeParams) => string | undefined;

const READERS: Readonly<Record<string, Reader>> = {
  effort: (value, into) => text(value, (given) => (into.effort = given)),
  fallback_model: (value, into) => text(value, (given) => (into.fallbackModel = given)),
  max_budget_usd(value, into) {
    if (typeof value !== 'number' || !(value > 0)) return 'a number above 0';
    into.maxBudgetUsd = value;
    return undefined;
  },
  add_dirs: (value, into) => texts(value, (given) => (into.addDirs = given)),
  betas: (value, into) => texts(value, (given) => (into.betas = given)),
  system_prompt(value, into) {
    if (value !== 'append' && value !== 'replace') return '`append` or `replace`';
    into.replaceSystem = value === 'replace';
    return undefined;
  },
  as_typed: (value, into) => flag(value, (given) => (into.asTyped = given)),
  strict_mcp: (value, into) => flag(value, (given) => (into.strictMcp = given)),
};

function text(value: Json, set: (given: string) => void): string | undefined {
  if (typeof value !== 'string' || value === '') return 'a text';
  set(value);
  return undefined;
}

function texts(value: Json, set: (given: string[]) => void): string | undefined {
  if (!Array.isArray(value) || !value.every((each) => typeof each === 'string')) return 'a list of texts';
  set(value as string[]);
  return undefined;
}

function flag(value: Json, set: (given: boolean) => void): string | undefined {
  if (typeof value !== 'boolean') return '`true` or `false`';
  set(value);
  return undefined;
}
