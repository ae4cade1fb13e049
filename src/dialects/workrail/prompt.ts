// prompt: what the agent is told in one step: its role, the task, the advice, the parts that depend on the context, and what
// must be handed in.

import type { Piece } from '../../source/build-nodes.ts';
import { child, headSpan, type Node, nodeSpan, type ScalarNode, stringOf } from '../../source/read/node.ts';
import { didYouMean } from '../../text/closest-name.ts';
import { conditionOf } from './condition.ts';
import { artifactKind } from './contract.ts';
import type { ForeignStep } from './outline.ts';
import { REFS } from './phrases.ts';
import { textPieces } from './text.ts';
import type { Translation } from './translation.ts';

type Section = Piece[];

/** The whole prompt, its parts with a blank line between them. */
export function promptPieces(step: ForeignStep, translation: Translation, task?: Section[]): Piece[] {
  const { to } = translation;
  const sections = [
    ...opening(step, translation),
    ...(task ?? taskOf(step, translation)),
    ...listed('Guidance:', itemsOf(to.get(step.node, 'guidance')), step, translation),
    ...functionsOf(step, translation),
    ...fragments(step, translation),
    ...closing(step, translation),
  ].filter((section) => section.length > 0);
  return sections.flatMap((section, index) => (index === 0 ? section : [{ text: '\n\n' }, ...section]));
}

/** What only the first step of a workflow says. */
function opening(step: ForeignStep, translation: Translation): Section[] {
  const { to, document, first } = translation;
  const role = scalarOf(to.get(step.node, 'agentRole'));
  const sections = role ? [[{ text: 'Your role: ' }, ...textPieces(role, { ...translation, step })]] : [];
  if (step !== first) return sections;
  return [
    ...sections,
    ...listed('This workflow counts on:', itemsOf(to.get(document, 'preconditions')), step, translation),
    ...listed(
      'Before you begin, settle what you can of this yourself, and ask only for the rest:',
      itemsOf(to.get(document, 'clarificationPrompts')),
      step,
      translation,
    ),
  ];
}

function taskOf(step: ForeignStep, translation: Translation): Section[] {
  const { to } = translation;
  const prompt = scalarOf(to.get(step.node, 'prompt'));
  const blocks = to.get(step.node, 'promptBlocks');
  if (prompt && blocks === undefined) return [textPieces(prompt, { ...translation, step })];
  if (blocks?.kind === 'map' && prompt === undefined) return blockSections(blocks, step, translation);
  if (to.entry(step.node, 'prompt') === undefined || blocks !== undefined)
    to.report.error(
      prompt ? 'two-verbs' : 'missing-field',
      headSpan(step.node),
      prompt
        ? `${step.label} has both \`prompt\` and \`promptBlocks\``
        : `${step.label} has nothing to do: it needs \`prompt\`, \`promptBlocks\` or \`templateCall\``,
    );
  return [[{ text: '?', at: step.node }]];
}

// ── promptBlocks ────────────────────────────────────────────────────────────────────────────────

const HEADINGS = [
  ['goal', '## Goal'],
  ['constraints', '## Constraints'],
  ['procedure', '## Procedure'],
  ['outputRequired', '## What to hand in'],
  ['verify', '## Before you hand it in'],
] as const;

function blockSections(blocks: Node, step: ForeignStep, translation: Translation): Section[] {
  return HEADINGS.flatMap(([field, heading]) => {
    const node = translation.to.get(blocks, field);
    if (node === undefined) return [];
    const numbered = field === 'procedure';
    const lines = blockLines(node, step, translation).filter((line) => line.length > 0);
    if (lines.length === 0) return [];
    const isList = node.kind !== 'scalar' && field !== 'goal';
    const body = lines.flatMap((line, index) => [
      { text: isList ? `\n${numbered ? `${index + 1}.` : '-'} ` : '\n' },
      ...line,
    ]);
    return [[{ text: heading }, ...body]];
  });
}

function blockLines(node: Node, step: ForeignStep, translation: Translation): Section[] {
  const source = { ...translation, step };
  if (node.kind === 'scalar') return [textPieces(node, source)];
  if (node.kind === 'map' && child(node, 'kind') === undefined)
    return [...node.entries.values()].map(({ key, keyNode, value }) => [
      { text: `\`${key}\`: `, at: keyNode },
      ...(value.kind === 'scalar' ? textPieces(value, source) : []),
    ]);
  if (node.kind === 'map') return [partOf(node, step, translation)];
  return node.items.map((item) => {
    if (item.kind === 'scalar') return textPieces(item, source);
    return item.kind === 'list'
      ? item.items.flatMap((each) => partOf(each, step, translation))
      : partOf(item, step, translation);
  });
}

