// Output capture: what of a command's output is kept where, to the byte.

import { beforeAll, describe, expect, it } from 'vitest';
import { ran, type Scene, scene } from './support.ts';

const KIB = 1024;
const MIB = KIB * KIB;
const letters = (bytes: number) =>
  'abcdefghijklmnopqrstuvwxyz0123456789'.repeat(bytes / 36 + 1).slice(0, bytes);
const numbered = (count: number, end = '\n') =>
  Array.from({ length: count }, (_, index) => `line ${index}${end}`).join('');
/** A JSON text of exactly this many bytes. */
const jsonOf = (bytes: number) => `{"text":"${letters(bytes - 11)}"}`;

const FILES = {
  'text-8192': letters(8192),
  'text-8193': letters(8193),
  // Two bytes a character: byte 8192 is in the middle of one.
  'text-cut': `${letters(8191)}éé`,
  'lines-10000': numbered(10_000),
  'lines-10001': numbered(10_001, '\r\n'),
  'lines-open': `${numbered(10_000)}one more, without an end`,
  'json-1mib': jsonOf(MIB),
  'json-over': jsonOf(MIB + 1),
  'bad-long': letters(10_000),
};

const cat = (name: string, file: string, more: object = {}) => ({ name, command: ['cat', file], ...more });
const print = (name: string, text: string, more: object = {}) => ({
  name,
  command: ['printf', '%b', text.replaceAll('%', '%%')],
  ...more,
});
const lines = { output_capture: 'lines' };
const json = { output_capture: 'json' };
const kept = { output_capture: 'json', allow_parse_error: true };

