// observe-approval: what a person is asked to approve, and whether it is still that when they have answered.
// Owns: the digest that an approval is bound to, and the two logs that hold all of what is shown.
//
// A1. Never fails a step: what cannot be looked at is said (`problem`), and the digest is then of the output alone.
// A2. The same output and the same workspace give the same digest; anything else another one.

import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { isAbsolute, join } from 'node:path';
import type { ApprovalLook } from '../../model/command.ts';
import type { Bound, ChangedFile, KeptTree, Seen } from '../../model/entry.ts';
import type { Json } from '../../model/json.ts';
import type { TreeChanges } from '../../ports/workspace.ts';
import type { PerformContext } from './context.ts';

/** Named in the journal; the log has all. */
const MOST_FILES = 200;
const MOST_CHANGED = 20;
const LARGEST_PATCH = 8 * 1024 * 1024;

export async function observeApproval(
  path: string,
  look: ApprovalLook,
  context: PerformContext,
): Promise<Seen> {
  const now = await keep(context);
  if (look.moment === 'start') return { moment: 'start', ...now };
  const { output, begun } = look;
  const bound: Bound = { digest: digestOf(output, begun, now.tree), ...now };
  if (look.moment === 'answer')
    return { moment: 'answer', ...bound, ...(await changedSince(look.asked, now.tree, context)) };
  return { moment: 'question', ...bound, ...(await show(path, bound, look, context)) };
}

function digestOf(output: Json, begun: KeptTree | undefined, now: KeptTree | undefined): string {
  const parts = [output, begun?.digest ?? null, now?.digest ?? null];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** Beside the journal. A run that is kept in memory has no such folder. */
function folderOf({ run }: PerformContext): string | undefined {
  return isAbsolute(run.location) ? join(run.location, 'trees') : undefined;
}

async function keep(context: PerformContext): Promise<{ tree?: KeptTree; problem?: string }> {
  const folder = folderOf(context);
  if (folder === undefined) return { problem: 'this run is kept in memory only' };
  try {
    const tree = await context.workspace.keep(folder);
    return tree
      ? { tree }
      : { problem: `${context.workspace.root} is not in a git repository, or git is not installed` };
  } catch (error) {
    return { problem: messageOf(error, context) };
  }
}

async function compare(from: KeptTree, to: KeptTree, context: PerformContext): Promise<TreeChanges> {
  const { files, patch } = await context.workspace.compare(folderOf(context) ?? '', from, to);
  return {
    files: files.map((file): ChangedFile => ({ ...file, path: context.mask.text(file.path) })),
    ...(patch && { patch }),
  };
}

async function changedSince(
  asked: KeptTree | undefined,
  now: KeptTree | undefined,
  context: PerformContext,
): Promise<{ changed?: string[] }> {
  if (!asked || !now || asked.digest === now.digest) return {};
  try {
    const { files } = await compare(asked, now, context);
    const names = files.map(({ path }) => path);
    return names.length > 0 ? { changed: names.slice(0, MOST_CHANGED) } : {};
  } catch {
    return {};
  }
}

type Question = Extract<Seen, { moment: 'question' }>;

async function show(
  path: string,
  { digest, tree, problem }: Bound,
  { output, begun }: Extract<ApprovalLook, { moment: 'question' }>,
  context: PerformContext,
): Promise<Pick<Question, 'changes' | 'logs' | 'problem'>> {
  const name = `${path}.approval-${digest.slice(0, 16)}`;
  const write = (suffix: string, content: Uint8Array): string => {
    const log = `${name}.${suffix}`;
    writeOnce(log, content, context);
    return log;
  };
  const text = typeof output === 'string' ? output : JSON.stringify(output, null, 2);
  const logs = output === null || text === '' ? {} : { output: write('output', Buffer.from(ended(text))) };
  if (!tree) return { logs, ...(problem !== undefined && { problem }) };
  if (!begun) return { logs, problem: 'nobody looked at the workspace before the step began' };
  try {
    const { files, patch } = await compare(begun, tree, context);
    const sum = (of: 'added' | 'removed') => files.reduce((total, file) => total + (file[of] ?? 0), 0);
    const changes = {
      workspace: context.workspace.root,
      count: files.length,
      added: sum('added'),
      removed: sum('removed'),
      files: files.slice(0, MOST_FILES),
    };
    const isKept = patch !== undefined && files.length > 0;
    return { changes, logs: isKept ? { ...logs, patch: write('patch', bounded(patch, context)) } : logs };
  } catch (error) {
    return { logs, problem: messageOf(error, context) };
  }
}

function bounded(patch: Uint8Array, { mask }: PerformContext): Uint8Array {
  const stream = mask.stream();
  const masked = Buffer.concat([stream.write(patch), stream.end()]);
  if (masked.length <= LARGEST_PATCH) return masked;
  const note = `\n[${masked.length - LARGEST_PATCH} more bytes are not kept here: look at the workspace itself]\n`;
  return Buffer.concat([masked.subarray(0, LARGEST_PATCH), Buffer.from(note)]);
}

function ended(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`;
}

const written = new WeakMap<object, Set<string>>();

/** The digest is part of the name, so the content is the same each time; a log only grows. */
function writeOnce(name: string, content: Uint8Array, { run }: PerformContext): void {
  const known = written.get(run) ?? new Set();
  written.set(run, known);
  if (known.has(name)) return;
  known.add(name);
  const sink = run.openLog(name);
  sink.write(content);
  sink.end();
}

function messageOf(error: unknown, { mask }: PerformContext): string {
  return mask.text(error instanceof Error ? error.message : String(error));
}
