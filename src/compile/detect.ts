// detect: which language a document is written in, by its shape, unless `--dialect` says it.

import type { DialectName } from '../model/dialect.ts';
import type { Report } from '../source/diagnostics.ts';
import type { Dialect } from '../source/dialect.ts';
import { headSpan, type MapNode, mapsIn } from '../source/read/node.ts';

/** Our own language; every other is handed in. */
const NATIVE: Dialect = {
  name: 'native',
  marks: '`lockstep: 1`',
  recognises: (document) => document.entries.has('lockstep'),
  translate: (document) => document,
};

/** Undefined where no known language has this shape; the problem is reported then. */
export function detect(
  document: MapNode,
  report: Report,
  foreign: readonly Dialect[],
  chosen?: DialectName,
): Dialect | undefined {
  const all = [NATIVE, ...foreign];
  const dialect =
    chosen === undefined ? recognise(document, report, foreign) : all.find(({ name }) => name === chosen);
  if (dialect?.translate !== undefined) return dialect;
  const name = dialect?.name ?? chosen;
  if (name === undefined) return undefined;
  const readable = all.filter(({ translate }) => translate !== undefined).map((each) => each.name);
  report.error(
    'dialect-unsupported',
    headSpan(document),
    `this ${chosen === undefined ? 'looks like' : 'is to be'} ${article(name)} ${name} workflow, and this build does not read those yet`,
    `It reads ${listed(readable)}. A native workflow starts with \`lockstep: 1\`.`,
  );
  return undefined;
}

/** The same without a word: what a list shows. undefined: not clear. */
export function dialectOf(document: MapNode, foreign: readonly Dialect[]): DialectName | undefined {
  const [first, second] = candidates(document, foreign);
  return second === undefined ? first?.name : undefined;
}

function recognise(document: MapNode, report: Report, foreign: readonly Dialect[]): Dialect | undefined {
  const [first, ...others] = candidates(document, foreign);
  if (first !== undefined && others.length === 0) return first;
  if (first !== undefined) {
    const all = [first, ...others];
    report.error(
      'dialect-unclear',
      headSpan(document),
      `this could be a workflow of ${all.map(({ name }) => name).join(' or ')}:${marksOf(all)}`,
      `Say which with --dialect ${first.name}.`,
    );
    return undefined;
  }
  report.error(
    'dialect-unknown',
    headSpan(document),
    `this is not recognised as a workflow. Looked for:${marksOf([NATIVE, ...foreign])}`,
    foreignHint(document) ??
      'A native workflow starts with `lockstep: 1`; for another, --dialect says what it is.',
  );
  return undefined;
}

/** Files of tools that have no dialect here, by a field that none of the others has. */
const UNREAD: Readonly<Record<string, string>> = {
  jobs: 'GitHub Actions',
  nodes: 'Archon or n8n',
  apiVersion: 'Argo or Tekton',
  tasks: 'Taskfile or Conductor',
  services: 'docker compose',
  stages: 'GitLab or Jenkins',
  agents: 'Conductor',
  dag_id: 'Airflow',
  deployments: 'Prefect',
};

/** A workflow is begun anew more easily than translated by hand, field by field. */
function foreignHint(document: MapNode): string | undefined {
  const key = Object.keys(UNREAD).find((field) => document.entries.has(field));
  if (key === undefined) return undefined;
  return `This looks like a file of ${UNREAD[key]}, which is not read. In the language itself a workflow begins with \`lockstep: 1\`, \`name: my-workflow\` and \`steps: [{ id: one, run: make }]\`; with \`lockstep: 1\` before it, the fields of this file are told one by one. \`lockstep init\` writes an example.`;
}

function candidates(document: MapNode, foreign: readonly Dialect[]): Dialect[] {
  // `lockstep` is ours alone: whatever else stands there is a mistake in a native workflow.
  if (NATIVE.recognises(document)) return [NATIVE];
  const found = foreign.filter((dialect) => dialect.recognises(document));
  // With `lockstep: 1` left out, which is then the error.
  return found.length === 0 && looksNative(document) ? [NATIVE] : found;
}

function looksNative(document: MapNode): boolean {
  return mapsIn(document, 'steps').some((step) => step.entries.has('id'));
}

function marksOf(dialects: readonly Dialect[]): string {
  return dialects.map(({ name, marks }) => `\n- ${name}: ${marks}`).join('');
}

function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

function article(word: string): string {
  return /^[aeiou]/.test(word) ? 'an' : 'a';
}
