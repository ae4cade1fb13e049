// condition: what can be said of a test without evaluating it. Only literals, the step's own `status` and the
// status of named steps are understood, alone or joined by `&&`; of everything else it is said that it may hold.

export type Truth = 'yes' | 'no' | 'maybe';
export type EndStatus = 'done' | 'failed';

export interface Condition {
  /** Whether it holds; `status` is that of the step whose `next` asks. */
  truth(status?: EndStatus): Truth;
  /** Ids of steps whose latest visit has ended done where it holds. */
  whenTrue: readonly string[];
  /** The same where it does not hold. */
  whenFalse: readonly string[];
}

type Part =
  | { kind: 'literal'; value: boolean }
  | { kind: 'status'; step?: string; is: string; negated: boolean }
  | { kind: 'unknown' };

export function readCondition(cel: string | undefined): Condition {
  if (cel === undefined) return { truth: () => 'yes', whenTrue: [], whenFalse: [] };
  const parts = split(cel).map(readPart);
  const only = parts.length === 1 ? parts[0] : undefined;
  return {
    truth(status) {
      const truths = parts.map((part) => truthOf(part, status));
      if (truths.includes('no')) return 'no';
      return truths.every((truth) => truth === 'yes') ? 'yes' : 'maybe';
    },
    whenTrue: parts.flatMap((part) => saysDone(part, false)),
    whenFalse: only ? saysDone(only, true) : [],
  };
}

function truthOf(part: Part, status: EndStatus | undefined): Truth {
  if (part.kind === 'literal') return part.value ? 'yes' : 'no';
  if (part.kind === 'status' && part.step === undefined && status !== undefined) {
    return (part.is === status) !== part.negated ? 'yes' : 'no';
  }
  return 'maybe';
}

/** The step that `part` (or, with `opposite`, its negation) says has ended done. */
function saysDone(part: Part, opposite: boolean): string[] {
  if (part.kind !== 'status' || part.step === undefined || part.is !== 'done') return [];
  return part.negated === opposite ? [part.step] : [];
}

/** At every `&&`, if that is certain to be what joins the parts. */
function split(cel: string): string[] {
  if (/\|\||[?([{]/.test(cel.replace(/steps\s*\[\s*("[^"]*"|'[^']*')\s*\]/g, 'steps'))) return [cel];
  const parts = cel.split('&&');
  const balanced = (part: string) => count(part, '"') % 2 === 0 && count(part, "'") % 2 === 0;
  return parts.every(balanced) ? parts : [cel];
}

function count(text: string, character: string): number {
  return text.split(character).length - 1;
}

const SUBJECT = String.raw`(?:steps\s*\.\s*([A-Za-z_]\w*)\s*\.\s*|steps\s*\[\s*["']([\w-]+)["']\s*\]\s*\.\s*)?status`;
const VALUE = String.raw`["'](\w+)["']`;
const FORWARD = new RegExp(`^${SUBJECT}\\s*(==|!=)\\s*${VALUE}$`);
const BACKWARD = new RegExp(`^${VALUE}\\s*(==|!=)\\s*${SUBJECT}$`);

function readPart(text: string): Part {
  const trimmed = text.trim();
  if (trimmed === 'true' || trimmed === 'false') return { kind: 'literal', value: trimmed === 'true' };
  const forward = FORWARD.exec(trimmed);
  if (forward) return statusPart(forward[1] ?? forward[2], forward[4], forward[3]);
  const backward = BACKWARD.exec(trimmed);
  if (backward) return statusPart(backward[3] ?? backward[4], backward[1], backward[2]);
  return { kind: 'unknown' };
}

function statusPart(step: string | undefined, is: string | undefined, operator: string | undefined): Part {
  const part: Part = { kind: 'status', is: is ?? '', negated: operator === '!=' };
  return step === undefined ? part : { ...part, step };
}

/** How many items a list expression has, where its text alone tells. */
export function literalLength(cel: string): 'none' | 'some' | 'unknown' {
  const text = cel.trim();
  if (!text.startsWith('[')) return 'unknown';
  if (/^\[\s*\]$/.test(text)) return 'none';
  return closingBracket(text) === text.length - 1 ? 'some' : 'unknown';
}

/** Where the bracket that opens `text` is closed again. */
function closingBracket(text: string): number {
  let depth = 0;
  let quote = '';
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? '';
    if (quote) {
      if (character === '\\') at++;
      else if (character === quote) quote = '';
    } else if (character === '"' || character === "'") quote = character;
    else if ('[({'.includes(character)) depth++;
    else if ('])}'.includes(character) && --depth === 0) return at;
  }
  return -1;
}

/** A condition as part of a sentence. */
export function shorten(cel = 'true'): string {
  const text = cel.trim().replace(/\s+/g, ' ');
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}
