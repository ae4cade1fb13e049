// slug: what a worktree and its branch are called after: what the run is about, in characters that every file system,
// shell and git take. Pure.

import { isObject, type Json, type JsonObject } from '../model/json.ts';
import type { Workflow } from '../model/workflow.ts';

const LONGEST = 50;

/** The specification's own id or title, else the name of its file; without one, the workflow's name. */
export function slugFor(workflow: Workflow, inputs: JsonObject): string {
  for (const [name, { type }] of Object.entries(workflow.inputs)) {
    const file = type === 'file' ? inputs[name] : undefined;
    if (!isObject(file)) continue;
    const { data, title, path } = file;
    for (const text of [isObject(data) ? data.id : undefined, ownTitle(title, path), fileName(path)]) {
      const slug = typeof text === 'string' || typeof text === 'number' ? slugOf(String(text)) : '';
      if (slug !== '') return slug;
    }
  }
  return slugOf(workflow.name) || 'run';
}

export function slugOf(text: string): string {
  const words = text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/\u00df/g, 'ss')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  if (words.length <= LONGEST) return words;
  const cut = words.slice(0, LONGEST + 1);
  // Between two words, unless the first is that long.
  return cut.includes('-') ? cut.slice(0, cut.lastIndexOf('-')) : words.slice(0, LONGEST);
}

/** A file without a title is shown by its name. */
function ownTitle(title: Json | undefined, path: Json | undefined): Json | undefined {
  return typeof path === 'string' && typeof title === 'string' && path.endsWith(title) ? undefined : title;
}

function fileName(path: Json | undefined): string | undefined {
  if (typeof path !== 'string') return undefined;
  const name = path.slice(path.lastIndexOf('/') + 1);
  return name.replace(/(?<=.)\.[^.]+$/, '');
}
