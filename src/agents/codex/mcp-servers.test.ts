import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../model/json.ts';
import { codexServers } from './mcp-servers.ts';

const env = { TOKEN: 'tok-1' };
const always = { default_tools_approval_mode: 'approve', required: true };

describe('MCP servers', () => {
  it('AG-CODEX-MCP: a command, its words and its folder', () => {
    const { config } = codexServers({ a: { command: 'x', args: ['y', 1], cwd: '/w' } }, env);
    expect(config).toEqual({ a: { command: 'x', args: ['y', '1'], cwd: '/w', ...always } });
  });

  it('AG-CODEX-MCP: values of variables go through the environment, and arrive under their own names', () => {
    const args = ['-c', 'printf "%s|%s|%s" "$KEY" "$OTHER" "$LOCKSTEP_MCP_1"'];
    const given = { KEY: 'Bearer ${TOKEN}', OTHER: '$(id) "q" \\ ${NONE}' };
    const servers = codexServers({ a: { command: '/bin/sh', args, env: given } }, env);
    expect(JSON.stringify(servers.config)).not.toContain('tok-1');
    const server = servers.config.a as { command: string; args: string[]; env_vars: string[] };
    expect(server.env_vars).toEqual(Object.keys(servers.env));
    const { stdout } = spawnSync(server.command, server.args, { env: servers.env, encoding: 'utf8' });
    expect(stdout).toBe('Bearer tok-1|$(id) "q" \\ ${NONE}|');
  });

  it('headers of a server are named, never written', () => {
    const { config, env: carried } = codexServers(
      { a: { type: 'http', url: 'http://x', headers: { Authorization: 'Bearer ${TOKEN}' } } },
      env,
    );
    expect(config.a).toEqual({
      url: 'http://x',
      env_http_headers: { Authorization: 'LOCKSTEP_MCP_1' },
      ...always,
    });
    expect(carried).toEqual({ LOCKSTEP_MCP_1: 'Bearer tok-1' });
  });

  it.each<[string, JsonObject]>([
    ['an old kind of stream', { a: { type: 'sse', url: 'http://x' } }],
    ['neither command nor url', { a: {} }],
    ['no map', { a: 'x' }],
    ['a name codex does not take', { 'a b': { command: 'x' } }],
    ['a variable no shell takes', { a: { command: 'x', env: { 'a-b': '1' } } }],
  ])('says what codex cannot have: %s', (_, servers) => {
    const { config, warnings } = codexServers(servers, env);
    expect(config).toEqual({});
    expect(warnings).toEqual([expect.stringContaining(Object.keys(servers)[0] as string)]);
  });
});