describe('what is kept of an output', () => {
  let all: Scene;
  beforeAll(() => {
    all = scene({
      files: FILES,
      workflow: {
        version: '1.1',
        name: 'captures',
        strict_flow: false,
        steps: [
          print('Text', 'First line\\nSecond line\\n'),
          print('Text-crlf', 'a\\r\\nb\\r\\n'),
          print('Text-empty', ''),
          cat('Text-8192', 'text-8192'),
          cat('Text-8193', 'text-8193'),
          cat('Text-cut', 'text-cut'),
          print('Lines', 'a\\r\\nb\\n\\nc\\rd\\n  e', lines),
          print('Lines-empty', '', lines),
          print('Lines-newline', '\\n', lines),
          cat('Lines-10000', 'lines-10000', lines),
          cat('Lines-10001', 'lines-10001', lines),
          cat('Lines-open', 'lines-open', lines),
          print('Json', '{"success": true, "nested": {"files": ["a.py", "b.py"], "count": 2}}', json),
          print('Json-list', '[1, 2]', json),
          cat('Json-1mib', 'json-1mib', json),
          cat('Json-over', 'json-over', json),
          print('Json-bad', '{"a": 1} and more\\n', json),
          print('Json-empty', '', json),
          cat('Kept-over', 'json-over', kept),
          print('Kept-bad', 'not json\\n', kept),
          cat('Kept-long', 'bad-long', kept),
          print('Kept-good', '{"a": 1}', kept),
          { name: 'Json-fails', command: ['sh', '-c', 'echo nonsense; exit 3'], ...json },
          { name: 'Quiet-stderr', command: ['sh', '-c', 'echo out; echo warned >&2'] },
          { name: 'Fails', command: ['sh', '-c', 'seq 15; seq 101 130 >&2; exit 7'] },
          {
            name: 'Use-text',
            command: [
              'printf',
              '[%s]',
              '${steps.Text.output}',
              '${steps.Text.exit_code}',
              '${steps.Fails.exit_code}',
            ],
          },
          {
            name: 'Use-cut',
            command: ['sh', '-c', 'printf %s "$1" | wc -c', 'sh', '${steps.Text-8193.output}'],
          },
          {
            name: 'Use-json',
            command: [
              'printf',
              '[%s]',
              '${steps.Json.json.success}',
              '${steps.Json.json.nested.count}',
              '${steps.Json.json.nested.files}',
            ],
          },
          { name: 'Use-lines', command: ['printf', '%s', '${steps.Lines.lines}'] },
          {
            name: 'Use-time',
            command: ['printf', '%s=%s', '${steps.Text.duration_ms}', '${steps.Text.duration}'],
          },
        ],
      },
    });
    ran(all.run());
  });
  const step = (name: string) => all.step(name);

  it('ORC-1: lines are an entry each, CRLF as LF, and `output` is left out', () => {
    expect(step('Lines')).toMatchObject({
      status: 'completed',
      exit_code: 0,
      output_capture: 'lines',
      lines: ['a', 'b', '', 'c\rd', '  e'],
      truncated: false,
    });
    expect(step('Lines')).not.toHaveProperty('output');
    expect(step('Lines-empty').lines).toEqual([]);
    expect(step('Lines-newline').lines).toEqual(['']);
    expect(step('Use-lines').output).toBe('["a","b","","c\\rd","  e"]');
  });

  it('ORC-1: 10,000 lines are kept, of one more the first 10,000, and the stream as it came in the log', () => {
    expect(step('Lines-10000').truncated).toBe(false);
    expect(step('Lines-10000').lines).toHaveLength(10_000);
    expect(all.logs('Lines-10000.stdout')).toBeUndefined();
    for (const [name, file] of [
      ['Lines-10001', 'lines-10001'],
      ['Lines-open', 'lines-open'],
    ] as const) {
      expect(step(name).truncated).toBe(true);
      expect(step(name).lines).toEqual(FILES['lines-10000'].trimEnd().split('\n'));
      expect(all.logs(`${name}.stdout`) === FILES[file]).toBe(true);
    }
  });

  it('ORC-2: JSON is parsed, reached by later steps, and `output` is left out', () => {
    expect(step('Json')).toMatchObject({
      status: 'completed',
      exit_code: 0,
      output_capture: 'json',
      json: { success: true, nested: { files: ['a.py', 'b.py'], count: 2 } },
      truncated: false,
    });
    expect(step('Json')).not.toHaveProperty('output');
    expect(step('Json-list').json).toEqual([1, 2]);
    expect(step('Use-json').output).toBe('[true][2][["a.py","b.py"]]');
    expect(all.logs('Json.stdout')).toBeUndefined();
  });

  it('ORC-14: JSON of 1 MiB is read, one byte more fails with exit code 2', () => {
    expect(step('Json-1mib')).toMatchObject({ status: 'completed', exit_code: 0, truncated: false });
    expect(step('Json-1mib').json.text).toHaveLength(MIB - 11);
    expect(all.logs('Json-1mib.stdout')).toBeUndefined();
    expect(step('Json-over')).toMatchObject({ status: 'failed', exit_code: 2, error: { exit_code: 2 } });
    expect(step('Json-over')).not.toHaveProperty('json');
    expect(step('Json-over').error.message).toMatch(/JSON/);
    expect(all.logs('Json-over.stdout') === FILES['json-over']).toBe(true);
  });

  it('what is not JSON fails with exit code 2 and leaves the raw output in the log', () => {
    for (const name of ['Json-bad', 'Json-empty'])
      expect(step(name)).toMatchObject({ status: 'failed', exit_code: 2 });
    expect(step('Json-bad').error.message).toMatch(/JSON/);
    expect(step('Json-bad')).not.toHaveProperty('json');
    expect(all.logs('Json-bad.stdout')).toBe('{"a": 1} and more\n');
  });

  it('a command that fails keeps its own exit code, whatever it printed', () => {
    expect(step('Json-fails')).toMatchObject({ status: 'failed', exit_code: 3 });
  });

  it('ORC-15: with allow_parse_error the text is kept instead, up to 8 KiB, and why is on record', () => {
    expect(step('Kept-over')).toMatchObject({
      status: 'completed',
      exit_code: 0,
      output: FILES['json-over'].slice(0, 8192),
      truncated: true,
      debug: { json_parse_error: { reason: 'overflow' } },
    });
    expect(step('Kept-bad')).toMatchObject({
      status: 'completed',
      exit_code: 0,
      output: 'not json\n',
      truncated: false,
      debug: { json_parse_error: { reason: 'invalid' } },
    });
    expect(step('Kept-long')).toMatchObject({
      exit_code: 0,
      output: FILES['bad-long'].slice(0, 8192),
      truncated: true,
      debug: { json_parse_error: { reason: 'invalid' } },
    });
    for (const name of ['Kept-over', 'Kept-bad', 'Kept-long']) expect(step(name)).not.toHaveProperty('json');
    expect(step('Kept-good')).toMatchObject({ json: { a: 1 }, truncated: false });
    expect(step('Kept-good')).not.toHaveProperty('output');
    expect(all.logs('Kept-over.stdout') === FILES['json-over']).toBe(true);
    expect(all.logs('Kept-bad.stdout')).toBe('not json\n');
    expect(all.logs('Kept-good.stdout')).toBeUndefined();
  });

  it('text is kept as it came, its last newline and its CRLF with it', () => {
    expect(step('Text')).toMatchObject({ output: 'First line\nSecond line\n', truncated: false });
    expect(step('Text-crlf').output).toBe('a\r\nb\r\n');
    expect(step('Text-empty')).toMatchObject({ output: '', truncated: false });
    expect(step('Use-text').output).toBe('[First line\nSecond line\n][0][7]');
    const [first, second] = step('Use-time').output.split('=');
    expect(first).toMatch(/^\d+$/);
    expect(second).toBe(first);
    // The step's own time in the state is from its start to its end, retries and all.
    expect(Number(first)).toBeLessThanOrEqual(step('Text').duration_ms);
  });

  it('ORC-45: 8 KiB are kept whole; of more the first 8 KiB, and everything in the log', () => {
    expect(step('Text-8192')).toMatchObject({ output: FILES['text-8192'], truncated: false });
    expect(all.logs('Text-8192.stdout')).toBeUndefined();
    expect(step('Text-8193')).toMatchObject({ output: FILES['text-8192'], truncated: true });
    expect(all.logs('Text-8193.stdout')).toBe(FILES['text-8193']);
    expect(step('Use-cut').output.trim()).toBe('8192');
  });

  it('ORC-45: no character is cut in two', () => {
    expect(step('Text-cut')).toMatchObject({ output: letters(8191), truncated: true });
    expect(all.logs('Text-cut.stdout')).toBe(FILES['text-cut']);
  });

  it('raw output is in the log only where the state has less or JSON could not be read; stderr whenever there is some', () => {
    const raw = all.logNames().filter((name) => name.endsWith('.stdout'));
    expect(raw.filter((name) => !['Json-empty.stdout', 'Json-fails.stdout'].includes(name))).toEqual(
      [
        ...['Json-bad', 'Json-over', 'Kept-bad', 'Kept-long', 'Kept-over', 'Lines-10001', 'Lines-open'],
        ...['Text-8193', 'Text-cut'],
      ].map((name) => `${name}.stdout`),
    );
    const errors = all.logNames().filter((name) => name.endsWith('.stderr'));
    expect(errors).toEqual(['Fails.stderr', 'Quiet-stderr.stderr']);
    expect(all.logs('Quiet-stderr.stderr')).toBe('warned\n');
  });

  it('a failure has the last ten lines of both streams', () => {
    const tail = (from: number, to: number) =>
      Array.from({ length: to - from + 1 }, (_, i) => String(from + i));
    expect(step('Fails')).toMatchObject({
      status: 'failed',
      exit_code: 7,
      error: {
        exit_code: 7,
        stdout_tail: tail(6, 15),
        stderr_tail: tail(121, 130),
        context: { substituted_command: ['sh', '-c', 'seq 15; seq 101 130 >&2; exit 7'] },
      },
    });
    expect(step('Fails').error.message).toContain('7');
  });

  it('the record of a step has its times and its command', () => {
    expect(step('Text')).toMatchObject({
      started_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      completed_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      duration_ms: expect.any(Number),
      debug: {
        command: ['printf', '%b', 'First line\\nSecond line\\n'],
        cwd: expect.stringMatching(/project$/),
        env_count: expect.any(Number),
      },
    });
  });
});

