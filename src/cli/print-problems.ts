// print-problems: problems, rendered for a person (or as JSON for a program). The only place that does so.

import type { Diagnostic } from '../model/diagnostic.ts';
import { Fault } from '../model/fault.ts';
import { sourceFrame } from '../source/read/frame.ts';
import { paint } from '../views/text/line.ts';
import { plainLines } from '../views/text/plain.ts';
import { lookOf } from './look.ts';
import type { Services } from './services.ts';

export function printDiagnostics(
  services: Services,
  diagnostics: Diagnostic[],
  texts: Map<string, string>,
  json = false,
): void {
  if (diagnostics.length === 0) return;
  if (json) {
    services.stdout.write(`${JSON.stringify({ kind: 'problems', diagnostics })}\n`);
    return;
  }
  const { color } = lookOf(services, services.stderr);
  const blocks = diagnostics.map((diagnostic) => renderDiagnostic(diagnostic, texts, color));
  services.stderr.write(`${blocks.join('\n\n')}\n\n${countLine(diagnostics)}\n`);
}

function renderDiagnostic(diagnostic: Diagnostic, texts: Map<string, string>, color: boolean): string {
  const { severity, code, span, message, hint } = diagnostic;
  const label = paint(`${severity}[${code}]`, severity === 'error' ? 'bad' : 'ask', color);
  const place = span ? ` ${span.file}:${span.line}:${span.column}` : '';
  const text = span && texts.get(span.file);
  return [
    `${label}${place}`,
    indent(lines(message)),
    ...(text !== undefined && span ? ['', indent(sourceFrame(text, span))] : []),
    ...(hint === undefined ? [] : ['', hintLine(hint, color)]),
  ].join('\n');
}

/** What comes from a definition or an agent must not move the cursor. */
function lines(text: string): string {
  return plainLines(text).join('\n');
}

function hintLine(hint: string, color: boolean): string {
  return `  ${paint('hint:', 'dim', color)} ${lines(hint)}`;
}

function indent(text: string): string {
  return text.replace(/^(?=.)/gm, '  ');
}

function countLine(diagnostics: Diagnostic[]): string {
  const errors = diagnostics.filter((diagnostic) => diagnostic.severity === 'error').length;
  const warnings = diagnostics.length - errors;
  const count = (number: number, word: string) => `${number} ${word}${number === 1 ? '' : 's'}`;
  const parts = [
    ...(errors > 0 ? [count(errors, 'error')] : []),
    ...(warnings > 0 ? [count(warnings, 'warning')] : []),
  ];
  const codes = [...new Set(diagnostics.map((diagnostic) => diagnostic.code))];
  return codes.length === 1
    ? `${parts.join(', ')}. More about it: ${page(codes[0] as string)}`
    : `${parts.join(', ')}. Each code has a page: ${page('CODE')}`;
}

/** The page comes with the package; where that lies nobody needs to know. */
function page(code: string): string {
  return `lockstep explain ${code}`;
}

export interface FailureStyle {
  verbose: boolean;
  json: boolean;
}

/** Prints what went wrong and answers the exit code. */
export function printFailure(services: Services, error: unknown, { verbose, json }: FailureStyle): number {
  const { color } = lookOf(services, services.stderr);
  if (!(error instanceof Fault)) return printBug(services, error, verbose, color);
  const { code, message, hint, cause } = error;
  if (json) {
    services.stdout.write(`${JSON.stringify({ kind: 'fault', code, message, hint })}\n`);
    return error.exitCode;
  }
  const shown = [`${paint(`error[${code}]`, 'bad', color)} ${lines(message)}`];
  if (hint !== undefined) shown.push(hintLine(hint, color));
  shown.push(`  ${paint('more:', 'dim', color)} ${page(code)}`);
  if (verbose && cause !== undefined) shown.push(`  cause: ${String((cause as Error).stack ?? cause)}`);
  services.stderr.write(`${shown.join('\n')}\n`);
  return error.exitCode;
}

function printBug(services: Services, error: unknown, verbose: boolean, color: boolean): number {
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const shown = verbose ? stack : (stack.split('\n')[0] ?? '');
  const ask = verbose
    ? 'Please report it with the text above.'
    : 'Run it again with --verbose for the details, and please report it.';
  services.stderr.write(`${paint('error', 'bad', color)} this is a bug in lockstep: ${shown}\n  ${ask}\n`);
  return 1;
}
