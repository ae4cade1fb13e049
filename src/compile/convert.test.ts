import { describe, expect, it } from 'vitest';
import { DIALECTS } from '../dialects/dialects.ts';
import type { DialectName } from '../model/dialect.ts';
import type { LoadedFile, MissingFile } from '../model/library.ts';
import type { Workflow } from '../model/workflow.ts';
import { compile, needKey } from './compile.ts';
import { convert } from './convert.ts';
import { compiledSample, compileSample, rendered } from './fixtures/sample-library.ts';

const THEIRS = `version: "1.3"
name: "Multi agent: dev"
context: { who: World, my-key: 1.10 }
inbox_dir: inbox
providers:
  custom: { command: ["bash", "agent.sh", "\${PROMPT}", "\${effort}", "\${run.id}"], defaults: { effort: low } }
steps:
  - name: List
    agent: "architect"
    command: ["find", "inbox", "-name", "*.task"]
    output_capture: lines
    on: { failure: { goto: Done }, always: { goto: Work } }
  - name: Work
    for_each:
      items_from: "steps.List.lines"
      as: task
      on_item_complete: { success: { move_to: "processed/\${run.timestamp_utc}" } }
      steps:
        - name: Do it
          provider: custom
          input_file: "\${task}"
          provider_params: { effort: "\${context.who}", nested: [{ a: "\${loop.index}" }] }
          depends_on: { required: ["src/*.md"], optional: ["docs/x"], inject: { mode: content, instruction: "Read:\\nall" } }
          output_file: "out/\${loop.index}.md"
          secrets: [TOKEN]
          env: { A: "\${not.filled}", B: "{{ nor this }}" }
        - name: QA
          command: ["bash", "-lc", "set -e\\ncat \${task}\\n  echo 'it''s' \${context.my-key} # last\\n"]
          output_capture: json
          output_require: [{ pointer: /approved, equals: true }]
          timeout_sec: 1.5
          retries: { max: 2, delay_ms: 10 }
          when: { not_exists: "skip/\${task}" }
  - name: Wait
    wait_for: { glob: "in/*.json", timeout_sec: 5, poll_ms: 100, min_count: 2 }
  - name: Done
    command: ["echo", "\${context.missing} {{ x }} $\${y} {% z %}"]
`;

function loaded(text: string): LoadedFile {
  return { id: '/w.yaml', path: 'w.yaml', text, layer: 'project', shadows: [] };
}

/**
 * Where things stand, and what they were read from. `chosen` goes with that: a limit of the foreign language is nobody's
 * choice until it is written out in the native text, where its author sees it and can change it.
 */
function withoutPlaces(workflow: Workflow): unknown {
  // `script`: in our own language the values in a text for a shell are quoted, in theirs they are not.
  const dropped = new Set(['at', 'sources', 'refused', 'chosen', 'script']);
  return JSON.parse(JSON.stringify(workflow, (key, value) => (dropped.has(key) ? undefined : value)));
}

describe('convert', () => {
  it('prints native text that compiles to the same workflow as the foreign file', () => {
    const converted = convert(loaded(THEIRS), DIALECTS);
    expect(converted?.dialect).toBe('orchestrate');
    expect(converted?.text).toMatch(
      /^# Made from w\.yaml \(orchestrate\) by `lockstep convert`\.\n\nlockstep: 1\n/,
    );
    expect(withoutPlaces(compiledSample(converted?.text ?? ''))).toEqual(
      withoutPlaces(compiledSample(THEIRS)),
    );
  });

  it('prints what it printed as it is', () => {
    const once = convert(loaded(THEIRS), DIALECTS)?.text ?? '';
    expect(convert(loaded(once), DIALECTS)).toEqual({ dialect: 'native', text: once });
  });

  it('leaves a native file alone, comments and all', () => {
    const text = '# ours\nlockstep:   1\nname: w\nsteps: [ { id: a, run: x } ] # why\n';
    expect(convert(loaded(text), DIALECTS)).toEqual({ dialect: 'native', text });
  });

  it.each([
    ['a file with problems in the foreign text', THEIRS.replace('name: List', 'nam: List')],
    ['a file of no known shape', 'a: 1'],
    ['a dialect that is not read', 'name: w\ntype: phased'],
    ['what is no map', '- a'],
    ['what is no YAML', '{'],
  ])('gives nothing for %s', (_, text) => {
    expect(convert(loaded(text), DIALECTS)).toBeUndefined();
    expect(compileSample(text).kind).toBe('invalid');
  });
});

