// happened: what is known of a session when somebody sums it up: its transcript, its record, the run, and the tree.

import { readTranscript } from '../../clients/transcript.ts';
import type { JsonObject } from '../../model/json.ts';
import type { Todo } from '../../model/session-record.ts';
import type { Story } from '../../model/story.ts';
import { maskShapesIn } from '../../text/secret-shapes.ts';
import type { HandlerCall } from './handler.ts';
import { sessionOf } from './live-call.ts';

export interface Happened extends Story {
  title: string;
  phase: string;
  /** Files that differ from the last commit. */
  uncommitted: string[];
}

const MOST_FILES = 50;

/** Everything in it is masked: it goes to a model, into the journal and into a record. */
export async function whatHappened(call: HandlerCall): Promise<Happened> {
  const { key, sessions, transcript, facts } = sessionOf(call);
  const text = transcript === undefined ? undefined : sessions.transcript(transcript);
  const story = readTranscript(key.client, text === undefined ? '' : `${text.head}${text.tail}`);
  const record = sessions.get(key);
  const { phase, view } = facts();
  const prompts = story.prompts.length > 0 || view.prompt === '' ? story.prompts : [view.prompt];
  const happened: Happened = {
    title: record?.title ?? '',
    phase,
    prompts,
    messages: story.messages,
    files: within(call, [...new Set([...view.files_modified, ...story.files])]),
    todos: openTodos(record?.todos ?? [], story.todos),
    uncommitted: (await uncommitted(call)).slice(0, MOST_FILES),
  };
  const masked = call.context.mask.deep(happened as unknown as JsonObject);
  return maskShapesIn(masked) as unknown as Happened;
}

/** The list of the workflow, else the one that the model keeps for itself. */
function openTodos(ours: readonly Todo[], its: readonly Todo[]): Todo[] {
  return (ours.length > 0 ? ours : its).filter(({ status }) => status !== 'completed');
}

function within({ context }: HandlerCall, files: string[]): string[] {
  const root = `${context.workspace.root}/`;
  const relative = files.map((file) => (file.startsWith(root) ? file.slice(root.length) : file));
  return [...new Set(relative)].slice(-MOST_FILES);
}

/** Not a git repository, or gone: then nothing is said of it. */
async function uncommitted({ context }: HandlerCall): Promise<string[]> {
  try {
    return await context.workspace.uncommitted('**');
  } catch {
    return [];
  }
}
