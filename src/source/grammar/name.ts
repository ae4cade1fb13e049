// name: what things may be called, and why a name is not one.

/** The roots of expressions: nothing may take their names (rule 1). */
const ROOTS = ['inputs', 'vars', 'steps', 'run', 'pass', 'output', 'status', 'event', 'session'] as const;

/** CEL cannot read these as names. */
const RESERVED = new Set(
  (
    'as break const continue else false for function if import in let loop namespace null package return true ' +
    'var void while'
  ).split(' '),
);

export type NameRule =
  /** `name:` of a workflow, an agent, a provider: letters, digits, - _ . */
  | 'title'
  | 'id'
  /** Something expressions use by its name. */
  | 'variable'
  /** Of a workflow: read as `inputs.x`, or `inputs["any text"]`. */
  | 'input'
  /** As a variable, and none of the roots: it is bound beside them. */
  | 'binding'
  /** `output`: a binding, or `vars`. */
  | 'output'
  /** A name in the library, or the path of a file. */
  | 'reference'
  /** A reference, or the task itself: a text of several lines or with something to fill in, which no file is called. */
  | 'prompt'
  | 'environment'
  /** The way to a part of a value, key by key: `result.context`. */
  | 'member'
  | 'goto'
  /** Any text. */
  | 'any';

export interface NameProblem {
  message: string;
  hint?: string;
}

const LONGEST = 100;
type Patterned = Exclude<NameRule, 'any' | 'prompt'>;

const PATTERNS: Record<Patterned, RegExp> = {
  title: /^[A-Za-z0-9_][A-Za-z0-9._-]*$/,
  id: /^[A-Za-z0-9_][A-Za-z0-9_-]*$/,
  goto: /^[A-Za-z0-9_][A-Za-z0-9_-]*$/,
  variable: /^[A-Za-z_][A-Za-z0-9_]*$/,
  input: /^[^\u0000-\u001F\u007F-\u009F]+$/,
  binding: /^[A-Za-z_][A-Za-z0-9_]*$/,
  output: /^[A-Za-z_][A-Za-z0-9_]*$/,
  environment: /^[A-Za-z_][A-Za-z0-9_]*$/,
  member: /^[^.\s]+(?:\.[^.\s]+)*$/,
  reference: /^[^\s{}<>|*?"'`\\][^{}<>|*?"`\\\n]*$/,
};
const ACCEPTED: Record<Patterned, string> = {
  title: 'letters, digits, `-`, `_` and `.`',
  id: 'letters, digits, `-` and `_`',
  goto: 'letters, digits, `-` and `_`',
  variable: 'letters, digits and `_`, not starting with a digit',
  input: 'anything but control characters',
  binding: 'letters, digits and `_`, not starting with a digit',
  output: 'letters, digits and `_`, not starting with a digit',
  environment: 'letters, digits and `_`, not starting with a digit',
  member: 'the keys on the way, with dots between them',
  reference: 'the name of a file in the library, or a path',
};

/** For the editors' schema. */
export function namePattern(rule: NameRule): string | undefined {
  if (rule === 'any') return undefined;
  return rule === 'prompt' ? `${PATTERNS.reference.source}|${TASK.source}` : PATTERNS[rule].source;
}

const TASK = /\n|\{\{|\{%/;

/** Of `prompt`: it says what to do, and names no file. */
export function isTask(given: string): boolean {
  return TASK.test(given);
}

export function nameProblem(given: string, rule: NameRule): NameProblem | undefined {
  if (rule === 'any') return undefined;
  if (rule === 'prompt') return isTask(given) ? undefined : nameProblem(given, 'reference');
  const shown = `"${shorten(given)}"`;
  if (!PATTERNS[rule].test(given))
    return { message: `${shown} is not a name`, hint: `It may have ${ACCEPTED[rule]}.` };
  if (given === '__proto__') return { message: `${shown} cannot be used as a name` };
  if (rule !== 'reference' && given.length > LONGEST) {
    return { message: `${shown} is too long for a name`, hint: `At most ${LONGEST} characters.` };
  }
  if (rule === 'id' && given === 'end') {
    return { message: '"end" is reserved: `goto: end` ends the run', hint: 'Give the step another id.' };
  }
  const bound = rule === 'binding' || (rule === 'output' && given !== 'vars');
  if (bound && (ROOTS as readonly string[]).includes(given)) {
    return {
      message: `"${given}" always means the same in expressions and cannot be rebound`,
      hint: 'Take another name.',
    };
  }
  if ((bound || rule === 'variable') && RESERVED.has(given)) {
    return {
      message: `"${given}" is a reserved word of the expression language`,
      hint: 'Take another name.',
    };
  }
  return undefined;
}

export function shorten(given: string): string {
  const line = given.slice(0, 200).replace(/\s+/g, ' ');
  return line.length > 60 ? `${line.slice(0, 57)}…` : line;
}
