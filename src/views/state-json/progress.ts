// progress: `for_each` in state.json: what each `each` goes over, and how far it has come.

import type { Json } from '../../model/json.ts';
import type { Outline } from '../outline/shape.ts';
import { below, type Passes, type StepRecord } from '../step-record.ts';
import { beginningOf } from './beginning.ts';
import { keysOf } from './names.ts';
import { jsonText, type Sheet } from './sheet.ts';

const BLOCK = 256;

/** Texts that are made once, and made again where something changed. */
export interface ProgressTexts {
  items: WeakMap<Json[], { text: string | undefined }>;
  /** By block of passes: the numbers of those that are done. */
  completed: WeakMap<Passes, (string | undefined)[]>;
}

export function createProgressTexts(): ProgressTexts {
  return { items: new WeakMap(), completed: new WeakMap() };
}

/** Something happened to this pass. */
export function touchProgress(texts: ProgressTexts, { parent, number }: StepRecord): void {
  const blocks = parent?.passes && texts.completed.get(parent.passes);
  if (blocks && number !== undefined) blocks[Math.floor(number / BLOCK)] = undefined;
}

export function writeProgress(texts: ProgressTexts, outline: Outline, sheet: Sheet): void {
  let isFirst = true;
  const walk = (holder: StepRecord): void => {
    holder.children.forEach((child, index) => {
      const { passes } = child;
      if (passes && child.verb === 'each') {
        const name = holder.kind === 'run' ? (keysOf(holder.children)[index] as string) : child.path;
        sheet.put(`${isFirst ? '' : ', '}${JSON.stringify(name)}: `);
        writeOne(texts, outline, child, passes, sheet);
        isFirst = false;
      }
      if (passes) for (const pass of below(child)) walk(pass);
      else walk(child);
    });
  };
  sheet.put('{');
  walk(outline.root);
  sheet.put('}');
}

function writeOne(
  texts: ProgressTexts,
  outline: Outline,
  record: StepRecord,
  passes: Passes,
  sheet: Sheet,
): void {
  let items = texts.items.get(passes.items);
  if (items === undefined) {
    items = { text: jsonText(passes.items) };
    texts.items.set(passes.items, items);
  }
  // Where it is, or where it stopped and a resumed run goes on.
  const stopped = record.settled === 'failed' && outline.status !== 'completed' ? passes.kept : passes.open;
  let current: number | null = null;
  for (const number of [...passes.open.keys(), ...stopped.keys()])
    current = current === null ? number : Math.min(current, number);
  sheet.put('{"items":');
  sheet.value(`for_each.${record.path}.items`, items.text, () => JSON.stringify(beginningOf(passes.items)));
  sheet.put(`,"completed_indices":[${completedText(texts, passes)}],"current_index":${current}}`);
}

function completedText(texts: ProgressTexts, passes: Passes): string {
  let blocks = texts.completed.get(passes);
  if (blocks === undefined) {
    blocks = [];
    texts.completed.set(passes, blocks);
  }
  for (let at = 0; at * BLOCK < passes.ended.length; at += 1)
    blocks[at] ??= blockText(passes.ended, at * BLOCK);
  return blocks.filter((text) => text !== '').join(',');
}

function blockText(ended: Uint8Array, from: number): string {
  const numbers: number[] = [];
  for (let number = from; number < Math.min(ended.length, from + BLOCK); number += 1)
    if (ended[number] === 1) numbers.push(number);
  return numbers.join(',');
}
