import type { Requirement } from '../ledger.ts';

export const orchestrateMore: Requirement[] = [
  // ── Version 1.2: what becomes of an item ──
  {
    id: 'ORC12-1',
    requirement: 'An item whose steps went well is moved as `success.move_to` says.',
    proof: 'test/orchestrate/lifecycle.test.ts › an item that went well › ORC12-1,*',
  },
  {
    id: 'ORC12-2',
    requirement: 'An item that failed after its retries, or timed out, is moved as `failure.move_to` says.',
    proof: 'test/orchestrate/lifecycle.test.ts › an item that failed › ORC12-2:*',
  },
  {
    id: 'ORC12-3',
    requirement: 'A failure that a handler made good is a success.',
    proof: 'test/orchestrate/lifecycle.test.ts › an item that went well › ORC12-3:*',
  },
  {
    id: 'ORC12-4',
    requirement: 'A goto out of the loop, or to `_end`, is a failure of the item.',
    proof: 'test/orchestrate/lifecycle.test.ts › an item that failed › ORC12-4:*',
  },
  {
    id: 'ORC12-5',
    requirement: 'A `move_to` outside the workspace is refused at load.',
    proof: 'test/orchestrate/lifecycle.test.ts › where it may go › ORC12-5:*',
  },
  {
    id: 'ORC12-6',
    requirement: 'Variables in `move_to` are filled in.',
    proof: 'test/orchestrate/lifecycle.test.ts › an item that went well › ORC12-6:*',
  },
  {
    id: 'ORC12-7',
    requirement: 'Nothing is moved twice when a run is resumed.',
    proof: 'test/orchestrate/lifecycle.test.ts › what may come between › ORC12-7:*',
  },
  {
    id: 'ORC12-8',
    requirement: 'A source that is gone is an error on record and leaves the result as it is.',
    proof: 'test/orchestrate/lifecycle.test.ts › what may come between › ORC12-8:*',
  },
  {
    id: 'ORC12-9',
    requirement: 'state.json has a `lifecycle` for every iteration.',
    proof: 'test/orchestrate/lifecycle.test.ts › an item that went well › *ORC12-9:*',
  },
  // ── Version 1.3: what JSON output must look like ──
  {
    id: 'ORC13-1',
    requirement: 'Output that fits `output_schema` is taken.',
    proof: 'test/orchestrate/validation.test.ts › output_schema › ORC13-1,*',
  },
  {
    id: 'ORC13-2',
    requirement: 'Output that does not is exit code 2, with `json_schema_errors`.',
    proof: 'test/orchestrate/validation.test.ts › output_schema › *ORC13-2,*',
  },
  {
    id: 'ORC13-3',
    requirement: 'Output that is no JSON is exit code 2, and the message says so.',
    proof: 'test/orchestrate/validation.test.ts › output_schema › *ORC13-3,*',
  },
  {
    id: 'ORC13-4',
    requirement: '`allow_parse_error` beside them is refused at load.',
    proof: 'test/orchestrate/validation.test.ts › what is refused when the workflow is loaded › ORC13-4:*',
  },
  {
    id: 'ORC13-5',
    requirement: '`output_require` demands that a pointer is there.',
    proof: 'test/orchestrate/validation.test.ts › output_require › ORC13-5,*',
  },
  {
    id: 'ORC13-6',
    requirement: '`equals` is strict.',
    proof: 'test/orchestrate/validation.test.ts › output_require › *ORC13-6,*',
  },
  {
    id: 'ORC13-7',
    requirement: '`type` is the JSON type.',
    proof: 'test/orchestrate/validation.test.ts › output_require › *ORC13-7:*',
  },
  {
    id: 'ORC13-8',
    requirement: 'All must hold; the first failure is in `json_require_failed`.',
    proof: 'test/orchestrate/validation.test.ts › output_require › ORC13-8:*',
  },
  {
    id: 'ORC13-9',
    requirement: 'The path of a schema has variables filled in and stays in the workspace.',
    proof: 'test/orchestrate/validation.test.ts › output_schema › ORC13-9:*',
  },
  {
    id: 'ORC13-10',
    requirement: 'Output beyond 1 MiB fails before it is validated.',
    proof: 'test/orchestrate/validation.test.ts › output_schema › *ORC13-10:*',
  },
  // ── Commands and flags ──
  {
    id: 'ORC-CLI-RUN',
    requirement: '`run FILE` runs a workflow from the beginning.',
    proof: 'test/orchestrate/command-line.test.ts › what a run is given › ORC-CLI-RUN,*',
  },
  {
    id: 'ORC-CLI-CONTEXT',
    requirement: '`--context key=value`',
    proof: [
      'test/orchestrate/command-line.test.ts › what a run is given › *ORC-CLI-CONTEXT,*',
      'test/orchestrate/command-line.test.ts › what a run is given › ORC-CLI-CONTEXT:*',
    ],
  },
  {
    id: 'ORC-CLI-CONTEXT-FILE',
    requirement: '`--context-file FILE`',
    proof: 'test/orchestrate/command-line.test.ts › what a run is given › *ORC-CLI-CONTEXT-FILE:*',
  },
  {
    id: 'ORC-CLI-CLEAN-PROCESSED',
    requirement: '`--clean-processed`, only inside the workspace.',
    proof: 'test/orchestrate/command-line.test.ts › processed/ › ORC-CLI-CLEAN-PROCESSED:*',
  },
  {
    id: 'ORC-CLI-ARCHIVE-PROCESSED',
    requirement: '`--archive-processed [FILE]`: a real zip, on success, never into the folder itself.',
    proof: 'test/orchestrate/command-line.test.ts › processed/ › ORC-CLI-ARCHIVE-PROCESSED:*',
  },
  {
    id: 'ORC-CLI-RESUME',
    requirement: '`resume RUN`',
    proof: 'test/orchestrate/command-line-state.test.ts › taken up again › ORC-CLI-RESUME:*',
  },
  {
    id: 'ORC-CLI-RUN-STEP',
    requirement: '`run-step NAME --workflow FILE`',
    proof: 'test/orchestrate/command-line-again.test.ts › run-step › ORC-CLI-RUN-STEP:*',
  },
  {
    id: 'ORC-CLI-WATCH',
    requirement: '`watch FILE`: runs again on a change, debounced, ends with SIGINT.',
    proof: 'test/orchestrate/command-line-again.test.ts › watch › ORC-CLI-WATCH:*',
  },
  {
    id: 'ORC-CLI-CLEAN',
    requirement: '`clean --older-than`',
    proof: 'test/orchestrate/command-line-state.test.ts › where runs are, and for how long › ORC-CLI-CLEAN,*',
  },
  {
    id: 'ORC-CLI-CONVERT',
    requirement: '`convert FILE` prints native text that does the same, for every example.',
    proof: [
      'test/orchestrate/convert.test.ts › ORC-CLI-CONVERT:*',
      'test/orchestrate/examples.test.ts › *once converted',
    ],
  },
  {
    id: 'ORC-CLI-DIALECT',
    requirement: '`--dialect` decides where the shape does not.',
    proof: 'test/orchestrate/command-line.test.ts › what a run is given › ORC-CLI-DIALECT:*',
  },
  {
    id: 'ORC-CLI-DEBUG',
    requirement:
      '`--debug` records substitutions, dependencies, commands, the environment and file operations.',
    proof: 'test/orchestrate/command-line-state.test.ts › records › ORC-CLI-DEBUG,*',
  },
  {
    id: 'ORC-CLI-PROGRESS',
    requirement: '`--progress` shows the step and the item.',
    proof: 'test/orchestrate/command-line.test.ts › what is printed › ORC-CLI-PROGRESS:*',
  },
  {
    id: 'ORC-CLI-TRACE',
    requirement: '`--trace`: a trace id in every line of the log and TRACEPARENT for children.',
    proof: 'test/orchestrate/command-line-state.test.ts › records › ORC-CLI-TRACE:*',
  },
  {
    id: 'ORC-CLI-DRY-RUN',
    requirement: '`--dry-run` checks and runs nothing.',
    proof: 'test/orchestrate/command-line.test.ts › what a run is given › ORC-CLI-DRY-RUN:*',
  },
  {
    id: 'ORC-CLI-RESUME-FORCE-RESTART',
    requirement: '`--force-restart` begins anew.',
    proof: 'test/orchestrate/command-line-state.test.ts › taken up again › *ORC-CLI-RESUME-FORCE-RESTART:*',
  },
  {
    id: 'ORC-CLI-RESUME-REPAIR',
    requirement: '`--repair` makes state.json again.',
    proof: 'test/orchestrate/command-line-state.test.ts › taken up again › ORC-CLI-RESUME-REPAIR*',
  },
  {
    id: 'ORC-CLI-BACKUP-STATE',
    requirement: '`--backup-state`: the newest three, before each step.',
    proof: 'test/orchestrate/command-line-state.test.ts › taken up again › ORC-CLI-BACKUP-STATE:*',
  },
  {
    id: 'ORC-CLI-STATE-DIR',
    requirement: '`--state-dir DIR`',
    proof:
      'test/orchestrate/command-line-state.test.ts › where runs are, and for how long › ORC-CLI-STATE-DIR,*',
  },
  {
    id: 'ORC-CLI-ON-ERROR',
    requirement: '`--on-error stop|continue|interactive`',
    proof: 'test/orchestrate/command-line.test.ts › what is done about errors › ORC-CLI-ON-ERROR:*',
  },
  {
    id: 'ORC-CLI-MAX-RETRIES',
    requirement: '`--max-retries N`',
    proof: 'test/orchestrate/command-line.test.ts › what is done about errors › ORC-CLI-MAX-RETRIES:*',
  },
  {
    id: 'ORC-CLI-RETRY-DELAY',
    requirement: '`--retry-delay MS`',
    proof: 'test/orchestrate/command-line.test.ts › what is done about errors › ORC-CLI-RETRY-DELAY:*',
  },
  {
    id: 'ORC-CLI-QUIET',
    requirement: '`--quiet`',
    proof: 'test/orchestrate/command-line.test.ts › what is printed › ORC-CLI-QUIET,*',
  },
  {
    id: 'ORC-CLI-VERBOSE',
    requirement: '`--verbose`',
    proof: 'test/orchestrate/command-line.test.ts › what is printed › *ORC-CLI-VERBOSE:*',
  },
  {
    id: 'ORC-CLI-JSON',
    requirement: '`--json`',
    proof: 'test/orchestrate/command-line.test.ts › what is printed › ORC-CLI-JSON:*',
  },
  {
    id: 'ORC-CLI-LOG-LEVEL',
    requirement: '`--log-level debug|info|warn|error`',
    proof: 'test/orchestrate/command-line-state.test.ts › records › ORC-CLI-LOG-LEVEL:*',
  },
  // ── Environment variables ──
  {
    id: 'ORC-CLI-ENV-DEBUG',
    requirement: '`ORCHESTRATE_DEBUG` and `LOCKSTEP_DEBUG`',
    proof:
      'test/orchestrate/command-line-state.test.ts › where runs are, and for how long › ORC-CLI-ENV-DEBUG:*',
  },
  {
    id: 'ORC-CLI-ENV-STATE-DIR',
    requirement: '`ORCHESTRATE_STATE_DIR` and `LOCKSTEP_STATE_DIR`',
    proof:
      'test/orchestrate/command-line-state.test.ts › where runs are, and for how long › *ORC-CLI-ENV-STATE-DIR:*',
  },
  {
    id: 'ORC-CLI-ENV-LOG-LEVEL',
    requirement: '`ORCHESTRATE_LOG_LEVEL` and `LOCKSTEP_LOG_LEVEL`',
    proof:
      'test/orchestrate/command-line-state.test.ts › where runs are, and for how long › ORC-CLI-ENV-LOG-LEVEL:*',
  },
  {
    id: 'ORC-CLI-ENV-KEEP-RUNS',
    requirement: '`ORCHESTRATE_KEEP_RUNS` and `LOCKSTEP_KEEP_RUNS`',
    proof:
      'test/orchestrate/command-line-state.test.ts › where runs are, and for how long › *ORC-CLI-ENV-KEEP-RUNS:*',
  },
  // ── State and logs ──
  {
    id: 'ORC-CLI-STATE-SCHEMA',
    requirement: 'state.json has `schema_version` 1.1.1 and its fields, current before each step.',
    proof: 'test/orchestrate/command-line-state.test.ts › state.json › ORC-CLI-STATE-SCHEMA:*',
  },
  {
    id: 'ORC-CLI-STATE-CHECKSUM',
    requirement: 'A changed workflow is noticed by its checksum.',
    proof: 'test/orchestrate/command-line-state.test.ts › taken up again › ORC-CLI-STATE-CHECKSUM,*',
  },
  {
    id: 'ORC-CLI-STATE-ATOMIC',
    requirement: 'state.json is replaced as a whole.',
    proof: 'test/orchestrate/command-line-state.test.ts › state.json › ORC-CLI-STATE-ATOMIC:*',
  },
  {
    id: 'ORC-CLI-METRICS',
    requirement: 'Times of steps, queues, providers and files are in state.json.',
    proof: 'test/orchestrate/command-line-state.test.ts › state.json › ORC-CLI-METRICS:*',
  },
  {
    id: 'ORC-CLI-LATEST',
    requirement: '`runs/latest` is the newest run.',
    proof: 'test/orchestrate/command-line-state.test.ts › state.json › ORC-CLI-LATEST:*',
  },
  {
    id: 'ORC-CLI-PROMPT-AUDIT',
    requirement: 'With --debug every composed prompt is kept.',
    proof: 'test/orchestrate/command-line-state.test.ts › records › *ORC-CLI-PROMPT-AUDIT,*',
  },
  {
    id: 'ORC-CLI-MASKED',
    requirement: 'Secrets are in none of it.',
    proof: 'test/orchestrate/command-line-state.test.ts › records › *ORC-CLI-MASKED:*',
  },
  {
    id: 'ORC-CLI-LOGS',
    requirement: 'Logs of a run: the main one always, stderr where there was any, stdout where it was cut.',
    proof: 'test/orchestrate/command-line-state.test.ts › records › ORC-CLI-LOGS:*',
  },
  // ── Examples ──
  {
    id: 'ORC-EX-INBOX',
    requirement: 'Multi-agent inbox processing.',
    proof: 'test/orchestrate/examples.test.ts › as printed › ORC-EX-INBOX:*',
  },
  {
    id: 'ORC-EX-INBOX-DEPENDENCY',
    requirement: 'The same, with a dependency that is missing.',
    proof: 'test/orchestrate/examples.test.ts › as printed › ORC-EX-INBOX-DEPENDENCY:*',
  },
  {
    id: 'ORC-EX-LIFECYCLE',
    requirement: 'Item lifecycle: refused as printed (a shell substitution in a glob), runs once mended.',
    proof: 'test/orchestrate/examples.test.ts › not as printed › ORC-EX-LIFECYCLE:*',
  },
  {
    id: 'ORC-EX-DEPENDENCIES',
    requirement: 'File dependencies: refused as printed (providers that nobody defines), runs once mended.',
    proof: 'test/orchestrate/examples.test.ts › not as printed › ORC-EX-DEPENDENCIES:*',
  },
  {
    id: 'ORC-EX-INJECTION',
    requirement: 'Injection modes: refused as printed (a provider that nobody defines), runs once mended.',
    proof: 'test/orchestrate/examples.test.ts › not as printed › ORC-EX-INJECTION:*',
  },
  {
    id: 'ORC-EX-DEBUGGING',
    requirement: 'Debugging failed runs.',
    proof: 'test/orchestrate/examples.test.ts › as printed › ORC-EX-DEBUGGING:*',
  },
  {
    id: 'ORC-EX-TRACE-CONTEXT',
    requirement: 'Trace context: calls the internet, so the step fails and says how.',
    proof: 'test/orchestrate/examples.test.ts › as printed › ORC-EX-TRACE-CONTEXT:*',
  },
  {
    id: 'ORC-EX-COORDINATION',
    requirement: 'Multi-agent coordination.',
    proof: 'test/orchestrate/examples.test.ts › as printed › ORC-EX-COORDINATION:*',
  },
  {
    id: 'ORC-EX-TEMPLATES',
    requirement: 'Provider templates and their use.',
    proof: 'test/orchestrate/examples.test.ts › as printed › ORC-EX-TEMPLATES:*',
  },
  {
    id: 'ORC-EX-DIRECTORIES',
    requirement: 'Directory configuration.',
    proof: 'test/orchestrate/examples.test.ts › as printed › ORC-EX-DIRECTORIES:*',
  },
  {
    id: 'ORC-EX-DYNAMIC-CONTENT',
    requirement: 'Dynamic content by a step before.',
    proof: 'test/orchestrate/examples.test.ts › as printed › ORC-EX-DYNAMIC-CONTENT:*',
  },
  {
    id: 'ORC-EX-ENVIRONMENT',
    requirement: 'Environment and secrets of a step.',
    proof: 'test/orchestrate/examples.test.ts › as printed › ORC-EX-ENVIRONMENT:*',
  },
  {
    id: 'ORC-EX-FIELDS',
    requirement: 'Every form of the list of fields.',
    proof: 'test/orchestrate/examples.test.ts › as printed › ORC-EX-FIELDS:*',
  },
  {
    id: 'ORC-EX-INPUT-OUTPUT',
    requirement: 'Input and output of a provider.',
    proof: 'test/orchestrate/examples.test.ts › as printed › ORC-EX-INPUT-OUTPUT:*',
  },
  {
    id: 'ORC-EX-FILE-OPERATIONS',
    requirement: 'A provider that writes files and prints.',
    proof: 'test/orchestrate/examples.test.ts › as printed › ORC-EX-FILE-OPERATIONS:*',
  },
  {
    id: 'ORC-EX-DECLARED',
    requirement: 'Declared dependencies.',
    proof: 'test/orchestrate/examples.test.ts › as printed › ORC-EX-DECLARED:*',
  },
  {
    id: 'ORC-EX-BASIC-INJECTION',
    requirement: 'Injection in short form.',
    proof: 'test/orchestrate/examples.test.ts › as printed › ORC-EX-BASIC-INJECTION:*',
  },
  {
    id: 'ORC-EX-ADVANCED-INJECTION',
    requirement: 'Injection with an instruction and optional files.',
    proof: 'test/orchestrate/examples.test.ts › as printed › ORC-EX-ADVANCED-INJECTION:*',
  },
  {
    id: 'ORC-EX-MIGRATION-BEFORE',
    requirement: 'Without injection, version 1.1.',
    proof: 'test/orchestrate/examples.test.ts › as printed › ORC-EX-MIGRATION-BEFORE:*',
  },
  {
    id: 'ORC-EX-MIGRATION-AFTER',
    requirement: 'With injection, version 1.1.1.',
    proof: 'test/orchestrate/examples.test.ts › as printed › ORC-EX-MIGRATION-AFTER:*',
  },
  {
    id: 'ORC-EX-QA-STDOUT',
    requirement: 'The QA verdict on standard output, with prompt and schema.',
    proof: [
      'test/examples.test.ts › LS-PROJECT-EXAMPLES: examples/orchestrate',
      'test/orchestrate/convert.test.ts › ORC-CLI-CONVERT: examples/orchestrate, qa_gating_stdout *',
    ],
  },
  {
    id: 'ORC-EX-QA-VERDICT-FILE',
    requirement: 'The QA verdict in a file.',
    proof: [
      'test/examples.test.ts › LS-PROJECT-EXAMPLES: examples/orchestrate',
      'test/orchestrate/convert.test.ts › ORC-CLI-CONVERT: examples/orchestrate, qa_gating_verdict_file *',
    ],
  },
  {
    id: 'ORC-EX-STATUS',
    requirement: 'The status of an agent, with its schema.',
    proof: [
      'test/examples.test.ts › LS-PROJECT-EXAMPLES: examples/orchestrate',
      'test/orchestrate/convert.test.ts › ORC-CLI-CONVERT: examples/orchestrate, status *',
    ],
  },
  // ── What its own users' files have beside that ──
  {
    id: 'ORC-ALWAYS',
    requirement: '`on.always` is looked at after success and failure, and decides where to go.',
    proof: 'test/orchestrate/originals.test.ts \u203a on.always \u203a ORC-ALWAYS:*',
  },
  {
    id: 'ORC-DEPENDS-AROUND',
    requirement: '`depends_on` of a loop or a wait is checked before it begins.',
    proof: 'test/orchestrate/originals.test.ts \u203a a loop or a wait \u203a ORC-DEPENDS-AROUND:*',
  },
  {
    id: 'ORC-AROUND-FIELDS',
    requirement:
      '`timeout_sec` and `output_capture` of a loop or a wait are told, and apply to providers and commands only.',
    proof: 'test/orchestrate/originals.test.ts \u203a a loop or a wait \u203a ORC-AROUND-FIELDS:*',
  },
  {
    id: 'ORC-HINTS',
    requirement:
      'A command as text, retries as a number, secrets at the top, expected outputs and other habits get the line that should have been written.',
    proof: 'test/orchestrate/originals.test.ts \u203a what people wrote \u203a ORC-HINTS:*',
  },
  {
    id: 'ORC-YAML-1-1',
    requirement: 'Plain words of YAML 1.1 and numbers with a leading zero are told.',
    proof: 'test/orchestrate/originals.test.ts \u203a YAML 1.1 \u203a ORC-YAML-1-1:*',
  },
  {
    id: 'ORC-WHOLE-DECIMAL',
    requirement: '`2.0` stays `2.0` as text.',
    proof: 'test/orchestrate/originals.test.ts \u203a YAML 1.1 \u203a ORC-WHOLE-DECIMAL:*',
  },
  {
    id: 'ORC-PROMPT-BYTES',
    requirement: '`logs/<Step>.prompt.txt` is the prompt to the byte.',
    proof: 'test/orchestrate/originals.test.ts \u203a what is left of a run \u203a ORC-PROMPT-BYTES:*',
  },
  {
    id: 'ORC-WORDS',
    requirement:
      'Messages and the error context have the words of the file, and the command as far as it is known.',
    proof: 'test/orchestrate/originals.test.ts \u203a what is left of a run \u203a ORC-WORDS:*',
  },
  {
    id: 'ORC-BACKUP-ITEM',
    requirement: '`--backup-state` makes a backup per item.',
    proof: 'test/orchestrate/originals.test.ts \u203a what is left of a run \u203a ORC-BACKUP-ITEM:*',
  },
];
