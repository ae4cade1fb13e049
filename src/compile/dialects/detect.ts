// detect: which language a document is written in, by its shape. This build reads the native one.

import type { Span } from '../../model/diagnostic.ts';
import { child, headSpan, type MapNode, type Node, nodeSpan, stringOf } from '../read/node.ts';
import type { Report } from '../report.ts';

type Dialect = 'native' | 'orchestrate' | 'wrangler' | 'gobby' | 'workrail';

const ORCHESTRATE_VERSIONS = ['1.1', '1.1.1', '1.2', '1.3'];
const GOBBY_FIELDS = ['allowed_tools', 'blocked_tools', 'exit_conditions', 'transitions', 'on_enter'];
const WRANGLER_FIELDS = ['agent', 'prompt', 'handler', 'source', 'gates'];

/** True: go on. A text that is recognisably none of ours is refused, with the reason. */
export function checkDialect(document: MapNode, report: Report): boolean {
  const dialect = detect(document);
  const version = child(document, 'version');
  if (dialect === 'orchestrate' && version?.kind === 'scalar' && typeof version.value === 'number') {
    report.error(
      'yaml-version',
      nodeSpan(version),
      `\`version: ${version.written}\` is a number here, and a number does not tell 1.1 from 1.10`,
      `Put it in quotes: version: "${version.written}"`,
    );
  }
  if (dialect === 'native') return true;
  report.error(
    'dialect-unsupported',
    spanOf(document),
    `this looks like ${/^[aeiou]/.test(dialect) ? 'an' : 'a'} ${dialect} workflow, and this build reads the native language only`,
    'Support for this dialect is to come. A native workflow starts with `lockstep: 1`.',
  );
  return false;
}

function spanOf(document: MapNode): Span {
  return headSpan(document);
}

/** What is nothing in particular is taken for ours, with `lockstep: 1` left out: that is then the error. */
function detect(document: MapNode): Dialect {
  const has = (key: string) => document.entries.has(key);
  if (has('lockstep')) return 'native';
  const steps = itemsOf(child(document, 'steps'));
  const phases = itemsOf(child(document, 'phases'));
  const version = child(document, 'version');
  if (steps.some((step) => step.entries.has('name')) && isOrchestrateVersion(version)) return 'orchestrate';
  if (/^(?:lifecycle|phase|phased)$/.test(stringOf(child(document, 'type')) ?? '')) return 'gobby';
  if (phases.some((phase) => GOBBY_FIELDS.some((field) => phase.entries.has(field)))) return 'gobby';
  const whole = version?.kind === 'scalar' && Number.isInteger(version.value);
  if (whole && phases.some((phase) => WRANGLER_FIELDS.some((field) => phase.entries.has(field))))
    return 'wrangler';
  if (has('id') && steps.some((step) => step.entries.has('id'))) return 'workrail';
  return 'native';
}

function isOrchestrateVersion(version: Node | undefined): boolean {
  return version?.kind === 'scalar' && ORCHESTRATE_VERSIONS.includes(version.written);
}

function itemsOf(node: Node | undefined): MapNode[] {
  if (node?.kind !== 'list') return [];
  return node.items.filter((item): item is MapNode => item.kind === 'map');
}
