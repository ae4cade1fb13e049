// workrail: a workflow of the workrail language → the same workflow in ours.
// Owns: what that language means, said in ours. Never: runs anything, reads a file, knows what becomes of the result.
//
// RL1. Pure: the same document and files give the same result and the same problems, and no document makes it throw.
// RL2. Every node of the result stands where the foreign part stands that it was made from.
// RL3. All problems at once: what is wrong is reported and left out, so that the rest can be looked at too.
// RL4. What an agent hands in is a claim: notes, artifacts, context. Its context becomes vars when the work is accepted.
// RL5. A loop is ended by its own decision, or by its maximum; never by that of another.

import type { LoadedFile } from '../../model/library.ts';
import { type BuiltEntry, built } from '../../source/build-nodes.ts';
import type { Report } from '../../source/diagnostics.ts';
import type { NamedFiles } from '../../source/dialect.ts';
import { conform, conforming } from '../../source/grammar/conform.ts';
import { slug } from '../../source/grammar/slug.ts';
import { type MapNode, type Node, nodeSpan, stringOf } from '../../source/read/node.ts';
import { didYouMean } from '../../text/closest-name.ts';
import { member } from '../native-text.ts';
import { AUTONOMY, documentShape, RISK } from './grammar.ts';
import { reportIgnored } from './ignored.ts';
import { isForEach, Names } from './names.ts';
import { type ForeignList, nativeId, Outline } from './outline.ts';
import { FEATURES } from './phrases.ts';
import { itemsOf } from './prompt.ts';
import { referencesOf } from './references.ts';
import { translateSteps } from './step.ts';
import { Templates } from './templates.ts';
import { textPieces } from './text.ts';
import type { Translation } from './translation.ts';

/** undefined: nothing can be made of it, and that was reported. */
export function translateWorkrail(
  document: MapNode,
  file: LoadedFile,
  report: Report,
  files: NamedFiles,
): MapNode | undefined {
  const to = conforming(report);
  conform(document, documentShape, 'the workflow', to);
  const get = (key: string) => to.get(document, key);
  const templates = new Templates(files, to);
  const outline = new Outline(get('steps'), to, templates);
  const first = outline.all.find(({ kind }) => kind === 'prompt');
  const translation: Translation = { to, names: new Names(outline, to), document, first };
  reportIgnored(document, outline.all, to);
  const steps = translateSteps(outline.root, get('steps') ?? document, translation);
  const guided = [document, ...templates.called.map((template) => template.document)];
  const guidance = guidanceOf(guided, outline, translation);
  const make = built(document);
  const vars = [...translation.names.declared];
  return make.map([
    ['lockstep', 1],
    ...naming(document, file, translation),
    ['inputs', inputsOf(get('recommendedPreferences'), document, translation)],
    ['vars', vars.length === 0 ? undefined : Object.fromEntries(vars.map((name) => [name, null]))],
    ['references', referencesOf(get('references'), to), to.entry(document, 'references')?.keyNode],
    ['guidance', guidance, to.entry(document, 'metaGuidance')?.keyNode],
    ['outputs', outputsOf(outline.root, translation)],
    ['steps', steps, to.entry(document, 'steps')?.keyNode],
  ]);
}

/** Names of ours are plain; what people call it stands before what it does. */
function naming(document: MapNode, file: LoadedFile, { to }: Translation): BuiltEntry[] {
  const id = to.get(document, 'id');
  const stem = file.path.replace(/^.*[\\/]/, '').replace(/\.\w+$/, '');
  const name = slug(stringOf(id)?.replaceAll('.', '-') ?? stem, 'workflow');
  const said = [stringOf(to.get(document, 'name')), stringOf(to.get(document, 'description'))].filter(
    (text) => text !== undefined && text.trim() !== '' && text !== name,
  );
  const at = to.get(document, 'description') ?? to.get(document, 'name') ?? document;
  return [
    ['name', built(id ?? document).scalar(name), to.entry(document, 'id')?.keyNode],
    ['description', said.length === 0 ? undefined : built(at).scalar(said.join(': '))],
  ];
}

