// injected-text: the files that a step reads, as they stand in its prompt.
// Owns: the two shapes, list and contents, and what is said of that which does not fit. Never: reads a file.
//
// I1. Each file once; in byte order, in a list those that must be there before those that may.
// I2. No more than the cap: of names in a list, of contents where they are put in. What is left out is counted and said.
// I3. A content is put in to the last byte, between its header and one blank line.

import { Buffer } from 'node:buffer';
import type { Outcome } from '../model/entry.ts';

/** More drowns the task. */
export const INJECTED_BYTES = 256 * 1024;
/** Of all headers together, beside the contents. */
const HEADER_BYTES = 256 * 1024;
/** Of those not shown. */
const MOST_NAMED = 20;

type Truncation = NonNullable<Outcome['injection']>;

export interface InjectedText {
  text: string;
  truncation?: Truncation;
}

// ── Names ───────────────────────────────────────────────────────────────────────────────────────

export interface NamedFile {
  path: string;
  optional: boolean;
}

interface Row {
  text: string;
  isFile: boolean;
}

export function injectedList(files: NamedFile[], instruction: string | undefined): InjectedText {
  const rows = listRows(files, instruction);
  const whole = textOf(rows);
  const total = Buffer.byteLength(whole);
  if (total <= INJECTED_BYTES) return { text: whole };

  const shown = fitting(rows);
  const text = textOf(shown);
  const named = shown.filter((row) => row.isFile).length;
  const left = files.length - named;
  return {
    text: `${text}\n[... ${left} more ${counted(left)} truncated (${sizeInWords(total)} total)]`,
    truncation: {
      truncated: true,
      total_size: total,
      shown_size: Buffer.byteLength(text),
      files_shown: named,
      files_truncated: 0,
      files_omitted: left,
    },
  };
}

/** The two titles are there only where there is something to tell apart. */
function listRows(files: NamedFile[], instruction: string | undefined): Row[] {
  const title = (text: string): Row => ({ text, isFile: false });
  const bullet = ({ path }: NamedFile): Row => ({ text: `- ${path}`, isFile: true });
  const required = files.filter((file) => !file.optional).map(bullet);
  const optional = files.filter((file) => file.optional).map(bullet);
  const rows = heading(instruction, 'The following files are required inputs for this task:').map(title);
  if (optional.length === 0) return [...rows, ...required];
  if (required.length > 0) rows.push(title('Required:'), ...required);
  rows.push(title('Optional (if available):'), ...optional);
  return rows;
}

function fitting(rows: Row[]): Row[] {
  let room = INJECTED_BYTES + 1;
  let count = 0;
  for (const { text } of rows) {
    room -= Buffer.byteLength(text) + 1;
    if (room < 0) break;
    count++;
  }
  // No title above nothing.
  while (count > 1 && !rows[count - 1]?.isFile) count--;
  return rows.slice(0, count);
}

function textOf(rows: Row[]): string {
  return rows.map((row) => row.text).join('\n');
}

// ── Contents ────────────────────────────────────────────────────────────────────────────────────

export interface InjectedFile {
  path: string;
  bytes: number;
  /** Of a text, as much as there is room for; a folder and what is not text are only named. */
  content: { kind: 'text'; text: string; shown: number } | { kind: 'folder' } | { kind: 'binary' };
}

/** `read` looks at a file and gives no more than that many bytes of it; nothing is asked for once there is no room. */
export function injectedContents(
  paths: string[],
  instruction: string | undefined,
  read: (path: string, most: number) => InjectedFile,
): InjectedText {
  const sections = heading(instruction, 'The following file contents are provided for context:');
  const omitted: InjectedFile[] = [];
  const tally = { total_size: 0, shown_size: 0, files_shown: 0, files_truncated: 0 };
  let room = INJECTED_BYTES;
  let headers = HEADER_BYTES;
  let isFull = false;
  for (const path of paths) {
    const file = read(path, isFull ? 0 : room);
    const { content } = file;
    if (content.kind === 'text') tally.total_size += file.bytes;
    if (isFull || (content.kind === 'text' && content.shown === 0 && file.bytes > 0)) {
      isFull = true;
      omitted.push(file);
      continue;
    }
    const section = sectionOf(file);
    sections.push(section.header + section.body);
    headers -= Buffer.byteLength(section.header);
    isFull = headers < 0;
    if (content.kind !== 'text') continue;
    room -= content.shown;
    tally.shown_size += content.shown;
    tally.files_shown += 1;
    if (content.shown === file.bytes) continue;
    tally.files_truncated += 1;
    isFull = true;
  }
  if (omitted.length > 0) sections.push(notShown(omitted));
  const text = sections.map((section) => (section.endsWith('\n') ? section : `${section}\n`)).join('\n');
  if (omitted.length === 0 && tally.files_truncated === 0) return { text };
  return { text, truncation: { truncated: true, ...tally, files_omitted: omitted.length } };
}

function sectionOf({ path, bytes, content }: InjectedFile): { header: string; body: string } {
  const header = (size: string) => `=== File: ${path} (${size}) ===`;
  if (content.kind === 'folder') return { header: header('directory'), body: '' };
  if (content.kind === 'binary')
    return { header: header(`${sizeInWords(bytes)}, not text, not shown`), body: '' };
  const { text, shown } = content;
  if (shown === bytes) return { header: header(sizeInWords(bytes)), body: `\n${text}` };
  const cut = `${text.endsWith('\n') ? '' : '\n'}[... truncated: ${sizeInWords(shown)} of ${sizeInWords(bytes)} shown]`;
  return { header: header(`${shown}/${bytes}`), body: `\n${text}${cut}` };
}

function notShown(files: InjectedFile[]): string {
  const size = files.reduce((sum, file) => sum + file.bytes, 0);
  const named = files.slice(0, MOST_NAMED).map((file) => `- ${file.path} (${sizeInWords(file.bytes)})`);
  const left = files.length - named.length;
  return [
    `=== Files not shown (${files.length} ${counted(files.length)}, ${sizeInWords(size)}) ===`,
    ...named,
    ...(left > 0 ? [`[... ${left} more ${counted(left)}]`] : []),
  ].join('\n');
}

function heading(instruction: string | undefined, usual: string): string[] {
  const text = (instruction ?? usual).replace(/\n+$/, '');
  return text === '' ? [] : [text];
}

function counted(files: number): string {
  return files === 1 ? 'file' : 'files';
}

/** `12 bytes`, `45 KiB`. */
function sizeInWords(bytes: number): string {
  if (bytes === 1) return '1 byte';
  return bytes < 1024 ? `${bytes} bytes` : `${Math.round(bytes / 1024)} KiB`;
}
