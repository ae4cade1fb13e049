// hook-limits: what a client cannot be held to by its hooks, and what is done about it. Doctor, docs and reports say it in
// these words. Measured: facts/hooks.md, on the versions in `MEASURED`.

import type { ClientName } from '../model/live-session.ts';

export const MEASURED: Readonly<Record<ClientName, string>> = {
  claude: '2.1.325',
  codex: '0.166.0',
  gemini: '0.61.0',
};

export interface HookLimit {
  client: ClientName;
  /** Stable, for those who look for one of them. */
  id: string;
  /** What it is that cannot be held, seen or said. */
  limit: string;
  /** What Lockstep does about it, or what a person can do. */
  remedy: string;
}

const CLAUDE: Omit<HookLimit, 'client'>[] = [
  {
    id: 'hooks-off',
    limit:
      '`disableAllHooks: true` in the settings of a project switches off the hooks of user and plugin too, even while a session runs.',
    remedy:
      'A change of settings is blocked in a bound session, and writing settings is denied. Hooks that come by `--settings` with `disableAllHooks: false` hold.',
  },
  {
    id: 'bad-timeout',
    limit:
      'One hook with an invalid time-out (0, negative, a text) makes Claude drop every hook of that event in the same file.',
    remedy: 'Give every hook in a file that holds ours a time-out of whole seconds above 0.',
  },
  {
    id: 'started-without',
    limit: 'A session that is started with `--bare` or other `--setting-sources` has no hooks.',
    remedy: 'Nothing is seen of such a session. Checks in CI hold its work to the same demands.',
  },
  {
    id: 'esc',
    limit: 'Esc ends a turn without any event: there is no Stop.',
    remedy: 'The step is as it was. The next prompt goes on with it.',
  },
  {
    id: 'stop-cap',
    limit:
      'After eight held stops in a row without a tool call between them Claude stops all the same, and its result is empty.',
    remedy:
      'Lockstep pauses for the person before that. `CLAUDE_CODE_STOP_HOOK_BLOCK_CAP` raises the number, 0 takes it away.',
  },
  {
    id: 'api-error',
    limit: 'A turn that ends with an error of the API ends without Stop.',
    remedy: 'The step is as it was. The next prompt goes on with it.',
  },
  {
    id: 'unasked-tools',
    limit: 'A call of an unknown tool, or with an invalid input, reaches no hook.',
    remedy: 'Claude itself refuses such a call.',
  },
  {
    id: 'prompts-not-typed',
    limit:
      'Claude sends a prompt of its own when a background agent has finished. Whether a scheduled prompt looks like a typed one was not tried.',
    remedy:
      'A prompt that begins with a tag of Claude’s own is nobody’s answer. Deny `CronCreate` where a person’s word decides.',
  },
  {
    id: 'rewritten-is-approved',
    limit: 'A call that a rule rewrites runs without Claude’s own question to the person.',
    remedy: 'Use `block` in place of `rewrite` where that question matters.',
  },
  {
    id: 'server-name',
    limit:
      'A server of the project’s `.mcp.json` may have the name that Claude gives to the server of our plugin.',
    remedy: 'Have no server called `plugin_lockstep_lockstep` there.',
  },
];

const CODEX: Omit<HookLimit, 'client'>[] = [
  {
    id: 'web-search',
    limit: '`web_search` reaches no hook.',
    remedy: 'Switch it off in config.toml where it must not be used.',
  },
  {
    id: 'write-stdin',
    limit: '`write_stdin` reaches no hook: what is typed into a running command is unseen.',
    remedy:
      'Where a step may not write, the work tree is compared around the command and at Stop. Deny commands that read commands (`bash`, `python`).',
  },
  {
    id: 'untrusted-hooks',
    limit: '`codex exec` skips hooks that nobody has trusted, or that were edited since, without a word.',
    remedy: 'Start the TUI once, and again after each change of the hooks, and trust them there.',
  },
  {
    id: 'no-exit-code',
    limit: 'A failed command looks like any other: its result has no exit code.',
    remedy: 'Have tests run by `done.run`: that is Lockstep’s own process.',
  },
  {
    id: 'late-results',
    limit:
      'The result of a long command comes when Codex next looks at it; a patch that is applied by a shell line has none.',
    remedy: 'What it changed is found at the next event that is seen.',
  },
  {
    id: 'late-start',
    limit: 'SessionStart comes with the first prompt, and a TUI’s SessionEnd ten to sixty seconds late.',
    remedy: 'A session is bound at the first event that is seen.',
  },
  {
    id: 'esc',
    limit: 'Esc ends a turn without Stop.',
    remedy: 'The step is as it was. The next prompt goes on with it.',
  },
  {
    id: 'settings',
    limit: 'There is no event for a change of settings.',
    remedy: 'Edits while a session runs have no effect on it. Writing settings is denied.',
  },
  {
    id: 'compaction',
    limit: 'Holding a compaction ends the run of `codex exec`.',
    remedy: 'Lockstep holds none: the step is said again after it.',
  },
  {
    id: 'notes',
    limit: 'Beside a denial or a held stop the person is shown no note of ours.',
    remedy: '`lockstep workflow status` shows it.',
  },
];

const GEMINI: Omit<HookLimit, 'client'>[] = [
  {
    id: 'subagents',
    limit: 'Nothing marks what a subagent does, and it has no stop of its own.',
    remedy: 'Its calls are judged and counted as the session’s. Deny `Task` where that is too much.',
  },
  {
    id: 'calls-without-ids',
    limit: 'A call has no id. Two alike at the same time are told apart by nothing.',
    remedy: 'Both are judged. What came of them may be counted for either.',
  },
  {
    id: 'say-before-tool',
    limit: 'What is said with a call that is let through is lost.',
    remedy: 'It is said with the result, with the next prompt, or in the reason of a denial.',
  },
  {
    id: 'compaction',
    limit:
      'A compaction can neither be seen nor held: PreCompress comes before every call of the model, whether anything is compressed or not.',
    remedy: 'The step is said again when a person asks for a compression.',
  },
  {
    id: 'hooks-off',
    limit: '`hooksConfig.enabled: false` in the settings of a project switches off the user’s hooks.',
    remedy: 'Writing settings is denied; edits while a session runs have no effect on it.',
  },
  {
    id: 'settings',
    limit: 'There is no event for a change of settings, and none for a question to the person.',
    remedy: 'Edits while a session runs have no effect on it. Calls are judged before the person is asked.',
  },
  {
    id: 'stop-cap',
    limit:
      'After about twenty like answers at held stops Gemini asks its model no more, and in the end breaks.',
    remedy: 'Lockstep pauses for the person before that.',
  },
  {
    id: 'missing-hook',
    limit: 'A hook program that is missing blocks everything, and at the end of a turn it loops.',
    remedy: '`lockstep init --client gemini --remove` takes the hooks away.',
  },
  {
    id: 'esc',
    limit: 'What Esc sends was not tried.',
    remedy: 'The step is as it was. The next prompt goes on with it.',
  },
];

export const LIMITS: readonly HookLimit[] = [
  ...CLAUDE.map((limit): HookLimit => ({ client: 'claude', ...limit })),
  ...CODEX.map((limit): HookLimit => ({ client: 'codex', ...limit })),
  ...GEMINI.map((limit): HookLimit => ({ client: 'gemini', ...limit })),
];
