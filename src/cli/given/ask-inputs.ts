// ask-inputs: what a run needs and the project does not say, asked of whoever sits at the terminal, before anything is
// made. Enter or Ctrl-D leaves it open; Ctrl-C ends it all.

import { Fault } from '../../model/fault.ts';
import type { Workflow } from '../../model/workflow.ts';
import { type Line, piece, renderLines } from '../../views/text/line.ts';
import { plain } from '../../views/text/plain.ts';
import { symbols } from '../../views/text/symbols.ts';
import { wrap } from '../../views/text/width.ts';
import { lookOf } from '../look.ts';
import { listen } from '../screen/ask.ts';
import type { Services } from '../services.ts';

export function canAsk({ stdin, stdout, environment }: Services, { json }: { json?: boolean }): boolean {
  return !json && environment.TERM !== 'dumb' && stdout.isTTY === true && stdin.isTTY === true;
}

/** `wanted`: why there is none, by name. */
export async function askInputs(
  services: Services,
  workflow: Workflow,
  wanted: ReadonlyMap<string, string>,
): Promise<Map<string, { value: string; by: string }>> {
  const answers = new Map<string, { value: string; by: string }>();
  for (const [name, why] of wanted) {
    const value = await askInput(services, workflow, name, why);
    if (value !== undefined) answers.set(name, { value, by: services.user });
  }
  return answers;
}

async function askInput(
  services: Services,
  workflow: Workflow,
  name: string,
  why: string,
): Promise<string | undefined> {
  const look = lookOf(services);
  const what = plain(workflow.inputs[name]?.description ?? `the input ${name}`);
  const told = `${why.charAt(0).toUpperCase()}${why.slice(1)}. --input ${name}=… gives it without being asked.`;
  const lines: Line[] = [
    [
      piece(`${symbols(look.unicode).asking} `, 'ask'),
      piece(plain(workflow.name), 'strong'),
      piece(' asks for ', 'dim'),
      piece(what),
    ],
    ...wrap(plain(told), look.width - 2).map((text): Line => [piece(`  ${text}`, 'dim')]),
  ];
  services.stdout.write(`${renderLines(lines, look)}\n`);
  let interrupted = false;
  const person = listen({
    input: services.stdin,
    output: services.stdout,
    interrupt: () => {
      interrupted = true;
    },
  });
  try {
    const typed = (await person.line('> '))?.trim();
    if (interrupted)
      throw new Fault('interrupted', 'nothing was started: it was interrupted at a question', {
        exitCode: 130,
      });
    return typed === '' ? undefined : typed;
  } finally {
    person.close();
  }
}
