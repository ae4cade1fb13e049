// sdk: one dispatch through the Agent SDK. The module is the user's own, loaded from where it is installed; the process
// it starts is ours (spawned-client.ts), and its hooks are functions of this process.

import type { AgentAnswer, AgentRequest, Kept } from '../../ports/agent.ts';
import type { ProcessEnd } from '../../ports/processes.ts';
import { type PrivateFolder, privateFolder } from '../private-folder.ts';
import { answerWithout, type ClientEnd, endOf } from '../run-client.ts';
import type { ClaudeAgentParts } from './claude-agent.ts';
import { Conversation } from './conversation.ts';
import { HOOKS_ON, type Plan, planFor } from './plan.ts';
import { SpawnedClient, type SpawnOptions } from './spawned-client.ts';
import { type PreToolUse, ToolCalls } from './tool-calls.ts';

interface Sdk {
  query(call: { prompt: string; options: Record<string, unknown> }): AsyncIterable<unknown>;
}

/** How long a client that has said everything may take to go. */
const LAST_WORDS_MS = 5000;
/** Seconds; the guard answers at once, and a time-out would let the call through. */
const HOOK_TIMEOUT = 24 * 3600;

export async function performWithSdk(
  path: string,
  request: AgentRequest,
  parts: ClaudeAgentParts,
): Promise<AgentAnswer> {
  const sdk = await loadSdk(path, parts);
  const plan = planFor(request, parts.isRoot);
  const stopping = new AbortController();
  let distrust: { message: string; hint: string } | undefined;
  const calls = new ToolCalls(request, plan.approves, (message, hint) => {
    distrust ??= { message, hint };
    stop();
  });
  const conversation = new Conversation(request, calls, parts.clock);
  const stderr = request.keep('stderr');
  const folder = privateFolder();
  let client: SpawnedClient | undefined;
  const stop = () => {
    stopping.abort();
    client?.kill('SIGTERM');
  };
  request.signal.addEventListener('abort', stop, { once: true });
  let thrown: string | undefined;
  try {
    const options = optionsFor(request, plan, folder, calls);
    const stream = sdk.query({
      prompt: request.prompt,
      options: {
        ...options,
        abortController: stopping,
        spawnClaudeCodeProcess(asked: SpawnOptions) {
          client = new SpawnedClient(asked, request, parts.processes, stderr);
          return client;
        },
      },
    });
    for await (const message of stream) conversation.hear(message);
  } catch (error) {
    // A result that is an error is thrown as well, once it has been given.
    thrown = error instanceof Error ? error.message : String(error);
  } finally {
    request.signal.removeEventListener('abort', stop);
  }
  const end = await gone(client, parts);
  folder.remove();
  if (request.signal.aborted) return cancelled(conversation, stderr);
  if (distrust !== undefined) return { ...conversation.unfinished(), error: { class: 'error', ...distrust } };
  const answer = conversation.answer(plan.schema);
  if (answer !== undefined) return { ...answer, stderr: stderr.text() };
  return withoutAnswer(conversation, end, thrown, stderr);
}

async function loadSdk(path: string, parts: ClaudeAgentParts): Promise<Sdk> {
  const module = (await parts.load(path)) as Partial<Sdk> | undefined;
  if (typeof module?.query === 'function') return module as Sdk;
  throw new Error(
    `${path} has no query(): it is not the Claude Agent SDK, or one that Lockstep does not know`,
  );
}

/** Nothing it started may outlive the dispatch; one that does not go by itself is ended. */
async function gone(
  client: SpawnedClient | undefined,
  parts: ClaudeAgentParts,
): Promise<ProcessEnd | undefined> {
  if (client === undefined) return undefined;
  client.process.endInput();
  const disarm = parts.clock.after(LAST_WORDS_MS, () => client.kill('SIGTERM'));
  try {
    return await client.process.end;
  } catch {
    return undefined;
  } finally {
    disarm();
  }
}

function cancelled(conversation: Conversation, stderr: Kept): AgentAnswer {
  const error = { class: 'cancelled', message: 'it was told to end' } as const;
  return { ...conversation.unfinished(), stderr: stderr.text(), error };
}

function withoutAnswer(
  conversation: Conversation,
  end: ProcessEnd | undefined,
  thrown: string | undefined,
  stderr: Kept,
): AgentAnswer {
  const there = conversation.unfinished();
  const said = stderr.text();
  // It says what the stream was like; an exit code says more than that.
  const failed: ClientEnd = {
    kind: 'failed',
    message: thrown ?? 'claude ended without an answer',
    stderr: said,
  };
  const ended = end === undefined ? failed : endOf(end, said);
  const tells = ended.kind === 'ended' && (ended.exitCode !== 0 || ended.signal !== undefined);
  return { ...there, ...answerWithout('claude', tells ? ended : failed, there.text, false) };
}

function optionsFor(
  request: AgentRequest,
  plan: Plan,
  folder: PrivateFolder,
  calls: ToolCalls,
): Record<string, unknown> {
  const { params, flags } = plan;
  const servers = Object.keys(plan.mcpServers).length > 0;
  return {
    cwd: request.cwd,
    env: plan.env,
    verbatimPrompts: !params.asTyped, // L4
    permissionMode: plan.mode,
    ...(plan.mode === 'bypassPermissions' && { allowDangerouslySkipPermissions: true }),
    systemPrompt: systemPromptFor(request, plan),
    ...(request.model !== undefined && { model: request.model }),
    ...(request.session !== undefined && { resume: request.session }),
    ...(request.passing && { persistSession: false }),
    ...(request.maxTurns !== undefined && { maxTurns: request.maxTurns }),
    ...(request.settingSources !== undefined && { settingSources: request.settingSources }),
    ...(plan.schema !== undefined && { outputFormat: { type: 'json_schema', schema: plan.schema.schema } }),
    ...(params.effort !== undefined && { effort: params.effort }),
    ...(params.fallbackModel !== undefined && { fallbackModel: params.fallbackModel }),
    ...(params.maxBudgetUsd !== undefined && { maxBudgetUsd: params.maxBudgetUsd }),
    ...(params.addDirs.length > 0 && { additionalDirectories: params.addDirs }),
    ...(params.betas.length > 0 && { betas: params.betas }),
    ...(params.strictMcp && { strictMcpConfig: true }),
    // As `mcpServers` they would stand in argv, with their keys.
    ...(servers && {
      extraArgs: { 'mcp-config': folder.write('mcp.json', JSON.stringify({ mcpServers: plan.mcpServers })) },
    }),
    ...(flags.tools !== undefined && { tools: flags.tools }),
    ...(flags.disallowed.length > 0 && { disallowedTools: flags.disallowed }),
    ...(plan.allowed.length > 0 && { allowedTools: plan.allowed }),
    ...(request.guard !== undefined && {
      settings: JSON.stringify(HOOKS_ON),
      hooks: {
        PreToolUse: [{ timeout: HOOK_TIMEOUT, hooks: [(asked: PreToolUse) => calls.judge(asked)] }],
      },
    }),
  };
}

/** Without any the SDK gives the model next to none: ours is Claude Code's own, as with the command. */
function systemPromptFor(request: AgentRequest, { params }: Plan): unknown {
  const snapshot = request.session === undefined ? {} : { snapshot: false };
  const preset = { type: 'preset', preset: 'claude_code' };
  if (request.system.trim() === '') return preset;
  if (params.replaceSystem) return { type: 'custom', prompt: request.system, ...snapshot };
  return { ...preset, append: request.system, ...snapshot };
}
