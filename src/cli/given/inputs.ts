// inputs: what a person gives on the command line → the inputs and vars of a run, typed as they are declared.
// All problems at once; a file is read and pinned here (rule 14).

import type { Sought } from '../../drivers/run/find-inputs.ts';
import { inputProblem } from '../../engine/engine.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { FoundInput } from '../../model/entry.ts';
import { Fault } from '../../model/fault.ts';
import { isObject, type Json, type JsonObject } from '../../model/json.ts';
import type { InputDeclaration, InputFinder, InputType, Workflow } from '../../model/workflow.ts';
import { report } from '../../source/diagnostics.ts';
import { readMarkdown } from '../../source/read/markdown.ts';
import { toJson } from '../../source/read/node.ts';
import { sourceText } from '../../source/read/source.ts';
import { readYaml } from '../../source/read/yaml.ts';
import { didYouMean } from '../../text/closest-name.ts';
import { inexactNumber, WRITE_AS_TEXT } from '../../text/exact-number.ts';
import { readJson } from '../../text/read-json.ts';

export interface GivenInputs {
  /** `--input k=v`, in order; the last of a name wins. */
  inputs: string[];
  vars: string[];
  /** The text of `--input-file`, with its name. */
  file?: NamedText;
  /** `--context k=v`: as `--input`, but a name that is not declared is kept as it is. */
  contexts?: string[];
  contextFile?: NamedText;
  /** The inputs of another run, as its journal has them. */
  recorded?: JsonObject;
  /** For inputs with `find`; absent: none are looked for. */
  find?(finder: InputFinder): Sought;
  /** What a person said when asked, by name. */
  asked?: ReadonlyMap<string, { value: string; by: string }>;
  readFile(path: string): string;
  /** Where that file is, whoever stands where. */
  absolute(path: string): string;
}

export interface NamedText {
  path: string;
  text: string;
}

export interface ResolvedInputs {
  inputs: JsonObject;
  vars: JsonObject;
  /** Of `inputs`, those that were found, or asked for. */
  found: Record<string, FoundInput>;
  /** What was looked for in vain and is needed: why there is none, by name. */
  wanted: Map<string, string>;
  diagnostics: Diagnostic[];
}

export function resolveInputs(workflow: Workflow, given: GivenInputs): ResolvedInputs {
  const problems: Diagnostic[] = [];
  const problem: Problem = (code, message, hint, more) => {
    problems.push({ code, severity: 'error', message, hint, ...more });
  };
  const values = gatherValues(workflow, given, problems, problem);
  const inputs: [string, Json][] = [];
  const found: [string, FoundInput][] = [];
  const wanted = new Map<string, string>();
  for (const [name, declaration] of Object.entries(workflow.inputs)) {
    const sought = values.has(name) ? undefined : seek(name, declaration, given);
    if (sought && 'found' in sought) {
      values.set(name, sought.value);
      found.push([name, sought.found]);
    }
    const value = values.has(name) ? values.get(name) : declaredDefault(name, declaration, given, problem);
    values.delete(name);
    if (value === undefined) {
      if (declaration.required === false) continue;
      const why = sought && 'missing' in sought ? sought.missing : undefined;
      if (why !== undefined) wanted.set(name, why);
      missing(name, declaration, why, problem);
      continue;
    }
    if (value === UNREADABLE) continue;
    const isNoCommand = declaration.find !== undefined && typeof value === 'string' && value.trim() === '';
    const wrong = isNoCommand ? 'is empty, and must be a command' : inputProblem(declaration, value);
    if (wrong) problem('input-invalid', `the input \`${name}\` ${wrong}`);
    inputs.push([name, value]);
  }
  return {
    // What is left was given as context and is not declared: on record, and nothing reads it.
    inputs: Object.fromEntries([...inputs, ...values]),
    vars: varsOf(workflow, given, problem),
    found: Object.fromEntries(found),
    wanted,
    diagnostics: problems,
  };
}

function seek(name: string, { find }: InputDeclaration, given: GivenInputs): Sought | undefined {
  if (find === undefined) return undefined;
  const said = given.asked?.get(name);
  return said ? { value: said.value, found: { by: said.by } } : given.find?.(find);
}

function missing(
  name: string,
  { description, type }: InputDeclaration,
  why: string | undefined,
  problem: Problem,
): void {
  const described = description === undefined ? '' : ` (${description})`;
  const [reason, example] =
    why === undefined
      ? ['', type === 'file' ? `--input ${name}=FILE` : `--input ${name}=…`]
      : [`, and was not found: ${why}`, `--input ${name}='npm test', or whatever it is here.`];
  problem(
    'input-missing',
    `the input \`${name}\` is required${described}${reason}`,
    `Give it with ${example}`,
  );
}

