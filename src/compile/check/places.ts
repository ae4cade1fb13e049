// places: every path and pattern of the workspace that a definition spells out, and where it stands. What a template
// fills in is not known yet; what stands before it is.

import { literalCalls } from '../../expressions/expressions.ts';
import type { Span } from '../../model/diagnostic.ts';
import type { Json } from '../../model/json.ts';
import type { PlaceNeed } from '../../model/library.ts';
import type { Step, Workflow } from '../../model/workflow.ts';
import { outline } from '../flow/outline.ts';
import type { Draft, Site } from '../site.ts';

export interface WrittenPath {
  /** A template. */
  path: string;
  /** What holds it; absent: an expression does. */
  field?: string;
  isPattern: boolean;
  /** What is there is written, or moved away. */
  isWritten?: true;
  span(): Span;
}

/** What there is to look at on the disk, for the root and all that it calls. */
export function placesOf(draft: Draft): PlaceNeed[] {
  const { workflow } = draft;
  return [workflow, ...Object.values(workflow.workflows)].flatMap((one) =>
    writtenPaths(one, draft).flatMap((written) => placeOf(written, draft) ?? []),
  );
}

/** undefined: nothing of it is known, or it leads outside whatever the disk says. */
export function placeOf({ path, isPattern }: WrittenPath, { workflow }: Draft): PlaceNeed | undefined {
  const known = staticPart(path);
  if (known === '' || whyOutside(path) !== undefined) return undefined;
  // The policy of the root holds for the whole run.
  return isPattern
    ? { by: 'place', path: known, glob: workflow.policy.globs ?? 'extended' }
    : { by: 'place', path: known };
}

/** Whole folders only: `a/b{{ x }}` may be anything in `a`. */
function staticPart(template: string): string {
  const filled = template.search(/\{[{%]/);
  return filled < 0 ? template : template.slice(0, template.lastIndexOf('/', filled) + 1);
}

/** Undefined: it may well stay inside. */
export function whyOutside(template: string): string | undefined {
  // What is filled in stands for one name, or for nothing that could be known.
  const path = template.replace(/\{\{[\s\S]*?\}\}|\{%[\s\S]*?%\}/g, '\u0000');
  if (/^[/\\]|^[A-Za-z]:[/\\]/.test(path)) return 'is absolute';
  const parts = path.split(/[/\\]/);
  if (parts.find((part) => part !== '' && part !== '.') === '..') return 'leads out of it';
  // Where it comes back is a matter of links: `a/..` need not be the folder that holds `a`.
  return parts.includes('..') ? 'goes through `..`' : undefined;
}

export function writtenPaths(workflow: Workflow, draft: Draft): WrittenPath[] {
  const found: WrittenPath[] = [];
  const add: Add = (path, field, isPattern, part, ...keys) => {
    if (typeof path !== 'string') return;
    const name =
      draft.fieldName(part, ...keys) ?? field.replace(/^(write-file|read-file|move|capture-artifact)\./, '');
    const writes = WRITTEN.has(field) && { isWritten: true as const };
    found.push({ path, field: name, isPattern, ...writes, span: () => draft.span(part, ...keys) });
  };
  const { dirs } = workflow.policy;
  for (const key of ['inbox', 'processed', 'failed'] as const)
    add(dirs[key], `dirs.${key}`, false, workflow, 'policy', 'dirs', key);
  for (const { step } of outline(workflow).spots) addStep(step, add);
  for (const site of draft.sites) if (site.workflow === workflow) found.push(...askedIn(site));
  return found;
}

/** Fields whose file is written or moved, by their own names; those of handlers in `ARGUMENTS`. */
const WRITTEN = new Set([
  'save_to',
  'dirs.inbox',
  'dirs.processed',
  'dirs.failed',
  'write-file.path',
  'move.from',
  'move.to',
]);

type Add = (
  path: Json | undefined,
  field: string,
  isPattern: boolean,
  part: object,
  ...keys: (string | number)[]
) => void;

function addStep(step: Step, add: Add): void {
  const { work, reads } = step;
  add(step.saveTo, 'save_to', false, step, 'save_to');
  for (const key of ['files', 'optional'] as const)
    for (const [index, path] of (reads?.[key] ?? []).entries())
      add(path, 'reads', true, step, 'reads', key, index);
  if (work.kind === 'wait' && work.for === 'files')
    for (const [index, path] of work.files.entries()) add(path, 'wait', true, step, 'wait', 'files', index);
  if (work.kind === 'run') add(work.stdin, 'stdin', false, step, 'stdin', 'file');
  for (const check of step.done?.checks ?? [])
    if (check.kind === 'schema-file') add(check.path, 'done.schema', false, step, 'done', 'schema', 'file');
  for (const pattern of step.gate?.files ?? []) add(pattern.replace(/^!/, ''), 'files', true, step);
  addWork(work, step, add);
  for (const action of [...step.enter, ...step.exit, ...step.next.flatMap((rule) => rule.do)])
    addWork(action.work, action, add);
}

/** Arguments of handlers that are paths, and whether they are patterns. */
const ARGUMENTS: Readonly<Record<string, Readonly<Record<string, boolean>>>> = {
  'write-file': { path: false },
  'read-file': { path: false },
  move: { from: false, to: false },
  'capture-artifact': { files: true },
};

/** What steps and actions both do. */
function addWork(work: Step['work'] | Step['enter'][number]['work'], part: object, add: Add): void {
  if (work.kind === 'prompt' && work.prompt.kind === 'file')
    add(work.prompt.path, 'prompt', false, part, 'prompt', 'file');
  if (work.kind !== 'call') return;
  for (const [argument, isPattern] of Object.entries(ARGUMENTS[work.handler] ?? {})) {
    const given = work.with[argument];
    const paths = Array.isArray(given) ? given : [given];
    for (const [index, path] of paths.entries())
      add(path, `${work.handler}.${argument}`, isPattern, part, 'with', argument, index);
  }
}

const LOOKING = new Set(['files', 'changed', 'uncommitted']);

/** Patterns that an expression looks for. */
function askedIn({ kind, source, locate }: Site): WrittenPath[] {
  if (!/\b(?:files|changed|uncommitted)\s*\(/.test(source)) return [];
  return literalCalls(source, kind, LOOKING).map(({ text, whole, start, end }) => ({
    path: whole ? text : `${text}{{ }}`,
    isPattern: true,
    span: () => locate(start, end),
  }));
}
