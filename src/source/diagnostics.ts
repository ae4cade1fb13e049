// report: where problems are collected. A problem at the same place is kept once, however often it was met.

import type { Diagnostic, Span } from '../model/diagnostic.ts';
import type { JsonObject } from '../model/json.ts';

export interface Report {
  error(code: string, span: Span, message: string, hint?: string, context?: JsonObject): void;
  warn(code: string, span: Span, message: string, hint?: string, context?: JsonObject): void;
  add(diagnostics: readonly Diagnostic[]): void;
  /** From here on, problems in this file are about what its translation says, and say so. */
  translated(file: string): void;
  /** In the order of files as first met, then of lines. */
  diagnostics(): Diagnostic[];
  hasErrors(): boolean;
}

/** Past this many, more would not be read; it is said how many are left. */
const MOST = 200;

export function report(): Report {
  const kept = new Map<string, Diagnostic>();
  const files = new Map<string, number>();
  const foreign = new Set<string>();

  /** `message` tells problems at one place apart; an expression has one of each kind there, however it is put. */
  function add(given: Diagnostic, message: string): void {
    const { code, span } = given;
    const diagnostic = span !== undefined && foreign.has(span.file) ? ofTranslation(given) : given;
    const place = span === undefined ? diagnostic.message : `${span.file}:${span.line}:${span.column}`;
    const key = `${code} ${place} ${message}`;
    if (kept.has(key)) return;
    const { message: said, hint } = diagnostic;
    const shown = { ...diagnostic, message: printable(said) };
    kept.set(key, hint === undefined ? shown : { ...shown, hint: printable(hint) });
    if (span !== undefined && !files.has(span.file)) files.set(span.file, files.size);
  }

  function order(a: Diagnostic, b: Diagnostic): number {
    const file = (files.get(a.span?.file ?? '') ?? -1) - (files.get(b.span?.file ?? '') ?? -1);
    return file || (a.span?.line ?? 0) - (b.span?.line ?? 0) || (a.span?.column ?? 0) - (b.span?.column ?? 0);
  }

  return {
    error(code, span, message, hint, context) {
      add({ code, severity: 'error', message, span, ...given({ hint, context }) }, message);
    },
    warn(code, span, message, hint, context) {
      add({ code, severity: 'warning', message, span, ...given({ hint, context }) }, message);
    },
    translated: (file) => void foreign.add(file),
    add(diagnostics) {
      for (const each of diagnostics) add(each, '');
    },
    hasErrors: () => [...kept.values()].some((each) => each.severity === 'error'),
    diagnostics() {
      const sorted = [...kept.values()].sort(order);
      if (sorted.length <= MOST) return sorted;
      const errors = sorted.filter((each) => each.severity === 'error');
      const shown = (errors.length > MOST ? errors : sorted).slice(0, MOST);
      return [...shown, tooMany(sorted.length - MOST)];
    },
  };
}

/** Messages quote what a definition says, and that must not move anybody's cursor. */
function printable(text: string): string {
  return text.replace(/[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u2028-\u202E]/g, '\uFFFD');
}

function given({ hint, context }: { hint?: string | undefined; context?: JsonObject | undefined }) {
  return { ...(hint === undefined ? {} : { hint }), ...(context === undefined ? {} : { context }) };
}

/** Codes whose messages hold in every language; `undefined`: the hint does too. */
const OF_ANY_TEXT = new Map<string, string | undefined>([
  ['path-outside', undefined],
  ['missing-agent', undefined],
  ['missing-prompt', undefined],
  ['secret-in-env', undefined],
  ['unreachable-step', 'What comes before it always goes elsewhere.'],
  ['endless-circle', 'Let one of the jumps depend on how its step ended.'],
]);

/** Whoever wrote the foreign text never saw the words that the message is about. */
function ofTranslation(diagnostic: Diagnostic): Diagnostic {
  const { code, message, hint } = diagnostic;
  if (OF_ANY_TEXT.has(code)) return { ...diagnostic, ...given({ hint: OF_ANY_TEXT.get(code) ?? hint }) };
  const where = '`lockstep convert` prints the translated text.';
  return {
    ...diagnostic,
    message: `in the translated text: ${message}`,
    hint: hint === undefined ? where : `${hint} ${where}`,
  };
}

function tooMany(left: number): Diagnostic {
  return {
    code: 'too-many-problems',
    severity: 'error',
    message: `there are ${left} more problems than are shown here`,
    hint: 'Fix these first.',
  };
}