/** By name; what is given later goes before what was given earlier. */
function gatherValues(
  workflow: Workflow,
  given: GivenInputs,
  problems: Diagnostic[],
  problem: Problem,
): Map<string, Json> {
  const values = new Map<string, Json>(Object.entries(given.recorded ?? {}));
  const give = (name: string, value: Json, mustBeDeclared: boolean) => {
    const declaration = Object.hasOwn(workflow.inputs, name) ? workflow.inputs[name] : undefined;
    if (!declaration) {
      if (mustBeDeclared) unknownInput(workflow, name, problem);
      else values.set(name, value);
    } else
      values.set(name, typeof value === 'string' ? typed(name, declaration, value, given, problem) : value);
  };
  const giveAll = (pairs: string[], flag: string, mustBeDeclared: boolean) => {
    for (const text of pairs) {
      const pair = splitPair(text, flag, problem);
      if (pair) give(pair.name, pair.value, mustBeDeclared);
    }
  };
  const context = fileValues(given.contextFile, '--context-file', problems);
  const file = fileValues(given.file, '--input-file', problems);
  for (const [name, value] of context ?? []) give(name, value, false);
  for (const [name, value] of file ?? []) give(name, value, true);
  // What it holds is not known: nothing is said to be missing.
  if (!context || !file)
    for (const name of Object.keys(workflow.inputs)) if (!values.has(name)) values.set(name, UNREADABLE);
  giveAll(given.contexts ?? [], '--context', false);
  giveAll(given.inputs, '--input', true);
  return values;
}

type Problem = (
  code: string,
  message: string,
  hint?: string,
  more?: Partial<Pick<Diagnostic, 'severity' | 'span'>>,
) => void;
/** Stands for a value whose problem is already told. */
const UNREADABLE = '\u0000unreadable';

function unknownInput(workflow: Workflow, name: string, problem: Problem): void {
  const names = Object.keys(workflow.inputs);
  const known = names.length === 0 ? 'This workflow has no inputs.' : `Its inputs are: ${names.join(', ')}.`;
  problem('input-unknown', `"${workflow.name}" has no input \`${name}\``, didYouMean(name, names) ?? known);
}

function splitPair(
  text: string,
  flag: string,
  problem: Problem,
): { name: string; value: string } | undefined {
  const at = text.indexOf('=');
  if (at > 0) return { name: text.slice(0, at), value: text.slice(at + 1) };
  problem('input-invalid', `${flag} ${text} has no value`, `Write it as ${flag} name=value.`);
  return undefined;
}

/** undefined: it could not be read, and why was told. */
function fileValues(
  file: NamedText | undefined,
  flag: string,
  problems: Diagnostic[],
): [string, Json][] | undefined {
  if (!file) return [];
  const json = jsonValue(file.text);
  // Data may be larger than any definition. As JSON it is read whole; of JSON that cannot be kept YAML tells the place.
  const value = json ?? yamlValue(file, problems);
  if (value === undefined) return undefined;
  if (isObject(value)) return Object.entries(value);
  const message = `${flag} ${file.path} must hold a map of values by name`;
  problems.push({ code: 'input-invalid', severity: 'error', message });
  return undefined;
}

/** undefined: it is no JSON, or none that can be kept as it was written, or no UTF-8. */
function jsonValue(text: string): Json | undefined {
  if (/[\u007F\uFFFD]/.test(text)) return undefined;
  const read = readJson(text);
  return 'value' in read ? read.value : undefined;
}

function yamlValue(file: NamedText, problems: Diagnostic[]): Json | undefined {
  const collected = report();
  const node = readYaml(sourceText(file.path, file.text), collected);
  for (const problem of collected.diagnostics()) problems.push(asData(problem));
  return node && toJson(node);
}

/** The reader words its size limit for definitions. An input file is data, so the hint is another. */
function asData(problem: Diagnostic): Diagnostic {
  if (problem.code !== 'file-too-large') return problem;
  return {
    ...problem,
    message: 'there is more in this file than is read as YAML: at most 4 MiB, and about 250,000 values',
    hint: 'Write it as JSON, which is read whatever its size.',
  };
}

function declaredDefault(
  name: string,
  declaration: InputDeclaration,
  given: GivenInputs,
  problem: Problem,
): Json | undefined {
  const { default: value } = declaration;
  return declaration.type === 'file' && typeof value === 'string'
    ? typed(name, declaration, value, given, problem)
    : value;
}

function typed(
  name: string,
  declaration: InputDeclaration,
  text: string,
  given: GivenInputs,
  problem: Problem,
): Json {
  switch (declaration.type) {
    case 'string':
    case 'any':
      return text;
    case 'file':
      return fileInput(name, text, given, problem);
    default: {
      const read = parsed(text, declaration.type);
      if ('value' in read) return read.value;
      if (read.inexact !== undefined) tellInexact(`the input \`${name}\``, read.inexact, problem);
      else {
        problem(
          'input-invalid',
          `the input \`${name}\` must be a ${declaration.type}, and is "${text}"`,
          EXAMPLES[declaration.type],
        );
      }
      return UNREADABLE;
    }
  }
}

const EXAMPLES: Partial<Record<InputType, string>> = {
  number: 'For example 3 or 0.5.',
  boolean: 'Write true or false.',
  list: 'For example \'["a", "b"]\' or \'[a, b]\'.',
  map: "For example '{\"a\": 1}' or '{ a: 1 }'.",
};

