// A real client that a person started, with `lockstep mcp` among its MCP servers and a model that does what the tools say: it
// is led through a workflow, one step at a time, and what it claims counts only where our own check agrees.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { TOOLSETS } from '../../src/mcp/toolsets.ts';
import type { ModelRequest } from '../model-server/turn.ts';
import { callTool, type Move, say, write } from '../support/model.ts';
import { ledScenario } from '../support/scenario.ts';

const FLOW = `lockstep: 1
name: mend-door
description: Finds out what is wrong with the door and mends it.
steps:
  - { id: look, prompt: { text: "Say what is wrong with the door. CANARY-look" } }
  - id: mend
    prompt: { text: "Mend it: {{ steps.look.output }} CANARY-mend" }
    done: { run: 'echo checked >> ../checks.log; test -e hinge.txt', tries: 3 }
  - { id: tell, prompt: { text: "Tell what came of it. CANARY-tell" } }
outputs: { told: '{{ steps.tell.output }}' }
`;
const files = { '.lockstep/workflows/mend-door.yaml': FLOW };
const ASKED = 'Please mend the door with the workflow';

const start = callTool('lockstep', 'start_workflow', { workflowId: 'mend-door' });
const handIn =
  (notesMarkdown: string): Move =>
  (asked) =>
    callTool('lockstep', 'continue_workflow', { continueToken: tokenIn(asked), output: { notesMarkdown } });

const resultsIn = (asked: ModelRequest | undefined): string[] =>
  (asked?.messages ?? []).flatMap(({ results }) => results.map(({ text }) => text));

/** The first of the last answer that has one, as a model would copy it. */
function tokenIn(asked: ModelRequest): string {
  const answer = resultsIn(asked).findLast((text) => text.includes('ct_')) ?? '';
  return /\bct_[\w-]+/.exec(answer)?.[0] ?? 'no token was given';
}

/** Which prompts of the workflow each answer of the server held. */
const promptsIn = (asked: ModelRequest | undefined): string[][] =>
  resultsIn(asked).map((text) => [...new Set(text.match(/CANARY-\w+/g) ?? [])]);

ledScenario(
  'a client is led through three steps, sees one prompt at a time, and the run completes',
  {
    files,
    model: {
      [ASKED]: [
        start,
        handIn('The hinge is dry.'),
        write('hinge.txt', 'oiled\n'),
        handIn('Oiled the hinge.'),
        handIn('It is quiet now.'),
        say('The door is mended.'),
      ],
    },
  },
  async (scene) => {
    const ended = await scene.led(ASKED);
    expect(ended.exitCode).toBe(0);
    expect(ended.stdout).toContain('The door is mended.');
    // Claude Code offers names and looks the rest up, the others have whole descriptions; all of them have listed the tools.
    const offered = JSON.stringify(scene.requests[0]?.body);
    for (const tool of TOOLSETS.workflow) expect(offered).toContain(tool);
    expect(promptsIn(scene.requests.at(-1))).toEqual([
      ['CANARY-look'],
      ['CANARY-mend'],
      [],
      ['CANARY-tell'],
      [],
    ]);
    expect(ended.journal.at(-1)).toMatchObject({
      kind: 'run-completed',
      outputs: { told: 'It is quiet now.' },
    });
    const claims = ended.entries('claim-received');
    expect(claims.map(({ path, try: tried }) => `${path} ${tried}`)).toEqual(['look 1', 'mend 1', 'tell 1']);
    for (const { by } of claims) expect(by).toMatch(/\d+\.\d+\.\d+/);
    expect(readFileSync(join(scene.root, '../checks.log'), 'utf8')).toBe('checked\n');
  },
);

ledScenario(
  'a client that claims false results does not get past, and the run is not complete when it ends',
  {
    files,
    model: {
      [ASKED]: [
        start,
        handIn('The hinge is dry.'),
        handIn('Oiled the hinge. All tests pass.'),
        handIn('All tests pass, I have checked it twice.'),
        say('The door is mended, all tests pass.'),
      ],
    },
  },
  async (scene) => {
    const ended = await scene.led(ASKED);
    expect(ended.exitCode).toBe(0);
    const told = scene.requests.at(-1);
    expect(promptsIn(told)).toEqual([['CANARY-look'], ['CANARY-mend'], ['CANARY-mend'], ['CANARY-mend']]);
    for (const answer of resultsIn(told).slice(2)) expect(answer).toContain('ended with exit code 1');
    const rejected = ended.entries('work-rejected');
    expect(rejected.map(({ path, try: tried }) => `${path} ${tried}`)).toEqual(['mend 1', 'mend 2']);
    expect(rejected[0]?.reasons).toEqual([expect.stringContaining('ended with exit code 1')]);
    expect(ended.entries('step-handed').some(({ path }) => path === 'tell')).toBe(false);
    expect(ended.journal.at(-1)).toMatchObject({ kind: 'run-paused', handed: ['mend'] });
    expect(readFileSync(join(scene.root, '../checks.log'), 'utf8')).toBe('checked\nchecked\n');
  },
);
