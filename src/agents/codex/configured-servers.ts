// configured-servers: the MCP servers that codex's own configuration names, its user's and the project's. Read by their
// headings only, `[mcp_servers.name]`: whether one has the name of Lockstep's own server is all that is asked.

import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

export interface ConfiguredServers {
  user: string[];
  /** Codex loads these only where it trusts the project. */
  project: string[];
}

export function configuredServers(cwd: string, env: Readonly<Record<string, string>>): ConfiguredServers {
  const home = env.CODEX_HOME ?? join(env.HOME ?? homedir(), '.codex');
  const folders = above(cwd).map((folder) => join(folder, '.codex'));
  const named = (folder: string) => serversIn(read(join(folder, 'config.toml')));
  return { user: named(home), project: folders.filter((folder) => folder !== home).flatMap(named) };
}

function serversIn(toml: string): string[] {
  const name = String.raw`\s*(?:"([^"]*)"|'([^']*)'|([\w-]+))`;
  const patterns = [
    new RegExp(String.raw`^\s*\[\s*"?mcp_servers"?\s*\.${name}`, 'gm'),
    new RegExp(String.raw`^\s*"?mcp_servers"?\s*\.${name}`, 'gm'),
    new RegExp(String.raw`^\s*"?mcp_servers"?\s*=\s*\{${name}`, 'gm'),
    new RegExp(String.raw`^\s*\[\s*"?mcp_servers"?\s*\]\s*\n${name}`, 'gm'),
  ];
  return patterns.flatMap((pattern) =>
    [...toml.matchAll(pattern)].map(([, double, single, bare]) => double ?? single ?? bare ?? ''),
  );
}

function above(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...above(parent)];
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
