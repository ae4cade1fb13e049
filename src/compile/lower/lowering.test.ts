import { describe, expect, it } from 'vitest';
import { Compilation } from '../compilation.ts';
import type { Site } from '../site.ts';
import { lowerRoot } from './workflow.ts';

const HEAD = 'lockstep: 1\nname: w\n';

function sitesOf(text: string, files: Record<string, string> = {}): Site[] {
  let sites: Site[] = [];
  // What check gets is what counts; the sample library goes the same way to it.
  const loaded = new Map();
  const main = { id: '/w.yaml', path: 'w.yaml', layer: 'project' as const, shadows: [], text };
  for (let round = 0; round < 10; round++) {
    const compilation = new Compilation({ main, files: loaded, hash: String, dialects: [] });
    lowerRoot(main, compilation);
    sites = compilation.sites;
    for (const [key, need] of compilation.needs) {
      const path = 'name' in need ? `${need.kind}s/${need.name}.md` : need.path;
      loaded.set(key, { id: `/${path}`, path, layer: 'project', shadows: [], text: files[path] ?? '' });
    }
  }
  return sites;
}

function shown({ kind, source, expects, moment, step, local, only: alone, locate }: Site): string {
  const { file, line, column } = locate(0, 1);
  const names = local.length > 0 || alone ? ` [${local.join(' ')}]${alone ? ' only' : ''}` : '';
  return `${file}:${line}:${column} ${moment} ${step?.id ?? '-'} ${kind} ${expects}${names}: ${source}`;
}

describe('sites', () => {
  it('LS-CEL-EVERYWHERE: there is one for every expression and template, with the way back to its place', () => {
    const text = `${HEAD}guidance: ['Advice {{ run.id }}']
rules: [{ when: 'a1', block: '{{ a2 }}' }]
events: { stop: [{ when: a3, set: { x: ['{{ a4 }}'] } }] }
outputs: { o: { deep: '{{ a5 }}' } }
steps:
  - id: p
    title: 't {{ b1 }}'
    if: b2
    agent: dev
    prompt: task
    with: { w: '{{ b3 }}' }
    save_to: '{{ b4 }}'
    reads: { files: ['{{ b5 }}'], optional: ['{{ b6 }}'], instruction: '{{ b7 }}' }
    enter: [{ run: ['{{ b8 }}'], when: b9 }]
    exit: [{ call: noop, with: { value: '{{ c1 }}' } }]
    done:
      that: [c2, { is: c3, else: '{{ c4 }}' }]
      run: 'x {{ c5 }}'
      approve: { ask: '{{ c6 }}', if: c7 }
    recover: { probe: ['{{ c8 }}'] }
    next: [{ when: c9, goto: end, do: [{ prompt: { text: '{{ d1 }}' }, with: { v: 1 } }] }]
  - id: l
    loop: { until: d2, max: 3 }
    steps:
      - { id: e, each: 'x in  d3', steps: [{ id: w, wait: { files: ['{{ d4 }}'] } }, { id: s, wait: { signal: '{{ d5 }}' } }] }
      - { id: q, ask: '{{ d6 }}', choices: ['{{ d7 }}', 2] }
      - { id: f, prompt: { file: '{{ d8 }}' } }
      - { id: i, run: ' {{ inputs.x }}' }
`;
    const files = {
      'agents/dev.md': '---\nname: dev\n---\n\nYou {{ e1 }}.\n',
      'prompts/task.md': '---\ninputs: [w]\n---\nDo\n  {{ w }}.\n',
    };
    expect(sitesOf(text, files).map(shown)).toMatchInlineSnapshot(`
      [
        "w.yaml:3:13 workflow - template any: Advice {{ run.id }}",
        "w.yaml:4:18 rule - cel bool: a1",
        "w.yaml:4:31 rule - template any: {{ a2 }}",
        "w.yaml:5:42 event - template any: {{ a4 }}",
        "w.yaml:5:26 event - cel bool: a3",
        "w.yaml:13:17 work p template any: {{ b3 }}",
        "agents/dev.md:5:1 work p template any [w]: You {{ e1 }}.",
        "prompts/task.md:4:1 work p template any [w] only: Do
        {{ w }}.",
        "w.yaml:9:13 work p template any: t {{ b1 }}",
        "w.yaml:10:9 if p cel bool: b2",
        "w.yaml:14:15 work p template any: {{ b4 }}",
        "w.yaml:15:23 work p template any: {{ b5 }}",
        "w.yaml:15:47 work p template any: {{ b6 }}",
        "w.yaml:15:73 work p template any: {{ b7 }}",
        "w.yaml:16:22 enter p template any: {{ b8 }}",
        "w.yaml:16:40 enter p cel bool: b9",
        "w.yaml:17:42 exit p template any: {{ c1 }}",
        "w.yaml:19:14 done p cel bool: c2",
        "w.yaml:19:24 done p cel bool: c3",
        "w.yaml:19:35 done p template any: {{ c4 }}",
        "w.yaml:20:13 done p template any: x {{ c5 }}",
        "w.yaml:21:24 done p template any: {{ c6 }}",
        "w.yaml:21:39 done p cel bool: c7",
        "w.yaml:22:25 work p template any: {{ c8 }}",
        "w.yaml:23:20 next p cel bool: c9",
        "agents/dev.md:5:1 next p template any [v]: You {{ e1 }}.",
        "w.yaml:23:59 next p template any [v]: {{ d1 }}",
        "w.yaml:25:20 until l cel bool: d2",
        "w.yaml:27:31 work e cel list: d3",
        "w.yaml:27:70 work w template any: {{ d4 }}",
        "w.yaml:27:112 work s template any: {{ d5 }}",
        "w.yaml:28:24 work q template any: {{ d6 }}",
        "w.yaml:28:46 work q template any: {{ d7 }}",
        "w.yaml:29:35 work f template any: {{ d8 }}",
        "w.yaml:30:28 work i cel any: inputs.x",
        "w.yaml:6:24 outputs - template any: {{ a5 }}",
      ]
    `);
  });

  it('LS-CEL-PROMPT-FILES: positions in a prompt file point into the prompt file', () => {
    const [site] = sitesOf(`${HEAD}steps: [{ id: a, prompt: p }]\n`, {
      'prompts/p.md': '---\nname: p\n---\n\nOne\r\ntwo {{ misspelt }}\n',
    });
    const at = site?.source.indexOf('misspelt') ?? 0;
    expect(site?.locate(at, at + 8)).toEqual({
      file: 'prompts/p.md',
      line: 6,
      column: 8,
      endLine: 6,
      endColumn: 16,
    });
  });
});
