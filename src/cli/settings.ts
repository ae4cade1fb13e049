// settings: what a person says about how a run is driven: with a flag, in LOCKSTEP_…, or in ORCHESTRATE_…, the first
// that is given. A variable that is set to nothing is not given; one that cannot be meant is wrong input, never ignored.

import { LOG_LEVELS, type LogLevel, type RecordOptions } from '../hosting/records/options.ts';
import type { Overrides } from '../model/entry.ts';
import { Fault } from '../model/fault.ts';
import { GIT_CHECK_NAMES, type GitCheck } from '../model/git-checks.ts';

export interface DriveOptions {
  debug?: boolean;
  progress?: boolean;
  trace?: boolean;
  backupState?: boolean;
  onError?: 'stop' | 'continue' | 'interactive';
  maxRetries?: string;
  retryDelay?: string;
  without?: string[];
  logLevel?: LogLevel;
}

type Environment = Record<string, string>;
type Name = 'DEBUG' | 'STATE_DIR' | 'LOG_LEVEL' | 'KEEP_RUNS' | 'KEEP_GUARD_RUNS' | 'KEEP_SESSIONS';

interface Given {
  variable: string;
  text: string;
}

function given(environment: Environment, name: Name): Given | undefined {
  const isOurs = name === 'KEEP_GUARD_RUNS' || name === 'KEEP_SESSIONS';
  for (const variable of [`LOCKSTEP_${name}`, ...(isOurs ? [] : [`ORCHESTRATE_${name}`])]) {
    const text = environment[variable]?.trim();
    if (text !== undefined && text !== '') return { variable, text };
  }
  return undefined;
}

function invalid(what: string, hint: string): Fault {
  return new Fault('setting-invalid', what, { hint, exitCode: 2 });
}

/** Where runs are kept, where the environment says so. */
export function stateDirectory(environment: Environment): string | undefined {
  return given(environment, 'STATE_DIR')?.text;
}

const DAY = 86_400_000;

/** For how long runs are kept, in milliseconds, where the environment says so; `variable` is which one did. */
export function keepRuns(environment: Environment): { variable: string; age: number } | undefined {
  return daysOf(environment, 'KEEP_RUNS');
}

/** How long runs of live sessions are kept after the last thing that happened in them, in milliseconds; 30 days where nothing is said. */
export function keepGuardRuns(environment: Environment): number {
  return daysOf(environment, 'KEEP_GUARD_RUNS')?.age ?? 30 * DAY;
}

/** How long, and how many: records of live sessions. */
export function keepSessions(environment: Environment): { most: number; age: number } {
  return { most: 1_000, age: daysOf(environment, 'KEEP_SESSIONS')?.age ?? 90 * DAY };
}

function daysOf(environment: Environment, name: Name): { variable: string; age: number } | undefined {
  const setting = given(environment, name);
  if (!setting) return undefined;
  const days = /^\d+(\.\d+)?$/.test(setting.text) ? Number(setting.text) : Number.NaN;
  if (!(days > 0) || days > 1_000_000)
    throw invalid(
      `${setting.variable}=${setting.text} is not a number of days`,
      name === 'KEEP_RUNS' ? 'For example 30. Unset it to keep every run.' : 'For example 30.',
    );
  return { variable: setting.variable, age: days * DAY };
}

const ON = ['1', 'true', 'yes', 'on'];
const OFF = ['0', 'false', 'no', 'off'];

function debugSetting(environment: Environment): boolean {
  const setting = given(environment, 'DEBUG');
  if (!setting) return false;
  const word = setting.text.toLowerCase();
  if (ON.includes(word)) return true;
  if (OFF.includes(word)) return false;
  throw invalid(`${setting.variable}=${setting.text} says neither yes nor no`, 'Set it to 1 or 0.');
}

function levelSetting(environment: Environment): LogLevel | undefined {
  const setting = given(environment, 'LOG_LEVEL');
  if (!setting) return undefined;
  const level = LOG_LEVELS.find((known) => known === setting.text.toLowerCase());
  if (level) return level;
  throw invalid(
    `${setting.variable}=${setting.text} is not a log level`,
    `Say one of ${LOG_LEVELS.join(', ')}.`,
  );
}

/** What is written down beside the journal. Both variables are looked at even where a flag goes before them. */
export function recordOptions(environment: Environment, options: DriveOptions): RecordOptions {
  const debugVariable = debugSetting(environment);
  const levelVariable = levelSetting(environment);
  const debug = options.debug ?? debugVariable;
  const level = options.logLevel ?? (options.debug ? 'debug' : levelVariable);
  return {
    debug,
    backupState: (options.backupState ?? false) || debug,
    logLevel: level ?? (debug ? 'debug' : 'info'),
    trace: options.trace ?? false,
  };
}

/** What goes on record as a person's word about failures; undefined: none was given. */
export function overridesOf(options: DriveOptions): Overrides | undefined {
  const { onError, without } = options;
  const overrides: Overrides = {
    ...(without && { without: without.map(gitCheck) }),
    ...(onError && { on_error: onError === 'interactive' ? 'pause' : onError }),
    ...(options.maxRetries !== undefined && {
      max_retries: wholeNumber('--max-retries', options.maxRetries, 'For example 2; 0 is none.'),
    }),
    ...(options.retryDelay !== undefined && {
      retry_delay_ms: wholeNumber('--retry-delay', options.retryDelay, 'In milliseconds, for example 500.'),
    }),
  };
  return Object.keys(overrides).length === 0 ? undefined : overrides;
}

function gitCheck(name: string): GitCheck {
  const check = GIT_CHECK_NAMES.find((each) => each === name);
  if (check) return check;
  throw invalid(`--without ${name} is no check`, `Say one of ${GIT_CHECK_NAMES.join(', ')}.`);
}

/** A day in milliseconds is the longest delay anybody means; of retries nobody means as many. */
function wholeNumber(flag: string, text: string, hint: string): number {
  if (/^\d{1,8}$/.test(text) && Number(text) <= DAY) return Number(text);
  throw invalid(`${flag} ${text} is not a whole number from 0 to ${DAY}`, hint);
}
