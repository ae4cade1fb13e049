// step-answer: where a run stands → what the client is told: the step to do, or why the last one does not count, or what is
// waited for; and always which call comes next.

import type { HandedStep, Turn } from '../drivers/guide/guide.ts';
import type { Claim } from '../model/entry.ts';
import { isObject, type Json, type JsonObject } from '../model/json.ts';
import { answerCommands } from '../views/next-commands.ts';
import { plainLines } from '../views/text/plain.ts';
import { BLOCKERS, type Blocker, blocker, sorted, within } from './blockers.ts';
import { withinBudget } from './budget.ts';
import { PREFERENCES, type Preferences } from './preferences.ts';
import { choice, flag, list, map, object, orNull, text, type ValueOf, whole } from './schema.ts';
import { exampleOf } from './schema-example.ts';
import type { Place, Tokens } from './tokens.ts';

/** Bytes of a value that does not fit. */
const LONGEST_SHOWN = 120;

const NEXT_INTENTS = [
  'perform_pending_then_continue',
  'await_user_confirmation',
  'rehydrate_only',
  'complete',
] as const;

const PENDING = object(
  {
    stepId: text('The step, as the workflow names it.'),
    title: text('What it is, in a few words.'),
    prompt: text('What to do: the text of the workflow, word for word.'),
    agentRole: text('How to go about it: the role that the step names, and guidance of the workflow.'),
  },
  ['stepId', 'title', 'prompt'],
);

const STEP_CONTEXT = object(
  {
    path: text('The step with its visit, item and pass: `execute[2]/fix#1/review`.'),
    try: whole('Which try this is, from 1.'),
    triesLeft: whole('How many are left after it.'),
    workspace: text('The folder to work in.'),
    model: text('The model that the workflow suggests; advice.'),
    outputSchema: map(
      'What your work has to fit, as JSON Schema: `output.answer`, or, where it has notesMarkdown, `output` with `context`.',
    ),
  },
  ['path', 'try', 'triesLeft', 'workspace'],
);

const QUESTION = object(
  {
    path: text('The step that asks.'),
    kind: text('ask, approve, held, in-doubt or blocker.'),
    text: text('What a person is asked.'),
    choices: list(text('One.'), 'What may be answered.'),
    answerWith: list(text('A command line.'), 'What the person can type in a terminal of their own.'),
  },
  ['path', 'kind', 'text', 'choices', 'answerWith'],
);

const NEXT_CALL = object({ tool: text('Which tool.'), params: map('Its arguments.') }, ['tool', 'params']);

const FIELDS = {
  runId: text('The run. resume_session and `lockstep status` know it by this.'),
  workflowId: text('The workflow.'),
  continueToken: text('Hand it back to continue_workflow.'),
  checkpointToken: text('Hand it to checkpoint_workflow.'),
  isComplete: flag('The workflow has come to its end.'),
  pending: orNull(PENDING),
  stepContext: STEP_CONTEXT,
  preferences: PREFERENCES,
  nextIntent: choice(NEXT_INTENTS, 'What to do now.'),
  nextCall: orNull(NEXT_CALL),
  questions: list(QUESTION, 'What a person is asked, and only a person may answer.'),
  working: object({ what: text('Which check or command.'), since: text('Where it runs, if elsewhere.') }, [
    'what',
  ]),
  outputs: map('What the workflow gives.'),
  warnings: list(text('One.'), 'What is worth knowing.'),
  references: list(map('id, title, source, purpose, uri.'), 'Documents that the workflow names.'),
  recap: text('What has happened so far, cut to what can be read at once.'),
};
const OK = [
  'runId',
  'workflowId',
  'isComplete',
  'pending',
  'preferences',
  'nextIntent',
  'nextCall',
  'warnings',
] as const;

export const STARTED = object(FIELDS, OK);
export const CONTINUED = object(
  {
    ...FIELDS,
    kind: choice(
      ['ok', 'blocked', 'gate_checkpoint'],
      'blocked: the work was not taken, and nothing has changed but the number of the try. gate_checkpoint: it was taken, and a person has to confirm it before anything goes on.',
    ),
    blockers: BLOCKERS,
    retryable: flag('The same step can be handed in again.'),
    retryContinueToken: text('The token to hand it in with.'),
  },
  ['kind', ...OK],
);

export type Started = ValueOf<typeof STARTED>;
export type Continued = ValueOf<typeof CONTINUED>;

export interface Answering {
  tokens: Tokens;
  preferences: Preferences;
  /** Where work was handed in, and the work that counts. */
  claimed?: Place;
  claim?: Claim;
}

