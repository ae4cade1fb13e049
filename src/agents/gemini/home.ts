// home: a home of its own for one dispatch, made of links to what the user's has, so that settings can be added and
// nothing of the user's is written to. What Gemini keeps for later (sessions, credentials) goes through the links.

import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '../../model/json.ts';
import type { PrivateFolder } from '../private-folder.ts';
import { parseSettings } from './settings.ts';

const FOLDER = '.gemini';
const SETTINGS = 'settings.json';
/** Replaced whole when it is written, which would take the place of a link. It is rebuilt from `tmp`. */
const REGISTRY = 'projects.json';
/** Where sessions are: they outlive the dispatch. */
const LASTING = ['tmp', 'history'];

export interface HomeContent {
  settings: JsonObject;
  /** Its session goes with the dispatch. */
  passing?: boolean;
  /** Goes before what the user's file of that name says. */
  memory?: { name: string; text: string };
}

export interface OwnSettings {
  /** Where the user's `.gemini` is. */
  home: string;
  user: JsonObject;
  project: JsonObject;
}

/** What the user and the project have said to Gemini. */
export function readOwnSettings(home: string, cwd: string): OwnSettings {
  const user = read(join(home, FOLDER, SETTINGS));
  const project = home === cwd ? {} : read(join(cwd, FOLDER, SETTINGS));
  return { home, user, project };
}

function read(file: string): JsonObject {
  if (!existsSync(file)) return {};
  try {
    return parseSettings(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new Error(`its settings cannot be read (${file}): ${(error as Error).message}`);
  }
}

/** The path to give as GEMINI_CLI_HOME. */
export function layOver(
  folder: PrivateFolder,
  home: string,
  { settings, memory, passing = false }: HomeContent,
): string {
  const path = join(folder.path, 'home');
  const mine = join(path, FOLDER);
  const theirs = join(home, FOLDER);
  mkdirSync(mine, { recursive: true, mode: 0o700 });
  for (const name of LASTING) mkdirSync(join(passing ? mine : theirs, name), { recursive: true });
  for (const name of readdirSync(theirs)) {
    if (passing && LASTING.includes(name)) continue;
    if (name === SETTINGS || name === REGISTRY || name === memory?.name || name.startsWith(`${REGISTRY}.`))
      continue;
    symlinkSync(join(theirs, name), join(mine, name));
  }
  if (existsSync(join(theirs, REGISTRY))) cpSync(join(theirs, REGISTRY), join(mine, REGISTRY));
  for (const name of ['.env', '.agents'])
    if (existsSync(join(home, name))) symlinkSync(join(home, name), join(path, name));
  if (memory !== undefined) {
    const own = join(theirs, memory.name);
    const said = existsSync(own) ? `\n${readFileSync(own, 'utf8')}` : '';
    writeFileSync(join(mine, memory.name), `${memory.text}\n${said}`, { mode: 0o600 });
  }
  writeFileSync(join(mine, SETTINGS), JSON.stringify(settings), { mode: 0o600 });
  return path;
}
