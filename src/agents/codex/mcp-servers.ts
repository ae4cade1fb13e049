// mcp-servers: the servers of a step, in the form that everybody writes ({ command, args, env } or { url, headers }),
// as codex's configuration. Values of `env` and `headers` may be secrets: they go through the environment of codex, by
// name, and never into its argv, where everybody on this machine can read them.

import { isObject, type Json, type JsonObject } from '../../model/json.ts';
import { OWN_SERVER } from '../../model/own-tools.ts';

export interface CodexServers {
  /** For `-c mcp_servers=…`. */
  config: JsonObject;
  /** To be added to the environment of codex. */
  env: Record<string, string>;
  /** Servers that codex cannot have, one sentence each. */
  warnings: string[];
}

/** Sets the variables under their own names and becomes the server. */
const BECOME = (names: string[], carriers: string[]) =>
  `${names.map((name, index) => `${name}="$${carriers[index]}"; export ${name}; unset ${carriers[index]}; `).join('')}exec "$@"`;

export function codexServers(
  servers: JsonObject,
  environment: Readonly<Record<string, string>>,
): CodexServers {
  const result: CodexServers = { config: {}, env: {}, warnings: [] };
  let carried = 0;
  /** `${NAME}` is that variable, as in Claude's files. */
  const carry = (value: Json): string => {
    const carrier = `LOCKSTEP_MCP_${++carried}`;
    result.env[carrier] = String(value).replaceAll(
      /\$\{(\w+)\}/g,
      (whole, name) => environment[name] ?? whole,
    );
    return carrier;
  };
  for (const [name, server] of Object.entries(servers)) {
    const config = isObject(server) ? codexServer(server, carry) : undefined;
    // Codex lays it over one of its user's by that name, which may be switched off.
    const over: JsonObject = name === OWN_SERVER ? { enabled: true } : {};
    if (config !== undefined && /^[\w-]+$/.test(name))
      result.config[name] = { ...config, ...ALWAYS, ...over };
    else result.warnings.push(`codex cannot have the MCP server \`${name}\`: ${whyNot(name)}`);
  }
  return result;
}

/** Nobody is there to approve; what may be called is the guard's to say. A server that does not start is a failure. */
const ALWAYS = { default_tools_approval_mode: 'approve', required: true };

function codexServer(server: JsonObject, carry: (value: Json) => string): JsonObject | undefined {
  const { command, url, args, env, headers, cwd } = server;
  if (typeof url === 'string' && server.type !== 'sse') {
    if (!isObject(headers)) return { url };
    const carriers = Object.entries(headers).map(([header, value]) => [header, carry(value)]);
    return { url, env_http_headers: Object.fromEntries(carriers) };
  }
  if (typeof command !== 'string') return undefined;
  const words = [command, ...(Array.isArray(args) ? args.map(String) : [])];
  const place: JsonObject = typeof cwd === 'string' ? { cwd } : {};
  if (!isObject(env) || Object.keys(env).length === 0) return { command, args: words.slice(1), ...place };
  const names = Object.keys(env);
  if (names.some((name) => !/^[A-Za-z_]\w*$/.test(name))) return undefined;
  const carriers = Object.values(env).map(carry);
  return {
    command: '/bin/sh',
    args: ['-c', BECOME(names, carriers), 'sh', ...words],
    env_vars: carriers,
    ...place,
  };
}

function whyNot(name: string): string {
  if (!/^[\w-]+$/.test(name)) return 'a name has letters, digits, - and _';
  return 'it needs a `command`, or a `url` that speaks streamable HTTP, and names of variables that a shell takes';
}