describe('a workflow in a dialect', () => {
  const files = { 'theirs.yaml': THEIRS };

  it('is named as such among the sources', () => {
    const { sources } = compiledSample(THEIRS);
    expect(sources).toMatchObject([{ kind: 'workflow', path: 'w.yaml', dialect: 'orchestrate' }]);
    expect(compiledSample('lockstep: 1\nname: w\nsteps: [{ id: a, run: x }]').sources[0]).not.toHaveProperty(
      'dialect',
    );
  });

  it('can be called by a native one, with its inputs', () => {
    const call = (given: string) =>
      `lockstep: 1\nname: w\nsteps: [{ id: a, workflow: ./theirs.yaml, with: { ${given} } }]\n`;
    const workflow = compiledSample(call('who: you'), files);
    expect(Object.keys(workflow.workflows)).toEqual(['./theirs.yaml']);
    expect(workflow.sources.map(({ path, dialect }) => [path, dialect])).toEqual([
      ['w.yaml', undefined],
      ['theirs.yaml', 'orchestrate'],
    ]);
    expect(rendered(compileSample(call('whom: you'), files))).toContain('whom');
  });

  it('cannot be extended', () => {
    const result = compileSample(
      'lockstep: 1\nname: w\nextends: ./theirs.yaml\nsteps: [{ id: a, run: x }]',
      files,
    );
    expect(result.kind).toBe('invalid');
    expect(rendered(result)).toContain('w.yaml:3:10: error: "theirs.yaml" is written in orchestrate');
    expect(rendered(result)).toContain('[extends-dialect]');
  });

  it('C1: asks for the files that its text names, is translated again with them, and converted with the same', () => {
    const main = loaded('name: w\nversion: 1\nphases: [{ name: a, agent: agents/x.md }]\n');
    const page = (text: string): LoadedFile => ({ ...loaded(text), id: '/agents/x.md', path: 'agents/x.md' });
    const files = new Map<string, LoadedFile | MissingFile>();
    const asked: string[] = [];
    const compileWith = (text: string) => {
      const result = compile({ main, files, hash: String, dialects: DIALECTS });
      if (result.kind !== 'needs') return result;
      for (const need of result.needs) {
        asked.push('path' in need ? need.path : JSON.stringify(need));
        files.set(needKey(need), page(text));
      }
      return compile({ main, files, hash: String, dialects: DIALECTS });
    };
    expect(convert(main, DIALECTS)?.text).not.toContain('model');
    const result = compileWith('---\nmodel: haiku\n---\nDo {{spec.title}}.');
    expect(result).toMatchObject({ kind: 'compiled' });
    expect(asked).toEqual(['./agents/x.md']);
    expect(convert(main, DIALECTS, undefined, files)?.text).toContain('model: haiku');
  });

  it('is read as what a person says it is', () => {
    const main = loaded('version: "1.1"\nid: w\nsteps: [{ name: A, id: a, command: [x] }]');
    const codes = (dialect?: DialectName) => {
      const result = compile({
        main,
        files: new Map(),
        hash: String,
        dialects: DIALECTS,
        ...(dialect && { dialect }),
      });
      return result.kind === 'invalid' ? result.diagnostics.map(({ code }) => code) : result.kind;
    };
    expect(codes()).toEqual(['dialect-unclear']);
    expect(codes('orchestrate')).toEqual(['unknown-field', 'unknown-field']);
    expect(codes('gobby')).toContain('unknown-field');
    // Its steps hand in claims, whose schema is asked for first.
    expect(codes('workrail')).toBe('needs');
    expect(codes('native')).toContain('missing-field');
  });
});