export function continuedWith(turn: Turn, answering: Answering): Continued {
  const { tokens, preferences, claimed, claim = {} } = answering;
  const blockers = blockersOf(turn, claimed, claim);
  const where = standing(turn, tokens, preferences);
  if (blockers.length === 0) return { kind: awaitsConfirmation(turn) ? 'gate_checkpoint' : 'ok', ...where };
  const token = turn.handed && where.continueToken;
  return {
    kind: 'blocked',
    ...where,
    blockers: sorted(blockers),
    retryable: token !== undefined,
    ...(token !== undefined && { retryContinueToken: token }),
  };
}

/** The work of a step passed every check, and a person has the last word on it. */
function awaitsConfirmation({ handed, working, questions }: Turn): boolean {
  return !handed && !working && questions.some(({ question }) => question === 'approve');
}

/** What a start answers, and what every other answer holds besides. */
export function standing(turn: Turn, tokens: Tokens, preferences: Preferences): Started {
  const { run, handed, questions, working, outputs } = turn;
  const place: Place = handed
    ? { run: run.id, path: handed.path, try: handed.try, n: handed.n }
    : { run: run.id, path: '', try: 0, n: 0 };
  const isComplete = run.status === 'completed';
  const token = tokens.make(handed ? 'ct' : 'st', place);
  return {
    ...{ runId: run.id, workflowId: run.workflow, isComplete },
    ...(!isComplete && { continueToken: token, checkpointToken: tokens.make('ck', place) }),
    pending: handed ? pendingOf(run.id, handed) : null,
    ...(handed && { stepContext: contextOf(handed, run.workspace) }),
    preferences,
    ...nextOf(turn, token),
    ...(questions.length > 0 && { questions: questions.map((question) => questionOf(turn, question)) }),
    ...(working && {
      working: {
        what: working.what,
        ...(working.by && { since: `process ${working.by.pid} on ${working.by.host}` }),
      },
    }),
    ...(isComplete && { outputs: withinBudget(run.id, 'outputs', outputs ?? {}) }),
    warnings: [...handedOver(turn), ...turn.warnings],
  };
}

/** Bytes: what a model can take at once beside all the rest. */
const LONGEST_PROMPT = 64 * 1024;

function pendingOf(run: string, { step, title, prompt, system }: HandedStep): ValueOf<typeof PENDING> {
  return {
    stepId: step,
    title: title ?? step,
    prompt: beginningOf(prompt, `lockstep://runs/${run}/prompt`),
    ...(system !== undefined && { agentRole: beginningOf(system, `lockstep://runs/${run}/role`) }),
  };
}

function beginningOf(given: string, uri: string): string {
  if (Buffer.byteLength(given) <= LONGEST_PROMPT) return given;
  return `${within(given, LONGEST_PROMPT)}\n\n(This is the beginning. The whole text is the resource ${uri}.)`;
}

function contextOf(handed: HandedStep, workspace: string): ValueOf<typeof STEP_CONTEXT> {
  const { path, try: tried, triesLeft, model, schema } = handed;
  return {
    ...{ path, try: tried, triesLeft, workspace: handed.workspace ?? workspace },
    ...(model !== undefined && { model }),
    ...(schema && { outputSchema: schema }),
  };
}

function handedOver({ run: { id, drive, status } }: Turn): string[] {
  if (drive === 'guide' || status === 'completed') return [];
  return [
    `Lockstep drives run ${id} itself now: stop, and tell the person. \`lockstep handover ${id} --to guide\` gives it back to you.`,
  ];
}

function nextOf(turn: Turn, token: string): Pick<Started, 'nextIntent' | 'nextCall'> {
  const { run, handed, questions } = turn;
  const look = { tool: 'continue_workflow', params: { continueToken: token, intent: 'rehydrate' } };
  if (run.status === 'completed') return { nextIntent: 'complete', nextCall: null };
  if (handed)
    return {
      nextIntent: 'perform_pending_then_continue',
      nextCall: { tool: 'continue_workflow', params: { continueToken: token, output: shapeOf(handed) } },
    };
  if (run.status === 'failed' || run.status === 'cancelled' || run.drive !== 'guide')
    return { nextIntent: 'rehydrate_only', nextCall: null };
  return { nextIntent: questions.length > 0 ? 'await_user_confirmation' : 'rehydrate_only', nextCall: look };
}

export const EXAMPLE_NOTES = 'What you did, what you found, what is left open.';

/** What is to be handed in, with an example in the place of the answer. */
function shapeOf({ schema }: Pick<HandedStep, 'schema'>): JsonObject {
  if (!schema || takesClaims(schema)) return { notesMarkdown: EXAMPLE_NOTES };
  return { answer: exampleOf(schema) };
}

/** The schema describes the claim itself. */
function takesClaims({ properties }: JsonObject): boolean {
  return isObject(properties) && Object.hasOwn(properties, 'notesMarkdown');
}

