// layout: where each box lies. A workflow is nested lists and columns and no other graph, so two passes do: from the inside out how
// large each is, from the outside in where it lies. The same picture always lies the same way. Pure.

import type { Box } from './picture.ts';

export interface Placed {
  box: Box;
  x: number;
  y: number;
  width: number;
  height: number;
  depth: number;
}

export interface Arrow {
  /** The path of an SVG. */
  line: string;
  kind: 'next' | 'jump' | 'taken';
}

export interface Layout {
  placed: Placed[];
  arrows: Arrow[];
  width: number;
  height: number;
}

const LEAF = { width: 192, height: 52 };
export const HEAD = 34;
const CELL = { size: 12, gap: 3 };
const PAD = 14;
const GAP = { list: 26, columns: 16 };
const JUMP_ROOM = 22;

interface Size {
  width: number;
  height: number;
  children: Size[];
  /** Of the cells above the children. */
  cells: number;
}

export function layOut(boxes: readonly Box[]): Layout {
  const layout: Layout = { placed: [], arrows: [], width: 0, height: 0 };
  const sizes = boxes.map(sizeOf);
  const size = listSize(boxes, sizes);
  placeList(layout, boxes, sizes, { x: PAD, y: PAD, width: size.width, depth: 0 });
  layout.width = size.width + 2 * PAD;
  layout.height = size.height + 2 * PAD;
  return layout;
}

function sizeOf(box: Box): Size {
  if (box.shape === 'leaf') return { ...LEAF, children: [], cells: 0 };
  const children = box.children.map(sizeOf);
  const inner = box.shape === 'columns' ? columnsSize(children) : listSize(box.children, children);
  const width = Math.max(inner.width, LEAF.width) + 2 * PAD;
  const cells = cellsHeight(box.cells.length, width - 2 * PAD);
  return { width, height: HEAD + cells + inner.height + PAD, children, cells };
}

function cellsHeight(count: number, width: number): number {
  if (count === 0) return 0;
  const across = Math.max(1, Math.floor((width + CELL.gap) / (CELL.size + CELL.gap)));
  return Math.ceil(count / across) * (CELL.size + CELL.gap) + 10;
}

function listSize(boxes: readonly Box[], sizes: readonly Size[]): { width: number; height: number } {
  const room = boxes.some(({ jumps }) => jumps.length > 0) ? 2 * JUMP_ROOM : 0;
  return {
    width: Math.max(0, ...sizes.map(({ width }) => width)) + room,
    height: sum(sizes.map(({ height }) => height)) + GAP.list * Math.max(0, sizes.length - 1),
  };
}

function columnsSize(sizes: readonly Size[]): { width: number; height: number } {
  return {
    width: sum(sizes.map(({ width }) => width)) + GAP.columns * Math.max(0, sizes.length - 1),
    height: Math.max(0, ...sizes.map(({ height }) => height)),
  };
}

interface Spot {
  x: number;
  y: number;
  width: number;
  depth: number;
}

function placeList(layout: Layout, boxes: readonly Box[], sizes: readonly Size[], spot: Spot): void {
  let { y } = spot;
  const own: Placed[] = [];
  for (const [index, box] of boxes.entries()) {
    const size = sizes[index] as Size;
    const x = spot.x + (spot.width - size.width) / 2;
    own.push(place(layout, box, size, { x, y, width: size.width, depth: spot.depth }));
    y += size.height + GAP.list;
  }
  for (const [index, placed] of own.entries()) {
    const after = own[index + 1];
    if (after) layout.arrows.push({ kind: 'next', line: down(placed, after) });
    for (const { to, taken } of placed.box.jumps) {
      const target = own.find(({ box }) => box.id === to);
      if (target) layout.arrows.push({ kind: taken ? 'taken' : 'jump', line: aside(placed, target) });
    }
  }
}

function placeColumns(layout: Layout, boxes: readonly Box[], sizes: readonly Size[], spot: Spot): void {
  const all = columnsSize(sizes);
  let x = spot.x + (spot.width - all.width) / 2;
  for (const [index, box] of boxes.entries()) {
    const size = sizes[index] as Size;
    place(layout, box, size, { x, y: spot.y, width: size.width, depth: spot.depth });
    x += size.width + GAP.columns;
  }
}

function place(layout: Layout, box: Box, size: Size, { x, y, depth }: Spot): Placed {
  const placed = { box, x, y, width: size.width, height: size.height, depth };
  layout.placed.push(placed);
  const inner = { x: x + PAD, y: y + HEAD + size.cells, width: size.width - 2 * PAD, depth: depth + 1 };
  if (box.shape === 'columns') placeColumns(layout, box.children, size.children, inner);
  else if (box.shape === 'list') placeList(layout, box.children, size.children, inner);
  return placed;
}

function down(from: Placed, to: Placed): string {
  const x = from.x + from.width / 2;
  return `M${x} ${from.y + from.height}L${to.x + to.width / 2} ${to.y - 2}`;
}

/** At the side, as far out as the wider of both, so that it crosses no box. */
function aside(from: Placed, to: Placed): string {
  const startX = from.x + from.width;
  const endX = to.x + to.width;
  const x = Math.max(startX, endX) + JUMP_ROOM;
  const startY = from.y + Math.min(from.height / 2, LEAF.height / 2);
  const endY = to.y + Math.min(to.height / 2, LEAF.height / 2);
  return `M${startX} ${startY}C${x} ${startY} ${x} ${endY} ${endX + 2} ${endY}`;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0);
}
