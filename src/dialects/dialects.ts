// dialects: the languages besides our own that a workflow may be written in: how each is recognised, and how it becomes
// the native one. A new dialect is a name in model/dialect.ts, a row here, and a folder beside this file.
// Owns: the table. Never: what a foreign text means (each dialect's folder does), or anything after translation.

import type { ForeignDialectName } from '../model/dialect.ts';
import type { Dialect } from '../source/dialect.ts';
import { child, type MapNode, mapsIn, stringOf } from '../source/read/node.ts';
import { isGobbyChild, translateGobby } from './gobby/gobby.ts';
import { translateOrchestrate } from './orchestrate/orchestrate.ts';
import { isOrchestrate } from './orchestrate/version.ts';
import { translateWorkrail } from './workrail/workrail.ts';
import { foreignPage } from './wrangler/page.ts';
import { translateText } from './wrangler/text/translate.ts';
import { translateWrangler } from './wrangler/wrangler.ts';

const GOBBY_FIELDS = ['allowed_tools', 'blocked_tools', 'exit_conditions', 'transitions', 'on_enter'];
const WRANGLER_FIELDS = ['agent', 'prompt', 'handler', 'source', 'gates'];
const WRANGLER_TYPES = ['agent', 'prompt', 'code', 'per-task', 'gate-group', 'loop', 'parallel'];

/** One row for each name, in the order in which people are told of them. */
const ROWS: Readonly<Record<ForeignDialectName, Omit<Dialect, 'name'>>> = {
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
      return isWhole && mapsIn(document, 'phases').some(isWranglerPhase);
    },
    translate: translateWrangler,
    pages: {
      layer: 'wrangler',
      syntax: 'handlebars',
      read: foreignPage,
      template: (body, to) => translateText(body, to).body,
    },
  },
  gobby: {
    marks: `\`phases\` that have ${oneOf(GOBBY_FIELDS)}; \`type: lifecycle\`, \`phase\` or \`phased\`; or \`extends\` without \`lockstep\``,
    recognises: (document) =>
      /^(?:lifecycle|phase|phased)$/.test(stringOf(child(document, 'type')) ?? '') ||
      mapsIn(document, 'phases').some((phase) => hasAny(phase, GOBBY_FIELDS)) ||
      isGobbyChild(document),
    translate: translateGobby,
  },
  workrail: {
    marks: '`id` with `steps` that have an `id`',
    recognises: (document) =>
      document.entries.has('id') && mapsIn(document, 'steps').some((step) => step.entries.has('id')),
    translate: translateWorkrail,
  },
};

export const DIALECTS: readonly Dialect[] = Object.entries(ROWS).map(([name, row]) => ({
  name: name as ForeignDialectName,
  ...row,
}));

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
