// handed: the workflow of handed.yaml, and a client that is led through it. The client is deaf to crashes: a call that got no
// answer is made again, with the same token and the same body, to the next server.

import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Entry } from '../../src/model/entry.ts';
import type { Scratch } from '../scratch.ts';
import type { BareClient } from '../support/bare-client.ts';

export interface Call {
  tool: string;
  given: Record<string, unknown>;
  /** `path try` of what it hands in. */
  of?: string;
}

/** What is handed in at each try of each step; those that are false come first. */
const OUTPUTS: Record<string, object> = {
  'plan 1': { notesMarkdown: 'a plan' },
  'build 1': { notesMarkdown: 'Built, all tests pass.' },
  'build 2': { notesMarkdown: 'Built in truth.' },
  'measure 1': { answer: { size: 12 } },
  'measure 2': { answer: { size: 7 } },
  'parts[0]/make 1': { notesMarkdown: 'made a' },
  'parts[1]/make 1': { notesMarkdown: 'made b' },
  'both/left 1': { notesMarkdown: 'left' },
  'rounds#1/turn 1': { notesMarkdown: 'first' },
  'rounds#2/turn 1': { notesMarkdown: 'second' },
};
export const CLAIMS = Object.keys(OUTPUTS);
export const OUTCOME = {
  plan: 'a plan',
  size: 7,
  parts: ['made a', 'made b'],
  both: { left: 'left', right: 'right' },
  rounds: 2,
};

export const FIRST: Call = { tool: 'start_workflow', given: { workflowId: 'handed' } };

/** Where it has lost everything: what the server proposes for this project. */
export const LOST: Call = { tool: 'resume_session', given: {} };

export function addHanded(project: Pick<Scratch, 'write'>): void {
  const text = readFileSync(join(import.meta.dirname, 'handed.yaml'), 'utf8');
  project.write('.lockstep/workflows/handed.yaml', text);
}

/** The work itself: it is there when the call is made, however often that is. */
export function work(root: string, { of }: Call): void {
  if (of === 'build 2') writeFileSync(join(root, 'built'), '');
  else rmSync(join(root, 'built'), { force: true });
}

/** The call that an answer leads to; undefined where nothing is left to do. */
// biome-ignore lint/suspicious/noExplicitAny: an answer of any of the tools.
export function nextCall(answer: any): Call | undefined {
  if (answer.refused) throw new Error(answer.refused.message);
  if (answer.isComplete) return undefined;
  if (answer.candidates) return { tool: answer.nextCall.tool, given: answer.nextCall.params };
  const { path, try: tried } = answer.stepContext ?? {};
  const of = `${path} ${tried}`;
  const output = OUTPUTS[of];
  if (!output) throw new Error(`nothing is known of ${of}: ${JSON.stringify(answer)}`);
  return { tool: 'continue_workflow', given: { continueToken: answer.continueToken, output }, of };
}

/** To the end, from the call that is to be made first. `made`: after every answer. */
export async function lead(
  client: BareClient,
  root: string,
  first: Call,
  made: (call: Call, answer: unknown) => void = () => {},
): Promise<void> {
  for (let call: Call | undefined = first; call; ) {
    work(root, call);
    const answer = await client.call(call.tool, call.given);
    const next = nextCall(answer);
    made(call, answer);
    call = next;
  }
}

export function claimsIn(entries: Entry[]): string[] {
  return entries.flatMap((entry) => (entry.kind === 'claim-received' ? [`${entry.path} ${entry.try}`] : []));
}

export function entriesIn(journal: string): Entry[] {
  return readFileSync(journal, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Entry);
}