function questionOf({ run, questions }: Turn, question: Turn['questions'][number]): ValueOf<typeof QUESTION> {
  const commands = answerCommands(run.id, question, questions.length > 1);
  return {
    ...{ path: question.path, kind: question.question, text: plainLines(question.text).join('\n') },
    choices: (question.choices ?? []).map((one) => (typeof one === 'string' ? one : JSON.stringify(one))),
    answerWith: commands.map(({ command }) => command),
  };
}

function blockersOf(turn: Turn, claimed: Place | undefined, claim: Claim): Blocker[] {
  const { handed, claim: fate, error, run, questions } = turn;
  if (fate?.status === 'refused') return [refusedClaim(turn, fate)];
  if (error) return [failedRun(turn, error)];
  if (run.status === 'cancelled')
    return [
      blocker(
        'run-cancelled',
        { kind: 'workflow_step', stepId: claimed?.path ?? '' },
        `run ${run.id} was cancelled`,
        'Tell the person. A new run begins with start_workflow.',
      ),
    ];
  if (!claimed) return [];
  if (handed?.path === claimed.path && handed.try > claimed.try)
    return handed.reasons.map((reason) => notAccepted(handed, reason, claim));
  const held = questions.find(({ path, question }) => path === claimed.path && question === 'held');
  return (held?.reasons ?? []).map((reason) =>
    blocker(
      'tries-used-up',
      { kind: 'workflow_step', stepId: claimed.path },
      reason,
      `A person decides now whether it is tried again. Tell them: ${answerCommands(run.id, held as never, questions.length > 1)[0]?.command}`,
    ),
  );
}

function notAccepted(handed: HandedStep, reason: string, claim: Claim): Blocker {
  const { step, schema } = handed;
  // As runtime/schema-violation.ts words them: `/files/0 must be a string`, `the answer must have the property "files"`.
  const at = /^(\/\S*) must /.exec(reason)?.[1];
  const isOfSchema =
    schema !== undefined && (at !== undefined || /^the answer must |\bschema\b/.test(reason));
  if (!isOfSchema)
    return blocker(
      'work-not-accepted',
      { kind: 'workflow_step', stepId: step },
      reason,
      'Mend what the message says, then call continue_workflow with retryContinueToken as the continueToken, and say in the notes what you changed.',
    );
  return blocker(
    'output-invalid',
    { kind: 'output_contract', stepId: step, pointer: at ?? '' },
    `${reason}; what came there is ${cameAt(takesClaims(schema) ? { ...claim } : claim.answer, at ?? '')}`,
    `Call continue_workflow with retryContinueToken as the continueToken and an output of this shape: ${JSON.stringify(shapeOf(handed))}`,
  );
}

function cameAt(value: Json | undefined, pointer: string): string {
  const names = pointer.split('/').slice(1);
  const at = names.reduce<Json | undefined>((inside, name) => {
    const member = name.replaceAll('~1', '/').replaceAll('~0', '~');
    return Array.isArray(inside) ? inside[Number(member)] : isObject(inside) ? inside[member] : undefined;
  }, value);
  return at === undefined ? 'nothing' : within(JSON.stringify(at), LONGEST_SHOWN);
}

function failedRun({ run }: Turn, { message }: NonNullable<Turn['error']>): Blocker {
  return blocker(
    'run-failed',
    { kind: 'workflow_step', stepId: '' },
    message,
    `The run has failed. Tell the person: \`lockstep status ${run.id}\` shows where, \`lockstep resume ${run.id}\` goes on once it is mended.`,
  );
}

type RefusedClaim = Extract<NonNullable<Turn['claim']>, { status: 'refused' }>;

const REFUSED = {
  'not-handed': 'token-stale',
  'other-try': 'token-other-try',
  'not-guided': 'run-handed-over',
  'run-ended': 'run-ended',
} as const satisfies Record<RefusedClaim['refusal'], string>;

function refusedClaim({ handed, run }: Turn, claim: RefusedClaim): Blocker {
  if (claim.refusal === 'not-guided')
    return blocker(
      REFUSED[claim.refusal],
      { kind: 'argument', pointer: '/continueToken' },
      claim.why,
      `Stop, and tell the person: Lockstep drives run ${run.id} itself now. \`lockstep handover ${run.id} --to guide\`, in a terminal of theirs, gives it back to you.`,
    );
  const fix = handed
    ? 'Do the step in `pending`, and hand it in with retryContinueToken as the continueToken.'
    : `Call continue_workflow with the continueToken of this answer and intent "rehydrate" to see where run ${run.id} is.`;
  return blocker(REFUSED[claim.refusal], { kind: 'argument', pointer: '/continueToken' }, claim.why, fix);
}
