// orchestrate-version: how a workflow of the orchestrate dialect is told, and which versions of it are read.

import { built } from '../../source/build-nodes.ts';
import type { Report } from '../../source/diagnostics.ts';
import { child, headSpan, type MapNode, mapsIn, nodeSpan } from '../../source/read/node.ts';

export const ORCHESTRATE_VERSIONS = ['1.1', '1.1.1', '1.2', '1.3'] as const;

const VERBS = ['command', 'provider', 'wait_for', 'for_each'];

/** A version that is wrong or left out does not make it another language: that is then the error. */
export function isOrchestrate(document: MapNode): boolean {
  const version = child(document, 'version');
  const steps = mapsIn(document, 'steps');
  const isNamed = steps.some((step) => step.entries.has('name'));
  if (isNamed && (version !== undefined || steps.some(hasVerb))) return true;
  const hasIds = document.entries.has('id') || steps.some((step) => step.entries.has('id'));
  return version?.kind === 'scalar' && isKnown(version.written) && document.entries.has('steps') && !hasIds;
}

function hasVerb(step: MapNode): boolean {
  return VERBS.some((verb) => step.entries.has(verb));
}

/** The document with its version as text; undefined: without a version nobody knows what it may say. */
export function withVersion(document: MapNode, to: Report): MapNode | undefined {
  const entry = document.entries.get('version');
  const known = ORCHESTRATE_VERSIONS.map((version) => `"${version}"`).join(', ');
  const context = { known_versions: [...ORCHESTRATE_VERSIONS] };
  if (entry === undefined) {
    const message = 'an orchestrate workflow needs `version`';
    to.error('missing-field', headSpan(document), message, `Write one of ${known}.`, context);
    return undefined;
  }
  const { value } = entry;
  const written = value.kind === 'scalar' && !value.broken ? value.written : '';
  if (!isKnown(written)) {
    const what = value.kind === 'scalar' ? `"${written}"` : 'this';
    to.error(
      'dialect-version',
      value.kind === 'scalar' ? nodeSpan(value) : headSpan(value),
      `${what} is not a version of orchestrate that this build reads`,
      `It reads ${known}.`,
      { ...context, version: written },
    );
    return undefined;
  }
  if (value.kind === 'scalar' && typeof value.value !== 'number') return document;
  to.error(
    'yaml-version',
    nodeSpan(value),
    `\`version: ${written}\` is a number here, and a number does not tell 1.1 from 1.10`,
    `Put it in quotes: version: "${written}"`,
  );
  const entries = new Map(document.entries);
  entries.set('version', { ...entry, value: built(value).scalar(written) });
  return { ...document, entries };
}

function isKnown(written: string): boolean {
  return (ORCHESTRATE_VERSIONS as readonly string[]).includes(written);
}
