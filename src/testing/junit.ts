// junit: results in the XML that CI servers read.

import type { CaseResult } from './testing.ts';

export function junit(results: readonly CaseResult[]): string {
  const files = new Map<string, CaseResult[]>();
  for (const result of results) files.set(result.file, [...(files.get(result.file) ?? []), result]);
  const suites = [...files].map(([file, cases]) => suite(file, cases));
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="lockstep"${totals(results)}>`,
    ...suites,
    '</testsuites>',
    '',
  ].join('\n');
}

function suite(file: string, cases: readonly CaseResult[]): string {
  return [
    `  <testsuite name="${escaped(file)}"${totals(cases)}>`,
    ...cases.map(testCase),
    '  </testsuite>',
  ].join('\n');
}

function testCase(result: CaseResult): string {
  const { name, file, line, durationMs, mismatches } = result;
  const attributes = `name="${escaped(name)}" classname="${escaped(file)}" file="${escaped(file)}" line="${line}" time="${seconds(durationMs)}"`;
  if (result.passed) return `    <testcase ${attributes}/>`;
  const text = mismatches.map(({ about, lines }) => [`${about}:`, ...lines].join('\n')).join('\n');
  const message = mismatches.map(({ about, lines }) => `${about}: ${lines[0] ?? ''}`).join('; ');
  return [
    `    <testcase ${attributes}>`,
    `      <failure message="${escaped(message)}">${escaped(text)}</failure>`,
    '    </testcase>',
  ].join('\n');
}

function totals(results: readonly CaseResult[]): string {
  const failures = results.filter(({ passed }) => !passed).length;
  const time = results.reduce((sum, { durationMs }) => sum + durationMs, 0);
  return ` tests="${results.length}" failures="${failures}" errors="0" skipped="0" time="${seconds(time)}"`;
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(3);
}

/** XML has no way to write most control characters, nor half a surrogate pair: they are shown as what they are not. */
const UNWRITABLE =
  /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;

function escaped(text: string): string {
  return text
    .replace(UNWRITABLE, '\uFFFD')
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/"/g, '&quot;')
    .replace(/\r/g, '&#13;')
    .replace(/\n/g, '&#10;')
    .replace(/\t/g, '&#9;');
}
