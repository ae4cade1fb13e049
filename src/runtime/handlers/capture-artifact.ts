// capture-artifact: { files | content, as }. Copies what matches from the workspace, or writes a text, into the run's artifacts/,
// masked like all we write, so that it outlives the workspace. Gives the list of paths; nothing that matches is a failure.
// With `as` the content has a name: it is what this gives, and `session.artifacts.<name>` from then on.

import type { Json } from '../../model/json.ts';
import type { OpenFile } from '../../ports/workspace.ts';
import { maskSecretShapes } from '../../text/secret-shapes.ts';
import { Breakdown, UNPERFORMABLE } from '../perform/outcome.ts';
import { listArgument, textArgument, wrong } from './argument.ts';
import type { Handled, HandlerCall } from './handler.ts';
import { matchingPaths, newestFile, nothingMatches } from './newest-file.ts';

const PIECE = 256 * 1024;
/** What a session shows of an artifact: all of it is in artifacts/. */
const LONGEST_NAMED = 20_000;

export async function captureArtifact(call: HandlerCall): Promise<Handled> {
  const name = call.with.as === undefined ? undefined : textArgument(call.with, 'as');
  if (call.with.content !== undefined) return keptText(call, name, call.with.content);
  const patterns = listArgument(call.with, 'files');
  const { workspace } = call.context;
  const captured: string[] = [];
  for (const path of matchingPaths(patterns, call.context)) if (await copied(path, call)) captured.push(path);
  const newest = name === undefined ? undefined : newestFile(captured, workspace);
  if (captured.length === 0) throw nothingMatches(patterns);
  if (name === undefined || newest === undefined) return { output: captured };
  return named(call, name, beginningOf(workspace.open(newest)));
}

function keptText(call: HandlerCall, name: string | undefined, content: Json): Handled {
  if (name === undefined) throw wrong('as', 'a name for the content', call.with.as);
  const text = typeof content === 'string' ? content : `${JSON.stringify(content, null, 2)}\n`;
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(name))
    throw new Breakdown(
      {
        class: 'error',
        message: `an artifact cannot be called ${JSON.stringify(name)}`,
        hint: 'Letters, digits, `.`, `_` and `-`, up to a hundred.',
      },
      UNPERFORMABLE,
    );
  const sink = call.context.run.openArtifact(name);
  try {
    sink.write(Buffer.from(call.context.mask.text(text)));
  } finally {
    sink.end();
  }
  return named(call, name, text);
}

function named({ context }: HandlerCall, name: string, content: string): Handled {
  const text = maskSecretShapes(context.mask.text(content));
  const isMasked = text !== content;
  const kept =
    text.length <= LONGEST_NAMED ? text : `${text.slice(0, LONGEST_NAMED)}\n[… the rest is left out …]`;
  return {
    output: kept,
    sessionFacts: { artifacts: { [name]: kept } },
    ...(isMasked && { masked: true as const }),
    ...(kept !== text && {
      truncated: { bytes: Buffer.byteLength(text), kept: Buffer.byteLength(text.slice(0, LONGEST_NAMED)) },
    }),
  };
}

/** More than is shown: what is masked in it may be longer than the mask. */
function beginningOf(file: OpenFile): string {
  try {
    const piece = new Uint8Array(PIECE);
    const length = file.read(piece, 0);
    return new TextDecoder().decode(piece.subarray(0, length));
  } finally {
    file.close();
  }
}

/** False for a folder. */
async function copied(path: string, { command, context, signal }: HandlerCall): Promise<boolean> {
  const file = context.workspace.open(path);
  try {
    if (file.kind === 'folder') return false;
    const sink = context.run.openArtifact(path);
    const masking = context.mask.stream();
    try {
      for await (const chunk of pieces(file, signal)) sink.write(masking.write(chunk));
      sink.write(masking.end());
    } finally {
      sink.end();
    }
    context.debug?.(command, 'files', `copied ${path} (${file.bytes} bytes)`);
    return true;
  } finally {
    file.close();
  }
}

async function* pieces(file: OpenFile, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  for (let position = 0; ; ) {
    signal.throwIfAborted();
    // A new piece each time: masking may hand the very bytes on.
    const piece = new Uint8Array(PIECE);
    const length = file.read(piece, position);
    if (length === 0) return;
    position += length;
    yield piece.subarray(0, length);
    // Others get their turn, and a signal may come.
    await new Promise((resolve) => setImmediate(resolve));
  }
}
