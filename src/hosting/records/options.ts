// record-options: what a run writes down beside its journal and views, as the command line says. Of one drive, not of
// the run: a resume says it again.

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';
export const LOG_LEVELS: readonly LogLevel[] = ['debug', 'info', 'warn', 'error'];

export interface RecordOptions {
  /** `--debug`: what each step was given, beside its logs. */
  debug: boolean;
  /** `--backup-state`, or `--debug`: state.json before each step, the newest three. */
  backupState: boolean;
  /** What logs/orchestrator.log leaves out. */
  logLevel: LogLevel;
  /** `--trace`: a trace id in every log line, and TRACEPARENT for children. */
  trace: boolean;
}

export const USUAL_RECORDS: RecordOptions = {
  debug: false,
  backupState: false,
  logLevel: 'info',
  trace: false,
};
