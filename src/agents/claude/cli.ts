// cli: one dispatch through the `claude` command. The prompt goes to its standard input; what is long or nobody else's
// business goes into files that only this user may read; argv holds neither.

import type { AgentAnswer, AgentRequest } from '../../ports/agent.ts';
import type { HookDoor, OpenDoor } from '../../ports/hook-door.ts';
import { jsonLines } from '../json-lines.ts';
import { type PrivateFolder, privateFolder } from '../private-folder.ts';
import { answerWithout, runClient } from '../run-client.ts';
import type { ClaudeAgentParts } from './claude-agent.ts';
import { Conversation } from './conversation.ts';
import { HOOKS_ON, type Plan, planFor } from './plan.ts';
import { type PreToolUse, ToolCalls } from './tool-calls.ts';

export async function performWithCli(
  path: string,
  request: AgentRequest,
  parts: ClaudeAgentParts,
): Promise<AgentAnswer> {
  const plan = planFor(request, parts.isRoot);
  const untrusted = new AbortController();
  let distrust: { message: string; hint: string } | undefined;
  const calls = new ToolCalls(request, plan.approves, (message, hint) => {
    distrust ??= { message, hint };
    untrusted.abort();
  });
  const conversation = new Conversation(request, calls, parts.clock);
  const lines = jsonLines({
    onValue: (value) => conversation.hear(value),
    onStray: (line) =>
      request.onEvent({ kind: 'debug', message: `claude printed a line that is no JSON: ${line}` }),
    onOverlong: () =>
      request.onEvent({ kind: 'warning', message: 'claude printed a message too long to be read' }),
  });
  const folder = privateFolder();
  let door: OpenDoor | undefined;
  try {
    door = request.guard && (await openDoor(parts.hookDoor, calls));
    const end = await runClient(
      {
        argv: [path, ...argumentsFor(request, plan, folder, door)],
        env: plan.env,
        stdin: inputOf(request.prompt, plan),
        onStdout: (chunk) => lines.write(chunk),
        signal: untrusted.signal,
      },
      request,
      parts.processes,
    );
    const { brokeOff } = lines.end();
    if (distrust !== undefined)
      return { ...conversation.unfinished(), error: { class: 'error', ...distrust } };
    const answer = end.kind === 'ended' ? conversation.answer(plan.schema) : undefined;
    if (answer !== undefined) return { ...answer, stderr: end.stderr };
    const there = conversation.unfinished();
    return { ...there, ...answerWithout('claude', end, there.text, brokeOff) };
  } finally {
    await door?.close();
    folder.remove();
  }
}

function openDoor(hookDoor: HookDoor, calls: ToolCalls): Promise<OpenDoor> {
  return hookDoor.open(async (payload) => ({
    stdout: JSON.stringify(await calls.judge(JSON.parse(payload) as PreToolUse)),
  }));
}

function argumentsFor(
  request: AgentRequest,
  plan: Plan,
  folder: PrivateFolder,
  door: OpenDoor | undefined,
): string[] {
  const { params, flags } = plan;
  const words = ['-p', '--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose'];
  const say = (flag: string, value: string | number | undefined) => {
    // One word, so that a value that begins with a dash is no flag.
    if (value !== undefined) words.push(`--${flag}=${value}`);
  };
  const list = (flag: string, values: readonly string[] | undefined) => {
    if (values !== undefined) words.push(`--${flag}`, values.join(','));
  };
  say('permission-mode', plan.mode);
  say('model', request.model);
  say('resume', request.session);
  if (request.passing) words.push('--no-session-persistence');
  if (request.system.trim() !== '') {
    const file = folder.write('system-prompt.md', request.system);
    say(params.replaceSystem ? 'system-prompt-file' : 'append-system-prompt-file', file);
    // A session that goes on keeps the system prompt it began with, whoever's it was, unless told not to.
    if (request.session !== undefined) say('system-prompt-snapshot', 'off');
  }
  say('max-turns', request.maxTurns);
  say('max-budget-usd', params.maxBudgetUsd);
  say('effort', params.effort);
  say('fallback-model', params.fallbackModel);
  for (const folderName of params.addDirs) say('add-dir', folderName);
  if (params.betas.length > 0) list('betas', params.betas);
  if (request.settingSources !== undefined) list('setting-sources', request.settingSources);
  if (door !== undefined) say('settings', folder.write('settings.json', JSON.stringify(settingsFor(door))));
  if (Object.keys(plan.mcpServers).length > 0)
    say('mcp-config', folder.write('mcp.json', JSON.stringify({ mcpServers: plan.mcpServers })));
  if (params.strictMcp) words.push('--strict-mcp-config');
  if (plan.schema !== undefined) say('json-schema', JSON.stringify(plan.schema.schema));
  list('tools', flags.tools);
  if (flags.disallowed.length > 0) list('disallowedTools', flags.disallowed);
  if (plan.allowed.length > 0) list('allowedTools', plan.allowed);
  return words;
}

/**
 * L4. Rendered text is text. As if typed, a prompt that begins with `/` would be a command of the client's, and `@path`
 * in it would put a file before the model that no hook was asked about.
 */
function inputOf(prompt: string, { params }: Plan): string {
  const message = { role: 'user', content: prompt };
  const composed = params.asTyped ? {} : { client_composed: true };
  return `${JSON.stringify({ type: 'user', message, parent_tool_use_id: null, session_id: '', ...composed })}\n`;
}

function settingsFor(door: OpenDoor): object {
  // Longer than the hook itself waits: a time-out of the client's would let the call through.
  const timeout = Math.ceil(door.patienceMs / 1000) + 10;
  return {
    ...HOOKS_ON,
    hooks: {
      PreToolUse: [{ matcher: '*', hooks: [{ type: 'command', command: door.command, timeout }] }],
    },
  };
}
