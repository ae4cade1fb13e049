// Every folder in examples/ is a story that its README tells: the console blocks are done, in order, in a copy of
// the folder that is a git repository of its own.

import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readPage } from './docs/markdown.ts';
import { isChecked, perform, quickNpm } from './docs/perform.ts';
import { projectRoot, type Scratch, scratch } from './scratch.ts';

const stories = readdirSync(join(projectRoot, 'examples'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

it('LS-PROJECT-EXAMPLES: there are stories', () => {
  expect(stories).toContain('demo');
});

describe.each(stories)('LS-PROJECT-EXAMPLES: examples/%s', (story) => {
  const folder = join(projectRoot, 'examples', story);
  const readme = join(folder, 'README.md');
  const blocks = existsSync(readme) ? readPage(readFileSync(readme, 'utf8')).blocks.filter(isChecked) : [];
  let project: Scratch;
  beforeAll(() => {
    project = scratch({ git: true });
    quickNpm(project);
    cpSync(folder, project.root, { recursive: true });
    project.sh('git add -A && git commit -qm story');
  });
  afterAll(() => project.remove());

  it('tells a story that runs the command', () => {
    expect(blocks.filter(({ language }) => language === 'console')).not.toEqual([]);
  });

  for (const block of blocks) it(`line ${block.line} is true`, () => perform(project, block));
});
