// story: what happened in a scene, in one text: printed when a scenario fails.

import { realpathSync } from 'node:fs';
import type { ModelServer } from '../model-server/model-server.ts';
import type { ModelRequest } from '../model-server/turn.ts';
import { readRecords } from './records.ts';

const LONGEST = 400;

export function storyOf(told: { outputs: string[]; server: ModelServer; runFolder?: string }): string {
  const parts = [...told.outputs];
  if (told.runFolder !== undefined) {
    const { journal } = readRecords(realpathSync(told.runFolder));
    parts.push(['── journal', ...journal.map((entry) => short(JSON.stringify(entry)))].join('\n'));
  }
  const { requests, others, problems } = told.server;
  parts.push(['── the model was asked', ...last(requests).map(conversation), ...others].join('\n'));
  if (problems.length > 0) parts.push(['── problems of the script', ...problems].join('\n'));
  return parts.join('\n\n');
}

/** Every request holds all that was said before: the longest of each conversation is enough. */
function last(requests: ModelRequest[]): ModelRequest[] {
  return requests.filter(({ messages }, at) => (requests[at + 1]?.messages.length ?? 0) <= messages.length);
}

function conversation({ number, model, tools, messages }: ModelRequest): string {
  const said = messages.map(({ role, text, calls, results }) => {
    const made = [...calls, ...results].map((each) => short(JSON.stringify(each)));
    return `  ${role}: ${[short(text), ...made].filter((each) => each !== '').join(' | ')}`;
  });
  return [`#${number} ${model}, tools: ${short(tools.join(' '))}`, ...said].join('\n');
}

/** Of a long text the end says more: clients put their own remarks first. */
function short(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, 200)} … ${text.slice(-(LONGEST - 200))}`;
}