/** `{ kind: text, text }`, or `{ kind: ref, refId }`. */
function partOf(node: Node, step: ForeignStep, translation: Translation): Piece[] {
  const { to } = translation;
  const text = scalarOf(to.get(node, 'text'));
  if (text) return textPieces(text, { ...translation, step });
  const ref = to.get(node, 'refId');
  const name = stringOf(ref)?.replace(/^wr\.refs\./, '');
  if (ref === undefined || name === undefined) return [];
  const phrase = Object.hasOwn(REFS, name) ? REFS[name] : undefined;
  if (phrase !== undefined) return [{ text: phrase, at: ref }];
  const known = Object.keys(REFS);
  to.report.warn(
    'unresolved-phrase',
    nodeSpan(ref),
    `there is no text called "${stringOf(ref)}", so the prompt goes without it`,
    didYouMean(name, known) ?? `There are ${known.join(', ')}.`,
  );
  return [];
}

// ── Around the task ─────────────────────────────────────────────────────────────────────────────

function fragments(step: ForeignStep, translation: Translation): Section[] {
  const { to } = translation;
  return itemsOf(to.get(step.node, 'promptFragments')).flatMap((fragment) => {
    const text = scalarOf(to.get(fragment, 'text'));
    if (!text) return [];
    const when = to.get(fragment, 'when');
    const test = conditionOf(when, { ...translation, step });
    const pieces = textPieces(text, { ...translation, step });
    if (when === undefined) return [pieces];
    if (test === undefined) return [];
    return [[{ text: `{% if ${test.text} %}\n`, at: when }, ...pieces, { text: '\n{% endif %}', at: when }]];
  });
}

/** Words of the workflow that the prompt uses, with what they mean. */
function functionsOf(step: ForeignStep, translation: Translation): Section[] {
  const { to, document } = translation;
  const named = itemsOf(to.get(step.node, 'functionReferences')).map((each) =>
    (stringOf(each) ?? '').replace(/\(.*$/, ''),
  );
  const prompt = stringOf(to.get(step.node, 'prompt')) ?? '';
  const shared = itemsOf(to.get(document, 'functionDefinitions')).filter((each) => {
    const name = (stringOf(to.get(each, 'name')) ?? '').replace(/\(.*$/, '');
    return named.includes(name) || prompt.includes(`${name}(`);
  });
  const all = [...shared, ...itemsOf(to.get(step.node, 'functionDefinitions'))];
  const lines = all.flatMap((each) => {
    const name = scalarOf(to.get(each, 'name'));
    const meaning = scalarOf(to.get(each, 'definition'));
    if (!name || !meaning) return [];
    return [
      [
        ...textPieces(name, { ...translation, step }),
        { text: ': ' },
        ...textPieces(meaning, { ...translation, step }),
      ],
    ];
  });
  return lines.length === 0
    ? []
    : [[{ text: 'What these words mean:' }, ...lines.flatMap((line) => [{ text: '\n- ' }, ...line])]];
}

/** What is expected of the answer, where the task does not say it. */
function closing(step: ForeignStep, translation: Translation): Section[] {
  const { to } = translation;
  const source = { ...translation, step };
  const expected = scalarOf(to.get(step.node, 'expectedOutput'));
  const validation = scalarOf(to.get(step.node, 'validationPrompt'));
  const files = to.get(step.node, 'askForFiles');
  const contract = to.get(to.get(step.node, 'outputContract'), 'contractRef');
  const kind = contract && artifactKind(stringOf(contract) ?? '');
  const said = stringOf(to.get(step.node, 'prompt')) ?? '';
  return [
    expected ? [{ text: 'What is wanted: ' }, ...textPieces(expected, source)] : [],
    files?.kind === 'scalar' && files.value === true
      ? [{ text: 'If files that you need are not to be found, ask for them.', at: files }]
      : [],
    validation ? [{ text: 'Before you hand it in: ' }, ...textPieces(validation, source)] : [],
    kind && contract && !said.includes(kind)
      ? [{ text: `Hand in an artifact of the kind \`${kind}\`.`, at: contract }]
      : [],
  ];
}

function listed(
  heading: string,
  items: readonly Node[],
  step: ForeignStep,
  translation: Translation,
): Section[] {
  const lines = items.flatMap((item) =>
    item.kind === 'scalar' ? [[{ text: '\n- ' }, ...textPieces(item, { ...translation, step })]] : [],
  );
  return lines.length === 0 ? [] : [[{ text: heading }, ...lines.flat()]];
}

export function itemsOf(node: Node | undefined): readonly Node[] {
  return node?.kind === 'list' ? node.items : [];
}

function scalarOf(node: Node | undefined): ScalarNode | undefined {
  return node?.kind === 'scalar' && typeof node.value === 'string' ? node : undefined;
}
