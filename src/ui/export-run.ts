// export-run: a run as one HTML file that needs no server: the page, the journal as it lies there, and the logs. The file verifies the
// chain of hashes by itself, in the browser of whoever opens it.
// X1. Nothing is loaded: its policy allows the one script and the one style that are in it, by their hashes, and no connection.
// X2. What is in it was masked when it was written (S3). No text of it can end the element that holds it.
// X3. Logs are cut where they are large, from their beginning, and say so. The journal never is.

import { createHash } from 'node:crypto';
import type { StoredRun } from '../ports/store.ts';
import { factsOf } from './run-facts.ts';
import type { ExportedRun, ProjectFacts } from './wire.ts';

const MOST_OF_A_LOG = 1 << 18;
const MOST_OF_ALL_LOGS = 1 << 24;
const decoder = new TextDecoder();

export interface ExportParts {
  hash(text: string): string;
  project: ProjectFacts;
  files: ReadonlyMap<string, Uint8Array>;
  now: number;
}

export function exportRun(run: StoredRun, { hash, project, files, now }: ExportParts): string {
  const exported: ExportedRun = {
    facts: { ...factsOf(run, hash), held: false },
    project,
    exportedAt: now,
    lines: linesOf(run),
    logs: logsOf(run),
  };
  const script = textOf(files, 'exported.js');
  const style = textOf(files, 'page.css');
  const policy = [
    "default-src 'none'",
    `script-src '${digest(script)}'`,
    `style-src '${digest(style)}'`,
    ...["base-uri 'none'", "form-action 'none'"],
    ...["require-trusted-types-for 'script'", "trusted-types 'none'"],
  ].join('; ');
  // In JSON `<` stands in strings only, and means the same as its escape.
  const data = JSON.stringify(exported).replaceAll('<', '\\u003c');
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<title>Lockstep</title>',
    `<style>${style}</style>`,
    '</head>',
    '<body>',
    '<div id="page"></div>',
    '<noscript>A run of Lockstep. To look at it, this file needs JavaScript.</noscript>',
    `<script type="application/json" id="run">${data}</script>`,
    `<script>${script}</script>`,
    '</body>',
    '</html>',
    '',
  ].join('\n');
}

function textOf(files: ReadonlyMap<string, Uint8Array>, name: string): string {
  return decoder
    .decode(files.get(name))
    .replaceAll('</script', '<\\/script')
    .replaceAll('</style', '<\\/style');
}

function digest(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

function linesOf(run: StoredRun): string[] {
  const pieces: Buffer[] = [];
  let offset = 0;
  for (;;) {
    const piece = run.journalText(offset);
    if (piece === undefined || piece.length === 0) break;
    pieces.push(Buffer.from(piece));
    offset += piece.length;
  }
  // A torn last line is none.
  return Buffer.concat(pieces).toString('utf8').split('\n').slice(0, -1);
}

function logsOf(run: StoredRun): Record<string, string> {
  const logs: Record<string, string> = {};
  let left = MOST_OF_ALL_LOGS;
  for (const name of run.logs()) {
    const most = Math.min(MOST_OF_A_LOG, left);
    const end = run.readLog(name, -(most + 1)) ?? new Uint8Array();
    const isCut = end.length > most;
    const kept = isCut ? end.subarray(end.length - most) : end;
    logs[name] =
      `${isCut ? '(the beginning was left out when this file was made)\n' : ''}${decoder.decode(kept)}`;
    left -= kept.length;
  }
  return logs;
}
