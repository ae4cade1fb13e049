// flow: a workflow for one client, of which only the steps matter.

import type { Client } from './clients/client.ts';

/** `more`: other fields of the workflow, each on lines of its own. */
export function flow({ provider }: Client, steps: string, more = ''): string {
  return `lockstep: 1
name: flow
defaults: { provider: ${provider}, model: model-one }
${more === '' ? '' : `${more.trim()}\n`}steps:
${steps.replace(/^\n/, '')}`;
}
