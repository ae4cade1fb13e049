// A reviewer changes nothing: it cannot, or its step fails because git shows a change nobody was allowed to make.

import { expect } from 'vitest';
import { flow } from '../support/flow.ts';
import { bash, edit, read, say, type Turn, write } from '../support/model.ts';
import { scenario } from '../support/scenario.ts';

/** Each on a file of its own. */
const ways: Record<string, Turn[]> = {
  write: [write('write.txt', 'changed\n')],
  edit: [read('edit.txt'), edit('edit.txt', 'as it was', 'changed')],
  redirection: [bash('echo changed > redirection.txt')],
  sed: [bash("sed -i 's/as it was/changed/' sed.txt")],
  tee: [bash('echo changed | tee tee.txt')],
  checkout: [bash('git checkout checkout.txt')],
  python: [bash(`python3 -c 'open("python.txt", "w").write("changed")'`)],
};
const names = Object.keys(ways);
const files = {
  ...Object.fromEntries(names.map((name) => [`${name}.txt`, 'as it was\n'])),
  '.lockstep/agents/reviewer.md': '---\ntools: { allow: [Read, Grep, Glob, Bash] }\n---\nYou review.\n',
};
/** What somebody else has changed and not committed: taking it back is a change as well. */
const dirty = "  - { id: change, run: [sh, -c, 'echo not committed > checkout.txt'] }\n";
const expected = (name: string) => (name === 'checkout' ? 'not committed\n' : 'as it was\n');

scenario(
  'a reviewer with Bash changes nothing, or its step fails and names the file',
  {
    files,
    model: Object.fromEntries(
      names.map((name) => [`Review ${name}.`, [...(ways[name] ?? []), say('Reviewed.')]]),
    ),
  },
  async (scene) => {
    const reviews = names.map(
      (name) =>
        `  - { id: ${name}, agent: reviewer, on_fail: continue, retry: { max: 0 }, prompt: { text: Review ${name}. } }\n`,
    );
    const ended = await scene.run(flow(scene.client, dirty + reviews.join('')));
    expect(ended.exitCode).toBe(0);
    for (const name of names) {
      const { ok, error } = ended.outcome(name);
      if (scene.read(`${name}.txt`) === expected(name)) {
        expect(ok, name).toBe(true);
        continue;
      }
      expect(['write', 'edit'], 'these are denied, not found out').not.toContain(name);
      expect(error, name).toMatchObject({ class: 'changed-files' });
      expect(error?.message).toContain(`${name}.txt`);
    }
  },
);

scenario(
  'a reviewer without Bash changes nothing in any way',
  { files, model: { 'Review all.': [...Object.values(ways).flat(), say('Reviewed.')] } },
  async (scene) => {
    const review =
      '  - { id: review, tools: { allow: [Read, Grep, Glob] }, prompt: { text: Review all. } }\n';
    const ended = await scene.run(flow(scene.client, dirty + review));
    expect(ended.exitCode).toBe(0);
    expect(ended.outcome('review').ok).toBe(true);
    for (const name of names) expect(scene.read(`${name}.txt`), name).toBe(expected(name));
  },
);
