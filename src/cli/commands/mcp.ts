// mcp: the MCP server, until its input ends or it is told to stop.

import { resolve } from 'node:path';
import { type Serving, serveOverHttp, serveOverStdio, TOOLSET_NAMES, type Toolset } from '../../mcp/mcp.ts';
import { Fault } from '../../model/fault.ts';
import { didYouMean } from '../../text/closest-name.ts';
import type { Services } from '../services.ts';
import { workplaces } from './mcp/workplaces.ts';

export interface McpOptions {
  toolsets?: string;
  workspace?: string;
  stateDir?: string;
  http?: boolean;
  port?: string;
  /** Of a server that an agent of this run is given. */
  forRun?: string;
  tools?: string;
}

export async function mcp(services: Services, options: McpOptions): Promise<number> {
  const here = options.workspace === undefined ? services : services.at(options.workspace);
  const serving: Serving = {
    workplaces: await workplaces(
      here,
      options.stateDir && resolve(services.cwd, options.stateDir),
      !options.http,
    ),
    toolsets: toolsetsOf(options.forRun === undefined ? options.toolsets : 'issues,session'),
    ...(options.forRun !== undefined && {
      forRun: { run: options.forRun, tools: namesIn(options.tools ?? '') },
    }),
  };
  const warn = (message: string): void => void services.stderr.write(`lockstep mcp: ${message}\n`);
  if (options.http && !serving.forRun) {
    await serveOverHttp(serving, {
      ...{ port: portOf(options.port), stopped: signalled(), warn },
      ...(services.environment.LOCKSTEP_MCP_TOKEN && { token: services.environment.LOCKSTEP_MCP_TOKEN }),
      opened({ url, token }) {
        services.stdout.write(`${JSON.stringify({ url, authorization: `Bearer ${token}` })}\n`);
      },
    });
    return 0;
  }
  // Standard output is the protocol's: everything else goes to standard error.
  await serveOverStdio(serving, {
    input: services.stdin,
    output: services.stdout,
    warn,
  });
  return 0;
}

function portOf(given: string | undefined): number {
  const port = given === undefined ? 0 : Number(given);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new Fault('port-invalid', `--port ${given} is not the number of a port`, {
    hint: 'For example --port 7777; left out, one that is free is taken.',
    exitCode: 2,
  });
}

function signalled(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve());
  });
}

function toolsetsOf(given: string | undefined): readonly Toolset[] {
  if (given === undefined) return TOOLSET_NAMES;
  return namesIn(given).map((name) => {
    const known = TOOLSET_NAMES.find((one) => one === name);
    if (known) return known;
    throw new Fault('toolset-unknown', `--toolsets: there is no toolset "${name}"`, {
      hint: didYouMean(name, TOOLSET_NAMES) ?? `There are: ${TOOLSET_NAMES.join(', ')}.`,
      exitCode: 2,
    });
  });
}

function namesIn(list: string): string[] {
  return list.split(',').map((name) => name.trim());
}
