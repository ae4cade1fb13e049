// continue-workflow: takes the work of a step, and hands out the next one; or shows where the run is.

import { createHash } from 'node:crypto';
import type { Turn } from '../../drivers/guide/guide.ts';
import type { Claim } from '../../model/entry.ts';
import { isObject, type Json, type JsonObject } from '../../model/json.ts';
import { stepText } from '../answer-text.ts';
import { sorted } from '../blockers.ts';
import type { CallContext } from '../call-context.ts';
import { findPlace } from '../find-place.ts';
import { afterAnswer, questionFor } from '../person.ts';
import { CAREFUL, preferencesOf } from '../preferences.ts';
import { recapOf } from '../recap.ts';
import { referencesOf } from '../references.ts';
import { orRefused, Refused } from '../refusal.ts';
import { anything, choice, list, map, object, text, type ValueOf } from '../schema.ts';
import { withProgress } from '../slow-call.ts';
import { refuseBelowAgent } from '../start-guided.ts';
import { type Answering, CONTINUED, type Continued, continuedWith, EXAMPLE_NOTES } from '../step-answer.ts';
import type { Place } from '../tokens.ts';
import { type Answer, CHANGES, tool } from '../tool.ts';
import type { Workplace } from '../workplace.ts';
import { WORKSPACE } from './workspace.ts';

const NOTES = text('What you did and found, Markdown. It is the durable record of the step.');
const ARTIFACTS = list(anything('One.'), 'Structured results, where the step asks for them.');
const CONTEXT = map('Values by name that the step asks you to capture.');

const INPUT = object(
  {
    continueToken: text('Of the last answer, as it is.', { most: 8192 }),
    intent: choice(
      ['advance', 'rehydrate'],
      'advance: hand in work. rehydrate: only show where the run is. Left out: advance where there is something to hand in.',
    ),
    output: object(
      {
        notesMarkdown: NOTES,
        artifacts: ARTIFACTS,
        context: CONTEXT,
        answer: anything('The answer itself, where the step has an output schema.'),
      },
      [],
      'Your work.',
    ),
    context: CONTEXT,
    contextVariables: map('The same as context.'),
    notes: text('The same as output.notesMarkdown.'),
    artifacts: list(anything(''), 'The same as output.artifacts.'),
    workspacePath: WORKSPACE,
  },
  ['continueToken'],
);

export const continueWorkflow = tool({
  title: 'Continue a workflow',
  description:
    'Hands in the work of the pending step and gives the next one. Lockstep checks the work: where it is not enough the answer is `blocked`, says why, and the same step is yours again. The same token always gives the same answer, so a call that was lost can be made again. With intent "rehydrate" it shows where the run is and changes nothing.',
  input: INPUT,
  output: orRefused(CONTINUED),
  annotations: CHANGES,
  async call(given, context) {
    const again = await afterAnswer(context);
    if (again) return answered(again.turn, again.place, again.context, { isLook: false });
    const claim = claimOf(given);
    const isLook = given.intent === 'rehydrate' || (given.intent === undefined && !claim);
    const kinds = isLook ? (['ct', 'st'] as const) : (['ct'] as const);
    const found = await findPlace(context, given.continueToken, kinds, given.workspacePath);
    if (found.problem) return refusedToken(found);
    const { place, token } = found;
    if (!isLook) refuseBlank(claim);
    const turn = await withProgress(
      context,
      'Lockstep looks at the work',
      isLook ? look(place, token) : handIn(place, token, claim ?? {}, context),
    );
    if (isLook) return answered(turn, place, context, { isLook });
    const counts = claimThatCounts(place, turn, token, claim ?? {});
    return answered(turn, place, context, { isLook, claimed: token, claim: counts });
  },
});

/** Nothing said is no work, whatever the step checks; nor is our own example of how to say it. */
function refuseBlank(claim: Claim | undefined): void {
  const { notesMarkdown = '', artifacts = [], context = {}, answer } = claim ?? {};
  const notes = notesMarkdown.trim();
  const saysMore = artifacts.length > 0 || Object.keys(context).length > 0 || answer !== undefined;
  if (notes !== EXAMPLE_NOTES && (notes !== '' || saysMore)) return;
  throw new Refused({
    code: 'arguments-invalid',
    message: 'there is no work in this call: /output/notesMarkdown says nothing of your own',
    suggestedFix: 'Set /output/notesMarkdown to what you did and found in this step, in your own words.',
  });
}

