import { describe, expect, it } from 'vitest';
import { report } from '../../source/diagnostics.ts';
import { child, type MapNode } from '../../source/read/node.ts';
import { sourceText } from '../../source/read/source.ts';
import { readYaml } from '../../source/read/yaml.ts';
import { ORCHESTRATE_VERSIONS, withVersion } from './version.ts';

const STEPS = '\nsteps: [{ name: A, command: [x] }]';

function check(text: string) {
  const problems = report();
  const document = withVersion(readYaml(sourceText('w.yaml', text + STEPS), problems) as MapNode, problems);
  return { document, problems: problems.diagnostics() };
}

describe('withVersion', () => {
  it.each(ORCHESTRATE_VERSIONS)('lets "%s" through', (version) => {
    const { document, problems } = check(`version: "${version}"`);
    expect(problems).toEqual([]);
    expect(document).toBeDefined();
  });

  it('explains a version without quotes, and reads the rest as that version', () => {
    const { document, problems } = check('version: 1.1');
    expect(problems.map(({ code, hint }) => [code, hint])).toEqual([
      ['yaml-version', 'Put it in quotes: version: "1.1"'],
    ]);
    expect(child(document, 'version')).toMatchObject({ kind: 'scalar', value: '1.1' });
  });

  it.each(['version: "2.0"', 'version: 2', 'version: 1.10', 'version: [1]', 'version:'])(
    'lists the versions there are for %s',
    (text) => {
      const { document, problems } = check(text);
      expect(document).toBeUndefined();
      expect(problems.map(({ code }) => code)).toEqual(['dialect-version']);
      expect(problems[0]?.hint).toBe('It reads "1.1", "1.1.1", "1.2", "1.3".');
      expect(problems[0]?.context).toMatchObject({ known_versions: ['1.1', '1.1.1', '1.2', '1.3'] });
    },
  );

  it('asks for a version where there is none', () => {
    const { document, problems } = check('name: w');
    expect(document).toBeUndefined();
    expect(problems.map(({ code, message }) => [code, message])).toEqual([
      ['missing-field', 'an orchestrate workflow needs `version`'],
    ]);
  });
});
