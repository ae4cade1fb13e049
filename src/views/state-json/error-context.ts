// error-context: what a failure is about, in the words of state.json. The engine names values as the language does
// (`inputs.x`, `steps.a-b.output`); whoever reads state.json knows them as `${context.x}` and `${steps.A b.lines}`.

import type { Json, JsonObject } from '../../model/json.ts';
import type { Capture } from '../../model/workflow.ts';

export interface Around {
  /** The command as it was started. */
  argv: string[] | undefined;
  /** How long it took. */
  durationMs: number;
  /** What a step of this id is called where the failure happened, and how its output is captured. */
  stepCalled(id: string): { name: string; capture: Capture['as'] } | undefined;
}

export function errorContext(details: JsonObject, around: Around): JsonObject {
  const context: JsonObject = {};
  for (const [name, value] of Object.entries(details))
    Object.assign(context, inTheirWords(name, value, around));
  if (around.argv !== undefined) context.substituted_command = around.argv;
  return context;
}

function inTheirWords(name: string, value: Json, around: Around): JsonObject {
  switch (name) {
    case 'absent':
      return absences(texts(value), around);
    case 'not_a_list':
      return { invalid_reference: texts(value).map((one) => nameInTheirs(one, around.stepCalled)) };
    case 'missing_files':
      return { failed_deps: value };
    case 'timeout_ms':
      if (typeof value !== 'number') return {};
      return { timeout: { timeout_sec: value / 1000, duration_ms: Math.round(around.durationMs) } };
    case 'schema_violations':
      return { json_schema_errors: value };
    case 'require_failed':
      return { json_require_failed: value };
    case 'command':
      return { substituted_command: value };
    case 'json_parse_error':
      return { json_parse_error: { reason: value } };
    default:
      return { [name]: value };
  }
}

function texts(value: Json): string[] {
  return (Array.isArray(value) ? value : [value]).filter((one) => typeof one === 'string');
}

function absences(names: string[], around: Around): JsonObject {
  const known = [...new Set(names.map((name) => nameInTheirs(name, around.stepCalled)))];
  const references = known.filter((name) => name.startsWith('steps.'));
  return {
    undefined_vars: known.map((name) => `\${${name}}`),
    ...(references.length > 0 && { invalid_reference: references }),
  };
}

const WRAPPED = /^\$\{(.*)\}$/s;
const SEGMENT = /^([^.[\]]+)|\.([^.[\]]+)|\["((?:[^"\\]|\\.)*)"\]|\['((?:[^'\\]|\\.)*)'\]|\[(\d+)\]/g;

/** `inputs["my-key"].a` → `context.my-key.a`. What stands in `${}` is theirs already. */
export function nameInTheirs(name: string, stepCalled: Around['stepCalled']): string {
  const theirs = WRAPPED.exec(name);
  if (theirs) return theirs[1] as string;
  const [root = '', first = '', ...rest] = segmentsOf(name);
  switch (root) {
    case 'inputs':
    case 'vars':
      return joined('context', first, ...rest);
    case 'pass':
      return first === 'index' || first === 'total' ? `loop.${first}` : name;
    case 'run':
      return first === 'started' ? 'run.timestamp_utc' : name;
    case 'steps': {
      const step = stepCalled(first);
      if (!step) return joined('steps', first, ...rest);
      const [field, ...inside] = rest;
      return joined('steps', step.name, field === 'output' ? FIELDS[step.capture] : field, ...inside);
    }
    default:
      return name;
  }
}

/** Where state.json keeps what was captured. */
const FIELDS: Record<Capture['as'], string> = { text: 'output', lines: 'lines', json: 'json' };

function joined(...segments: (string | undefined)[]): string {
  return segments.filter((segment) => segment !== undefined && segment !== '').join('.');
}

function segmentsOf(name: string): string[] {
  const segments: string[] = [];
  for (const match of name.matchAll(SEGMENT)) {
    const [, start, member, double, single, index] = match;
    segments.push(start ?? member ?? unescaped(double ?? single) ?? index ?? '');
  }
  return segments;
}

function unescaped(text: string | undefined): string | undefined {
  return text?.replace(/\\(.)/gs, '$1');
}
