// report: problems, rendered for a person (or as JSON for a program). The only place that does so.

import { sourceFrame } from '../compile/read/frame.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { Fault } from '../model/fault.ts';
import { lookOf } from './look.ts';
import type { Services } from './services.ts';

const paint = (color: boolean, code: number, text: string) => (color ? `\x1b[${code}m${text}\x1b[0m` : text);
const RED = 31;
const YELLOW = 33;
const DIM = 2;

export function printDiagnostics(
  services: Services,
  diagnostics: Diagnostic[],
  texts: Map<string, string>,
): void {
  const { color } = lookOf(services, services.stderr);
  const blocks = diagnostics.map((diagnostic) => renderDiagnostic(diagnostic, texts, color));
  if (blocks.length === 0) return;
  services.stderr.write(`${blocks.join('\n\n')}\n\n${countLine(diagnostics)}\n`);
}

export function renderDiagnostic(diagnostic: Diagnostic, texts: Map<string, string>, color: boolean): string {
  const { severity, code, span, message, hint } = diagnostic;
  const isError = severity === 'error';
  const label = paint(color, isError ? RED : YELLOW, `${severity}[${code}]`);
  const place = span ? ` ${span.file}:${span.line}:${span.column}` : '';
  const text = span && texts.get(span.file);
  return [
    `${label}${place}`,
    `  ${message}`,
    ...(text !== undefined && span ? ['', indent(sourceFrame(text, span))] : []),
    ...(hint === undefined ? [] : ['', `  ${paint(color, DIM, 'hint:')} ${hint}`]),
  ].join('\n');
}

function indent(text: string): string {
  return text.replace(/^/gm, '  ');
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
  return `${parts.join(', ')}. Each code has a page: docs/errors/${codes.length === 1 ? codes[0] : '<code>'}.md`;
}

/** Prints what went wrong and answers the exit code. */
export function printFailure(services: Services, error: unknown, verbose: boolean): number {
  const { color } = lookOf(services, services.stderr);
  if (error instanceof Fault) {
    const lines = [`${paint(color, RED, `error[${error.code}]`)} ${error.message}`];
    if (error.hint !== undefined) lines.push(`  ${paint(color, DIM, 'hint:')} ${error.hint}`);
    if (verbose && error.cause !== undefined)
      lines.push(`  cause: ${String((error.cause as Error).stack ?? error.cause)}`);
    services.stderr.write(`${lines.join('\n')}\n`);
    return error.exitCode;
  }
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  services.stderr.write(
    `${paint(color, RED, 'error[internal]')} this is a bug in lockstep: ${verbose ? stack : (stack.split('\n')[0] ?? '')}\n` +
      `  ${verbose ? 'Please report it with the text above.' : 'Run it again with --verbose for the details, and please report it.'}\n`,
  );
  return 1;
}
