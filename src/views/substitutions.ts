// substitutions: what became of the templates of a step: each as it is written, and what was handed over in its place.
// For people who look for a mistake in a workflow (`--debug`).

import type { Perform } from '../model/command.ts';
import { isObject, type Json } from '../model/json.ts';
import type { Action, CommandLine, Step, Work } from '../model/workflow.ts';
import { readPart } from './step-path.ts';

export interface Substitution {
  field: string;
  template: string;
  value: Json;
}

export function substitutions(step: Step, command: Perform): Substitution[] {
  const found: Substitution[] = [];
  const pair = (field: string, template: Json | undefined, value: Json | undefined): void =>
    collect(field, template, value ?? null, found);
  const work = workAt(step, command.part);
  if (command.part === undefined) {
    if ('saveTo' in command) pair('save_to', step.saveTo, command.saveTo);
    if ('reads' in command) {
      pair('reads.files', step.reads?.files, command.reads?.files);
      pair('reads.optional', step.reads?.optional, command.reads?.optional);
    }
    const schema = step.done?.checks.find((check) => check.kind === 'schema-file');
    if ('schemaFile' in command) pair('done.schema.file', schema?.path, command.schemaFile);
  }
  switch (command.kind) {
    case 'run-command':
      if (work && 'command' in work) pairCommand(work.command, command.command, pair);
      if (work?.kind === 'run') pair('stdin.file', work.stdin, command.stdin);
      break;
    case 'run-agent':
      if (work?.kind !== 'prompt') break;
      pair('params', work.performer.params, command.params);
      if (work.prompt.kind === 'file' && command.prompt.kind === 'file')
        pair('prompt.file', work.prompt.path, command.prompt.path);
      break;
    case 'call-handler':
      if (work?.kind === 'call') pair('with', work.with, command.with);
      break;
    case 'wait-files':
      if (work?.kind === 'wait' && work.for === 'files') pair('wait.files', work.files, command.files);
      break;
    default:
  }
  return found;
}

function workAt(
  step: Step,
  part: string | undefined,
): Work | Action['work'] | { kind: 'check'; command: CommandLine } | undefined {
  if (part === undefined) return step.work;
  const { name, index } = readPart(part);
  if (name === 'enter' || name === 'exit') return step[name][index]?.work;
  const check = name === 'done' ? step.done?.checks[index] : undefined;
  return check?.kind === 'run' || check?.kind === 'tests'
    ? { kind: 'check', command: check.command }
    : undefined;
}

type Pair = (field: string, template: Json | undefined, value: Json | undefined) => void;

function pairCommand(
  written: CommandLine,
  given: Extract<Perform, { kind: 'run-command' }>['command'],
  pair: Pair,
): void {
  const value = given.kind === 'argv' ? given.argv : given.line;
  if (written.kind === 'argv') pair('command', written.argv, value);
  else pair('command', written.kind === 'shell' ? written.line : `{{ ${written.expression} }}`, value);
}

const TEMPLATE = /\{\{|\{%/;

function collect(field: string, template: Json | undefined, value: Json, found: Substitution[]): void {
  if (typeof template === 'string') {
    if (TEMPLATE.test(template)) found.push({ field, template, value });
  } else if (Array.isArray(template)) {
    template.forEach((one, index) => {
      collect(`${field}[${index}]`, one, Array.isArray(value) ? (value[index] ?? null) : null, found);
    });
  } else if (typeof template === 'object' && template !== null) {
    const values = isObject(value) ? value : {};
    for (const [key, one] of Object.entries(template))
      collect(`${field}.${key}`, one, Object.hasOwn(values, key) ? (values[key] ?? null) : null, found);
  }
}
