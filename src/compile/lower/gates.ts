// gates: every gate of a directory becomes a step of its own, a prompt, a command or a handler, beside the others, so that it has a path, a log,
// a price and tries like any step. That they are gates is kept on them; the engine makes one review of what they say.

import { isObject, type Json, type JsonObject } from '../../model/json.ts';
import { WRITING_TOOLS } from '../../model/tool-policy.ts';
import type { Gate, ParallelWork, ProgramResult, Step } from '../../model/workflow.ts';
import { built } from '../../source/build-nodes.ts';
import type { TemplateSyntax } from '../../source/dialect.ts';
import { slug } from '../../source/grammar/slug.ts';
import { headSpan, type ListNode, type MapNode, type Node, stringOf } from '../../source/read/node.ts';
import type { Compilation } from '../compilation.ts';
import { findGates, type GateDefinition, promptOfGate } from '../resolve/gate.ts';
import { declaredInputs } from '../resolve/prompt.ts';
import type { Lowering, Place } from './lowering.ts';
import { booleanOf, branchesAtOnce, choiceOf, itemsOf, numberOf, present } from './values.ts';

/** Who looks where a gate of ours names nobody. */
const REVIEWER = 'reviewer';
const RESULT = 'review';
/** What a program prints is read whole or not at all. */
const CAPTURE = { as: 'text', exact: true, limit: 16 * 1024 * 1024 };
const EXIT_CODES = [0, 1];

export function lowerGates(node: MapNode, place: Place, lowering: Lowering): ParallelWork {
  const { to, compilation } = lowering;
  const directory = to.get(node, 'gates');
  const syntax = choiceOf<TemplateSyntax>(to.get(node, 'syntax'));
  const gates = (directory && findGates(directory, syntax, compilation)) ?? [];
  const ids = new Set<string>();
  // Programs cost nothing, so they come first, and the engine lets prompts begin when they have ended.
  const unique = [true, false].flatMap((program) =>
    gates.filter((gate) => isProgram(gate, lowering) === program && isNew(gate, ids, lowering)),
  );
  const list: ListNode = {
    ...node,
    kind: 'list',
    items: unique.map((gate) => stepNode(gate, node, lowering)),
  };
  const steps = lowering.inner.steps(list, place.path, lowering);
  const spares = choiceOf(to.get(node, 'prompts')) === 'unless-critical';
  steps.forEach((step, index) => {
    mark(step, unique[index] as GateDefinition, lowering);
    if (spares && step.gate && !step.gate.program) step.gate.spared = true;
  });
  if (gates.length > 0 && steps.every((step) => step.gate?.enabled === false)) {
    compilation.report.error(
      'gates-empty',
      headSpan(directory ?? node),
      'every gate in it is switched off: nothing would be reviewed',
      'Leave the step out with `if: false`, so that it is on record.',
    );
  } else if (steps.length > 0 && steps.every(({ gate }) => !gate?.enabled || gate.run === 'manual')) {
    compilation.report.warn(
      'gates-manual',
      headSpan(directory ?? node),
      'every gate in it is manual: nothing is reviewed unless --gate names one',
      'The review says `not_reviewed` then. Let one gate `run: always`, or `changed-files`.',
    );
  }
  const concurrency = branchesAtOnce(to.get(node, 'concurrency'), steps.length);
  return present({ kind: 'parallel' as const, steps, concurrency, gates: stringOf(directory) ?? '' });
}

function idOf({ name, source }: GateDefinition): string {
  return slug(name, `gate-${source}`);
}

function isNew(gate: GateDefinition, ids: Set<string>, { compilation }: Lowering): boolean {
  const id = idOf(gate);
  if (!ids.has(id)) return ids.add(id) !== undefined;
  compilation.report.error(
    'duplicate-id',
    headSpan(compilation.to.get(gate.matter, 'name') ?? gate.matter ?? gate.body),
    `another gate of the directory is called "${gate.name}" already`,
    'Give it a `name` of its own.',
  );
  return false;
}

/** The step that somebody could have written. What the gate says points into its file, the rest at the `gates` step. */
function stepNode(gate: GateDefinition, node: MapNode, lowering: Lowering): MapNode {
  const { to, compilation } = lowering;
  const own = (key: string) => to.get(gate.matter, key);
  const here = built(to.get(node, 'gates') ?? node);
  const common = [
    ['id', idOf(gate)],
    ['check', booleanOf(to.get(node, 'check')) !== false],
    ['timeout', own('timeout')],
    ['recover', to.get(node, 'recover')],
    // Of the step itself it would come too late: there is no review any more where one gate fails.
    ['on_fail', to.get(node, 'on_fail')],
  ] as const;
  const builder = built(gate.matter ?? gate.body);
  if (isProgram(gate, lowering)) {
    // One that is switched off need not be one thing only.
    const command = own('command');
    const work =
      command === undefined ? [['call', own('call')] as const, ['with', own('with')] as const] : [];
    return builder.map([...common, ['run', command], ...work, ['capture', CAPTURE]]);
  }
  const prompt = gate.prompt ?? here.scalar(gate.name);
  if (gate.prompt === undefined) compilation.prepared.set(prompt, promptOfGate(gate, compilation));
  return builder.map([
    ...common,
    // null: nobody, also where `defaults` names one. A foreign gate is its own agent, and its list is the whole list.
    ['agent', own('agent') ?? here.scalar(gate.foreign ? null : REVIEWER)],
    ['prompt', prompt],
    ...['tools', 'model', 'provider', 'params'].map((key) => [key, own(key)] as const),
    ['with', givenTo(gate, prompt, node, lowering)],
    ['done', here.map([['schema', own('schema') ?? here.scalar(RESULT)]])],
  ]);
}

