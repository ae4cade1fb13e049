// docs/cli.md says what the command line takes: both ways.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { commandTree } from '../../src/cli/command-line.ts';
import type { Services } from '../../src/cli/services.ts';
import { projectRoot } from '../scratch.ts';

const tree = commandTree({ version: '0.0.0' } as Services, () => {});
const commands = allOf(tree);
const page = readFileSync(join(projectRoot, 'docs/cli.md'), 'utf8');
const sections = new Map(
  page
    .split(/^##+ lockstep /m)
    .slice(1)
    .map((section) => [section.slice(0, section.indexOf('\n')), section]),
);

describe('docs/cli.md', () => {
  it('has a section for every command, and none for another', () => {
    expect([...sections.keys()].sort()).toEqual(commands.map(typedAs).sort());
  });

  it.each(commands.map((command) => [typedAs(command), command] as const))(
    'lists the options of %s, and no others, as they are written',
    (name, command) => {
      const listed = [...(sections.get(name) ?? '').matchAll(/^\| `(-[^`]+)` \|/gm)].map(
        ([, flags]) => flags,
      );
      expect(listed).toEqual(command.options.filter(({ hidden }) => !hidden).map((option) => option.flags));
      expect(sections.get(name)).toContain(`lockstep ${name}${argumentsOf(command)}`);
    },
  );

  it('names the variables that the help names, and those the help names only', () => {
    const help: string[] = [];
    tree.configureOutput({ writeOut: (text) => help.push(text) }).outputHelp();
    const variables = [...help.join('').matchAll(/\b(?:LOCKSTEP_[A-Z_]+|NO_COLOR|FORCE_COLOR|TERM)\b/g)].map(
      ([word]) => word,
    );
    expect(variables.length).toBeGreaterThanOrEqual(5);
    for (const name of variables) expect(page).toContain(`| \`${name}\` |`);
  });
});

/** Those below another too: `lockstep issues list`. */
function allOf(parent: Command): Command[] {
  const visible = parent.commands.filter((command) => !command.name().startsWith('_'));
  return visible.flatMap((command) => [command, ...allOf(command)]);
}

function typedAs(command: Command): string {
  const above = command.parent;
  return above === null || above === tree ? command.name() : `${typedAs(above)} ${command.name()}`;
}

function argumentsOf(command: Command): string {
  const words = command.registeredArguments.map(
    (argument) =>
      `${argument.required ? '<' : '['}${argument.name()}${argument.variadic ? '...' : ''}${argument.required ? '>' : ']'}`,
  );
  return words.map((word) => ` ${word}`).join('');
}
