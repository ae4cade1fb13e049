// grammar: what a workrail workflow may look like, as a table like our own. Fields that real files have and that mean
// nothing here are in the table too, so that those files load; ignored.ts tells of them.

import {
  boolean,
  choice,
  either,
  type Fields,
  field,
  listOf,
  literal,
  object,
  required,
  type Shape,
} from '../../source/grammar/shape.ts';

export type StepKind = 'prompt' | 'template' | 'loop' | 'parallel';

export const AUTONOMY = ['guided', 'full_auto_stop_on_user_deps', 'full_auto_never_stop'];
export const RISK = ['conservative', 'balanced', 'aggressive'];

const json: Shape = { kind: 'json', templates: false };
const map: Shape = { kind: 'json-map', templates: false };
const loose: Shape = { kind: 'literal', loose: true };
const texts = listOf(literal);

const condition: Shape = { kind: 'later', shape: () => conditionShape };
const conditionShape: Shape = object({
  var: field(literal, 'A key of the context.'),
  equals: field(json, 'The same, but for case, spaces and how a number or boolean is written.'),
  not_equals: field(json, 'The opposite; also holds where the key is not set.'),
  gt: field(json, 'More than.'),
  gte: field(json, 'As much, or more.'),
  lt: field(json, 'Less than.'),
  lte: field(json, 'As much, or less.'),
  in: field(listOf(json), 'One of these.'),
  contains: field(json, 'A text with this in it, or a list that has it.'),
  startsWith: field(loose, 'Begins with.'),
  endsWith: field(loose, 'Ends with.'),
  matches: field(literal, 'A pattern.'),
  and: field(listOf(condition), 'All of these.'),
  or: field(listOf(condition), 'One of these.'),
  not: field(condition, 'Not this.'),
});

/** `{ type: … }`, or several of them put together. */
const criterion: Shape = { kind: 'later', shape: () => criterionShape };
const criterionShape: Shape = object({
  type: field(choice('contains', 'regex', 'length', 'schema'), 'What is looked at.'),
  value: field(loose, 'Of `contains`: what the notes must have in them.'),
  pattern: field(literal, 'Of `regex`: what the notes must match.'),
  flags: field(literal, 'Of `regex`: `i`, `m`, `s`.'),
  min: field({ kind: 'number' }, 'Of `length`: characters, at least.'),
  max: field({ kind: 'number' }, 'Of `length`: characters, at most.'),
  schema: field(map, 'Of `schema`: what the notes must be as JSON.'),
  message: field(literal, 'What is said where it does not hold.'),
  condition: field(condition, 'Looked at only if this holds.'),
  and: field(listOf(criterion), 'All of these.'),
  or: field(listOf(criterion), 'One of these.'),
  not: field(criterion, 'Not this.'),
});

const confirmation: Shape = either(boolean, {
  kind: 'later',
  shape: () =>
    object({
      ...(conditionShape as { fields: Fields }).fields,
      kind: field(choice('human_approval', 'coordinator_eval'), 'Who confirms.'),
      condition: field(condition, 'Asked only if this holds.'),
    }),
});

const part = object({
  kind: required(choice('text', 'ref'), 'A text, or the name of one that comes with it.'),
  text: field(literal, 'The text.'),
  refId: field(literal, 'The name: `wr.refs.notes_first_durability`.'),
});
const partsOrText = either(literal, listOf(either(literal, part)));
/** An item of a list may be made of parts. */
const lines = either(literal, listOf(either(literal, part, listOf(part))));

const functions = listOf(
  object({
    name: required(literal, 'What it is called.'),
    definition: required(literal, 'What it means.'),
    parameters: field(json, 'What it takes.'),
    scope: field(json, 'Where it counts.'),
  }),
);

const common: Fields = {
  id: required(literal, 'Unique in the workflow.'),
  title: field(literal, 'What people see.'),
  type: field(literal, '`loop` or `parallel`; absent: a step that is done once.'),
  runCondition: field(condition, 'Left out unless this holds.'),
  requireConfirmation: field(confirmation, 'A person agrees before it goes on.'),
  functionDefinitions: field(functions, 'Words that the prompt uses.'),
  modelTier: field(literal, 'How strong a model.'),
};

