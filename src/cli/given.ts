// given: what was typed beside the workflow (inputs, context, vars, a script), and everything that is wrong with it.

import { refusesOnError, refusesSkip } from '../compile/prove/prove.ts';
import { compileScript } from '../compile/script.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Skips } from '../model/entry.ts';
import { Fault } from '../model/fault.ts';
import type { JsonObject } from '../model/json.ts';
import type { Script } from '../model/script.ts';
import type { Workflow } from '../model/workflow.ts';
import { resolveInputs } from './inputs.ts';
import type { Services } from './services.ts';
import type { DriveOptions } from './settings.ts';

export interface GivenOptions {
  input?: string[];
  inputFile?: string;
  context?: string[];
  contextFile?: string;
  var?: string[];
  script?: string;
  onError?: DriveOptions['onError'];
}

export interface Given {
  inputs: JsonObject;
  vars: JsonObject;
  script?: Script;
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

export function readGiven(
  services: Services,
  workflow: Workflow,
  skips: Skips,
  options: GivenOptions,
  recorded?: Recorded,
): Given {
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
  const { inputs, vars, diagnostics } = resolveInputs(workflow, {
    inputs: options.input ?? [],
    vars: options.var ?? [],
    file: open(options.inputFile),
    contexts: options.context,
    contextFile: open(options.contextFile),
    recorded: recorded?.inputs,
    readFile: services.readFile,
  });
  problems.push(...diagnostics);
  const script = compiled && 'script' in compiled ? compiled.script : recorded?.script;
  return { inputs, vars: { ...known(recorded?.vars, workflow), ...vars }, script, problems, texts };
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
