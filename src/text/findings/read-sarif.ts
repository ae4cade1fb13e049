// read-sarif: a SARIF 2.1 log → what was found. A result has the level that it says, else that of its rule, else `warning`;
// one that is suppressed, gone since the baseline, or of a kind that is no failure is left out.

import { isObject, type Json, type JsonObject } from '../../model/json.ts';
import type { Finding, ReadFindings } from './finding.ts';

export function isSarif(value: Json): value is JsonObject & { runs: Json[] } {
  return isObject(value) && Array.isArray(value.runs);
}

export function readSarif(value: Json): ReadFindings {
  if (!isSarif(value)) return { problem: 'it is no SARIF log: there is no list `runs` in it' };
  const runs = objectsIn(value.runs);
  if (runs.length === 0) return { problem: 'its SARIF log has no run: nothing was looked at' };
  const findings: Finding[] = [];
  for (const run of runs) {
    const problem = unfinished(run);
    if (problem !== undefined) return { problem };
    for (const result of objectsIn(run.results)) if (counts(result)) findings.push(findingOf(result, run));
  }
  return { findings };
}

function unfinished({ results, invocations }: JsonObject): string | undefined {
  // Absent and null mean: nobody looked. An empty list means: nothing was found.
  if (!Array.isArray(results)) return 'its SARIF log has a run without `results`: it did not look';
  return objectsIn(invocations).some(({ executionSuccessful }) => executionSuccessful === false)
    ? 'its SARIF log says itself that it did not run to its end'
    : undefined;
}

function counts({ kind, suppressions, baselineState }: JsonObject): boolean {
  if (typeof kind === 'string' && kind !== 'fail') return false;
  if (baselineState === 'absent') return false;
  const quiet = objectsIn(suppressions);
  const isDoubted = quiet.some(({ status }) => status === 'underReview' || status === 'rejected');
  return quiet.length === 0 || isDoubted;
}

function findingOf(result: JsonObject, run: JsonObject): Finding {
  const rule = ruleOf(result, run);
  const level = textOf(result.level) ?? textOf(objectOf(rule?.defaultConfiguration).level) ?? 'warning';
  const id = textOf(result.ruleId) ?? textOf(objectOf(result.rule).id) ?? textOf(rule?.id);
  const message = messageOf(result, rule) ?? textOf(objectOf(rule?.shortDescription).text) ?? '';
  const { files, line } = placeOf(result, run);
  const help = textOf(rule?.helpUri);
  return {
    level,
    message: id === undefined || message.includes(id) ? message : `${message} (${id})`.trimStart(),
    ...(files.length > 0 && { files }),
    ...(line !== undefined && { line }),
    ...(help !== undefined && { fix: `See ${help}` }),
  };
}

/** By its index, else by its id; of the tool itself, or of the extension that the result names. */
function ruleOf(result: JsonObject, run: JsonObject): JsonObject | undefined {
  const named = objectOf(result.rule);
  const tool = objectOf(run.tool);
  const extension = numberOf(objectOf(named.toolComponent).index);
  const component =
    extension === undefined ? objectOf(tool.driver) : objectOf(listOf(tool.extensions)[extension] ?? null);
  const id = textOf(result.ruleId) ?? textOf(named.id);
  const index = numberOf(result.ruleIndex) ?? numberOf(named.index);
  const at = index === undefined ? undefined : listOf(component.rules)[index];
  if (at !== undefined && isObject(at) && (id === undefined || covers(textOf(at.id), id))) return at;
  const all = [component, tool.driver ?? null, ...listOf(tool.extensions)].flatMap((one) =>
    objectsIn(objectOf(one).rules),
  );
  return all.find((rule) => textOf(rule.id) === id) ?? all.find((rule) => covers(textOf(rule.id), id));
}

/** `CA1000/1` is a part of the rule `CA1000`. */
function covers(rule: string | undefined, id: string | undefined): boolean {
  return rule !== undefined && id !== undefined && (id === rule || id.startsWith(`${rule}/`));
}

function messageOf({ message }: JsonObject, rule: JsonObject | undefined): string | undefined {
  const said = objectOf(message);
  const text = textOf(said.text) ?? textOf(said.markdown);
  const template =
    text ?? textOf(objectOf(objectOf(rule?.messageStrings)[textOf(said.id) ?? ''] ?? null).text);
  const values = listOf(said.arguments).map(String);
  return template?.replace(/\{(\d+)\}/g, (whole, index) => values[Number(index)] ?? whole);
}

function placeOf(result: JsonObject, run: JsonObject): { files: string[]; line?: number } {
  const [first] = objectsIn(result.locations);
  const physical = objectOf(first?.physicalLocation);
  const artifact = objectOf(physical.artifactLocation);
  const index = numberOf(artifact.index);
  const listed = index === undefined ? {} : objectOf(objectOf(listOf(run.artifacts)[index] ?? null).location);
  const uri = textOf(artifact.uri) ?? textOf(listed.uri);
  const base = textOf(artifact.uriBaseId) ?? textOf(listed.uriBaseId);
  const line = numberOf(objectOf(physical.region).startLine);
  const root = textOf(objectOf(objectOf(run.originalUriBaseIds)[base ?? ''] ?? null).uri);
  const files =
    uri === undefined ? [] : [...(root === undefined ? [] : [pathOf(joined(root, uri))]), pathOf(uri)];
  return { files: [...new Set(files)], ...(line !== undefined && { line }) };
}

function joined(root: string, uri: string): string {
  return /^[a-z][a-z0-9+.-]+:/i.test(uri) || uri.startsWith('/') ? uri : `${root.replace(/\/*$/, '/')}${uri}`;
}

/** `file:///a%20b.js` is `/a b.js`; what is relative stays so. */
function pathOf(uri: string): string {
  const path = uri.replace(/^file:(?:\/\/[^/]*)?(?=\/)/i, '').replace(/^file:/i, '');
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function objectOf(value: Json | undefined): JsonObject {
  return value !== undefined && isObject(value) ? value : {};
}
function listOf(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}
function objectsIn(value: Json | undefined): JsonObject[] {
  return listOf(value).filter(isObject);
}
function textOf(value: Json | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
function numberOf(value: Json | undefined): number | undefined {
  return typeof value === 'number' && value >= 0 ? value : undefined;
}
