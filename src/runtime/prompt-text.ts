// prompt-text: what an agent is told, put together from its parts. Pure.
// A fresh session gets everything; one that goes on after a rejected try gets what was wrong with it, one that goes on
// after a question gets the answer, and no more.

import type { JsonObject } from '../model/json.ts';

export interface PromptParts {
  /** Only for an agent that takes no system prompt of its own. */
  system?: string;
  task: string;
  injected?: { text: string; position: 'prepend' | 'append' };
  /** Why the last try was not accepted. */
  feedback: string[];
  /** What a person said when this was to be done once more. */
  notes?: string[];
  /** What it asked a person before it could go on, and what it was told. */
  told?: { question: string; answer: string }[];
  /** The last of that is new, and the last that happened. */
  answered?: boolean;
  /** The session of that try, or of that question, goes on. */
  continuing: boolean;
  /** Only for an agent that takes no schema of its own. */
  schema?: JsonObject;
}

export function promptText(parts: PromptParts): string {
  const feedback = parts.feedback.length > 0 ? feedbackText(parts.feedback) : undefined;
  const schema = parts.schema === undefined ? undefined : schemaText(parts.schema);
  const { told = [], notes = [] } = parts;
  if (parts.continuing && parts.answered) return join([toldText(told.slice(-1)), schema]);
  if (parts.continuing && feedback !== undefined) return join([feedback, schema]);
  const { injected } = parts;
  return join([
    parts.system?.trim() === '' ? undefined : parts.system,
    injected?.position === 'prepend' ? injected.text : undefined,
    parts.task,
    injected?.position === 'append' ? injected.text : undefined,
    schema,
    notes.length > 0 ? notesText(notes) : undefined,
    told.length > 0 ? toldText(told) : undefined,
    feedback,
  ]);
}

/** One blank line between two, and each to its last byte: what a step hands over is handed over as it is. */
function join(parts: (string | undefined)[]): string {
  const said = parts.filter((part): part is string => part !== undefined && part !== '');
  return said.reduce(
    (text, part) => (text === '' ? part : `${text}${text.endsWith('\n') ? '\n' : '\n\n'}${part}`),
    '',
  );
}

function feedbackText(reasons: string[]): string {
  const list = reasons.map((reason, index) => `${index + 1}. ${indented(reason)}`).join('\n');
  return `Your work on this task was checked and is not accepted yet:\n\n${list}\n\nPut this right, then give your complete answer again.`;
}

function notesText(notes: string[]): string {
  const all = notes.map((note) => `- ${indented(note)}`);
  return `This was tried before and did not come to a good end. A person looked at it and says:\n\n${all.join('\n')}\n\nGo by that.`;
}

function toldText(told: { question: string; answer: string }[]): string {
  const all = told.map(
    ({ question, answer }) => `- You asked: ${indented(question)}\n  The answer: ${indented(answer)}`,
  );
  return `You could not go on without a person, and asked. A person has answered:\n\n${all.join('\n')}\n\nGo on with the task with that, then give your complete answer, without a blocker.`;
}

function indented(text: string): string {
  return text.trim().replace(/\n/g, '\n   ');
}

function schemaText(schema: JsonObject): string {
  return `Answer with one JSON value and nothing around it, no explanation before or after. It must fit this JSON Schema:\n\n${JSON.stringify(schema, null, 2)}`;
}