/** undefined: nothing was handed in. */
function claimOf(given: ValueOf<typeof INPUT>): Claim | undefined {
  const { output = {}, context, contextVariables } = given;
  // A schema that describes the claim itself is met by whoever puts all of it into the answer, too.
  const whole = isClaim(output.answer) ? output.answer : {};
  const notes = output.notesMarkdown ?? given.notes ?? whole.notesMarkdown;
  const artifacts = output.artifacts ?? given.artifacts ?? whole.artifacts;
  const contexts = [contextVariables, whole.context, output.context, context].filter(Boolean);
  const claim: Claim = {
    ...(notes !== undefined && { notesMarkdown: notes }),
    ...(artifacts !== undefined && { artifacts }),
    ...(contexts.length > 0 && { context: Object.assign({}, ...contexts) as JsonObject }),
    ...(output.answer !== undefined && !isClaim(output.answer) && { answer: output.answer }),
  };
  return Object.keys(claim).length > 0 ? claim : undefined;
}

function isClaim(answer: unknown): answer is Pick<Claim, 'notesMarkdown' | 'artifacts' | 'context'> {
  const given = answer as Json;
  return (
    isObject(given) &&
    typeof given.notesMarkdown === 'string' &&
    (given.artifacts === undefined || Array.isArray(given.artifacts)) &&
    (given.context === undefined || isObject(given.context))
  );
}

async function look(place: Workplace, { run }: Place): Promise<Turn> {
  return (await place.guide()).look(run);
}

async function handIn(
  place: Workplace,
  { run, path, try: tried, n }: Place,
  claim: Claim,
  context: CallContext,
): Promise<Turn> {
  refuseBelowAgent(context);
  const body = JSON.stringify([run, path, tried, n, claim]);
  const message = createHash('sha256').update(body).digest('hex').slice(0, 32);
  return (await place.guide()).claim(run, {
    path,
    try: tried,
    handing: n,
    claim,
    by: context.client,
    message,
  });
}

async function answered(
  turn: Turn,
  place: Workplace,
  context: CallContext,
  { isLook, ...handed }: { isLook: boolean } & Omit<Answering, 'tokens' | 'preferences'>,
): Promise<Answer<Continued>> {
  const ask = await questionFor(turn, place, context);
  if (ask) return { ask };
  const preferences = await preferencesOf(place, turn.run.id);
  const answer = continuedWith(turn, { tokens: context.tokens(), preferences, ...handed });
  const notes = replayWarnings(turn);
  const back = isLook ? await comingBack(turn, place) : { warnings: [] };
  const value = { ...answer, ...back, warnings: [...answer.warnings, ...notes, ...back.warnings] };
  return { value, text: stepText(value) };
}

/** Where this try was handed in before with something else, it is that which the answer is about. */
function claimThatCounts(
  place: Workplace,
  turn: Turn,
  { run, path, try: tried, n }: Place,
  given: Claim,
): Claim {
  if (turn.claim?.status !== 'known' || turn.claim.same) return given;
  const { entries } = place.store.read(run).journal();
  const first = entries.find(
    (entry) =>
      entry.kind === 'claim-received' && entry.path === path && entry.try === tried && entry.handing === n,
  );
  return first?.kind === 'claim-received' ? first.claim : given;
}

/** The first claim of a try counts, whoever made it. */
function replayWarnings({ claim, run }: Turn): string[] {
  if (claim?.status !== 'known' || claim.same) return [];
  return [
    `this step was handed in before, by ${claim.by}: that counts, what you sent now was not taken, and this is the answer that was given then. The run ${run.id} may have gone on since: intent "rehydrate" shows where it is.`,
  ];
}

async function comingBack(
  turn: Turn,
  place: Workplace,
): Promise<{ recap?: string; references?: JsonObject[]; warnings: string[] }> {
  const { references, warnings } = await referencesOf(place, turn);
  const recap = recapOf(place, turn.run.id);
  return { warnings, ...(recap !== '' && { recap }), ...(references.length > 0 && { references }) };
}

function refusedToken({
  problem,
  root,
}: {
  problem: ReturnType<typeof sorted>['blockers'][number];
  root: string;
}): {
  value: Continued;
  text: string;
} {
  const value: Continued = {
    ...{ kind: 'blocked', runId: '', workflowId: '', isComplete: false, pending: null, warnings: [] },
    preferences: CAREFUL,
    nextIntent: 'rehydrate_only',
    nextCall: { tool: 'resume_session', params: { workspacePath: root } },
    blockers: sorted([problem]),
    retryable: false,
  };
  return { value, text: stepText(value) };
}