/** What a person says at the start. An input cannot be changed by what an agent hands in. */
function inputsOf(preferences: Node | undefined, document: MapNode, { to }: Translation): MapNode {
  const autonomy = to.get(preferences, 'recommendedAutonomy');
  const risk = to.get(preferences, 'recommendedRiskPolicy');
  const make = built(preferences ?? document);
  return make.map([
    ['goal', { type: 'string', required: false, description: 'What is to be done' }],
    [
      'autonomy',
      make.map([
        ['type', 'string'],
        ['choices', AUTONOMY],
        ['default', autonomy ?? 'guided'],
        ['by', 'person'],
        ['description', 'Which confirmations are asked for'],
      ]),
    ],
    [
      'risk',
      make.map([
        ['type', 'string'],
        ['choices', RISK],
        ['default', risk ?? 'conservative'],
        ['by', 'person'],
        ['description', 'How much the agent may risk'],
      ]),
    ],
  ]);
}

const GOAL = 'The goal: {{ default(inputs.goal, "what you were asked to do") }}';
const POLICY =
  'Risk policy: {{ inputs.risk }}. (conservative: the safest way, and ask when in doubt; balanced: small risks that can be undone; aggressive: speed first, and say what was risked.)';
/** Each step may be done by an agent that knows nothing of the others. */
const SETTLED = `What earlier steps have settled:{% for name in vars %}{% if vars[name] != null %}
  - {{ name }}: {{ vars[name] }}{% endif %}{% endfor %}`;

function guidanceOf(documents: readonly MapNode[], outline: Outline, translation: Translation): Node {
  const { to } = translation;
  const step = translation.first ?? outline.all[0];
  const texts = documents.flatMap((document) => itemsOf(to.get(document, 'metaGuidance')));
  const own = texts.flatMap((node) => {
    if (node.kind !== 'scalar' || step === undefined) return [];
    return [built(node).text(textPieces(node, { ...translation, step }))];
  });
  const features = documents
    .flatMap((document) => itemsOf(to.get(document, 'features')))
    .flatMap((node) => {
      const text = featureText(node, translation);
      return text === undefined ? [] : [built(node).scalar(text)];
    });
  const [document = step?.node] = documents;
  const several = outline.all.filter(({ kind }) => kind === 'prompt' || kind === 'parallel').length > 1;
  return built(document as MapNode).list([GOAL, ...own, ...features, POLICY, ...(several ? [SETTLED] : [])]);
}

function featureText(node: Node, { to }: Translation): string | undefined {
  const name = stringOf(node) ?? '';
  if (Object.hasOwn(FEATURES, name)) return FEATURES[name];
  const known = Object.keys(FEATURES);
  to.report.warn(
    'unresolved-phrase',
    nodeSpan(node),
    `there is no feature "${name}" here, so it changes nothing`,
    didYouMean(name, known) ?? `There are ${known.join(', ')}.`,
  );
  return undefined;
}

/** What a caller gets: the last notes, and all that was settled. */
function outputsOf(root: ForeignList, translation: Translation): Record<string, string> {
  const notes = lastPrompts(root, translation)
    .map((id) => `${member('steps', id)}.output.notesMarkdown`)
    .reduceRight((otherwise, each) => `default(${each}, ${otherwise})`, '""');
  return { notes: `{{ ${notes} }}`, context: '{{ vars }}' };
}

/** The ids of those that may be the last to hand in notes, the last first: not inside a `forEach`, whose passes keep theirs. */
function lastPrompts(list: ForeignList, translation: Translation): string[] {
  const { to } = translation;
  const found: string[] = [];
  for (const step of list.steps.toReversed()) {
    if (step.kind === 'prompt') found.push(nativeId(step));
    else if (step.kind === 'parallel') found.push('synthesis');
    else if (!isForEach(step, to)) found.push(...lastPrompts(step.body ?? { steps: [] }, translation));
    const mayBeSkipped = to.entry(step.node, 'runCondition') !== undefined || step.kind === 'loop';
    if (found.length > 0 && !mayBeSkipped) break;
  }
  return found;
}
