// The import rules and the purity rules hold, and both checkers would say so if they did not: every rule is broken
// once in a copy of the tree, and the checkers must name exactly those breaches and no other.

import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { impurities } from '../scripts/check-purity.js';

const root = resolve(import.meta.dirname, '..');
const { mayImport, pure, siblings } = createRequire(import.meta.url)('../scripts/folders.cjs') as {
  mayImport: Record<string, string[]>;
  pure: Record<string, string[]>;
  siblings: string[];
};

/** rule → file → its text */
const breaches: { rule: string; file: string; text: string }[] = [];
/** Files that the breaches import; each is innocent itself. */
const innocent: Record<string, string> = {};
const target = (folder: string): string => {
  const file = siblings.includes(folder)
    ? `src/${folder}/planted/target.ts`
    : `src/${folder}/planted-target.ts`;
  innocent[file] = 'export const target = 1;\n';
  return file;
};
const plant = (rule: string, file: string, imported: string): void => {
  const specifier = imported.startsWith('src/')
    ? `${'../'.repeat(file.split('/').length - 1)}${imported}`
    : imported;
  breaches.push({ rule, file, text: `import '${specifier}';\nexport const planted = 1;\n` });
};

for (const [folder, allowed] of Object.entries(mayImport)) {
  const forbidden =
    Object.keys(mayImport).find((other) => other !== folder && !allowed.includes(other)) ?? 'stores';
  plant(`${folder}-imports`, `src/${folder}/planted-import.ts`, target(forbidden));
}
for (const folder of Object.keys(pure)) {
  plant(`${folder}-no-node`, `src/${folder}/planted-core.ts`, 'node:fs');
  plant(`${folder}-packages`, `src/${folder}/planted-package.ts`, 'picomatch');
}
for (const folder of siblings) plant('siblings', `src/${folder}/other/planted.ts`, target(folder));
plant('ports-are-interfaces', 'src/ports/planted-core.ts', 'node:fs');
plant('contracts-know-ports-only', 'src/ports/planted.contract.ts', target('stores'));
plant('no-test-code-in-the-product', 'src/cli/planted-test-library.ts', 'fast-check');
plant('no-circles', 'src/cli/planted-circle.ts', 'src/cli/planted-other-half.ts');
innocent['src/cli/planted-other-half.ts'] = "import './planted-circle.ts';\nexport const half = 1;\n"; // reported once
plant('resolvable', 'src/cli/planted-nowhere.ts', './nowhere.ts');
breaches.push({ rule: 'no-orphans', file: 'src/cli/planted-orphan.ts', text: 'export const alone = 1;\n' });

