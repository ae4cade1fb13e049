// graph: the picture on the screen: boxes are buttons, so that keyboard and screen readers reach them; arrows are one SVG below.

import { signal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { Workflow } from '../../src/model/workflow.ts';
import type { History } from '../../src/views/history.ts';
import { STATUS_WORDS, StatusGlyph, VerbGlyph } from '../glyphs.tsx';
import { HEAD, layOut, type Placed } from './layout.ts';
import { type Box, type Cell, pictureOf } from './picture.ts';

/** Passes that were chosen, by the path of their block. */
const opened = signal<ReadonlyMap<string, string>>(new Map());

interface Shown {
  workflow: Workflow;
  history?: History;
  n: number;
  version: number;
  selected: string | undefined;
  select(path: string): void;
}

export function Graph({ workflow, history, n, version, selected, select }: Shown) {
  const open = opened.value;
  const layout = useMemo(() => {
    const chosen = selected === undefined ? open : openedFor(selected, open);
    return layOut(pictureOf({ workflow, n, open: chosen, ...(history && { history }) }));
  }, [workflow, history, n, version, open, selected]);
  const pane = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // What comes first lies in the middle: where the graph is wider than its pane, the middle is shown.
    const element = pane.current;
    if (element) element.scrollLeft = (layout.width - element.clientWidth) / 2;
  }, [layout.width]);
  return (
    // Scrolled with the keyboard, too.
    <div ref={pane} class="graph" tabIndex={0} role="region" aria-label="graph of the run">
      <div class="canvas" style={{ width: `${layout.width}px`, height: `${layout.height}px` }}>
        <svg width={layout.width} height={layout.height} aria-hidden="true">
          <defs>
            <marker
              id="head"
              viewBox="0 0 8 8"
              refX="6"
              refY="4"
              markerWidth="7"
              markerHeight="7"
              orient="auto"
            >
              <path d="M1 1l5 3l-5 3" class="arrow-head" />
            </marker>
          </defs>
          {layout.arrows.map(({ line, kind }) => (
            <path key={line + kind} d={line} class={`arrow ${kind}`} marker-end="url(#head)" />
          ))}
        </svg>
        {layout.placed.map((placed) => (
          <Node
            key={placed.box.path}
            placed={placed}
            isSelected={placed.box.path === selected}
            select={select}
          />
        ))}
      </div>
    </div>
  );
}

/** A selected step is shown: the passes around it are open. */
function openedFor(path: string, open: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const chosen = new Map(open);
  let at = '';
  for (const word of path.split('/')) {
    at = at === '' ? word : `${at}/${word}`;
    const block = at.replace(/(?:\[\d+\]|#\d+)$/, '');
    if (block !== at) chosen.set(block, at);
  }
  return chosen;
}

function Node({
  placed,
  isSelected,
  select,
}: {
  placed: Placed;
  isSelected: boolean;
  select(path: string): void;
}) {
  const { box, x, y, width, height, depth } = placed;
  const isLeaf = box.shape === 'leaf';
  const place = { left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px` };
  return (
    <div
      class={`node ${isLeaf ? 'leaf' : `block depth-${depth % 2}`} is-${box.status}${isSelected ? ' selected' : ''}`}
      style={place}
    >
      <button
        type="button"
        class="label"
        style={isLeaf ? {} : { height: `${HEAD}px` }}
        aria-pressed={isSelected}
        title={`${box.path}\n${box.detail}`}
        onClick={() => select(box.path)}
      >
        <StatusGlyph status={box.status} />
        <span class="words">
          <span class="name">{box.title}</span>
          {isLeaf ? <span class="detail">{box.detail}</span> : <span class="count">{box.count}</span>}
        </span>
        <VerbGlyph verb={box.verb} />
      </button>
      {box.cells.length > 0 && <Cells box={box} select={select} />}
    </div>
  );
}

function Cells({ box, select }: { box: Box; select(path: string): void }) {
  return (
    <div class="cells">
      {box.cells.map((cell) => (
        <button
          type="button"
          key={cell.path}
          class={`cell is-${cell.status}${cell.isOpen ? ' open' : ''}`}
          title={cellWords(cell)}
          aria-label={cellWords(cell)}
          aria-pressed={cell.isOpen}
          onClick={() => {
            opened.value = new Map(opened.value).set(box.path, cell.path);
            select(cell.path);
          }}
        />
      ))}
    </div>
  );
}

function cellWords({ title, count, status }: Cell): string {
  return `${title}${count > 1 ? ` and ${count - 1} more` : ''}: ${STATUS_WORDS[status]}`;
}
