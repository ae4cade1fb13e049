// Paths: none that the engine resolves leaves the workspace, looked at when the file is loaded and again just before use.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ran, type Scene, scene } from './support.ts';

/** Every field of a step that names a path or a pattern. */
const FIELDS: [string, (path: string) => object][] = [
  ['input_file of a provider', (path) => ({ provider: 'claude', input_file: path })],
  ['input_file of a command', (path) => ({ command: ['cat'], input_file: path })],
  ['output_file', (path) => ({ command: ['echo', 'x'], output_file: path })],
  ['depends_on.required', (path) => ({ command: ['echo'], depends_on: { required: [path] } })],
  ['depends_on.optional', (path) => ({ command: ['echo'], depends_on: { optional: [path] } })],
  ['wait_for.glob', (path) => ({ wait_for: { glob: path, timeout_sec: 0.3, poll_ms: 50 } })],
  ['when.exists', (path) => ({ command: ['echo'], when: { exists: path } })],
  ['when.not_exists', (path) => ({ command: ['echo'], when: { not_exists: path } })],
];
const LATER: [string, (path: string) => object][] = [
  [
    'move_to on success',
    (path) => ({ for_each: { ...loop(), on_item_complete: { success: { move_to: path } } } }),
  ],
  [
    'move_to on failure',
    (path) => ({ for_each: { ...loop(), on_item_complete: { failure: { move_to: path } } } }),
  ],
  ['output_schema', (path) => ({ command: ['echo', '{}'], output_capture: 'json', output_schema: path })],
];
const loop = () => ({ items: ['item.txt'], steps: [{ name: 'Inner', command: ['echo'] }] });
const DIRECTORIES = ['inbox_dir', 'processed_dir', 'failed_dir'];

const everyField = (path: string) => [...FIELDS, ...LATER].map(([name, step]) => ({ name, ...step(path) }));

/** Beside the workspace, where nothing may be read, made or matched. */
function withOutside(made: Scene): Scene {
  mkdirSync(join(made.root, '../outside'));
  writeFileSync(join(made.root, '../outside/secret.txt'), 'secret');
  return made;
}

/** The fields that a problem of this workflow points at. */
function refusedFields(made: Scene): string[] {
  const lines = made.read('workflow.yaml').split('\n');
  const fields = made.refused().flatMap(({ span, severity }) => {
    if (severity !== 'error' || !span) return [];
    const above = lines.slice(0, span.line).reverse();
    const directory = DIRECTORIES.find((name) => lines[span.line - 1]?.includes(`"${name}"`));
    return [directory ?? above.map((line) => /^ {6}"name": "(.*)"/.exec(line)?.[1]).find(Boolean) ?? ''];
  });
  return [...new Set(fields)].sort();
}

const all = [...FIELDS, ...LATER].map(([name]) => name);

describe('at load', () => {
  it.each<[string, string, string]>([
    ['ORC-38: absolute', '/etc/x.txt', '/etc'],
    ['ORC-39: a parent', '../outside/secret.txt', '../outside'],
    ['ORC-39: a parent on the way, even if it comes back', 'a/../item.txt', 'a/../b'],
    ['ORC-39: a pattern with a parent', '../outside/*.txt', '../*'],
  ])('%s is refused in every field, all at once', (_, path, folder) => {
    const made = withOutside(
      scene({
        files: { 'item.txt': 'x' },
        workflow: {
          version: '1.3',
          name: 'paths',
          ...Object.fromEntries(DIRECTORIES.map((name) => [name, folder])),
          steps: everyField(path),
        },
      }),
    );
    expect(refusedFields(made)).toEqual([...all, ...DIRECTORIES].sort());
  });

  it('ORC-39: a symlink that leads out is refused in every field, all at once', () => {
    const made = withOutside(
      scene({
        workflow: {
          version: '1.3',
          name: 'paths',
          ...Object.fromEntries(DIRECTORIES.map((name) => [name, 'link/deeper'])),
          steps: everyField('link/secret.txt'),
        },
      }),
    );
    made.link('link', '../outside');
    expect(refusedFields(made)).toEqual([...all, ...DIRECTORIES].sort());
  });

  it('ORC-39: a pattern below a symlink that leads out, and a link to a file, are refused', () => {
    const made = withOutside(
      scene({
        workflow: {
          version: '1.1',
          name: 'paths',
          steps: [
            ...FIELDS.slice(3).map(([name, step]) => ({ name, ...step('link/*.txt') })),
            { name: 'a file', command: ['cat'], input_file: 'file.txt' },
          ],
        },
      }),
    );
    made.link('link', '../outside');
    made.link('file.txt', join(made.root, '../outside/secret.txt'));
    expect(refusedFields(made)).toEqual([...FIELDS.slice(3).map(([name]) => name), 'a file'].sort());
  });

  it('paths are relative to the workspace, wherever the workflow lies', () => {
    const made = scene({
      files: {
        'deep/flows/w.yaml':
          'version: "1.1"\nname: deep\nsteps:\n  - { name: Read, command: [cat], input_file: x.txt, output_file: out.txt }\n',
        'x.txt': 'of the workspace',
        'deep/flows/x.txt': 'beside the workflow',
      },
    });
    ran(made.lockstep(['run', 'deep/flows/w.yaml']));
    expect(made.read('out.txt')).toBe('of the workspace');
    expect(made.state().workflow_file).toBe('deep/flows/w.yaml');
  });

  it('links that stay inside, and names with two dots in them, are fine', () => {
    const made = scene({
      files: { 'real/a..b.txt': 'inside', 'p.md': 'p' },
      workflow: {
        version: '1.1',
        name: 'paths',
        steps: [
          {
            name: 'Read',
            command: ['cat'],
            input_file: 'link/a..b.txt',
            depends_on: { required: ['link/*.txt'] },
          },
          { name: 'Write', command: ['echo', 'x'], output_file: 'link/..c' },
        ],
      },
    });
    made.link('link', 'real');
    ran(made.run());
    expect(made.step('Read').output).toBe('inside');
    expect(made.read('real/..c')).toBe('x\n');
  });
});