const work: Fields = {
  agentRole: field(literal, 'Who the agent is meant to be.'),
  guidance: field(texts, 'Advice for this step.'),
  promptFragments: field(
    listOf(
      object({
        id: field(literal, 'Its name.'),
        when: field(condition, 'Added only if this holds.'),
        text: required(literal, 'What is added to the prompt.'),
      }),
    ),
    'Parts of the prompt that depend on the context.',
  ),
  askForFiles: field(boolean, 'The agent asks for files that it cannot find.'),
  validationCriteria: field(either(listOf(criterion), criterion), 'What the notes must be like.'),
  validationPrompt: field(literal, 'What the agent looks at before it hands its work in.'),
  outputContract: field(
    object({
      contractRef: required(literal, 'Which artifact: `wr.contracts.loop_control`.'),
      required: field(boolean, 'False: it may be left out.'),
    }),
    'An artifact that the step hands in.',
  ),
  assessmentRefs: field(texts, 'Assessments that the step hands in.'),
  assessmentConsequences: field(
    listOf(
      object({
        when: required(
          object({
            anyEqualsLevel: required(literal, 'A level of one of the dimensions.'),
            forAssessment: field(literal, 'Of this assessment only.'),
          }),
          'When it applies.',
        ),
        effect: required(
          object({
            kind: required(choice('require_followup'), 'The work goes back.'),
            guidance: required(literal, 'What is said.'),
          }),
          'What follows.',
        ),
      }),
    ),
    'What follows from an assessment.',
  ),
  notesOptional: field(boolean, 'The notes may be left out.'),
  expectedOutput: field(literal, 'What is wanted.'),
  functionReferences: field(texts, 'Functions that the prompt uses.'),
  functionCalls: field(json, 'Functions that are called.'),
  verification: field(
    { kind: 'open', known: { command: field(either(literal, texts), 'Must end with 0.') } },
    'A command that shows that the work is done.',
  ),
  hasValidation: field(json, 'Nothing here.'),
  audit: field(json, 'Nothing here.'),
};

/** What files have on loops and calls of templates, where no agent reads it. */
const unread: Fields = {
  agentRole: field(literal, 'Nothing here.'),
  guidance: field(texts, 'Nothing here.'),
  askForFiles: field(boolean, 'Nothing here.'),
  functionReferences: field(texts, 'Nothing here.'),
  hasValidation: field(json, 'Nothing here.'),
  audit: field(json, 'Nothing here.'),
};