describe('ORC-52: output_file gets the whole stream, whatever is kept of it', () => {
  it.each<[string, object]>([
    ['text-8193', {}],
    ['lines-10001', lines],
    ['json-over', kept],
    ['bad-long', kept],
  ])('%s', (file, capture) => {
    const tee = scene({
      files: { [file]: FILES[file as keyof typeof FILES] },
      workflow: {
        version: '1.1',
        name: 'tee',
        context: { folder: 'out' },
        steps: [
          cat('Tee', file, { ...capture, output_file: '${context.folder}/deep/copy.txt' }),
          { name: 'Same', command: ['cmp', file, 'out/deep/copy.txt'] },
        ],
      },
    });
    ran(tee.run());
    expect(tee.step('Tee')).toMatchObject({ exit_code: 0, truncated: true });
    expect(tee.logs('Tee.stdout') === FILES[file as keyof typeof FILES]).toBe(true);
  });

  it('what is not JSON is in the file although the step fails; a second run replaces the file', () => {
    const tee = scene({
      files: { 'out.txt': 'what was there before, and longer than what comes' },
      workflow: {
        version: '1.1',
        name: 'tee',
        steps: [print('Bad', 'oops\\n', { ...json, output_file: 'out.txt' })],
      },
    });
    ran(tee.run(), 1);
    expect(tee.step('Bad')).toMatchObject({ status: 'failed', exit_code: 2 });
    expect(tee.read('out.txt')).toBe('oops\n');
  });

  it('a small output is in the file and in the state, and of a prompt too', () => {
    const tee = scene({
      files: { 'ask.md': 'Go.' },
      agents: {
        claude: { stdout: '{"not": "parsed"}\n' },
        gemini: { stdout: '```json\n{"ok": true}\n```\n' },
      },
      workflow: `version: "1.1"
name: tee
steps:
  - { name: Small, command: [echo, hi], output_file: small.txt }
  - { name: Prompt, provider: claude, input_file: ask.md, output_file: prompt.txt }
  - { name: Fenced, provider: gemini, input_file: ask.md }
`,
    });
    ran(tee.run());
    expect(tee.read('small.txt')).toBe('hi\n');
    expect(tee.step('Small')).toMatchObject({ output: 'hi\n', truncated: false });
    expect(tee.read('prompt.txt')).toBe('{"not": "parsed"}\n');
    expect(tee.step('Prompt')).toMatchObject({ output: '{"not": "parsed"}\n', truncated: false });
    expect(tee.step('Fenced').output).toBe('```json\n{"ok": true}\n```\n');
    expect(tee.logNames().filter((name) => name.endsWith('.stdout'))).toEqual([]);
  });
});
