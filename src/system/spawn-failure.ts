// spawn-failure: why a command could not be started, in words. The kernel says ENOENT for a missing command, a
// missing folder and a missing interpreter alike; here they are told apart.

import { accessSync, closeSync, constants, openSync, readSync, statSync } from 'node:fs';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import type { SpawnRequest } from '../ports/processes.ts';

export interface SpawnFailure {
  code: string;
  message: string;
}

export function spawnFailure(error: unknown, request: SpawnRequest): SpawnFailure {
  const { code = 'UNKNOWN', message } = error as NodeJS.ErrnoException;
  const command = request.argv[0] ?? '';
  if (command === '') return { code: 'EINVAL', message: 'the command is empty: there is nothing to run' };
  if (code === 'ERR_INVALID_ARG_VALUE' || code === 'ERR_INVALID_ARG_TYPE')
    return { code: 'EINVAL', message: nulByte(request) ?? `${command} could not be started: ${message}` };
  const folder = folderProblem(request.cwd);
  if (folder) return { code, message: `${command} could not be started: ${folder}` };
  // ENOTDIR: a part of PATH, or of the command's path, is a file. Not found all the same.
  return { code: code === 'ENOTDIR' ? 'ENOENT' : code, message: explain(code, command, request) };
}

function explain(code: string, command: string, request: SpawnRequest): string {
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return notFound(command, request);
    case 'EACCES':
      return `${command} is not executable: make it so with "chmod +x", or run it through its interpreter`;
    case 'ENOEXEC':
      return `${command} is not a program this machine can run`;
    case 'ETXTBSY':
      return `${command} is being written to by another process`;
    case 'E2BIG':
      return `${command} could not be started: its arguments and environment are larger than the system allows (${size(request)} bytes). Give large texts through the standard input or a file`;
    case 'EAGAIN':
      return `${command} could not be started: there are too many processes on this machine. Lower the concurrency`;
    case 'EMFILE':
    case 'ENFILE':
      return `${command} could not be started: too many files are open. Lower the concurrency, or raise "ulimit -n"`;
    case 'ENOMEM':
      return `${command} could not be started: there is not enough memory`;
    default:
      return `${command} could not be started (${code})`;
  }
}

function notFound(command: string, request: SpawnRequest): string {
  if (!command.includes('/')) {
    const path = request.env.PATH;
    const looked = path === undefined ? 'the environment has no PATH' : `not in PATH (${path})`;
    const here = isFile(join(request.cwd, command))
      ? ` There is one in the working directory: write ./${command}`
      : '';
    const found = (path ?? '')
      .split(delimiter)
      .find((folder) => isFile(resolve(request.cwd, folder, command)));
    if (found === undefined) return `command "${command}" was not found: ${looked}.${here}`;
    return missingInterpreter(resolve(request.cwd, found, command));
  }
  const file = isAbsolute(command) ? command : resolve(request.cwd, command);
  return isFile(file) ? missingInterpreter(file) : `command "${command}" was not found: there is no ${file}`;
}

function missingInterpreter(file: string): string {
  const interpreter = firstLine(file).match(/^#!\s*(\S+)/)?.[1];
  return interpreter === undefined
    ? `${file} exists, but what it needs to run does not: it was built for another system`
    : `${file} exists, but the interpreter in its first line does not: ${interpreter}`;
}

function firstLine(file: string): string {
  try {
    const descriptor = openSync(file, 'r');
    try {
      const head = Buffer.alloc(256);
      return head.toString('utf8', 0, readSync(descriptor, head)).split(/\r?\n/, 1)[0] ?? '';
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return '';
  }
}

function folderProblem(folder: string): string | undefined {
  try {
    if (!statSync(folder).isDirectory()) return `the working directory ${folder} is not a directory`;
    accessSync(folder, constants.X_OK);
    return undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' || code === 'ENOTDIR'
      ? `the working directory ${folder} does not exist`
      : `the working directory ${folder} cannot be entered (${code})`;
  }
}

function nulByte(request: SpawnRequest): string | undefined {
  const nul = (text: string) => text.includes('\0');
  const argument = request.argv.findIndex(nul);
  if (argument >= 0)
    return `argument ${argument} of ${request.argv[0]} contains a NUL byte, which no command can receive`;
  const name = Object.entries(request.env).find((pair) => pair.some(nul))?.[0];
  return name === undefined
    ? undefined
    : `environment variable ${name} contains a NUL byte, which no command can receive`;
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function size(request: SpawnRequest): number {
  let bytes = 0;
  for (const argument of request.argv) bytes += Buffer.byteLength(argument) + 1;
  for (const [name, value] of Object.entries(request.env))
    bytes += Buffer.byteLength(name) + Buffer.byteLength(value) + 2;
  return bytes;
}