const scratch = mkdtempSync(join(tmpdir(), 'lockstep-architecture-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

describe('import rules', () => {
  const reported: { rule: string; file: string }[] = [];

  beforeAll(() => {
    for (const path of [
      'src',
      'package.json',
      'tsconfig.json',
      '.dependency-cruiser.cjs',
      'scripts',
      'test/support',
    ]) {
      cpSync(join(root, path), join(scratch, path), { recursive: true });
    }
    symlinkSync(join(root, 'node_modules'), join(scratch, 'node_modules'));
    const files = { ...innocent, ...Object.fromEntries(breaches.map(({ file, text }) => [file, text])) };
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(dirname(join(scratch, file)), { recursive: true });
      writeFileSync(join(scratch, file), text);
    }
    const cruiser = join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
    const argv = [cruiser, 'src', '--config', '.dependency-cruiser.cjs', '--output-type', 'json'];
    const { stdout } = spawnSync(process.execPath, argv, {
      cwd: scratch,
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    });
    const { summary } = JSON.parse(stdout) as {
      summary: { violations: { rule: { name: string }; from: string }[] };
    };
    for (const { rule, from } of summary.violations) reported.push({ rule: rule.name, file: from });
  });

  it.each(breaches)('LS-PROJECT-IMPORTS: $rule is reported in $file', ({ rule, file }) => {
    expect(
      reported.filter((violation) => violation.file === file).map((violation) => violation.rule),
    ).toContain(rule);
  });

  it('LS-ROOM-DIALECTS: compile and dialects may not import each other', () => {
    expect(mayImport.compile).not.toContain('dialects');
    expect(mayImport.dialects).not.toContain('compile');
    for (const between of ['source', 'expressions', 'text', 'model']) {
      expect(mayImport[between]).not.toEqual(expect.arrayContaining(['compile']));
      expect(mayImport[between]).not.toEqual(expect.arrayContaining(['dialects']));
    }
  });

  it('nothing that was not planted breaks a rule', () => {
    const planted = new Set(breaches.map(({ file }) => file));
    expect(reported.filter(({ file }) => !planted.has(file))).toEqual([]);
  });
});

describe('purity rules', () => {
  const impure: [what: string, text: string][] = [
    ['async', 'export async function f() {}'],
    ['await', 'export const f = () => { for (const x of []) void x; };\nawait 1;'],
    ['for await', 'for await (const x of []) void x;'],
    ['import()', "export const f = () => import('./x.ts');"],
    ['Promise', 'export const f = (): Promise<void> => undefined as never;'],
    ['Date.now', 'export const t = Date.now();'],
    ['the current time (new Date without an argument)', 'export const t = new Date().getTime();'],
    ['Math.random', 'export const r = Math.random();'],
    ['process', 'export const p = process.pid;'],
    ['setTimeout', 'setTimeout(() => {}, 1);'],
    ['console', "console.log('x');"],
    ['.localeCompare', "export const c = 'a'.localeCompare('b');"],
    ['Intl', 'export const f = new Intl.NumberFormat();'],
    ['.getHours', 'export const h = (d: Date) => d.getHours();'],
  ];
  const check = (folder: string, text: string): string[] => {
    const place = mkdtempSync(join(scratch, 'purity-'));
    mkdirSync(join(place, 'src', folder), { recursive: true });
    writeFileSync(join(place, 'src', folder, 'planted.ts'), text);
    return impurities(place).map(({ what }) => what);
  };

  it.each(impure)('LS-PROJECT-IMPORTS: %s is reported in a pure folder', (what, text) => {
    for (const folder of Object.keys(pure)) expect(check(folder, text)).toContain(what);
    expect(check('runtime', text)).toEqual([]);
  });

  it('a word in a comment, a string, a key or a local name is no breach', () => {
    const text = `// async Date.now() process.exit
export const text = 'await Math.random()';
export const record = { process: 1, console: 2 };
export function show(process: { pid: number }, at: number) {
  return [process.pid, record.console, new Date(at).toISOString(), new Intl.Segmenter('en')];
}
`;
    expect(check('engine', text)).toEqual([]);
  });

  it('import.meta outside src/app.ts and a folder nobody knows are reported', () => {
    expect(check('cli', 'export const here = import.meta.url;')).toEqual(['import.meta outside src/app.ts']);
    expect(check('helpers', 'export const x = 1;')).toEqual([
      'a folder that scripts/folders.cjs does not know',
    ]);
  });

  it('the tree itself is pure', () => {
    expect(impurities(root)).toEqual([]);
  });
});

it.each([
  ['makes a run', /\bstore\.create\(/, ['src/hosting/make-run.ts', 'src/testing/crash-store.ts']],
  ['takes the lease of one', /\bstore\.open\(/, ['src/hosting/hosted-run.ts', 'src/testing/crash-store.ts']],
  ['drives one', /\bcreateLoop\(/, ['src/hosting/held-run.ts', 'src/runtime/loop.ts']],
])('LS-HOSTING-ONE: there is one place in the product that %s', (_, call, places) => {
  const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => /(?<!\.test|\.contract)\.ts$/.test(name))
    .map((name) => `src/${name}`);
  const calling = files.filter((file) => call.test(readFileSync(join(root, file), 'utf8')));
  // crash-store.ts is a store itself, and hands on what it is asked.
  expect(calling.sort()).toEqual(places);
});
