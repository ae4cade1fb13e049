// finding: one thing that a program found, in the program's own terms, and what its levels mean as severities of a review.

export interface Finding {
  /** As the program says it: `error`, `warning`, `HIGH`. */
  level: string;
  message: string;
  /** Where it may be: paths or addresses, the likeliest first. None of them need be there. */
  files?: string[];
  line?: number;
  /** What to do, where the program says so. */
  fix?: string;
}

/** What a program said, or why that cannot be read as a result. */
export type ReadFindings = { findings: Finding[] } | { problem: string };

export const SEVERITIES = ['critical', 'important', 'minor'] as const;
export type Severity = (typeof SEVERITIES)[number];
/** By a level in small letters. */
export type Levels = Readonly<Record<string, Severity | 'ignore'>>;

/** A linter's error is not critical by itself: the file of the gate may say that it is. */
const USUAL: Levels = {
  critical: 'critical',
  blocker: 'critical',
  important: 'important',
  error: 'important',
  failure: 'important',
  fatal: 'important',
  'fatal error': 'important',
  high: 'important',
  major: 'important',
  minor: 'minor',
  warning: 'minor',
  warn: 'minor',
  medium: 'minor',
  moderate: 'minor',
  low: 'minor',
  note: 'minor',
  info: 'minor',
  information: 'minor',
  hint: 'minor',
  suggestion: 'minor',
  none: 'minor',
  style: 'minor',
  convention: 'minor',
  refactor: 'minor',
  performance: 'minor',
  portability: 'minor',
};

/** A level that nobody knows is important: it never makes a review better. */
export function severityAt(level: string, levels: Levels): Severity | 'ignore' {
  const name = level.toLowerCase();
  if (Object.hasOwn(levels, name)) return levels[name] as Severity | 'ignore';
  return Object.hasOwn(USUAL, name) ? (USUAL[name] as Severity) : 'important';
}

export function isLevel(word: string, levels: Levels): boolean {
  const name = word.toLowerCase();
  return Object.hasOwn(USUAL, name) || Object.hasOwn(levels, name);
}
