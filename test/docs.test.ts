// The docs are true: every code has its page, every workflow validates, every command does what is shown, every
// link leads somewhere. How a page says what to do with a block is in test/docs/markdown.ts.

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codesInSource } from './docs/codes.ts';
import { readPage } from './docs/markdown.ts';
import { isChecked, perform, quickNpm } from './docs/perform.ts';
import { projectRoot, type Scratch, scratch } from './scratch.ts';

const markdown = (folder: string): string[] =>
  readdirSync(join(projectRoot, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name));
const errorPages = markdown('docs').filter((path) => path.startsWith('docs/errors/'));
const guides = ['README.md', 'CONTRIBUTING.md', ...markdown('docs')].filter(
  (path) => !errorPages.includes(path),
);
const read = (path: string): string => readFileSync(join(projectRoot, path), 'utf8');
const codeOf = (page: string): string => page.replace(/^.*\/|\.md$/g, '');

describe('error pages', () => {
  const uses = codesInSource(projectRoot);
  const codes = [...new Set(uses.map(({ code }) => code))].sort();

  it('LS-PROJECT-ERROR-PAGES: every code in src/ has a page', () => {
    const missing = codes.filter((code) => !existsSync(join(projectRoot, `docs/errors/${code}.md`)));
    expect(missing.map((code) => `${code} (${uses.find((use) => use.code === code)?.at})`)).toEqual([]);
  });

  it('LS-PROJECT-ERROR-PAGES: every page has a code in src/, and bears its name', () => {
    const named = errorPages.filter((page) => codeOf(page) !== 'README');
    expect(named.map(codeOf).filter((code) => !codes.includes(code))).toEqual([]);
    expect(named.filter((page) => !read(page).startsWith(`# ${codeOf(page)}\n`))).toEqual([]);
  });
});

describe.each([...guides, ...errorPages].map((path) => [path] as const))('%s', (path) => {
  const page = readPage(read(path));
  const blocks = page.blocks.filter(isChecked);
  let project: Scratch;
  beforeAll(() => {
    if (blocks.length === 0) return;
    project = scratch({ git: true });
    quickNpm(project);
  });
  afterAll(() => project?.remove());

  it('leads only to places that exist', () => {
    const broken = page.links.filter(({ target }) => !/^[a-z]+:/.test(target) && !leads(path, target));
    expect(broken).toEqual([]);
  });

  for (const block of blocks) {
    it(`line ${block.line} is true`, () => perform(project, block));
  }
});

function leads(from: string, target: string): boolean {
  const [file = '', anchor] = target.split('#');
  const found = file === '' ? join(projectRoot, from) : resolve(dirname(join(projectRoot, from)), file);
  if (!existsSync(found) || relative(projectRoot, found).startsWith('..')) return false;
  if (anchor === undefined || statSync(found).isDirectory()) return anchor === undefined;
  return readPage(readFileSync(found, 'utf8')).anchors.has(anchor);
}
