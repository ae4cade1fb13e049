// around: what surrounds the work of a step: capture, reads, retry, done, next, recovery, rules.

import { TEST_LOOKS, type TestLook } from '../../model/evidence.ts';
import type {
  Capture,
  Check,
  Done,
  JsonType,
  Next,
  OnFail,
  Reads,
  Recover,
  Retry,
  Rule,
  TestsCheck,
  Work,
} from '../../model/workflow.ts';
import type { Node } from '../../source/read/node.ts';
import { stringOf, toJson } from '../../source/read/node.ts';
import { fileOfSchema, resolveSchema } from '../resolve/schema.ts';
import { lowerActions } from './action.ts';
import { lowerCommand } from './command.ts';
import type { Lowering, Place } from './lowering.ts';
import { booleanOf, choiceOf, durationOf, itemsOf, numberOf, present, sizeOf } from './values.ts';

/** What the journal keeps (rule 12): bytes of text and JSON, and a number of lines. */
const CAPTURE_LIMITS: Record<Capture['as'], number> = {
  text: 1024 * 1024,
  lines: 100_000,
  json: 10 * 1024 * 1024,
};
/** For a prompt that says nothing about it (rule 4). */
const PROMPT_RETRY_ON: Retry['on'] = [1, 124, 'rate-limit', 'overloaded'];
const RETRY_MAX = 2;
const RETRY_DELAY = 1000;
const PROMPT_TRIES = 2;

export function lowerCapture(node: Node | undefined, { to }: Lowering): Capture {
  const as = choiceOf<Capture['as']>(node?.kind === 'map' ? to.get(node, 'as') : node) ?? 'text';
  return present({
    as,
    limit: sizeOf(to.get(node, 'limit')) ?? CAPTURE_LIMITS[as],
    onParseError: choiceOf<Capture['onParseError']>(to.get(node, 'on_parse_error')) ?? 'fail',
    exact: booleanOf(to.get(node, 'exact')) === true ? true : undefined,
    textLimit: sizeOf(to.get(node, 'text_limit')),
    chosen: isOwn(to.get(node, 'text_limit') ?? to.get(node, 'limit')) ? true : undefined,
  });
}

/** Written by the author, and not by the translation of a foreign language that has a limit of its own. */
function isOwn(limit: Node | undefined): boolean {
  return limit?.kind === 'scalar' && limit.style !== 'built';
}

export function lowerReads(node: Node | undefined, place: Place, lowering: Lowering): Reads | undefined {
  if (node === undefined) return undefined;
  const get = (key: string) => lowering.to.get(node, key);
  return present({
    files: lowering.texts(get('files'), place),
    optional: lowering.texts(get('optional'), place),
    inject: choiceOf<Reads['inject']>(get('inject')) ?? 'list',
    instruction: lowering.text(get('instruction'), place),
    position: choiceOf<Reads['position']>(get('position')) ?? 'prepend',
  });
}

export function lowerRetry(own: Node | undefined, kind: Work['kind'], { to, root }: Lowering): Retry {
  const prompt = kind === 'prompt';
  const node = own ?? (prompt ? to.get(to.get(root, 'defaults'), 'retry') : undefined);
  if (node === undefined) {
    return { max: prompt ? RETRY_MAX : 0, delay: RETRY_DELAY, on: prompt ? [...PROMPT_RETRY_ON] : [] };
  }
  const on = to.get(node, 'on');
  const given = itemsOf(on).flatMap((item) =>
    to.fits(item) ? (stringOf(item) ?? numberOf(item) ?? []) : [],
  );
  return present({
    max: numberOf(to.get(node, 'max')) ?? RETRY_MAX,
    delay: durationOf(to.get(node, 'delay')) ?? RETRY_DELAY,
    on: on === undefined && prompt ? [...PROMPT_RETRY_ON] : given,
    own: own === undefined ? undefined : true,
  });
}

/** `schema` of a library prompt counts where the step has none of its own. */
export function lowerDone(
  node: Node | undefined,
  promptSchema: Node | undefined,
  kind: Work['kind'],
  place: Place,
  lowering: Lowering,
): Done | undefined {
  const { to, compilation } = lowering;
  const schemaNode = to.get(node, 'schema') ?? promptSchema;
  if (node === undefined && schemaNode === undefined) return undefined;
  const checks: Check[] = [];
  const schema = schemaNode && lowerSchema(schemaNode, place, lowering);
  if (schema) checks.push(compilation.place(schema, schemaNode));
  for (const item of itemsOf(to.get(node, 'require')))
    if (to.fits(item)) checks.push(compilation.place(lowerRequirement(item, lowering), item));
  const that = to.get(node, 'that');
  // What is final is said of work that fits otherwise, so the command has its say before.
  const last: Check[] = [];
  for (const item of that?.kind === 'list' ? that.items : that ? [that] : []) {
    const check = lowerThat(item, place, lowering);
    if (check) (check.kind === 'that' && check.final ? last : checks).push(compilation.place(check, item));
  }
  const command = lowerCommand(to.get(node, 'run'), place, lowering);
  if (command) checks.push(compilation.place({ kind: 'run', command }, to.get(node, 'run')));
  const tests = to.get(node, 'tests');
  const testsCheck = tests && lowerTests(tests, place, lowering);
  if (testsCheck) checks.push(compilation.place(testsCheck, tests));
  checks.push(...last);
  const approve = to.get(node, 'approve');
  if (approve) checks.push(compilation.place(lowerApprove(approve, place, lowering), approve));
  const tries = numberOf(to.get(node, 'tries')) ?? (kind === 'prompt' ? PROMPT_TRIES : 1);
  return compilation.place({ checks, tries: kind === 'prompt' ? tries : 1 }, node);
}

