// perform: does in a scratch project what a block of a page says, and fails where the page is not true.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Ended, Scratch } from '../scratch.ts';
import { type Block, commandsOf, looksLike } from './markdown.ts';

/** Whether there is something to do: a workflow, a file, a conversation with the command. */
export function isChecked(block: Block): boolean {
  if (directiveOf(block, 'norun') !== undefined) return false;
  if (block.language !== 'console') return isWorkflow(block) || directiveOf(block, 'file') !== undefined;
  return commandsOf(block).some(({ line }) => line.startsWith('lockstep'));
}

const isWorkflow = ({ language, text }: Block): boolean =>
  language === 'yaml' && /^(?:lockstep: 1\n|version: "1\.)/.test(text);
const directiveOf = (block: Block, name: string): string | undefined =>
  block.directives.findLast((directive) => directive.name === name)?.value;

/**
 * Puts an `npm` in front of the real one that does `npm test` by itself. npm takes a quarter of a second to start, and the
 * workflows on these pages run the tests of small projects again and again.
 */
export function quickNpm(project: Scratch): void {
  const real = project.sh('command -v npm').stdout.trim();
  const lines = `#!/bin/sh
test "$*" = test || exec '${real}' "$@"
exec sh -c "$(sed -n 's/^ *"test": "\\(.*\\)",\\{0,1\\}$/\\1/p' package.json)"
`;
  writeFileSync(join(project.root, '../bin/npm'), lines, { mode: 0o755 });
}

/** In order: what the comments before the block ask for, then the block itself. */
export function perform(project: Scratch, block: Block): void {
  for (const { name, value } of block.directives) {
    if (name !== 'run') continue;
    const { exitCode, stderr } = project.sh(value);
    expect(exitCode, `${value}\n${stderr}`).toBe(0);
  }
  if (block.language === 'console') return converse(project, block);
  const file =
    directiveOf(block, 'file') ??
    `.lockstep/workflows/${/^name: *(\S+)/m.exec(block.text)?.[1] ?? 'snippet'}.yaml`;
  project.write(file, block.text);
  if (!isWorkflow(block)) return;
  const { exitCode, stdout, stderr } = project.lockstep('validate', file);
  const expected = directiveOf(block, 'expect');
  if (expected === undefined) expect(exitCode, stdout + stderr).toBe(0);
  else {
    expect(stdout + stderr).toContain(`[${expected}]`);
    expect(exitCode).toBe(2);
  }
}

function converse(project: Scratch, block: Block): void {
  for (const { line, output, exitCode } of commandsOf(block)) {
    const ended = typed(project, line);
    const printed = ended.stdout + ended.stderr;
    expect(ended.exitCode, `$ ${line}\n${printed}`).toBe(exitCode);
    if (output.trim() !== '' && !looksLike(printed, output)) expect(printed).toBe(output);
  }
}

/**
 * A line that is nothing but the command and plain words needs no shell, and no process of its own, unless a step of it kills
 * that process.
 */
function typed(project: Scratch, line: string): Ended {
  const [command, ...words] = line.trim().split(' ');
  const isPlain = command === 'lockstep' && words.every((word) => /^[\w./:=@,+-]+$/.test(word));
  return isPlain && !killsItsParent(project.root) ? project.lockstep(...words) : project.sh(line);
}

function killsItsParent(folder: string): boolean {
  const definitions = readdirSync(folder).filter((name) => name.endsWith('.yaml'));
  return definitions.some((name) => readFileSync(join(folder, name), 'utf8').includes('$PPID'));
}
