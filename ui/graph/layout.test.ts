// Pictures of the layout are golden files: UPDATE_GOLDEN=1 writes them anew.

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Entry } from '../../src/model/entry.ts';
import type { Workflow } from '../../src/model/workflow.ts';
import { createHistory, recordHistory } from '../../src/views/history.ts';
import { type Layout, layOut } from './layout.ts';
import { MOST_CELLS, pictureOf } from './picture.ts';

const journals = join(import.meta.dirname, '../../test/journals/fixtures');
const golden = join(import.meta.dirname, 'golden');

function read(name: string): { workflow: Workflow; entries: Entry[] } {
  const folder = join(journals, name);
  const { workflow } = JSON.parse(readFileSync(join(folder, 'workflow.json'), 'utf8')) as {
    workflow: Workflow;
  };
  const lines = readFileSync(join(folder, 'journal.jsonl'), 'utf8').split('\n');
  return { workflow, entries: lines.flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Entry])) };
}

function picture(
  { workflow, entries }: { workflow: Workflow; entries: Entry[] },
  n = entries.length,
): Layout {
  const history = createHistory(workflow);
  for (const entry of entries) recordHistory(history, entry);
  return layOut(pictureOf({ workflow, history, n, open: new Map() }));
}

function drawn({ placed, arrows, width, height }: Layout): string {
  const boxes = placed.map(
    ({ box, x, y, width, height }) =>
      `${x},${y} ${width}x${height} ${box.path} ${box.status}${box.cells.length > 0 ? ` [${box.cells.map(({ status }) => status).join(' ')}]` : ''}`,
  );
  return `${[`${width}x${height}`, ...boxes, ...arrows.map(({ kind, line }) => `${kind} ${line}`)].join('\n')}\n`;
}

const names = readdirSync(journals, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.startsWith('version-') && existsSync(join(journals, name, 'workflow.json')))
  .sort();

describe('the layout of the graph', () => {
  it.each(names)('UI-GRAPH-LAYOUT: %s lies as it always did', (name) => {
    const file = join(golden, `${name.replace('/', '-')}.txt`);
    const text = drawn(picture(read(name)));
    if (process.env.UPDATE_GOLDEN) {
      mkdirSync(golden, { recursive: true });
      writeFileSync(file, text);
    }
    expect(text).toBe(readFileSync(file, 'utf8'));
  });

  it('UI-GRAPH-LAYOUT: no box lies over another, at any moment of any run, unless it holds it', () => {
    for (const name of names) {
      const run = read(name);
      for (let n = 1; n <= run.entries.length; n += 5) {
        const { placed, width, height } = picture(run, n);
        for (const one of placed) {
          expect(
            one.x >= 0 && one.y >= 0 && one.x + one.width <= width && one.y + one.height <= height,
            name,
          ).toBe(true);
          for (const other of placed) {
            if (one === other) continue;
            const apart =
              one.x + one.width <= other.x ||
              other.x + other.width <= one.x ||
              one.y + one.height <= other.y ||
              other.y + other.height <= one.y;
            const holds =
              other.x > one.x &&
              other.y > one.y &&
              other.x + other.width < one.x + one.width &&
              other.y + other.height < one.y + one.height;
            const isHeld =
              one.x > other.x &&
              one.y > other.y &&
              one.x + one.width < other.x + other.width &&
              one.y + one.height < other.y + other.height;
            expect(apart || holds || isHeld, `${name} at ${n}: ${one.box.path} and ${other.box.path}`).toBe(
              true,
            );
          }
        }
      }
    }
  });

  it('UI-GRAPH-LAYOUT: many passes share cells, and one of them is open', () => {
    const { workflow } = read(names[0] as string);
    const items = Array.from({ length: 10_000 }, (_, index) => index);
    const each = someEach();
    const history = createHistory({ ...workflow, steps: [each] });
    const [root] = history.visits;
    const block = { ...visit(each.id, 'step'), parent: root, step: each };
    root?.children.push(block as never);
    for (const item of items)
      block.children.push({ ...visit(`${each.id}[${item}]`, 'pass'), parent: block } as never);
    const [box] = pictureOf({ workflow: { ...workflow, steps: [each] }, history, n: 1, open: new Map() });
    expect(box?.cells.length).toBeLessThanOrEqual(MOST_CELLS);
    expect(box?.cells.reduce((sum, { count }) => sum + count, 0)).toBe(10_000);
    expect(box?.cells.filter(({ isOpen }) => isOpen)).toHaveLength(1);
  });
});

function someEach(): Workflow['steps'][number] {
  for (const name of names) {
    const found = read(name).workflow.steps.find(({ work }) => work.kind === 'each');
    if (found) return found;
  }
  throw new Error('no kept journal has an each');
}

function visit(path: string, kind: string) {
  const since = [{ n: 1, at: 0, status: 'done' }];
  return {
    path,
    kind,
    id: path,
    title: path,
    earlier: 0,
    since,
    entries: [1],
    children: [] as never[],
    index: 1,
  };
}