function lowerSchema(node: Node, place: Place, lowering: Lowering): Check | undefined {
  const file = fileOfSchema(node);
  if (file) return { kind: 'schema-file', path: lowering.text(file, place) ?? '' };
  const schema = resolveSchema(node, lowering.compilation);
  return schema && { kind: 'schema', ...schema };
}

function lowerRequirement(node: Node, { to }: Lowering): Check {
  const equals = to.get(node, 'equals');
  return present({
    kind: 'require' as const,
    pointer: stringOf(to.get(node, 'pointer')) ?? '',
    exists: booleanOf(to.get(node, 'exists')) ?? true,
    equals: equals && toJson(equals),
    type: choiceOf<JsonType>(to.get(node, 'type')),
  });
}

function lowerThat(node: Node, place: Place, lowering: Lowering): Check | undefined {
  const { to } = lowering;
  if (!to.fits(node)) return undefined;
  const is = lowering.cel(node.kind === 'map' ? to.get(node, 'is') : node, place);
  if (is === undefined) return undefined;
  return present({
    kind: 'that' as const,
    is,
    else: lowering.text(to.get(node, 'else'), place),
    final: booleanOf(to.get(node, 'final')) === true ? (true as const) : undefined,
  });
}

const LOOK_FIELDS: Readonly<Record<TestLook, string>> = {
  canary: 'canary',
  'one-by-one': 'one_by_one',
  definitions: 'definitions',
  room: 'room',
};

function lowerTests(node: Node, place: Place, lowering: Lowering): TestsCheck | undefined {
  const { to } = lowering;
  const get = (key: string) => (node.kind === 'map' ? to.get(node, key) : undefined);
  const command = lowerCommand(node.kind === 'map' ? get('run') : node, place, lowering);
  if (command === undefined) return undefined;
  const named = get('named');
  return present({
    kind: 'tests' as const,
    command,
    install: lowering.text(get('install'), place),
    named: named && lowering.templated(named, place),
    off: TEST_LOOKS.filter((look) => booleanOf(get(LOOK_FIELDS[look])) === false),
    final: booleanOf(get('final')) === true ? (true as const) : undefined,
  });
}

function lowerApprove(node: Node, place: Place, lowering: Lowering): Check {
  const { to } = lowering;
  const words = (key: string) => itemsOf(to.get(node, key)).flatMap((item) => stringOf(item) ?? []);
  return present({
    kind: 'approve' as const,
    ask: lowering.text(node.kind === 'map' ? to.get(node, 'ask') : node, place) ?? '',
    if: lowering.cel(to.get(node, 'if'), place),
    timeout: durationOf(to.get(node, 'timeout')),
    accept: words('accept'),
    reject: words('reject'),
  });
}

export function lowerNext(node: Node | undefined, place: Place, lowering: Lowering): Next[] {
  const { to, compilation } = lowering;
  return itemsOf(node)
    .filter((item) => to.fits(item))
    .map((item) => {
      const next: Next = present({
        when: lowering.cel(to.get(item, 'when'), place),
        goto: stringOf(to.get(item, 'goto')),
        do: lowerActions(to.get(item, 'do'), place, lowering),
      });
      return compilation.place(next, item);
    });
}

export function lowerRecover(node: Node | undefined, place: Place, lowering: Lowering): Recover {
  const command = lowerCommand(lowering.to.get(node, 'probe'), place, lowering);
  if (command) return { kind: 'probe', command };
  return stringOf(node) === 'pause' ? { kind: 'pause' } : { kind: 'rerun' };
}

export function lowerRules(node: Node | undefined, place: Place, lowering: Lowering): Rule[] {
  const { to, compilation } = lowering;
  return itemsOf(node)
    .filter((item) => to.fits(item))
    .map((item) => {
      const rewrite = to.get(item, 'rewrite');
      const rule: Rule = present({
        when: lowering.cel(to.get(item, 'when'), place) ?? 'false',
        block: lowering.text(to.get(item, 'block'), place),
        ask: lowering.text(to.get(item, 'ask'), place),
        warn: lowering.text(to.get(item, 'warn'), place),
        rewrite: rewrite && lowering.templated(rewrite, place),
      });
      return compilation.place(rule, item);
    });
}

export function lowerOnFail(node: Node | undefined): OnFail | undefined {
  return choiceOf<OnFail>(node);
}