export const STEPS: Readonly<Record<StepKind, Shape>> = {
  prompt: object({
    ...common,
    ...work,
    prompt: field(literal, 'What is to be done.'),
    promptBlocks: field(
      object({
        goal: field(partsOrText, 'What is to be reached.'),
        constraints: field(lines, 'What must not happen.'),
        procedure: field(lines, 'What is done, in order.'),
        outputRequired: field(either(literal, map, listOf(literal)), 'What must be handed in.'),
        verify: field(lines, 'What is looked at before it is handed in.'),
      }),
      'The prompt in parts.',
    ),
  }),
  template: object({
    ...common,
    ...unread,
    templateCall: required(
      object({
        templateId: required(literal, 'Which: `wr.templates.routine.design-review`.'),
        args: field({ kind: 'record', keys: 'any', of: loose }, 'Words for `{name}` in its texts.'),
      }),
      'Steps that are written once and used in many places.',
    ),
  }),
  loop: object({
    ...common,
    ...unread,
    prompt: field(literal, 'Nothing here.'),
    loop: required(
      object({
        type: required(choice('while', 'until', 'for', 'forEach'), 'What kind.'),
        condition: field(condition, 'Of `while` and `until`.'),
        conditionSource: field(
          object({
            kind: required(choice('artifact_contract', 'context_variable'), 'Who decides.'),
            contractRef: field(literal, 'Which artifact.'),
            loopId: field(literal, 'Which loop.'),
            condition: field(condition, 'Of `context_variable`.'),
          }),
          'Where the decision comes from.',
        ),
        maxIterations: field({ kind: 'integer', min: 1 }, 'The most passes there may be.'),
        count: field(
          either({ kind: 'integer', min: 0 }, literal),
          'Of `for`: how many, or a key that says so.',
        ),
        items: field(either(literal, listOf(json)), 'Of `forEach`: the key of a list.'),
        iterationVar: field(literal, 'The number of the pass, from 1; currentIteration.'),
        itemVar: field(literal, 'The item; currentItem.'),
        indexVar: field(literal, 'Its index, from 0; currentIndex.'),
      }),
      'How often.',
    ),
    body: required(either(literal, listOf(json, true)), 'The steps inside, or the id of one.'),
  }),
  parallel: object({
    ...common,
    ...work,
    prompt: field(literal, 'What is to be made of what came back.'),
    synthesis: field(either(literal, map), 'The same.'),
    parallelDelegations: required(
      listOf(
        object({
          workflowId: required(literal, 'Which workflow.'),
          goal: field(literal, 'What it is to do.'),
          runCondition: field(condition, 'Left out unless this holds.'),
          contextMapping: field(
            { kind: 'record', keys: 'any', of: literal },
            'What it is told: their name, our key.',
          ),
          args: field(map, 'What else it is told.'),
          modelTier: field(literal, 'How strong a model.'),
          allowedTools: field(texts, 'What it may use.'),
        }),
        true,
      ),
      'Workflows that are run, one by one where they share a workspace.',
    ),
  }),
};

export const documentShape: Shape = object({
  id: required(literal, 'What it is called.'),
  name: field(literal, 'What people call it.'),
  version: field(loose, 'Of the workflow itself.'),
  description: field(literal, 'What it does.'),
  preconditions: field(texts, 'What must be there before it starts.'),
  clarificationPrompts: field(texts, 'What should be clear before it starts.'),
  metaGuidance: field(texts, 'Advice for every step.'),
  functionDefinitions: field(functions, 'Words that prompts use.'),
  recommendedPreferences: field(
    object({
      recommendedAutonomy: field(choice(...AUTONOMY), 'How much is confirmed.'),
      recommendedRiskPolicy: field(choice(...RISK), 'How much is risked.'),
    }),
    'What a person may change when it starts.',
  ),
  features: field(texts, 'Advice by name.'),
  assessments: field(
    listOf(
      object({
        id: required(literal, 'Its name.'),
        title: field(literal, 'What people see.'),
        purpose: field(literal, 'What it is for.'),
        description: field(literal, 'The same.'),
        dimensions: required(
          listOf(
            object({
              id: required(literal, 'Its name.'),
              title: field(literal, 'What people see.'),
              purpose: field(literal, 'What it is about.'),
              description: field(literal, 'The same.'),
              levels: required(listOf(literal, true), 'What it may be.'),
            }),
            true,
          ),
          'What is judged.',
        ),
      }),
    ),
    'Judgements that steps hand in.',
  ),
  references: field(
    listOf(
      object({
        id: required(literal, 'Its name.'),
        title: field(literal, 'What people see.'),
        source: required(literal, 'Its path.'),
        purpose: field(literal, 'What it is for.'),
        authoritative: field(boolean, 'It has the last word.'),
        resolveFrom: field(choice('workspace', 'package'), 'What the path is relative to; workspace.'),
      }),
    ),
    'What agents are pointed to.',
  ),
  // Steps are held against the shape of their kind one by one, each under its own name.
  steps: required(listOf(json, true), 'At least one step.'),
  extensionPoints: field(json, 'Nothing here.'),
  about: field(json, 'Nothing here.'),
  examples: field(json, 'Nothing here.'),
  metricsProfile: field(json, 'Nothing here.'),
  modelTier: field(json, 'Nothing here.'),
  validatedAgainstSpecVersion: field(json, 'Nothing here.'),
  tags: field(json, 'Nothing here.'),
  tips: field(json, 'Nothing here.'),
  autoRecognitionPatterns: field(json, 'Nothing here.'),
});
