// What compile is handed is what it reads: it knows no language but its own.

import { describe, expect, it } from 'vitest';
import type { LoadedFile } from '../model/library.ts';
import { built } from '../source/build-nodes.ts';
import type { Dialect } from '../source/dialect.ts';
import { child } from '../source/read/node.ts';
import { compile, needKey } from './compile.ts';

const file = (path: string, text: string): LoadedFile => ({
  id: `/${path}`,
  path,
  text,
  layer: 'project',
  shadows: [],
});

/** `commands: [a, b]`, one step each. */
const LINES: Dialect = {
  name: 'workrail',
  marks: '`commands`',
  recognises: (document) => document.entries.has('commands'),
  translate(document) {
    const commands = child(document, 'commands');
    const make = built(document);
    const steps = (commands?.kind === 'list' ? commands.items : []).map((run, index) =>
      make.at(run).map([
        ['id', `line_${index}`],
        ['run', run],
      ]),
    );
    return make.map([
      ['lockstep', 1],
      ['name', 'lines'],
      ['steps', make.list(steps)],
    ]);
  },
  pages: {
    layer: 'wrangler',
    syntax: 'handlebars',
    read: () => undefined,
    template: (body) => built(body).scalar(`Read otherwise: ${body.value}`),
  },
};

describe('compile is handed its dialects', () => {
  const main = file('w.yaml', 'commands:\n  - make\n  - make test\n');

  it('LS-ROOM-DIALECTS: a language of a table that it never saw is compiled as any other', () => {
    const result = compile({ main, files: new Map(), hash: String, dialects: [LINES] });
    if (result.kind !== 'compiled') throw new Error(JSON.stringify(result));
    expect(result.workflow.steps.map(({ id }) => id)).toEqual(['line_0', 'line_1']);
    expect(result.sources).toMatchObject([{ path: 'w.yaml', dialect: 'workrail' }]);
  });

  it('LS-ROOM-DIALECTS: handed none, it reads its own language alone and says so', () => {
    const [problem] = problemsOf(main);
    expect(problem).toMatchObject({ code: 'dialect-unknown' });
    expect(problem?.message).toMatch(/Looked for:\n- native: `lockstep: 1`$/);
    expect(problemsOf(main, 'wrangler')[0]).toMatchObject({
      code: 'dialect-unsupported',
      hint: 'It reads native. A native workflow starts with `lockstep: 1`.',
    });
  });

  it('LS-ROOM-DIALECTS: the text of a prompt is read by the dialect whose syntax it names, or by none', () => {
    const text =
      'lockstep: 1\nname: w\nsteps: [{ id: a, prompt: { template: ./p.md, syntax: handlebars } }]\n';
    const files = new Map([
      [needKey({ by: 'path', kind: 'prompt', path: './p.md', from: '/w.yaml' }), file('p.md', 'Look.')],
    ]);
    const compiledWith = (dialects: readonly Dialect[]) =>
      compile({ main: file('w.yaml', text), files, hash: String, dialects });
    const read = compiledWith([LINES]);
    expect(read.kind === 'compiled' && read.workflow.steps[0]?.work).toMatchObject({
      prompt: { text: 'Read otherwise: Look.' },
    });
    expect(compiledWith([])).toMatchObject({
      kind: 'invalid',
      diagnostics: [{ code: 'dialect-unsupported', span: { file: 'p.md', line: 1 } }],
    });
  });
});

function problemsOf(main: LoadedFile, dialect?: 'wrangler') {
  const result = compile({ main, files: new Map(), hash: String, dialects: [], ...(dialect && { dialect }) });
  return result.kind === 'invalid' ? result.diagnostics : [];
}
