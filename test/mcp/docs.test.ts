// docs/guide-drive.md names every tool and every code of the server, and no other; the registry file fits the package.

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { TOOLSETS } from '../../src/mcp/toolsets.ts';
import { projectRoot } from '../scratch.ts';

const page = readFileSync(join(projectRoot, 'docs/guide-drive.md'), 'utf8');

function filesIn(...places: string[]): string[] {
  return places.flatMap((place) => {
    const path = join(projectRoot, place);
    if (statSync(path).isFile()) return [readFileSync(path, 'utf8')];
    const names = readdirSync(path, { recursive: true, encoding: 'utf8' });
    return names
      .filter((name) => /(?<!\.test)\.ts$/.test(name))
      .map((name) => readFileSync(join(path, name), 'utf8'));
  });
}

describe('docs/guide-drive.md', () => {
  it('MCP-DOCS: lists every tool with its set, and no other', () => {
    const rows = [...page.matchAll(/^\| `(\w+)` \| (workflow|session|issues|guard|runs) \|/gm)].map(
      ([, name, set]) => [set, name],
    );
    const there = Object.entries(TOOLSETS).flatMap(([set, names]) => names.map((name) => [set, name]));
    expect(rows).toEqual(there);
  });

  it('MCP-DOCS: lists every code that the server says itself, and no other', () => {
    const source = filesIn('src/mcp', 'src/cli/commands/mcp', 'src/cli/commands/mcp.ts').join('\n');
    const said = [...source.matchAll(/(?:code: |blocker\(\s*|Fault\(\s*)'([a-z]+(?:-[a-z]+)+)'/g)].map(
      ([, code = '']) => code,
    );
    const listed = [...page.matchAll(/\(errors\/([\w-]+)\.md\)/g)].map(([, code = '']) => code);
    // Codes that other parts say too have their pages, and need no line here.
    const shared = ['below-agent', 'issue-invalid', 'workflow-not-found', 'input-invalid'];
    expect([...new Set(said)].filter((code) => !listed.includes(code) && !shared.includes(code))).toEqual([]);
    expect(listed.filter((code) => !source.includes(`'${code}'`))).toEqual([]);
  });
});

describe('server.json', () => {
  it('MCP-REGISTRY: names the package, its version and how it is started, as package.json has them', () => {
    const read = (name: string) => JSON.parse(readFileSync(join(projectRoot, name), 'utf8'));
    const { name, version, mcpName } = read('package.json');
    const server = read('server.json');
    expect(server.name).toBe(mcpName);
    expect(server.version).toBe(version);
    expect(server.description.length).toBeLessThanOrEqual(100);
    expect(server.packages).toMatchObject([
      {
        ...{ registryType: 'npm', identifier: name, version, transport: { type: 'stdio' } },
        packageArguments: [{ type: 'positional', value: 'mcp' }],
      },
    ]);
  });
});
