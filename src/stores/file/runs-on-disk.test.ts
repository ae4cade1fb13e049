// What docs/runs-on-disk.md shows is true of a real run.

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Entry, Holder } from '../../model/entry.ts';
import { fileStore } from './file-store.ts';

const scratch = mkdtempSync(join(tmpdir(), 'lockstep-docs-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));
const page = readFileSync('docs/runs-on-disk.md', 'utf8');
const block = (language: string): string =>
  new RegExp(`\`\`\`${language}\n(.*?)\n\`\`\``, 's').exec(page)?.[1] ?? '';
const holder: Holder = { user: 'anna', host: hostname(), pid: process.pid, version: '1' };
const id = '20261115T101500Z-a3f8c2';

function realRun(): string {
  const run = fileStore({ directory: mkdtempSync(join(scratch, 'runs-')) }).create(
    id,
    { 'workflow.json': '{}' },
    holder,
  );
  const finished = (n: number, ok: boolean, path: string): Entry => ({
    n,
    at: 1_794_737_705_120,
    kind: 'attempt-finished',
    path,
    outcome: { ok, output: 'ä "h":"x" €', duration_ms: n * 100 },
  });
  run.append(finished(1, true, 'build'));
  run.append(finished(2, false, 'execute[2]/fix#1'));
  run.append(finished(3, false, 'publish'));
  run.close();
  return run.location;
}

describe('docs/runs-on-disk.md', () => {
  it('J4: its script verifies a real journal and finds a change', () => {
    const folder = realRun();
    const script = join(scratch, 'verify.mjs');
    writeFileSync(script, block('js'));
    const verify = () => spawnSync(process.execPath, [script, folder], { encoding: 'utf8' });
    const { head } = fileStore({ directory: join(folder, '..') })
      .read(id)
      .journal();
    expect(verify()).toMatchObject({ status: 0, stdout: `verified, the last hash is ${head}\n` });

    const path = join(folder, 'journal.jsonl');
    const text = readFileSync(path, 'utf8');
    for (const changed of [
      text.replace('fix#1', 'fix#2'),
      text.replace(/^.*\n/, ''),
      text.replace('"n":3', '"n":4'),
    ]) {
      writeFileSync(path, changed);
      expect(verify().stderr).toMatch(/line [123] does not verify/);
      expect(verify().status).toBe(1);
    }
    expect(block('js').split('\n').length).toBeLessThanOrEqual(12);
  });

  it('its jq line lists the failed attempts', (context) => {
    if (spawnSync('jq', ['--version']).status !== 0) context.skip('jq is not installed');
    const stdout = execFileSync('sh', ['-c', block('sh')], { cwd: realRun(), encoding: 'utf8' });
    expect(stdout).toBe('2 execute[2]/fix#1 200 ms\n3 publish 300 ms\n');
  });

  it('its line has the fields in the order of a real one', () => {
    const shown = block('json');
    const real = readFileSync(join(realRun(), 'journal.jsonl'), 'utf8').split('\n')[0] as string;
    expect(Object.keys(JSON.parse(shown))).toEqual(Object.keys(JSON.parse(real)));
    expect(JSON.parse(shown).h).toMatch(/^[0-9a-f]{32}$/);
  });

  it('its tree names all that a run has, and nothing else', () => {
    const folder = realRun();
    const names = [...block('text').matchAll(/^ {4}([a-z.]+)\/? /gm)].map(([, name]) => name);
    const views = [
      'state.json',
      'summary.json',
      'blocker.json',
      'report.md',
      'processed.zip',
      'journal.rescued.jsonl',
      'trees',
    ];
    expect(names.filter((name) => !views.includes(name as string)).sort()).toEqual(
      readdirSync(folder).sort(),
    );
    expect(names).toEqual(expect.arrayContaining(views));
  });
});
