// prompt-text: what an agent is told, put together from its parts. Pure.
// A fresh session gets everything; one that goes on after a rejected try gets what was wrong with it, and no more.

import type { JsonObject } from '../model/json.ts';

export interface PromptParts {
  /** Only for an agent that takes no system prompt of its own. */
  system?: string;
  task: string;
  injected?: { text: string; position: 'prepend' | 'append' };
  /** Why the last try was not accepted. */
  feedback: string[];
  /** The session of that try goes on. */
  continuing: boolean;
  /** Only for an agent that takes no schema of its own. */
  schema?: JsonObject;
}

export function promptText(parts: PromptParts): string {
  const feedback = parts.feedback.length > 0 ? feedbackText(parts.feedback) : undefined;
  const schema = parts.schema === undefined ? undefined : schemaText(parts.schema);
  if (parts.continuing && feedback !== undefined) return join([feedback, schema]);
  const { injected } = parts;
  return join([
    parts.system,
    injected?.position === 'prepend' ? injected.text : undefined,
    parts.task,
    injected?.position === 'append' ? injected.text : undefined,
    schema,
    feedback,
  ]);
}

/** A lone task is handed over as it is, to the last blank. */
function join(parts: (string | undefined)[]): string {
  const said = parts.filter((part): part is string => part !== undefined && part.trim() !== '');
  if (said.length < 2) return said[0] ?? '';
  return said.map((part) => part.replace(/^\n+|\n+$/g, '')).join('\n\n');
}

function feedbackText(reasons: string[]): string {
  const list = reasons.map((reason, index) => `${index + 1}. ${indented(reason)}`).join('\n');
  return `Your work on this task was checked and is not accepted yet:\n\n${list}\n\nPut this right, then give your complete answer again.`;
}

function indented(text: string): string {
  return text.trim().replace(/\n/g, '\n   ');
}

function schemaText(schema: JsonObject): string {
  return `Answer with one JSON value and nothing around it, no explanation before or after. It must fit this JSON Schema:\n\n${JSON.stringify(schema, null, 2)}`;
}

// ── Files that a step reads ─────────────────────────────────────────────────────────────────────

export interface InjectedFile {
  path: string;
  optional: boolean;
  bytes: number;
  /** The beginning, as much as may be shown; undefined: not text, or a folder. */
  content?: string;
  /** Bytes of `content`. */
  shown: number;
}

export function fileList(files: InjectedFile[], instruction: string | undefined): string {
  const required = files.filter((file) => !file.optional).map(bullet);
  const optional = files.filter((file) => file.optional).map(bullet);
  const heading = instruction ?? 'This task has these files as its input; read them first:';
  if (optional.length === 0) return [heading, ...required].join('\n');
  return [heading, ...(required.length > 0 ? ['Required:', ...required] : []), 'Optional:', ...optional].join(
    '\n',
  );
}

function bullet(file: InjectedFile): string {
  return `- ${file.path}`;
}

export function fileContents(files: InjectedFile[], instruction: string | undefined): string {
  const heading = instruction ?? 'This task has these files as its input:';
  return [heading, ...files.map(section)].join('\n\n');
}

function section(file: InjectedFile): string {
  const { path, bytes, content, shown } = file;
  if (content === undefined) return `=== File: ${path} (${bytes} bytes, not text, not shown) ===`;
  if (shown >= bytes) return `=== File: ${path} (${bytes} bytes) ===\n${content}`;
  if (shown === 0)
    return `=== File: ${path} (${bytes} bytes, not shown: too much with the files before it) ===`;
  return `=== File: ${path} (${shown}/${bytes} bytes) ===\n${content}\n[… ${bytes - shown} bytes left out; read the rest from ${path} …]`;
}
