// servers: the name of Lockstep's own MCP server is not for a workflow to give: a client could not tell the two apart.

import type { Diagnostic } from '../../model/diagnostic.ts';
import { isReservedServer } from '../../model/tool-policy.ts';
import { problem, type Subject } from './subject.ts';

export function checkServers(subject: Subject): Diagnostic[] {
  return subject.outline.spots.flatMap(({ step }) => {
    const actions = [...step.enter, ...step.exit, ...step.next.flatMap((rule) => rule.do)];
    const names = [step, ...actions].flatMap(({ work }) => {
      const servers = work.kind === 'prompt' ? work.performer.params.mcp_servers : undefined;
      return typeof servers === 'object' && servers !== null ? Object.keys(servers) : [];
    });
    return [...new Set(names)].filter(isReservedServer).map((name) =>
      problem(subject, 'error', [step], {
        code: 'reserved-server',
        message: `\`${step.id}\`: \`mcp_servers.${name}\` has the name of Lockstep's own server`,
        hint: 'Give it another name.',
      }),
    );
  });
}
