// client-hooks: `lockstep init --client`: the hooks of a client, so that its sessions can be held to a workflow; shown, agreed to, and
// taken out again with --remove.

import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isClosed } from '../../../daemon/hook-times.ts';
import { CHOICE_FILE, NOTHING_CHOSEN, writeChoice } from '../../../drivers/guard/choice.ts';
import { Fault } from '../../../model/fault.ts';
import type { ClientName } from '../../../model/live-session.ts';
import { changedLines } from '../../../setup/changed-lines.ts';
import { type Change, install, planInstall, planRestore, restore } from '../../../setup/install.ts';
import { hooksFile } from '../../../setup/settings-files.ts';
import { refuseBelowStep } from '../../below-agent.ts';
import { canAsk } from '../../given/ask-inputs.ts';
import { listen } from '../../screen/ask.ts';
import type { Services } from '../../services.ts';

export interface ClientOptions {
  client: ClientName;
  remove?: boolean;
  yes?: boolean;
  /** Into the settings of the project instead of the user's. */
  project?: boolean;
  /** False: sessions leave nothing to the next one. */
  handoff?: boolean;
}

const HANDOFF = 'session-handoff';

export async function initClient(
  services: Services,
  directory: string,
  options: ClientOptions,
): Promise<number> {
  await refuseBelowStep(services, 'init --client');
  const here = services.at(directory);
  const root = await here.projectRoot();
  const file = hooksFile(options.client, options.project ? 'project' : 'user', root, services.environment);
  const keep = join(services.home, 'guard', 'replaced');
  return options.remove ? remove(here, options, root, file, keep) : put(here, options, root, file, keep);
}

async function put(
  services: Services,
  options: ClientOptions,
  root: string,
  file: string,
  keep: string,
): Promise<number> {
  const { client } = options;
  const [node, program] = (await services.daemon()).command;
  const settings = { client, own: { node, program }, isClosed };
  const changes = [planInstall(file, settings), ...(await choiceChanges(services, root, options))];
  const pending = changes.filter(({ before, after }) => before !== after);
  if (pending.length === 0) {
    services.stdout.write(`Nothing to do: the hooks of ${client} are in ${file}.\n`);
    return 0;
  }
  if (!(await agreed(services, pending, options))) return 1;
  install(file, settings, keep);
  for (const { file: path, after } of pending) if (path !== file) writeNew(path, after ?? '');
  services.stdout.write(`${['Done.', ...AFTERWARDS[client]].join('\n')}\n`);
  return 0;
}

async function remove(
  services: Services,
  options: ClientOptions,
  root: string,
  file: string,
  keep: string,
): Promise<number> {
  const choice = join(root, CHOICE_FILE);
  const text = existsSync(choice) ? readFileSync(choice, 'utf8') : undefined;
  // Only what was written here: a workflow that a person has chosen since stays.
  const isOurs = text !== undefined && STARTING_CHOICES.includes(text);
  const changes: Change[] = [
    planRestore(file, keep),
    ...(isOurs ? [{ file: choice, before: text, after: undefined }] : []),
  ];
  const pending = changes.filter(({ before, after }) => before !== after);
  if (pending.length === 0) {
    services.stdout.write(`Nothing to do: there are no hooks of ours in ${file}.\n`);
    return 0;
  }
  if (!(await agreed(services, pending, options))) return 1;
  restore(file, keep);
  if (isOurs) rmSync(choice);
  services.stdout.write('Done. A session that is open keeps its hooks until it ends.\n');
  return 0;
}

const STARTING_CHOICES = [[HANDOFF], []].map((lifecycles) => writeChoice({ ...NOTHING_CHOSEN, lifecycles }));

/** What a session leaves to the next one is on unless it is refused. A choice that is there stays as it is. */
async function choiceChanges(
  services: Services,
  root: string,
  { handoff }: ClientOptions,
): Promise<Change[]> {
  const file = join(root, CHOICE_FILE);
  if (handoff === false || existsSync(file)) return [];
  const known = (await services.library()).load({ by: 'name', kind: 'workflow', name: HANDOFF });
  if ('missing' in known) return [];
  const ignore = join(root, '.lockstep/local/.gitignore');
  return [
    { file, before: undefined, after: writeChoice({ ...NOTHING_CHOSEN, lifecycles: [HANDOFF] }) },
    ...(existsSync(ignore) ? [] : [{ file: ignore, before: undefined, after: '*\n' }]),
  ];
}

function writeNew(path: string, text: string): void {
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, text, { flag: 'wx' });
}

async function agreed(services: Services, changes: Change[], { yes }: ClientOptions): Promise<boolean> {
  for (const { file, before, after } of changes) {
    const how = before === undefined ? ' (new)' : after === undefined ? ' (removed)' : '';
    services.stdout.write(`${file}${how}\n`);
    for (const line of changedLines(before ?? '', after ?? '')) services.stdout.write(`  ${line}\n`);
  }
  if (yes) return true;
  if (!canAsk(services, {}))
    throw new Fault('confirmation-needed', 'nobody can be asked here, so nothing was written', {
      hint: 'If this is what you want: the same with --yes.',
      exitCode: 2,
    });
  const person = listen({ input: services.stdin, output: services.stdout, interrupt: () => {} });
  try {
    const said = (await person.line('Write this? [y/N] '))?.trim().toLowerCase();
    if (said === 'y' || said === 'yes') return true;
  } finally {
    person.close();
  }
  services.stdout.write('Nothing was written.\n');
  return false;
}

const AFTERWARDS: Record<ClientName, string[]> = {
  claude: [
    'Sessions that start now are seen. `lockstep workflow set NAME` chooses what holds those of a project.',
    'Claude Code shows the hooks with /hooks. `lockstep doctor` says whether something switches them off.',
  ],
  codex: [
    'Codex runs a hook only after you have looked at it: start `codex` once and agree to these hooks. Until then it skips',
    'them, in `codex exec` without a word. `lockstep doctor` says whether they are trusted.',
    '`lockstep workflow set NAME` chooses what holds the sessions of a project.',
  ],
  gemini: [
    'Sessions that start now are seen, in folders that Gemini trusts. `lockstep workflow set NAME` chooses what holds those of',
    'a project. `lockstep doctor` says whether something switches hooks off.',
  ],
};
