// paths: those that are written out must stay in the workspace (S4). What a template gives is looked at when it has.

import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Json } from '../../model/json.ts';
import type { Step } from '../../model/workflow.ts';
import { type At, problem, type Subject } from './subject.ts';

/** Arguments of handlers that are paths. */
const ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  'write-file': ['path'],
  'read-file': ['path'],
  move: ['from', 'to'],
  'capture-artifact': ['files'],
};

export function checkPaths(subject: Subject): Diagnostic[] {
  return subject.outline.spots.flatMap(({ step }) =>
    pathsOf(step).flatMap(({ paths, field, at }) => {
      const outside = paths.flatMap((path) => {
        const why = whyOutside(path);
        return why === undefined ? [] : [`"${path}" ${why}`];
      });
      if (outside.length === 0) return [];
      const message = `\`${field}\` must stay in the workspace, and ${outside.join(', ')}`;
      const hint = 'Write it relative to the workspace.';
      return [problem(subject, 'error', at, { code: 'path-outside', message, hint })];
    }),
  );
}

interface WrittenPaths {
  paths: string[];
  field: string;
  at: At;
}

function pathsOf(step: Step): WrittenPaths[] {
  const { work, reads, saveTo } = step;
  const found: WrittenPaths[] = [];
  const add = (field: string, given: Json | undefined, at: At) => {
    const paths = (Array.isArray(given) ? given : [given]).filter((path) => typeof path === 'string');
    if (paths.length > 0) found.push({ paths, field, at });
  };
  add('save_to', saveTo, [step, 'save_to']);
  add('reads', [...(reads?.files ?? []), ...(reads?.optional ?? [])], [step, 'reads']);
  if (work.kind === 'wait' && work.for === 'files') add('wait', work.files, [step, 'wait']);
  if (work.kind === 'run') add('stdin', work.stdin, [step, 'stdin']);
  for (const check of step.done?.checks ?? [])
    if (check.kind === 'schema-file') add('done.schema', check.path, [step, 'done']);
  if (work.kind === 'gates') add('gates', work.directory, [step, 'gates']);
  const actions = [...step.enter, ...step.exit, ...step.next.flatMap((rule) => rule.do)];
  for (const one of [
    { work, part: step },
    ...actions.map((action) => ({ work: action.work, part: action })),
  ]) {
    if (one.work.kind === 'prompt' && one.work.prompt.kind === 'file')
      add('prompt', one.work.prompt.path, [one.part, 'prompt']);
    if (one.work.kind !== 'call') continue;
    for (const argument of ARGUMENTS[one.work.handler] ?? [])
      add(argument, one.work.with[argument], [one.part, 'with']);
  }
  return found;
}

/** Undefined: it may well stay inside. */
export function whyOutside(template: string): string | undefined {
  // What is filled in stands for one name, or for nothing that could be known.
  const path = template.replace(/\{\{[\s\S]*?\}\}|\{%[\s\S]*?%\}/g, '\u0000');
  if (/^[/\\]|^[A-Za-z]:[/\\]/.test(path)) return 'is absolute';
  let depth = 0;
  for (const part of path.split(/[/\\]/)) {
    if (part.includes('\u0000')) return undefined;
    if (part === '..') depth--;
    else if (part !== '' && part !== '.') depth++;
    if (depth < 0) return 'leads out of it';
  }
  return undefined;
}
