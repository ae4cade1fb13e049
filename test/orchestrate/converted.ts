// converted: what `lockstep convert` prints, and whether it did the same. Two states are the same if they differ in
// times, ids, the name of the file and its checksum only. In Lockstep's own language a value in the script of a shell is
// quoted; a command that differs in those quotes only is the same.

import { expect } from 'vitest';
import { type AnyJson, ran, type Scene } from './support.ts';

const TIMES = /_ms$|_at$|^timestamp$|^poll_count$/;
const NAMED = new Set(['workflow_file', 'workflow_checksum']);
const COMMANDS = new Set(['command', 'substituted_command']);

export function withoutQuotes(word: string): string {
  return word.replaceAll("'", '');
}

/** The native text of workflow.yaml. */
export function converts(s: Scene): string {
  const { stdout, stderr } = ran(s.lockstep(['convert', 'workflow.yaml']));
  expect(stderr).toBe('');
  expect(stdout).toMatch(/^lockstep: 1$/m);
  return stdout;
}

/** state.json, and what agents were asked, without what two runs of one workflow differ in. */
export function essence({ root, state, agentCalls }: Scene): AnyJson {
  const { run_id } = state();
  const calls = (['claude', 'gemini', 'codex'] as const).map((name) =>
    agentCalls(name).map(({ argv, stdin }) => ({ argv, stdin })),
  );
  const text = JSON.stringify({ state: state(), calls })
    .replaceAll(run_id, 'RUN')
    .replaceAll(run_id.split('-')[0], 'STAMP')
    .replaceAll(root, 'ROOT');
  return JSON.parse(text, (key, value) => {
    if (TIMES.test(key) || NAMED.has(key)) return undefined;
    return COMMANDS.has(key) && Array.isArray(value) ? value.map(withoutQuotes) : value;
  });
}
