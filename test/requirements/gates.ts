import type { Requirement } from '../ledger.ts';

const ENGINE = 'src/engine';
const LOWER = 'src/compile/lower/gates.test.ts';
const CLI = 'test/cli/gates.test.ts';

export const gates: Requirement[] = [
  {
    id: 'LS-GATE-STEPS',
    requirement:
      'Every gate of a directory is a prompt step of its own, with a path, tries, a log and a price; its file is pinned.',
    proof: [`${LOWER} › LS-GATE-STEPS: every gate of a directory is a step`, `${CLI} › LS-GATE-RUN: *`],
  },
  {
    id: 'LS-GATE-LAYERS',
    requirement:
      'A directory by name is that of all layers together, of one file name the first; by path it stays where it may be read from.',
    proof: 'src/library/file-library.test.ts › LS-GATE-LAYERS: which definitions a folder holds',
  },
  {
    id: 'LS-GATE-DROP-IN',
    requirement: 'Adding a review, switching one off and replacing one takes a file and nothing else.',
    proof: `${CLI} › LS-GATE-DROP-IN: *`,
  },
  {
    id: 'LS-GATE-TEXT',
    requirement:
      'The text of a gate is its own or a prompt of the library; it sees what the step sees and is given, checked at load.',
    proof: `${LOWER} › LS-GATE-TEXT: its text`,
  },
  {
    id: 'LS-GATE-READS',
    requirement: 'A gate only looks: it has no tool to write with, and is held to that.',
    proof: [
      `${LOWER} › LS-GATE-READS: a gate only looks`,
      `${ENGINE}/gate.test.ts › a gate is held to reading, also where it is alone`,
    ],
  },
  {
    id: 'LS-GATE-WRONG',
    requirement: 'What is wrong with a gate, or a directory without any, is found at load, in its file.',
    proof: `${LOWER} › LS-GATE-WRONG: what is wrong is found at load`,
  },
  {
    id: 'LS-GATE-ONE-ISSUE',
    requirement:
      'Issues of the same file, line and normalised description are one, tagged with every gate that found it, at its worst severity, with all instructions.',
    proof: `${ENGINE}/review.test.ts › V1: what is one issue`,
  },
  {
    id: 'LS-GATE-COMPUTED',
    requirement: 'The verdict of a review is made of its issues, never the word of an agent.',
    proof: `${ENGINE}/review.test.ts › LS-GATE-COMPUTED: the verdict`,
  },
  {
    id: 'LS-GATE-NO-REVIEW',
    requirement:
      'What is no review never approves: a schema that does not require issues is an error, another answer an important issue.',
    proof: [
      `${LOWER} › LS-GATE-WRONG: what is wrong is found at load › a schema that does not require issues`,
      `${ENGINE}/review.test.ts › V2: what is no review *`,
    ],
  },
  {
    id: 'LS-GATE-NOBODY',
    requirement:
      'Where no gate looked the review is not_reviewed; where none would by itself, that is told at load.',
    proof: [
      `${ENGINE}/review.test.ts › V4: what nobody looked at is not approved`,
      `${LOWER} › LS-GATE-WRONG: what is wrong is found at load › a directory in which nobody looks by itself, as a warning`,
    ],
  },
  {
    id: 'LS-GATE-SENT-BACK',
    requirement: 'A gate that objects and names nothing that must change is sent back.',
    proof: `${CLI} › LS-GATE-SENT-BACK: *`,
  },
  {
    id: 'LS-GATE-LEFT-OUT',
    requirement:
      'A gate is left out only on record: switched off, manual without --gate, none of its files changed, or skipped by a person.',
    proof: `${ENGINE}/gate.test.ts › LS-GATE-LEFT-OUT: a gate is left out, on record (S1)`,
  },
  {
    id: 'LS-GATE-AGAIN',
    requirement:
      'With `again: changed` a gate that approved is not asked again while nothing it looks at changed since; its verdict stands, openly.',
    proof: [`${ENGINE}/gate.test.ts › LS-GATE-AGAIN: again: changed`, `${CLI} › LS-GATE-RUN: *`],
  },
  {
    id: 'LS-GATE-RUN',
    requirement: 'A run goes from rejected over fixed to approved, and says what was left out.',
    proof: `${CLI} › LS-GATE-RUN: *`,
  },
  {
    id: 'LS-GATE-EXHAUSTED',
    requirement: 'A fix loop that is used up asks a person, with the issues that are open.',
    proof: [`${ENGINE}/gate.test.ts › LS-GATE-EXHAUSTED: *`, `${CLI} › LS-GATE-EXHAUSTED: *`],
  },
  {
    id: 'LS-GATE-NOTE',
    requirement: 'A note with `again` on a step that is held reaches every prompt in its new visit.',
    proof: [
      `${ENGINE}/gate.test.ts › LS-GATE-NOTE: a note with \`again\``,
      'src/runtime/prompt-text.test.ts › promptText › LS-GATE-NOTE: *',
    ],
  },
  {
    id: 'LS-GATE-SCHEMAS',
    requirement: 'Six result schemas have names; each allows a blocker, and more than it names.',
    proof: 'test/schemas.test.ts › LS-GATE-SCHEMAS: the result schemas',
  },
  {
    id: 'LS-BLOCK-ASKS',
    requirement:
      'A non-empty `blocker` in the answer of a prompt is put to a person, whatever else is in it.',
    proof: `${ENGINE}/blocker.test.ts › LS-BLOCK-ASKS: a blocker is what a person is asked`,
  },
  {
    id: 'LS-BLOCK-ANSWER',
    requirement:
      'The answer goes back to the agent with the question, in the same session where it can be, and uses up no try.',
    proof: [
      `${ENGINE}/blocker.test.ts › LS-BLOCK-ANSWER: the answer goes back to the agent`,
      'src/runtime/prompt-text.test.ts › promptText › LS-BLOCK-ANSWER: *',
    ],
  },
  {
    id: 'LS-BLOCK-TERMINAL',
    requirement:
      'On a terminal a blocker is answered in place: any text, a suggestion by its number, or fail.',
    proof: 'src/cli/screen/answers.test.ts › * › LS-BLOCK-TERMINAL: *',
  },
  {
    id: 'LS-BLOCK-RUN',
    requirement: 'A blocked run pauses with its exit code and blocker.json, and goes on with the answer.',
    proof: `${CLI} › LS-BLOCK-RUN: *`,
  },
  {
    id: 'LS-BLOCK-FAIL',
    requirement: 'A person may let a blocked step fail.',
    proof: [
      `${CLI} › LS-BLOCK-FAIL: *`,
      `${ENGINE}/blocker.test.ts › LS-BLOCK-ANSWER: the answer goes back to the agent › fail lets*`,
    ],
  },
];
