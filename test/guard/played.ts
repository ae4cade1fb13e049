// played: a client that a script plays. What it asks for goes through the real hook program to the real daemon; what it is allowed
// it really does, in a real repository, and tells what came of it. It sends what Claude Code sends, and keeps a transcript as it does.

import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Entry } from '../../src/model/entry.ts';
import { projectRoot, type Scratch, scratch } from '../scratch.ts';
import { run } from './guarded.ts';

/** What came of a tool call. */
export interface Used {
  /** Why it was not allowed. */
  denied?: string;
  /** How it failed. */
  failed?: string;
  /** What the model was told with it. */
  told: string;
}

export interface Told {
  told: string;
  /** For the person. */
  note: string;
}

export interface Stopped {
  /** Why the turn goes on. */
  held?: string;
  note: string;
}

export interface Session {
  readonly id: string;
  starts(source?: 'startup' | 'resume' | 'clear' | 'compact'): Promise<Told>;
  /** A person types. */
  hears(prompt: string): Promise<Told>;
  writes(file: string, content: string): Promise<Used>;
  edits(file: string, from: string, to: string): Promise<Used>;
  reads(file: string): Promise<Used>;
  runs(command: string): Promise<Used>;
  stops(text?: string): Promise<Stopped>;
  ends(reason?: string): Promise<void>;
}

export interface Played extends Scratch {
  home: string;
  session(): Session;
  /** The entries of the run of a workflow; of its newest one where there are several. */
  journal(workflow: string): Entry[];
  exists(path: string): boolean;
  read(path: string): string;
}

const HOOK = join(projectRoot, 'dist/hook.cjs');

export function played(): Played {
  const project = scratch({ git: true });
  const home = join(project.env.HOME as string, '.lockstep');
  project.env.LOCKSTEP_HOME = home;
  let sessions = 0;
  let calls = 0;
  const inside = (path: string) => join(project.root, path);
  return {
    ...project,
    home,
    exists: (path) => existsSync(inside(path)),
    read: (path) => readFileSync(inside(path), 'utf8'),
    journal(workflow) {
      const runs = inside('.lockstep/runs');
      const journals = readdirSync(runs)
        .filter((name) => /^\d{8}T/.test(name))
        .sort()
        .map((name) => entriesIn(readFileSync(join(runs, name, 'journal.jsonl'), 'utf8')));
      return (
        journals.findLast(([first]) => first?.kind === 'run-started' && first.workflow === workflow) ?? []
      );
    },
    session() {
      sessions += 1;
      const id = `${sessions}1111111-1111-4111-8111-111111111111`;
      return sessionOf(id, project, () => `toolu_${++calls}`);
    },
    remove() {
      project.spawned('daemon', '--stop');
      project.remove();
    },
  };
}

function entriesIn(text: string): Entry[] {
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Entry);
}

interface Answer {
  decision?: string;
  reason?: string;
  systemMessage?: string;
  hookSpecificOutput?: {
    permissionDecision?: string;
    permissionDecisionReason?: string;
    additionalContext?: string;
  };
}

function sessionOf(id: string, { root, env }: Scratch, nextCall: () => string): Session {
  const transcript = join(env.HOME as string, '.claude/projects/p', `${id}.jsonl`);
  const keep = (line: object) => {
    mkdirSync(dirname(transcript), { recursive: true });
    appendFileSync(transcript, `${JSON.stringify({ sessionId: id, cwd: root, ...line })}\n`);
  };

  async function tell(event: string, more: object): Promise<Answer> {
    const payload = {
      session_id: id,
      transcript_path: transcript,
      cwd: root,
      hook_event_name: event,
      ...more,
    };
    const ended = await run([process.execPath, HOOK, 'claude', '1'], root, env, JSON.stringify(payload));
    if (ended.exitCode !== 0 || ended.stderr !== '')
      throw new Error(`${event}: ${ended.exitCode} ${ended.stderr}`);
    return ended.stdout === '' ? {} : (JSON.parse(ended.stdout) as Answer);
  }

  /** As Claude does: asked, done, told. */
  async function use(tool: string, input: Record<string, string>, work: () => string): Promise<Used> {
    const call = { tool_name: tool, tool_input: input, tool_use_id: nextCall() };
    const { hookSpecificOutput: judged } = await tell('PreToolUse', call);
    const first = judged?.additionalContext ?? '';
    if (judged?.permissionDecision === 'deny')
      return { denied: judged.permissionDecisionReason ?? '', told: first };
    keep({
      type: 'assistant',
      message: {
        role: 'assistant',
        content: [{ type: 'tool_use', id: call.tool_use_id, name: tool, input }],
      },
    });
    let failed: string | undefined;
    let stdout = '';
    try {
      stdout = work();
    } catch (error) {
      failed = (error as Error).message;
    }
    const { hookSpecificOutput: after } =
      failed === undefined
        ? await tell('PostToolUse', { ...call, tool_response: { stdout, stderr: '', interrupted: false } })
        : await tell('PostToolUseFailure', { ...call, error: failed, is_interrupt: false });
    const told = [first, after?.additionalContext ?? ''].filter((text) => text !== '').join('\n\n');
    return { told, ...(failed !== undefined && { failed }) };
  }

  const path = (file: string) => join(root, file);
  const toldBy = ({ hookSpecificOutput, systemMessage, decision, reason }: Answer): Told => ({
    told: hookSpecificOutput?.additionalContext ?? '',
    note: [systemMessage, decision === 'block' ? reason : ''].filter(Boolean).join('\n'),
  });
  return {
    id,
    starts: async (source = 'startup') => toldBy(await tell('SessionStart', { source })),
    async hears(prompt) {
      const told = toldBy(await tell('UserPromptSubmit', { prompt }));
      keep({ type: 'user', message: { role: 'user', content: prompt } });
      return told;
    },
    writes: (file, content) =>
      use('Write', { file_path: path(file), content }, () => {
        mkdirSync(dirname(path(file)), { recursive: true });
        writeFileSync(path(file), content);
        return '';
      }),
    edits: (file, from, to) =>
      use('Edit', { file_path: path(file), old_string: from, new_string: to }, () => {
        const before = readFileSync(path(file), 'utf8');
        if (!before.includes(from)) throw new Error('String to replace not found in file.');
        writeFileSync(path(file), before.replace(from, to));
        return '';
      }),
    reads: (file) => use('Read', { file_path: path(file) }, () => readFileSync(path(file), 'utf8')),
    runs: (command) =>
      use('Bash', { command }, () => {
        const { status, stdout, stderr } = spawnSync('/bin/sh', ['-c', command], {
          cwd: root,
          env,
          encoding: 'utf8',
        });
        if (status !== 0) throw new Error(`Exit code ${status}\n${stdout}${stderr}`);
        return stdout;
      }),
    async stops(text = 'Done.') {
      keep({ type: 'assistant', message: { role: 'assistant', content: [{ type: 'text', text }] } });
      const answer = await tell('Stop', { stop_hook_active: false, last_assistant_message: text });
      return {
        note: answer.systemMessage ?? '',
        ...(answer.decision === 'block' && { held: answer.reason ?? '' }),
      };
    },
    async ends(reason = 'prompt_input_exit') {
      await tell('SessionEnd', { reason });
    },
  };
}
