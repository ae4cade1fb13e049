// orchestrate: a workflow of the orchestrate language → the same workflow in ours.
// Owns: what that language means, said in ours. Never: runs anything, reads a file, knows what becomes of the result.
//
// O1. Pure: the same document gives the same result and the same problems, and no document makes it throw.
// O2. Every node of the result stands where the foreign part stands that it was made from.
// O3. All problems at once: what is wrong is reported and left out, so that the rest can be looked at too.
// O4. What can only be known when it runs is left to the run; what a run must refuse is in the text of the result.

import type { JsonObject } from '../../model/json.ts';
import type { LoadedFile } from '../../model/library.ts';
import { type BuiltEntry, built } from '../../source/build-nodes.ts';
import type { Report } from '../../source/diagnostics.ts';
import { conform, conforming } from '../../source/grammar/conform.ts';
import { slug } from '../../source/grammar/slug.ts';
import { type MapNode, type Node, stringOf } from '../../source/read/node.ts';
import { Context } from './context.ts';
import { Flow } from './flow.ts';
import { documentShape } from './grammar.ts';
import { asWritten, withoutTopHabits } from './habits.ts';
import { Outline } from './outline.ts';
import { checkPath } from './paths.ts';
import { Providers } from './providers.ts';
import { References } from './resolve-reference.ts';
import { translateSteps } from './step.ts';
import { Substitution } from './substitute.ts';
import type { Translation } from './translation.ts';
import { withVersion } from './version.ts';

/** undefined: nothing can be made of it, and that was reported. */
export function translateOrchestrate(given: MapNode, file: LoadedFile, report: Report): MapNode | undefined {
  const versioned = withVersion(given, report);
  if (versioned === undefined) return undefined;
  const document = withoutTopHabits(asWritten(versioned, report), report);
  const to = conforming(report);
  conform(document, documentShape, 'the workflow', to);
  const get = (key: string) => to.get(document, key);
  const strict = isStrict(get('strict_flow'));
  const outline = new Outline(get('steps'), stringOf(get('version')) ?? '', to);
  const flow = new Flow(outline, strict, to);
  const context = new Context(get('context'), report);
  const references = new References(flow, context, to);
  const translation: Translation = {
    to,
    flow,
    references,
    substitution: new Substitution(references, report),
    providers: new Providers(get('providers'), outline, to),
    lists: new Map(),
  };
  const steps = translateSteps(outline.root, get('steps') ?? document, translation);
  const make = built(document);
  return make.map([
    ['lockstep', 1],
    ...naming(document, file, translation),
    ['inputs', context.inputs(document), to.entry(document, 'context')?.keyNode],
    ['vars', translation.lists.size === 0 ? undefined : make.map(translation.lists)],
    ['defaults', { retry: { max: 0, delay: '0s', on: [1, 124] } }],
    ['limits', { visits: VISITS }],
    ['on_fail', make.at(get('strict_flow') ?? document).scalar(strict ? 'stop' : 'continue')],
    ['policy', policy(document, translation)],
    [
      'providers',
      translation.providers.node(document, translation),
      to.entry(document, 'providers')?.keyNode,
    ],
    ['steps', steps, to.entry(document, 'steps')?.keyNode],
  ]);
}

/** That language knows no limit; a circle must end all the same. */
const VISITS = 10_000;

const POLICY: JsonObject = {
  on_changed: 'refuse',
  state: 'every-step',
  keep_stdout: 'truncated',
  globs: 'posix',
  secrets: 'inherited',
};

const DIRS = [
  ['inbox', 'inbox_dir', 'inbox'],
  ['processed', 'processed_dir', 'processed'],
  ['failed', 'failed_dir', 'failed'],
] as const;

function policy(document: MapNode, { to }: Translation): MapNode {
  const make = built(document);
  const dirs = DIRS.map(([key, field, usual]): BuiltEntry => {
    const given = to.get(document, field);
    const stays = given?.kind === 'scalar' && checkPath(given, { field, filled: false }, to.report);
    return [key, stays ? given : usual, to.entry(document, field)?.keyNode];
  });
  const extension = to.get(document, 'task_extension');
  return make.map([
    ...Object.entries(POLICY),
    ['dirs', make.map([...dirs, ['task_extension', extension ?? '.task']])],
  ]);
}

/** Names of ours are plain; what people call it stays as the description. */
function naming(document: MapNode, file: LoadedFile, { to }: Translation): BuiltEntry[] {
  const node = to.get(document, 'name');
  const stem = file.path.replace(/^.*[\\/]/, '').replace(/\.\w+$/, '');
  const given = stringOf(node);
  const name = slug(given ?? stem, 'workflow');
  return [
    ['name', built(node ?? document).scalar(name), to.entry(document, 'name')?.keyNode],
    ['description', given === undefined || given === name ? undefined : node],
  ];
}

function isStrict(node: Node | undefined): boolean {
  return node?.kind !== 'scalar' || node.value !== false;
}
