// gobby: a workflow of the gobby language → the same workflow in ours.
// Owns: what that language means, said in ours. Never: runs anything, reads a file, knows what becomes of the result.
//
// GB1. Pure: the same document and files give the same result and the same problems, and no document makes it throw.
// GB2. Every node of the result stands where the foreign part stands that it was made from.
// GB3. All problems at once: what is wrong is reported and left out, so that the rest can be looked at too.
// GB4. Every name and helper that the language's own text uses means something. Any other name is false, and a warning says so.
// GB5. A rule that stops a call is never weaker in ours than it was in theirs.

import type { Json } from '../../model/json.ts';
import type { LoadedFile } from '../../model/library.ts';
import { type BuiltEntry, built } from '../../source/build-nodes.ts';
import type { Report } from '../../source/diagnostics.ts';
import type { NamedFiles } from '../../source/dialect.ts';
import { conform, conforming } from '../../source/grammar/conform.ts';
import { slug } from '../../source/grammar/slug.ts';
import { headSpan, type MapNode, type Node, nodeSpan, stringOf } from '../../source/read/node.ts';
import { assignedNames } from './action.ts';
import { DOCUMENT_FIELDS, documentShape } from './grammar.ts';
import { inherited } from './inherit.ts';
import { Names } from './names.ts';
import { type Outline, outlineOf } from './outline.ts';
import { translatePhase } from './phase.ts';
import { reportResets } from './resets.ts';
import { Limits } from './settings.ts';
import type { Translation } from './translation.ts';
import { beginning, eventsOf, reportStrayEntries } from './triggers.ts';

/** A child that says nothing but what it extends, and what it changes. */
export function isGobbyChild(document: MapNode): boolean {
  return (
    document.entries.has('extends') &&
    [...document.entries.keys()].every((key) => DOCUMENT_FIELDS.includes(key))
  );
}

/** undefined: nothing can be made of it, and that was reported. */
export function translateGobby(
  own: MapNode,
  file: LoadedFile,
  report: Report,
  files: NamedFiles,
): MapNode | undefined {
  const to = conforming(report);
  const { document, native } = inherited(own, file, report, files);
  conform(document, documentShape, 'the workflow', to);
  const get = (key: string) => to.get(document, key);
  const outline = outlineOf(document, to);
  checkType(document, outline, native, to);
  const name = nameOf(document, file, to);
  const { assigned, counted } = assignedNames(outline.actions);
  const names = new Names({
    workflow: name,
    variables: outline.variables,
    settings: outline.settings,
    assigned,
    counted,
  });
  const translation: Translation = { to, names, outline, document, told: new Set() };
  const limits = new Limits(translation);
  reportStrayEntries(translation);
  reportResets(translation);
  // The events first: they may ask which phase it is, and then every phase says so.
  const events = eventsOf(translation);
  const start = beginning(translation);
  const steps = outline.phases.map((phase) => translatePhase(phase, limits, translation));
  const rules = limits.rules();
  const make = built(own);
  const variables = to.entry(document, 'variables');
  return make.map([
    ['lockstep', 1],
    ['name', make.at(get('name') ?? document).scalar(name), to.entry(document, 'name')?.keyNode],
    ['description', get('description'), to.entry(document, 'description')?.keyNode],
    ['extends', native],
    ['vars', varsOf(names), variables?.keyNode],
    ['limits', goesBack(outline) ? { visits: VISITS } : undefined],
    ['rules', rules.length === 0 ? undefined : make.list(rules)],
    ...events,
    [
      'steps',
      steps.length === 0 ? undefined : make.list([...start, ...steps]),
      to.entry(document, 'phases')?.keyNode,
    ],
  ] as BuiltEntry[]);
}

/** A session may go round for a long time: a circle that comes on is no mistake. */
const VISITS = 1000;

function goesBack({ phases, error }: Outline): boolean {
  const place = new Map(phases.map(({ name }, index) => [name, index]));
  const isBack = (name: string, from: number) => (place.get(name) ?? phases.length) <= from;
  return (
    error.some(({ name }) => name === 'enter_phase') ||
    phases.some(({ transitions }, index) => transitions.some(({ to }) => isBack(to, index)))
  );
}

function nameOf(document: MapNode, file: LoadedFile, to: ReturnType<typeof conforming>): string {
  const stem = file.path.replace(/^.*[\\/]/, '').replace(/\.\w+$/, '');
  return slug(stringOf(to.get(document, 'name')) ?? stem, 'workflow');
}

function checkType(
  document: MapNode,
  { phases }: Outline,
  native: Node | undefined,
  to: ReturnType<typeof conforming>,
): void {
  const type = to.get(document, 'type');
  const isLifecycle = stringOf(type) === 'lifecycle';
  const entry = to.entry(document, 'phases');
  if (isLifecycle && entry !== undefined)
    to.report.error(
      'field-not-here',
      nodeSpan(entry.keyNode),
      '`phases` do not belong to a workflow of type `lifecycle`',
      'Take them out, or make it `type: phase`.',
    );
  if (native !== undefined && entry !== undefined)
    to.report.error(
      'extends-dialect',
      nodeSpan(entry.keyNode),
      'the workflow that this one extends is native, and its steps are no phases',
      'Write the change in the native language, or extend a gobby workflow.',
    );
  if (
    !isLifecycle &&
    native === undefined &&
    entry !== undefined &&
    phases.length === 0 &&
    !to.report.hasErrors()
  )
    to.report.error('wrong-type', nodeSpan(entry.keyNode), '`phases` is empty, and must not be');
  if (!isLifecycle && native === undefined && entry === undefined && !to.report.hasErrors())
    to.report.error(
      'missing-field',
      headSpan(type ?? document),
      'a workflow with phases needs `phases`',
      'One that only answers to events is `type: lifecycle`.',
    );
}

function varsOf(names: Names): Json | undefined {
  return names.vars.size === 0 ? undefined : Object.fromEntries(names.vars);
}
