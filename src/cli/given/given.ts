// given: what was typed beside the workflow (inputs, context, vars, a script), and everything that is wrong with it.

import { resolve } from 'node:path';
import { refusesOnError, refusesSkip } from '../../compile/prove/prove.ts';
import { compileScript } from '../../compile/script.ts';
import { findInput, findsInputs } from '../../drivers/run/find-inputs.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { FoundInput, Skips } from '../../model/entry.ts';
import { Fault } from '../../model/fault.ts';
import type { JsonObject } from '../../model/json.ts';
import type { Script } from '../../model/script.ts';
import type { InputFinder, Workflow } from '../../model/workflow.ts';
import { printDiagnostics } from '../print-problems.ts';
import type { Services } from '../services.ts';
import type { DriveOptions } from '../settings.ts';
import { askInputs, canAsk } from './ask-inputs.ts';
import { type GivenInputs, type ResolvedInputs, resolveInputs } from './inputs.ts';

export interface GivenOptions {
  input?: string[];
  inputFile?: string;
  context?: string[];
  contextFile?: string;
  var?: string[];
  script?: string;
  /** Nobody is asked. */
  json?: boolean;
  onError?: DriveOptions['onError'];
}

export interface Given {
  inputs: JsonObject;
  vars: JsonObject;
  script?: Script;
  /** Of `inputs`, those that were found and not given. */
  found: Record<string, FoundInput>;
  problems: Diagnostic[];
  /** For source frames. */
  texts: Map<string, string>;
}

/** What another run was started with. */
export interface Recorded {
  inputs: JsonObject;
  vars: JsonObject;
  script?: Script;
}

/** As `readGiven`, and what is wrong is printed; undefined: too much is. */
export async function givenOrReport(...asked: Parameters<typeof readGiven>): Promise<Given | undefined> {
  const [services, , , options] = asked;
  const given = await readGiven(...asked);
  printDiagnostics(services, given.problems, given.texts, options.json);
  return given.problems.some(({ severity }) => severity === 'error') ? undefined : given;
}

/** What can neither be read nor found is asked for, where somebody sits at a terminal. Fault `interrupted`. */
async function readGiven(
  services: Services,
  workflow: Workflow,
  skips: Skips,
  options: GivenOptions,
  recorded?: Recorded,
): Promise<Given> {
  const project = findsInputs(workflow.inputs) ? await services.projectFiles() : undefined;
  const find = project && ((finder: InputFinder) => findInput(finder, project));
  const given = readOnce(services, workflow, skips, options, { recorded, find });
  const errors = given.problems.filter(({ severity }) => severity === 'error').length;
  const isAllThatIsMissing = given.wanted.size > 0 && errors === given.wanted.size;
  if (!isAllThatIsMissing || !canAsk(services, options)) return given;
  const asked = await askInputs(services, workflow, given.wanted);
  return asked.size === 0 ? given : readOnce(services, workflow, skips, options, { recorded, find, asked });
}

/** What a program gives by name, already as values. Nobody is asked; `readFile` says which files it may name. */
export async function valuesGiven(
  services: Services,
  workflow: Workflow,
  skips: Skips,
  values: { inputs: JsonObject; context: JsonObject },
  readFile: (path: string) => string,
): Promise<Pick<Given, 'inputs' | 'vars' | 'found' | 'problems'>> {
  const project = findsInputs(workflow.inputs) ? await services.projectFiles() : undefined;
  const { inputs, vars, found, diagnostics } = resolveInputs(workflow, {
    ...{ inputs: [], vars: [], readFile, absolute: (path) => resolve(services.cwd, path) },
    file: { path: 'inputs', text: JSON.stringify(values.inputs) },
    contextFile: { path: 'context', text: JSON.stringify(values.context) },
    ...(project && { find: (finder: InputFinder) => findInput(finder, project) }),
  });
  return { inputs, vars, found, problems: [...refusesSkip(workflow, skips), ...diagnostics] };
}

interface Sources extends Pick<GivenInputs, 'find' | 'asked'> {
  recorded?: Recorded;
}

function readOnce(
  services: Services,
  workflow: Workflow,
  skips: Skips,
  options: GivenOptions,
  { recorded, find, asked }: Sources,
): Given & Pick<ResolvedInputs, 'wanted'> {
  const texts = new Map<string, string>();
  const problems: Diagnostic[] = [];
  const open = (path: string | undefined) => {
    if (path === undefined) return undefined;
    const file = readOr(services, path, problems);
    if (file) texts.set(path, file.text);
    return file;
  };
  const scriptFile = open(options.script);
  const compiled = scriptFile && compileScript(scriptFile);
  if (compiled && !('script' in compiled)) problems.push(...compiled.diagnostics);
  problems.push(
    ...refusesSkip(workflow, skips),
    ...refusesOnError(workflow, options.onError === 'continue' ? 'continue' : 'stop'),
  );
  const { inputs, vars, found, wanted, diagnostics } = resolveInputs(workflow, {
    inputs: options.input ?? [],
    vars: options.var ?? [],
    file: open(options.inputFile),
    contexts: options.context,
    contextFile: open(options.contextFile),
    recorded: recorded?.inputs,
    ...(find && { find }),
    ...(asked && { asked }),
    readFile(path) {
      const text = services.readFile(path);
      texts.set(path, text);
      return text;
    },
    absolute: (path) => resolve(services.cwd, path),
  });
  problems.push(...diagnostics);
  const script = compiled && 'script' in compiled ? compiled.script : recorded?.script;
  return {
    ...{ inputs, found, wanted, vars: { ...known(recorded?.vars, workflow), ...vars } },
    ...{ script, problems, texts },
  };
}

/** A var that the workflow no longer has is nobody's. */
function known(vars: JsonObject | undefined, workflow: Workflow): JsonObject {
  const kept = Object.entries(vars ?? {}).filter(([name]) => Object.hasOwn(workflow.vars, name));
  return Object.fromEntries(kept);
}

function readOr(
  services: Services,
  path: string,
  problems: Diagnostic[],
): { path: string; text: string } | undefined {
  try {
    return { path, text: services.readFile(path) };
  } catch (error) {
    problems.push(asDiagnostic(error, 'error'));
    return undefined;
  }
}

export function asDiagnostic(error: unknown, severity: Diagnostic['severity']): Diagnostic {
  if (!(error instanceof Fault)) throw error;
  return { code: error.code, severity, message: error.message, hint: error.hint };
}