/** Of what the step gives, what the prompt declares; one that declares nothing gets all. */
function givenTo(gate: GateDefinition, prompt: Node, node: MapNode, { to, compilation }: Lowering): MapNode {
  const given = to.get(node, 'with');
  const declared =
    gate.prompt === undefined
      ? promptOfGate(gate, compilation).inputs
      : declaredInputs(prompt, compilation)?.map(({ name }) => name);
  const entries = [...(given?.kind === 'map' ? given.entries.values() : [])].map(
    ({ key, value, keyNode }) => [key, value, keyNode] as const,
  );
  const all = [['gate', built(node).scalar(gate.name)] as const, ...entries];
  return built(given ?? node).map(all.filter(([key]) => declared === undefined || declared.includes(key)));
}

function mark(step: Step, definition: GateDefinition, { to, compilation }: Lowering): void {
  const own = (key: string) => to.get(definition.matter, key);
  const files = itemsOf(own('files')).flatMap((item) => (to.fits(item) ? (stringOf(item) ?? []) : []));
  const gate: Gate = {
    name: definition.name,
    source: definition.source,
    enabled: booleanOf(own('enabled')) ?? true,
    run: choiceOf<Gate['run']>(own('run')) ?? 'always',
    files: files.length > 0 ? files : ['**'],
    again: choiceOf<Gate['again']>(own('again')) ?? 'always',
  };
  step.gate = gate;
  if (own('command') !== undefined || own('call') !== undefined) {
    gate.program = programOf(own);
    return;
  }
  insistOnIssues(step, own('schema') ?? definition.matter ?? definition.body, compilation);
  const tools = step.work.kind === 'prompt' ? step.work.performer.tools : undefined;
  // A gate looks. Where nobody says which tools it has, it has none to write with.
  if (tools && tools.allow === undefined) tools.deny = [...new Set([...tools.deny, ...WRITING_TOOLS])];
}

function isProgram({ matter }: GateDefinition, { to }: Lowering): boolean {
  return to.get(matter, 'command') !== undefined || to.get(matter, 'call') !== undefined;
}

function programOf(own: (key: string) => Node | undefined): ProgramResult {
  const levels = own('levels');
  const said = levels?.kind === 'map' ? [...levels.entries.values()] : [];
  const codes = itemsOf(own('exit_codes')).flatMap((item) => numberOf(item) ?? []);
  return present({
    format: choiceOf<NonNullable<ProgramResult['format']>>(own('format')),
    levels: Object.fromEntries(
      said.flatMap(({ key, value }) => {
        const severity = choiceOf<ProgramResult['levels'][string]>(value);
        return severity === undefined ? [] : [[key.toLowerCase(), severity] as const];
      }),
    ),
    exitCodes: codes.length > 0 ? codes : [...EXIT_CODES],
  });
}

/** The verdict is made of the issues alone: an answer that may come without them could say anything and object to nothing. */
function insistOnIssues({ done }: Step, at: Node, { report }: Compilation): void {
  for (const check of done?.checks ?? []) {
    if (check.kind !== 'schema' || requires(check.schema, 'issues', check.schema)) continue;
    report.error(
      'gate-schema',
      headSpan(at),
      `the answer of a gate is a review, and the schema \`${check.name}\` does not require \`issues\``,
      'Add `required: [issues]`, a list of objects with `severity`, `description` and `fixInstructions`; or leave `schema` out: it is `review` then.',
    );
  }
}

function requires(schema: Json | undefined, name: string, whole: JsonObject, seen: Json[] = []): boolean {
  if (!isObject(schema) || seen.includes(schema)) return false;
  const { required, allOf, $ref } = schema;
  if (Array.isArray(required) && required.includes(name)) return true;
  const parts = [
    ...(Array.isArray(allOf) ? allOf : []),
    ...(typeof $ref === 'string' ? [inside(whole, $ref)] : []),
  ];
  return parts.some((part) => requires(part, name, whole, [...seen, schema]));
}

/** `#/$defs/review` */
function inside(whole: JsonObject, reference: string): Json | undefined {
  const keys = reference.replace(/^#\/?/, '').split('/').filter(Boolean);
  return keys.reduce<Json | undefined>((at, key) => (isObject(at) ? at[key] : undefined), whole);
}
