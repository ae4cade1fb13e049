import { describe, expect, it } from 'vitest';
import { DIALECTS } from '../../dialects/dialects.ts';
import type { LoadedFile, PlaceFound, PlaceNeed } from '../../model/library.ts';
import { type CompileResult, compile, needKey } from '../compile.ts';

const OUT: PlaceFound = { outside: [{ path: 'link', leads: '/elsewhere' }] };

/** Compiles as the driver does: with answers for all that is asked. What leads out is what has `link` in it. */
function look(text: string): { asked: PlaceNeed[]; result: CompileResult } {
  const main: LoadedFile = { id: '/w.yaml', path: 'w.yaml', text, layer: 'file', shadows: [] };
  const places = new Map<string, PlaceFound>();
  const asked: PlaceNeed[] = [];
  for (;;) {
    const result = compile({ main, files: new Map(), places, hash: String, dialects: DIALECTS });
    if (result.kind !== 'needs') return { asked, result };
    for (const need of result.needs) {
      if (need.by !== 'place') throw new Error('asks for a file');
      expect(places.has(needKey(need)), 'asked twice').toBe(false);
      asked.push(need);
      places.set(needKey(need), need.path.includes('link') ? OUT : { outside: [] });
    }
  }
}

const problems = (text: string) => {
  const { result } = look(text);
  return result.kind === 'needs'
    ? []
    : result.diagnostics.map(({ span, message }) => `${span?.line}:${span?.column}: ${message}`);
};

describe('S4: places on the disk', () => {
  it('asks once about every path that is written out, and about the folders before what is filled in', () => {
    const { asked } = look(`lockstep: 1
name: w
policy: { dirs: { inbox: in, task_extension: .x } }
steps:
  - { id: a, run: x, save_to: 'out/{{ run.id }}/log', reads: { files: ['d/*.md', e], optional: ['d/*.md'] } }
  - { id: b, wait: { files: 'q/*' }, if: 'size(files("a/*/" + run.id)) > 0' }
  - { id: c, run: [cat], stdin: { file: s }, exit: [{ call: move, with: { from: '{{ run.id }}', to: 'done/x{{ run.id }}' } }] }
  - { id: d, prompt: { file: p.md }, done: { schema: { file: s.json } } }
  - { id: e, call: capture-artifact, with: { files: [art/*, more] } }
`);
    const globbed = asked.filter(({ glob }) => glob === 'extended').map(({ path }) => path);
    const plain = asked.filter(({ glob }) => glob === undefined).map(({ path }) => path);
    expect(globbed.sort()).toEqual(['a/*/', 'art/*', 'd/*.md', 'e', 'more', 'q/*']);
    expect(plain.sort()).toEqual(['done/', 'in', 'out/', 'p.md', 's', 's.json']);
  });

  it('asks in the syntax of the workflow, and not about what leads out by its own words', () => {
    const { asked } = look(`lockstep: 1
name: w
policy: { globs: posix }
steps: [{ id: a, run: x, reads: { files: ['*.md', ../x] } }]
`);
    expect(asked).toEqual([{ by: 'place', path: '*.md', glob: 'posix' }]);
  });

  it('reports what leads out at its own field, all at once', () => {
    const text = `lockstep: 1
name: w
policy: { dirs: { processed: link } }
steps:
  - { id: a, run: x, save_to: link, reads: { files: [fine, 'link/*'] } }
  - { id: b, wait: { files: link }, if: 'size(files("link/*")) > 0' }
`;
    const leads = 'leads to /elsewhere';
    expect(problems(text)).toEqual([
      `3:30: \`dirs.processed\` must stay in the workspace, and "link" ${leads}`,
      `5:31: \`save_to\` must stay in the workspace, and "link" ${leads}`,
      `5:60: \`reads\` must stay in the workspace, and "link/*" meets "link", which ${leads}`,
      `6:29: \`wait\` must stay in the workspace, and "link" ${leads}`,
      `6:53: this pattern must stay in the workspace, and "link/*" meets "link", which ${leads}`,
    ]);
  });

  it('calls fields of a foreign text by the names that stand there', () => {
    const text = `version: "1.3"
processed_dir: link
steps:
  - name: A
    command: [cat]
    input_file: link
    output_file: link
    depends_on: { required: [fine, link] }
    when: { exists: 'link/*' }
    output_capture: json
    output_schema: link
`;
    const said = problems(text).map((line) => line.replace(/ must stay.*/, ''));
    expect(said).toEqual([
      '2:16: `processed_dir`',
      '6:17: `input_file`',
      '7:18: `output_file`',
      '8:36: `required`',
      '9:21: this pattern',
      '11:20: `output_schema`',
    ]);
  });

  it('of a foreign condition every pattern is told, each at its own value', () => {
    const text = `version: "1.1"
steps:
  - name: A
    command: [cat]
    when: { equals: { left: a, right: b }, exists: "link/f.txt", not_exists: 'link/*' }
`;
    expect(problems(text).map((line) => line.replace(/ this.*and/, ''))).toEqual([
      '5:52: "link/f.txt" meets "link", which leads to /elsewhere',
      '5:78: "link/*" meets "link", which leads to /elsewhere',
    ]);
  });

  it('asks about nothing where nobody looks at the disk', () => {
    const text = 'lockstep: 1\nname: w\nsteps: [{ id: a, run: x, save_to: link }]\n';
    const main: LoadedFile = { id: '/w.yaml', path: 'w.yaml', text, layer: 'file', shadows: [] };
    expect(compile({ main, files: new Map(), hash: String, dialects: DIALECTS }).kind).toBe('compiled');
  });
});