/** `inexact`: it has a number that would be another one, and where. */
type Parsed = { value: Json } | { inexact?: string };

function tellInexact(what: string, inexact: string, problem: Problem): void {
  problem('input-invalid', `${what} cannot be kept as it was written: ${inexact}`, WRITE_AS_TEXT);
}

function parsed(text: string, type: InputType): Parsed {
  if (type === 'boolean') return text === 'true' ? { value: true } : text === 'false' ? { value: false } : {};
  if (type === 'number') return parsedNumber(text.trim());
  const read = parsedYaml(text);
  if (!('value' in read)) return read;
  const isList = Array.isArray(read.value);
  const isMap = typeof read.value === 'object' && read.value !== null && !isList;
  return (type === 'list' ? isList : isMap) ? read : {};
}

function parsedNumber(text: string): Parsed {
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text)) return {};
  const inexact = inexactNumber(text, Number(text));
  return inexact === undefined ? { value: Number(text) + 0 } : { inexact };
}

function parsedYaml(text: string): Parsed {
  const collected = report();
  const node = readYaml(sourceText('the value', text), collected);
  const number = collected.diagnostics().find(({ code }) => code === 'yaml-number');
  if (number !== undefined) {
    const { line = 1, column = 1 } = number.span ?? {};
    return { inexact: `${number.message} (line ${line}, column ${column} of the value)` };
  }
  return node === undefined || collected.hasErrors() ? {} : { value: toJson(node) };
}

/** With `name:` below the line, somebody meant it as front matter and not as a rule. */
const BEGINS_LIKE_MATTER = /^---[ \t]*\r?\n\s*[\w-]+:(\s|$)/;

/** `{ path, absolute, text, body, title, data }`; data is the front matter, body what follows it, title its `title` or the first heading. */
function fileInput(name: string, path: string, given: GivenInputs, problem: Problem): Json {
  let text: string;
  try {
    text = given.readFile(path);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    problem('input-invalid', `the input \`${name}\`: ${error.message}`);
    return UNREADABLE;
  }
  const collected = report();
  const markdown = readMarkdown(sourceText(path, text), collected);
  // Front matter that is none (a file may well begin with a rule) is simply text.
  const isRead = !collected.hasErrors();
  const inexact = collected.diagnostics().filter(({ code }) => code === 'yaml-number');
  if (inexact.length > 0) {
    // Taken as text, the file would have lost its data without a word; read, it would have another number.
    for (const { code, message, hint, span } of inexact)
      problem(code, message, hint, { ...(span && { span }) });
    return UNREADABLE;
  }
  if (!isRead && BEGINS_LIKE_MATTER.test(text)) {
    const [first] = collected.diagnostics();
    problem(
      'front-matter-unread',
      `the front matter of the input \`${name}\` cannot be read, so all of the file is taken as text: ${first?.message}`,
      'Mend it, or take its two `---` lines away.',
      { severity: 'warning', ...(first?.span && { span: first.span }) },
    );
  }
  const matter = isRead && markdown?.matter ? toJson(markdown.matter) : {};
  const body = isRead && markdown ? String(markdown.body.value) : text;
  const data: JsonObject = isObject(matter) ? matter : {};
  const heading = /^#{1,6}[ \t]+(.+?)[ \t#]*$/m.exec(text)?.[1];
  const title = typeof data.title === 'string' ? data.title : (heading ?? path.split('/').at(-1) ?? path);
  return { path, absolute: given.absolute(path), text, body, title, data };
}

function varsOf(workflow: Workflow, given: GivenInputs, problem: Problem): JsonObject {
  const vars: [string, Json][] = [];
  for (const text of given.vars) {
    const pair = splitPair(text, '--var', problem);
    if (!pair) continue;
    if (!Object.hasOwn(workflow.vars, pair.name)) {
      const names = Object.keys(workflow.vars);
      problem(
        'var-unknown',
        `"${workflow.name}" has no var \`${pair.name}\``,
        didYouMean(pair.name, names) ?? `Its vars are: ${names.join(', ') || 'none'}.`,
      );
      continue;
    }
    const read = asInitial(workflow.vars[pair.name] as Json, pair.value);
    if ('value' in read) vars.push([pair.name, read.value]);
    else if (read.inexact !== undefined) tellInexact(`the var \`${pair.name}\``, read.inexact, problem);
    else {
      problem(
        'input-invalid',
        `the var \`${pair.name}\` must be a ${kindOf(workflow.vars[pair.name] as Json)}, and is "${pair.value}"`,
      );
    }
  }
  return Object.fromEntries(vars);
}

function kindOf(value: Json): InputType | 'any' {
  if (value === null) return 'any';
  if (Array.isArray(value)) return 'list';
  return typeof value === 'object' ? 'map' : (typeof value as InputType);
}

/** A var is typed by its initial value; null takes anything. */
function asInitial(initial: Json, text: string): Parsed {
  const kind = kindOf(initial);
  if (kind === 'string') return { value: text };
  if (kind !== 'any') return parsed(text, kind);
  const read = parsedYaml(text);
  return 'value' in read || read.inexact !== undefined ? read : { value: text };
}
