// for-run: the server that an agent of a run is given. It has the tools that the step names and no others, and is about
// that run and its project alone.
//
// R1. Only tools of model/own-tools.ts: whatever is asked for beside them is not there. So nothing answers, ends, hands over
//     or claims.
// R2. Issues are those of the project that the run was started in, wherever its step works; what it makes names the run.
// R3. The session is the run, and the folder is the project: no tool takes another one.

import { type JsonObject, objectOf } from '../model/json.ts';
import { AGENT_TOOLS } from '../model/own-tools.ts';
import type { Tracker } from '../ports/tracker.ts';
import type { Schema } from './schema.ts';
import type { AnyTool } from './tool.ts';
import type { Workplace, Workplaces } from './workplace.ts';

export interface ForRun {
  run: string;
  /** By their bare names. */
  tools: readonly string[];
}

export const FOR_RUN_INSTRUCTIONS =
  'The issues of the project that you work for, and what the run that you are part of has come to so far.';

export function toolsForRun(all: ReadonlyMap<string, AnyTool>, { tools }: ForRun): Map<string, AnyTool> {
  const given = [...all].filter(([name]) => tools.includes(name) && AGENT_TOOLS.includes(name));
  return new Map(given.map(([name, tool]) => [name, { ...tool, input: withoutPlace(tool.input) }]));
}

function withoutPlace(input: JsonObject): Schema<unknown> {
  const { workspacePath: _, sessionId: __, ...properties } = objectOf(input.properties);
  return { ...input, properties };
}

export function workplacesForRun(workplaces: Workplaces, { run }: ForRun): Workplaces {
  return { ...workplaces, at: async () => placeForRun(await workplaces.at(), run) };
}

function placeForRun(place: Workplace, run: string): Workplace {
  return { ...place, findRun: () => run, tracker: async () => trackerForRun(await place.tracker(), run) };
}

function trackerForRun(tracker: Tracker, run: string): Tracker {
  return { ...tracker, create: (draft) => tracker.create({ ...draft, run }) };
}
