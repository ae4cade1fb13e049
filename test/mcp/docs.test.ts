// docs/guide-drive.md names every tool and every code of the server, and no other; the registry file fits the package.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { TOOLSETS } from '../../src/mcp/toolsets.ts';
import { codesInSource } from '../docs/codes.ts';
import { projectRoot } from '../scratch.ts';

const page = readFileSync(join(projectRoot, 'docs/guide-drive.md'), 'utf8');

describe('docs/guide-drive.md', () => {
  it('MCP-DOCS: lists every tool with its set, and no other', () => {
    const rows = [...page.matchAll(/^\| `(\w+)` \| (workflow|session|issues|runs) \|/gm)].map(
      ([, name, set]) => [set, name],
    );
    const there = Object.entries(TOOLSETS).flatMap(([set, names]) => names.map((name) => [set, name]));
    expect(rows).toEqual(there);
  });

  it('MCP-DOCS: lists every code that only the server has, and no other', () => {
    const uses = codesInSource(projectRoot);
    const isOurs = (at: string): boolean =>
      at.startsWith('src/mcp/') || at.startsWith('src/cli/commands/mcp');
    const elsewhere = new Set(uses.filter(({ at }) => !isOurs(at)).map(({ code }) => code));
    const ours = new Set(
      uses.filter(({ at, code }) => isOurs(at) && !elsewhere.has(code)).map(({ code }) => code),
    );
    const listed = [...page.matchAll(/\(errors\/([\w-]+)\.md\)/g)].map(([, code]) => code);
    expect(listed.toSorted()).toEqual([...ours].sort());
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
