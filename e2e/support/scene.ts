// scene: one project, one client that knows nothing but the scripted model, and the built `lockstep`.
// Owns: the folders, the environment, what is started. Never: decides what the model says, or what counts.
// Z1. Every folder a client writes to is inside the scene; every address it is given is on loopback.
// Z2. A scene that ends leaves no process behind, and Lockstep no temporary file; one that did is a failure.

import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Scratch, scratch } from '../../test/scratch.ts';
import { type ModelServer, startModelServer } from '../model-server/model-server.ts';
import type { ModelRequest } from '../model-server/turn.ts';
import type { Client } from './clients/client.ts';
import { type Ended, launcher, type Running } from './launch.ts';
import { type Part, play } from './model.ts';
import { endProcesses, processesOf } from './processes.ts';
import { latestRun, type Records, readRuns } from './records.ts';
import { storyOf } from './story.ts';

export interface SceneOptions {
  /** What the model does. */
  model: Record<string, Part>;
  /** Of the project, committed before anything runs. */
  files?: Record<string, string>;
  env?: Record<string, string>;
  /** Where the agents work, from the project; files that the model names lie there. */
  workspace?: string;
  /** Words to put before the command, given the folder of the scene. */
  through?(base: string): string[];
}

export interface Scene {
  client: Client;
  /** The project; `..` holds all there is of the scene. */
  root: string;
  key: string;
  env: Record<string, string>;
  server: ModelServer;
  requests: ModelRequest[];
  write(path: string, text: string): void;
  read(path: string): string;
  exists(path: string): boolean;
  sh(line: string): string;
  /** The workflow is committed as `flow`, then run. */
  run(workflow: string, ...argv: string[]): Promise<Ended>;
  start(workflow: string, ...argv: string[]): Running;
  lockstep(...argv: string[]): Promise<Ended>;
  /** Any other command. */
  command(...words: string[]): Promise<Ended>;
  /** The client by itself, as a person starts it: `lockstep mcp` is one of its MCP servers. */
  led(prompt: string): Promise<Ended>;
  /** The client by itself, with the hooks that are installed by then. `goesOn`: the next prompt of the session before. */
  held(prompt: string, goesOn?: boolean): Promise<Ended>;
  /** What there is of the runs of this workflow, the oldest first. */
  runs(workflow: string): Records[];
  /** Processes of this scene that are alive. */
  processes(): number[];
  /** Everything there is to know, for somebody who looks for a mistake. */
  story(): string;
  close(): Promise<void>;
}

export async function openScene(client: Client, options: SceneOptions): Promise<Scene> {
  const project: Scratch = scratch({ git: true });
  const root = realpathSync(project.root);
  const base = join(root, '..');
  // No prefix that a scanner would know, and nothing that occurs by chance.
  const key = `scripted-key-${client.name}-4c1d0b7e`;
  const server = await startModelServer(play(options.model, client, join(root, options.workspace ?? '')));
  const place = { root, home: join(base, 'home'), bin: join(base, 'bin'), url: server.url, key };
  const temporary = join(base, 'tmp');
  mkdirSync(temporary, { recursive: true });
  const env: Record<string, string> = {
    ...project.env,
    TMPDIR: temporary,
    LOCKSTEP_CLIENTS: client.provider,
    ...client.setUp(place),
    ...options.env,
  };
  project.write('.gitignore', 'node_modules/\n');
  for (const [path, text] of Object.entries(options.files ?? {})) project.write(path, text);
  project.sh('git add -A && git commit -qm "The project"');

  const words = [...(options.through?.(base) ?? []), join(base, 'bin/lockstep')];
  const { launch, outputs, killAll } = launcher(root, env);
  function prepare(workflow: string): void {
    project.write('.lockstep/workflows/flow.yaml', workflow);
    project.sh('git add -A && git commit -qm "The workflow"');
  }

  return {
    client,
    root,
    key,
    env,
    server,
    requests: server.requests,
    write: project.write,
    read: (path) => readFileSync(join(root, path), 'utf8'),
    exists: (path) => existsSync(join(root, path)),
    sh: (line) => project.sh(line).stdout,
    start(workflow, ...argv) {
      prepare(workflow);
      return launch([...words, 'run', 'flow', ...argv]);
    },
    run(workflow, ...argv) {
      prepare(workflow);
      return launch([...words, 'run', 'flow', ...argv]).ended;
    },
    lockstep: (...argv) => launch([...words, ...argv]).ended,
    command: (...argv) => launch(argv).ended,
    led(prompt) {
      if (client.led === undefined) throw new Error(`${client.name} is no command that a person starts`);
      return launch(client.led(prompt, place)).ended;
    },
    held(prompt, goesOn = false) {
      if (client.held === undefined) throw new Error(`${client.name} is no command that a person starts`);
      return launch(client.held(prompt, goesOn)).ended;
    },
    runs: (workflow) =>
      readRuns(root).filter(
        ({ journal: [first] }) => first?.kind === 'run-started' && first.workflow === workflow,
      ),
    processes: () => processesOf(place.home),
    story: () => storyOf({ outputs, server, runFolder: latestRun(root) }),
    async close() {
      killAll();
      await server.close();
      // It outlives the session on purpose.
      if (existsSync(join(place.home, '.lockstep/guard'))) await launch([...words, 'daemon', '--stop']).ended;
      const left = await endProcesses(place.home);
      left.push(...readdirSync(temporary).filter((name) => name.startsWith('lockstep-')));
      rmSync(base, { recursive: true, force: true });
      if (left.length > 0) throw new Error(`left behind:\n${left.join('\n')}`);
      if (server.problems.length > 0) throw new Error(server.problems.join('\n'));
    },
  };
}