/** Each field failed with exit code 2, nothing was read or made outside. */
function expectCaught(made: Scene, fields: string[]): void {
  const { steps } = made.state();
  for (const name of fields) {
    expect(steps[name], name).toMatchObject({ status: 'failed', exit_code: 2 });
    expect(steps[name].error.message, name).toMatch(/outside|leaves|workspace/);
  }
  expect(made.sh('ls ../outside').stdout).toBe('secret.txt\n');
  expect(made.agentCalls('claude')).toEqual([]);
  expect(made.sh('cat .lockstep/runs/*/state.json | grep -c \\"secret\\"').stdout).toBe('0\n');
}

describe('just before use', () => {
  it('ORC-39: a folder that became a symlink after the file was loaded is caught in every field', () => {
    const made = withOutside(
      scene({
        files: { 'folder/secret.txt': 'mine' },
        workflow: {
          version: '1.1',
          name: 'swapped',
          strict_flow: false,
          steps: [
            { name: 'Swap', command: ['sh', '-c', 'rm -r folder && ln -s ../outside folder'] },
            ...FIELDS.map(([name, step]) => ({ name, ...step('folder/secret.txt') })),
            ...FIELDS.slice(3).map(([name, step]) => ({ name: `pattern: ${name}`, ...step('folder/*.txt') })),
          ],
        },
      }),
    );
    ran(made.run());
    expectCaught(
      made,
      FIELDS.map(([name]) => name).concat(FIELDS.slice(3).map(([name]) => `pattern: ${name}`)),
    );
  });

  it('ORC-39: a match that is a symlink to the outside is caught', () => {
    const made = withOutside(
      scene({
        files: { 'data/a.txt': 'mine' },
        workflow: {
          version: '1.1',
          name: 'matched',
          strict_flow: false,
          steps: [
            { name: 'Link', command: ['ln', '-s', '../../outside/secret.txt', 'data/b.txt'] },
            ...FIELDS.slice(3).map(([name, step]) => ({ name, ...step('data/*.txt') })),
          ],
        },
      }),
    );
    ran(made.run());
    expectCaught(
      made,
      FIELDS.slice(3).map(([name]) => name),
    );
  });

  it.each([
    ['ORC-38: absolute', '/etc/passwd'],
    ['ORC-39: a parent', '../outside/secret.txt'],
  ])('%s paths that come out of a variable are caught in every field', (_, path) => {
    const made = withOutside(
      scene({
        workflow: {
          version: '1.1',
          name: 'variable',
          strict_flow: false,
          context: { path },
          steps: FIELDS.map(([name, step]) => ({ name, ...step('${context.path}') })),
        },
      }),
    );
    ran(made.run());
    expectCaught(
      made,
      FIELDS.map(([name]) => name),
    );
  });

  it('on.failure applies to a path that leads out', () => {
    const made = scene({
      workflow: {
        version: '1.1',
        name: 'handled',
        context: { path: '../x' },
        steps: [
          {
            name: 'Out',
            command: ['cat'],
            input_file: '${context.path}',
            on: { failure: { goto: 'Handler' } },
          },
          { name: 'Between', command: ['echo'] },
          { name: 'Handler', command: ['echo', 'handled'] },
        ],
      },
    });
    ran(made.run());
    expect(made.step('Handler').output).toBe('handled\n');
    expect(made.step('Between').status).toBe('pending');
  });
});
