// mcp: the MCP server, until its input ends or it is told to stop.

import { resolve } from 'node:path';
import { type Serving, serveOverStdio, TOOLSET_NAMES, type Toolset } from '../../mcp/mcp.ts';
import { Fault } from '../../model/fault.ts';
import { didYouMean } from '../../text/closest-name.ts';
import type { Services } from '../services.ts';
import { workplaces } from './mcp/workplaces.ts';

export interface McpOptions {
  toolsets?: string;
  workspace?: string;
  stateDir?: string;
}

export async function mcp(services: Services, options: McpOptions): Promise<number> {
  const here = options.workspace === undefined ? services : services.at(options.workspace);
  const serving: Serving = {
    workplaces: await workplaces(here, options.stateDir && resolve(services.cwd, options.stateDir)),
    toolsets: toolsetsOf(options.toolsets),
  };
  // Standard output is the protocol's: everything else goes to standard error.
  await serveOverStdio(serving, {
    input: services.stdin,
    output: services.stdout,
    warn: (message) => services.stderr.write(`lockstep mcp: ${message}\n`),
  });
  return 0;
}

function toolsetsOf(given: string | undefined): readonly Toolset[] {
  if (given === undefined) return TOOLSET_NAMES;
  const names = given.split(',').map((name) => name.trim());
  return names.map((name) => {
    const known = TOOLSET_NAMES.find((one) => one === name);
    if (known) return known;
    throw new Fault('toolset-unknown', `--toolsets: there is no toolset "${name}"`, {
      hint: didYouMean(name, TOOLSET_NAMES) ?? `There are: ${TOOLSET_NAMES.join(', ')}.`,
      exitCode: 2,
    });
  });
}
