import { describe, expect, it } from 'vitest';
import type { Fault } from '../model/fault.ts';
import { faultOf } from '../ports/store.contract.ts';
import { type DriveOptions, keepRuns, overridesOf, recordOptions, stateDirectory } from './settings.ts';

const DAY = 86_400_000;
type Environment = Record<string, string>;

describe('settings', () => {
  it.each<[DriveOptions, Environment, boolean]>([
    [{}, {}, false],
    [{ debug: true }, {}, true],
    [{ debug: true }, { LOCKSTEP_DEBUG: '0' }, true],
    [{}, { ORCHESTRATE_DEBUG: '1' }, true],
    [{}, { ORCHESTRATE_DEBUG: 'Yes' }, true],
    [{}, { LOCKSTEP_DEBUG: '0', ORCHESTRATE_DEBUG: '1' }, false],
    [{}, { LOCKSTEP_DEBUG: '', ORCHESTRATE_DEBUG: 'true' }, true],
  ])('%j with %j: debug is %s, and state.json is backed up with it', (options, environment, debug) => {
    expect(recordOptions(environment, options)).toMatchObject({ debug, backupState: debug });
  });

  it.each<[DriveOptions, Environment, string]>([
    [{}, {}, 'info'],
    [{ debug: true }, {}, 'debug'],
    [{}, { LOCKSTEP_DEBUG: '1' }, 'debug'],
    [{}, { LOCKSTEP_DEBUG: '1', LOCKSTEP_LOG_LEVEL: 'warn' }, 'warn'],
    [{ debug: true }, { LOCKSTEP_LOG_LEVEL: 'warn' }, 'debug'],
    [{ debug: true, logLevel: 'error' }, { LOCKSTEP_LOG_LEVEL: 'warn' }, 'error'],
    [{}, { LOCKSTEP_LOG_LEVEL: 'ERROR', ORCHESTRATE_LOG_LEVEL: 'warn' }, 'error'],
    [{}, { ORCHESTRATE_LOG_LEVEL: 'warn' }, 'warn'],
  ])('%j with %j: the log is at level %s', (options, environment, logLevel) => {
    expect(recordOptions(environment, options).logLevel).toBe(logLevel);
  });

  it('keeps runs for days, and the state directory is the first that is named', () => {
    expect(keepRuns({})).toBeUndefined();
    expect(keepRuns({ ORCHESTRATE_KEEP_RUNS: '30' })).toEqual({
      variable: 'ORCHESTRATE_KEEP_RUNS',
      age: 30 * DAY,
    });
    expect(keepRuns({ LOCKSTEP_KEEP_RUNS: '0.5', ORCHESTRATE_KEEP_RUNS: '30' })?.age).toBe(DAY / 2);
    expect(stateDirectory({ LOCKSTEP_STATE_DIR: '', ORCHESTRATE_STATE_DIR: '/o' })).toBe('/o');
    expect(stateDirectory({ LOCKSTEP_STATE_DIR: '/l', ORCHESTRATE_STATE_DIR: '/o' })).toBe('/l');
  });

  it('what is said of failures goes on record as given, and nothing else does', () => {
    expect(overridesOf({})).toBeUndefined();
    expect(overridesOf({ onError: 'interactive' })).toEqual({ on_error: 'pause' });
    expect(overridesOf({ onError: 'continue', maxRetries: '0', retryDelay: '250' })).toEqual({
      on_error: 'continue',
      max_retries: 0,
      retry_delay_ms: 250,
    });
  });

  it.each<[string, () => unknown]>([
    ['LOCKSTEP_DEBUG=maybe', () => recordOptions({ LOCKSTEP_DEBUG: 'maybe' }, { debug: true })],
    ['ORCHESTRATE_LOG_LEVEL=loud', () => recordOptions({ ORCHESTRATE_LOG_LEVEL: 'loud' }, {})],
    ['LOCKSTEP_KEEP_RUNS=0', () => keepRuns({ LOCKSTEP_KEEP_RUNS: '0' })],
    ['ORCHESTRATE_KEEP_RUNS=30d', () => keepRuns({ ORCHESTRATE_KEEP_RUNS: '30d' })],
    ['LOCKSTEP_KEEP_RUNS=-1', () => keepRuns({ LOCKSTEP_KEEP_RUNS: '-1' })],
    ['--max-retries two', () => overridesOf({ maxRetries: 'two' })],
    ['--max-retries 1.5', () => overridesOf({ maxRetries: '1.5' })],
    ['--retry-delay -1', () => overridesOf({ retryDelay: '-1' })],
    ['--retry-delay 99999999', () => overridesOf({ retryDelay: '99999999' })],
  ])('%s is wrong input, and named', (what, read) => {
    const fault: Fault = faultOf(read);
    expect(fault).toMatchObject({ code: 'setting-invalid', exitCode: 2 });
    expect(fault.message).toContain(what);
  });
});
