import type { Requirement } from '../ledger.ts';

const proof = (theme: string, name: string) => `test/orchestrate/acceptance-${theme}.test.ts › ${name}`;

export const orchestrate: Requirement[] = [
  // ── The acceptance tests of the orchestrate specification ──
  {
    id: 'ORC-1',
    requirement: '`output_capture: lines` keeps the lines as an array.',
    proof: proof('capture', 'what is kept of an output › ORC-1:*'),
  },
  {
    id: 'ORC-2',
    requirement: '`output_capture: json` keeps the parsed value, for later steps too.',
    proof: proof('capture', 'what is kept of an output › ORC-2:*'),
  },
  {
    id: 'ORC-3',
    requirement: '`items_from: steps.X.lines` goes over the lines of a step.',
    proof: proof('for-each', 'items and passes › ORC-3:*'),
  },
  {
    id: 'ORC-4',
    requirement: 'A status file of schema status/v1 is written and read; nothing acts on it.',
    proof: proof('queue', 'status files › ORC-4:*'),
  },
  {
    id: 'ORC-5',
    requirement: 'A task becomes visible whole, by the rename from `*.tmp` to `*.task`.',
    proof: proof('queue', 'tasks › ORC-5:*'),
  },
  {
    id: 'ORC-6',
    requirement: 'Tasks are moved by steps only, never by the engine.',
    proof: proof('queue', 'tasks › ORC-6:*'),
  },
  {
    id: 'ORC-7',
    requirement: '`${env.*}` is refused.',
    proof: proof('refused', 'refused before anything is made › ORC-7:*'),
  },
  {
    id: 'ORC-8',
    requirement: 'Template, defaults and params compose the argv.',
    proof: [
      proof('providers', 'composing the command › ORC-8:*'),
      proof('providers', 'the templates that are there without providers:'),
    ],
  },
  {
    id: 'ORC-9',
    requirement: 'A provider with `input_mode: stdin` gets the prompt on stdin.',
    proof: proof('providers', 'composing the command › ORC-9:*'),
  },
  {
    id: 'ORC-10',
    requirement: '`provider` beside `command` is refused.',
    proof: proof('refused', 'refused before anything is made › ORC-10:*'),
  },
  {
    id: 'ORC-11',
    requirement: '`--clean-processed` empties the folder.',
    proof: proof('queue', '--clean-processed › ORC-11:*'),
  },
  {
    id: 'ORC-12',
    requirement: '`--archive-processed` makes a zip on success.',
    proof: proof('queue', '--archive-processed › ORC-12:*'),
  },
  {
    id: 'ORC-13',
    requirement:
      '`items_from: steps.X.json.files` goes over a nested array; other pointers are refused or fail the step.',
    proof: [proof('for-each', 'items and passes › ORC-13:*'), proof('for-each', 'items_from that is wrong')],
  },
  {
    id: 'ORC-14',
    requirement: 'JSON of more than 1 MiB fails with exit code 2.',
    proof: proof('capture', 'what is kept of an output › ORC-14:*'),
  },
  {
    id: 'ORC-15',
    requirement: 'With `allow_parse_error: true` that step succeeds.',
    proof: proof('capture', 'what is kept of an output › ORC-15:*'),
  },
  {
    id: 'ORC-16',
    requirement: '`--clean-processed` fails where the folder is outside the workspace.',
    proof: proof('queue', '--clean-processed › ORC-16:*'),
  },
  {
    id: 'ORC-17',
    requirement: '`wait_for` blocks until files are there or its time is up.',
    proof: [proof('wait', 'wait_for › ORC-17, *'), proof('wait', 'wait_for › ORC-18, *')],
  },
  {
    id: 'ORC-18',
    requirement: 'A `wait_for` whose time is up ends with 124 and `timed_out: true`.',
    proof: [proof('wait', 'wait_for › ORC-18, *'), proof('wait', 'wait_for › ORC-18:*')],
  },
  {
    id: 'ORC-19',
    requirement: '`wait_for` records files, wait_duration_ms and poll_count.',
    proof: proof('wait', 'wait_for › *ORC-19:*'),
  },
  {
    id: 'ORC-20',
    requirement: '`timeout_sec` ends the process; exit code 124.',
    proof: proof('retries', 'time-outs › ORC-20:*'),
  },
  {
    id: 'ORC-21',
    requirement:
      'Providers are tried again on 1 and 124 with `delay_ms`; commands only where `retries` is set.',
    proof: proof('retries', 'retries › ORC-21:*'),
  },
  {
    id: 'ORC-22',
    requirement: 'A missing required file fails the step with exit code 2.',
    proof: proof('dependencies', 'depends_on › ORC-22:*'),
  },
  {
    id: 'ORC-23',
    requirement: 'Required files are found by POSIX globs.',
    proof: proof('dependencies', 'depends_on › ORC-23:*'),
  },
  {
    id: 'ORC-24',
    requirement: 'Variables in dependencies are filled in first.',
    proof: proof('dependencies', 'depends_on › ORC-24:*'),
  },
  {
    id: 'ORC-25',
    requirement: 'Dependencies are looked for anew in every pass of a loop.',
    proof: [
      proof('dependencies', 'depends_on › ORC-25:*'),
      proof('injection', 'the prompt around it › ORC-25:*'),
    ],
  },
  {
    id: 'ORC-26',
    requirement: 'Missing optional files fail nothing and are left out.',
    proof: [
      proof('dependencies', 'depends_on › ORC-26:*'),
      proof('injection', 'what is injected › ORC-34, ORC-26:*'),
    ],
  },
  {
    id: 'ORC-27',
    requirement: '`on.failure` catches missing files.',
    proof: proof('dependencies', 'depends_on › ORC-27:*'),
  },
  {
    id: 'ORC-28',
    requirement: '`inject: true` puts the default instruction and the list before the prompt.',
    proof: [
      proof('injection', 'what is injected › ORC-28:*'),
      proof('injection', 'the prompt around it › keeps its own blank lines and its last newline'),
    ],
  },
  {
    id: 'ORC-29',
    requirement: '`mode: list` names all files found.',
    proof: proof('injection', 'what is injected › ORC-29:*'),
  },
  {
    id: 'ORC-30',
    requirement: '`mode: content` has the contents, and says what was cut.',
    proof: [
      proof('injection', 'what is injected › ORC-30:*'),
      proof('injection', 'ORC-30: no more than 256 KiB are injected'),
    ],
  },
  {
    id: 'ORC-31',
    requirement: '`instruction` takes the place of the default one.',
    proof: proof('injection', 'what is injected › ORC-31:*'),
  },
  {
    id: 'ORC-32',
    requirement: '`position: append` puts the injection after the prompt.',
    proof: proof('injection', 'what is injected › ORC-32:*'),
  },
  {
    id: 'ORC-33',
    requirement: 'Patterns become the full list of files.',
    proof: proof('injection', 'what is injected › ORC-33:*'),
  },
  {
    id: 'ORC-34',
    requirement: 'Missing optional files are left out of the injection.',
    proof: proof('injection', 'what is injected › ORC-34, *'),
  },
  {
    id: 'ORC-35',
    requirement: 'Without `inject` the prompt is not changed.',
    proof: proof('injection', 'what is injected › ORC-35:*'),
  },
  {
    id: 'ORC-36',
    requirement: '`wait_for` beside command, provider or for_each is refused.',
    proof: proof('refused', 'refused before anything is made › ORC-36:*'),
  },
  {
    id: 'ORC-37',
    requirement: 'A step whose `when.equals` is false is skipped with exit code 0.',
    proof: [
      proof('conditions', 'when › ORC-37:*'),
      proof('conditions', "when › a skipped step's on does not fire"),
    ],
  },
  {
    id: 'ORC-38',
    requirement: 'Absolute paths are refused.',
    proof: proof('paths', '* › ORC-38:*'),
  },
  {
    id: 'ORC-39',
    requirement: 'Paths with `..` and symlinks that leave the workspace are refused.',
    proof: [proof('paths', 'at load'), proof('paths', 'just before use')],
  },
  {
    id: 'ORC-40',
    requirement: '`command_override` is refused.',
    proof: proof('refused', 'refused before anything is made › ORC-40:*'),
  },
  {
    id: 'ORC-41',
    requirement: 'A missing secret: exit code 2 and `missing_secrets`.',
    proof: proof('secrets', 'secrets › ORC-41:*'),
  },
  {
    id: 'ORC-42',
    requirement: 'Secret values are `***` in logs and state.',
    proof: proof('secrets', 'secrets › ORC-42:*'),
  },
  {
    id: 'ORC-43',
    requirement: 'Results of a loop are `steps.<loop>[i].<step>`.',
    proof: [proof('for-each', 'items and passes › ORC-43:*'), proof('for-each', 'going on')],
  },
  {
    id: 'ORC-44',
    requirement: 'Variables in `provider_params` are filled in.',
    proof: proof('providers', 'composing the command › ORC-44:*'),
  },
  {
    id: 'ORC-45',
    requirement: 'More than 8 KiB of stdout: cut in the state, whole in the log.',
    proof: proof('capture', 'what is kept of an output › ORC-45:*'),
  },
  {
    id: 'ORC-46',
    requirement: '`when.exists` holds when something matches.',
    proof: proof('conditions', 'when › ORC-46:*'),
  },
  {
    id: 'ORC-47',
    requirement: '`when.not_exists` holds when nothing matches.',
    proof: proof('conditions', 'when › ORC-47:*'),
  },
  {
    id: 'ORC-48',
    requirement: 'A placeholder without a value: exit code 2 and `missing_placeholders`.',
    proof: proof('providers', 'what does not fit › ORC-48:*'),
  },
  {
    id: 'ORC-49',
    requirement: '`${PROMPT}` in stdin mode is refused with `invalid_prompt_placeholder`.',
    proof: proof('refused', 'refused before anything is made › ORC-49:*'),
  },
  {
    id: 'ORC-50',
    requirement: 'A template without `${PROMPT}` runs and passes no prompt.',
    proof: proof('providers', 'composing the command › ORC-50:*'),
  },
  {
    id: 'ORC-51',
    requirement: '`provider_params` may name run, context, loop and steps.',
    proof: proof('providers', 'composing the command › ORC-51:*'),
  },
  {
    id: 'ORC-52',
    requirement: '`output_file` has the whole stdout, whatever the limits.',
    proof: proof('capture', 'ORC-52: output_file gets the whole stream, whatever is kept of it'),
  },
  {
    id: 'ORC-53',
    requirement: '`inject: true` is list and prepend with the default instruction.',
    proof: proof('injection', 'what is injected › ORC-53:*'),
  },
  {
    id: 'ORC-54',
    requirement: 'Secrets come from the environment only; empty ones count as there.',
    proof: proof('secrets', 'secrets › ORC-54:*'),
  },
  {
    id: 'ORC-55',
    requirement: '`env` goes before `secrets` for the child and is masked.',
    proof: proof('secrets', 'secrets › ORC-55:*'),
  },
];
