// dialects: the languages a workflow may be written in: how each is recognised, and how it becomes the native one.
// Owns: the table. Never: what a foreign text means (each dialect's folder does), or anything after translation.
//
// D1. A dialect is a pure function: foreign document → native document, whose nodes stand where the foreign ones do.
// D2. After translation nothing asks which dialect it was, except to say so to a person.
// D3. It sees no file but those it asks for; it is called again when they are there, and what it made before is dropped.

import type { LoadedFile } from '../../model/library.ts';
import { child, type MapNode, stringOf } from '../read/node.ts';
import type { Report } from '../report.ts';
import { maps } from './maps.ts';
import type { NamedFiles } from './named-files.ts';
import { translateOrchestrate } from './orchestrate/orchestrate.ts';
import { isOrchestrate } from './orchestrate-version.ts';
import { translateWrangler } from './wrangler/wrangler.ts';

export const DIALECTS = ['native', 'orchestrate', 'wrangler', 'gobby', 'workrail'] as const;
export type Dialect = (typeof DIALECTS)[number];

export interface DialectRow {
  name: Dialect;
  /** What it is recognised by, for people. */
  marks: string;
  recognises(document: MapNode): boolean;
  /** Absent: this build cannot read it. undefined: it cannot be translated, and that was reported. */
  translate?(document: MapNode, file: LoadedFile, to: Report, files: NamedFiles): MapNode | undefined;
}

const GOBBY_FIELDS = ['allowed_tools', 'blocked_tools', 'exit_conditions', 'transitions', 'on_enter'];
const WRANGLER_FIELDS = ['agent', 'prompt', 'handler', 'source', 'gates'];
const WRANGLER_TYPES = ['agent', 'prompt', 'code', 'per-task', 'gate-group', 'loop', 'parallel'];

const ROWS: Readonly<Record<Dialect, Omit<DialectRow, 'name'>>> = {
  native: {
    marks: '`lockstep: 1`',
    recognises: (document) => document.entries.has('lockstep'),
    translate: (document) => document,
  },
  orchestrate: {
    marks: '`version` with `steps` that have a `name`',
    recognises: isOrchestrate,
    translate: translateOrchestrate,
  },
  wrangler: {
    marks: `a whole-number \`version\` with \`phases\` that have ${oneOf(WRANGLER_FIELDS)}`,
    recognises(document) {
      const version = child(document, 'version');
      const isWhole = version?.kind === 'scalar' && Number.isInteger(version.value);
      return isWhole && maps(document, 'phases').some(isWranglerPhase);
    },
    translate: translateWrangler,
  },
  gobby: {
    marks: `\`phases\` that have ${oneOf(GOBBY_FIELDS)}; or \`type: lifecycle\`, \`phase\` or \`phased\``,
    recognises: (document) =>
      /^(?:lifecycle|phase|phased)$/.test(stringOf(child(document, 'type')) ?? '') ||
      maps(document, 'phases').some((phase) => hasAny(phase, GOBBY_FIELDS)),
  },
  workrail: {
    marks: '`id` with `steps` that have an `id`',
    recognises: (document) =>
      document.entries.has('id') && maps(document, 'steps').some((step) => step.entries.has('id')),
  },
};

export function dialectRow(name: Dialect): DialectRow {
  return { name, ...ROWS[name] };
}

function isWranglerPhase(phase: MapNode): boolean {
  const type = stringOf(child(phase, 'type'));
  return hasAny(phase, WRANGLER_FIELDS) || (type !== undefined && WRANGLER_TYPES.includes(type));
}

function hasAny(map: MapNode, keys: readonly string[]): boolean {
  return keys.some((key) => map.entries.has(key));
}

function oneOf(fields: readonly string[]): string {
  return `one of ${fields.map((field) => `\`${field}\``).join(', ')}`;
}
