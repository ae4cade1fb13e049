// server: one MCP server for one connection (or, over HTTP, one request), of either revision of the protocol.

import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  INVALID_PARAMS,
  type InputRequiredResult,
  type Tool as ListedTool,
  ProtocolError,
  ResourceNotFoundError,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { isObject, type JsonObject, objectOf } from '../model/json.ts';
import { didYouMean } from '../text/closest-name.ts';
import type { Background, CallContext, Said } from './call-context.ts';
import { callTool } from './call-tool.ts';
import { FOR_RUN_INSTRUCTIONS, type ForRun, toolsForRun } from './for-run.ts';
import { listedOutput } from './listed-schema.ts';
import { promptsWith } from './prompts.ts';
import { refusalText } from './refusal.ts';
import { listResources, RESOURCE_TEMPLATES, readResource } from './resources.ts';
import { type StepTools, stepTools } from './step-tools.ts';
import { knowsTasks, offerTasks, TASKS, taskBegun } from './tasks.ts';
import type { Tokens } from './tokens.ts';
import type { AnyTool, Elicitation, ToolAnnotations } from './tool.ts';
import { toolsOf } from './tools.ts';
import type { Toolset } from './toolsets.ts';
import type { Workplaces } from './workplace.ts';

export interface ServerParts {
  workplaces: Workplaces;
  toolsets: readonly Toolset[];
  tokens(): Tokens;
  background: Background;
  /** Absent: it is not for an agent of a run. */
  forRun?: ForRun | undefined;
}

const ASK = 'answer';

export function makeServer(parts: ServerParts): Server {
  const { forRun } = parts;
  const all = toolsOf(parts.toolsets);
  const tools = forRun ? toolsForRun(all, forRun) : all;
  const hasTasks = tools.has('run_workflow');
  const server = new Server(
    { name: 'lockstep', title: 'Lockstep', version: parts.workplaces.version },
    {
      capabilities: {
        tools: { listChanged: true },
        ...(!forRun && { resources: { listChanged: true }, prompts: {} }),
        ...(hasTasks && { extensions: { [TASKS]: {} } }),
      },
      instructions: forRun ? FOR_RUN_INSTRUCTIONS : INSTRUCTIONS,
    },
  );
  const steps = stepTools(() => {
    server.sendToolListChanged().catch(() => {});
  });
  const led = { ...parts, workplaces: followedBy(steps, parts.workplaces) };
  server.setRequestHandler('tools/list', () => ({
    tools: [...tools].filter(([name]) => steps.withheld(name) === undefined).map(listed),
  }));
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const tool = tools.get(params.name);
    if (!tool) return unknownTool(params.name, tools);
    const withheld = steps.withheld(params.name);
    if (withheld !== undefined) return toolNotInStep(withheld);
    const given = objectOf(params.arguments);
    const called = contextOf(server, led, context);
    const result = await callTool(params.name, tool, given, called);
    if ('ask' in result) return asking(result.ask, parts.tokens());
    const { begun, ...answer } = result;
    if (begun && knowsTasks(context)) return (await taskBegun(called, begun)) as unknown as CallToolResult;
    return answer as CallToolResult;
  });
  if (hasTasks) offerTasks(server, (context) => contextOf(server, led, context));
  if (!forRun) offerMore(server, parts, tools);
  return server;
}

/** What a client is offered beside tools. */
function offerMore(server: Server, { workplaces }: ServerParts, tools: ReadonlyMap<string, AnyTool>): void {
  const here = () => workplaces.at();
  const prompts = promptsWith(tools);
  server.setRequestHandler('resources/list', async () => ({ resources: await listResources(await here()) }));
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: RESOURCE_TEMPLATES }));
  server.setRequestHandler('resources/read', async ({ params }) => {
    const found = await readResource(await here(), params.uri);
    if (!found)
      throw new ResourceNotFoundError(params.uri, `there is no resource ${params.uri.slice(0, 200)}`);
    return { contents: [found] };
  });
  server.setRequestHandler('prompts/list', async () => ({ prompts: await prompts.list(await here()) }));
  server.setRequestHandler('prompts/get', async ({ params }) => {
    const found = await prompts.get(await here(), params.name, params.arguments ?? {});
    if (!found) throw new ProtocolError(INVALID_PARAMS, `there is no prompt "${params.name.slice(0, 200)}"`);
    return found;
  });
}

const INSTRUCTIONS = `Lockstep leads you through workflows, one step at a time, and decides whether the work of a step was enough.
Call list_workflows, then start_workflow. Do what \`pending.prompt\` says, then hand your work in with continue_workflow and the continueToken. Follow \`nextCall\` where you are unsure.`;

function listed([name, tool]: [string, AnyTool]): ListedTool {
  const { title, description, input, output, annotations } = tool;
  return {
    ...{ name, title, description },
    inputSchema: input as unknown as ListedTool['inputSchema'],
    outputSchema: listedOutput(output) as unknown as NonNullable<ListedTool['outputSchema']>,
    annotations: saidAnnotations(annotations),
  };
}

/** What a client takes for granted anyway is left out; `readOnlyHint` is always said. */
function saidAnnotations({ readOnlyHint, ...hints }: ToolAnnotations): Partial<ToolAnnotations> {
  const { destructiveHint, idempotentHint, openWorldHint } = hints;
  return {
    readOnlyHint,
    ...(!readOnlyHint && !destructiveHint && { destructiveHint }),
    ...(!readOnlyHint && idempotentHint && { idempotentHint }),
    ...(!openWorldHint && { openWorldHint }),
  };
}

function followedBy(steps: StepTools, workplaces: Workplaces): Workplaces {
  return {
    ...workplaces,
    at: async (folder) => steps.following(await workplaces.at(folder)),
    known: async () => (await workplaces.known()).map(steps.following),
  };
}

function unknownTool(name: string, tools: Map<string, AnyTool>): CallToolResult {
  const suggestedFix = didYouMean(name, tools.keys()) ?? `There are: ${[...tools.keys()].join(', ')}.`;
  return refusedCall({
    code: 'tool-unknown',
    message: `there is no tool "${name.slice(0, 100)}"`,
    suggestedFix,
  });
}

function toolNotInStep(message: string): CallToolResult {
  const suggestedFix = 'Do the step without it. tools/list has what there is for this step.';
  return refusedCall({ code: 'tool-not-in-step', message, suggestedFix });
}

function refusedCall(refused: { code: string; message: string; suggestedFix: string }): CallToolResult {
  return {
    content: [{ type: 'text', text: refusalText(refused) }],
    structuredContent: { refused },
    isError: true,
  };
}

/** Both revisions understand this: towards the older one the SDK asks the client itself and calls again. */
function asking({ message, schema, about }: Elicitation, tokens: Tokens): InputRequiredResult {
  return {
    resultType: 'input_required',
    inputRequests: {
      [ASK]: {
        method: 'elicitation/create',
        params: { mode: 'form', message, requestedSchema: schema as never },
      },
    },
    requestState: tokens.seal(ASK, JSON.stringify(about)),
  } as InputRequiredResult;
}

function contextOf(
  server: Server,
  { workplaces, tokens, background }: ServerParts,
  { mcpReq }: ServerContext,
): CallContext {
  const envelope = objectOf(mcpReq.envelope);
  const capabilities = envelope[CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities();
  const client = objectOf(envelope[CLIENT_INFO_META_KEY] ?? server.getClientVersion());
  const progressToken = mcpReq._meta?.progressToken;
  let progress = 0;
  return {
    ...{ workplaces, tokens, background, signal: mcpReq.signal },
    at: (folder) => workplaces.at(folder),
    client: [client.name ?? 'an MCP client', client.version].filter(Boolean).join(' '),
    canAsk: canElicit(objectOf(capabilities).elicitation),
    ...saidIn(mcpReq, tokens),
    progress(message) {
      if (progressToken === undefined) return;
      progress += 1;
      const params = { progressToken, progress, message };
      mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {});
    },
    changed(what) {
      const told = what === 'tools' ? server.sendToolListChanged() : server.sendResourceListChanged();
      told.catch(() => {});
    },
  };
}

/** `elicitation: {}` is a client of before there were other ways than forms. */
function canElicit(elicitation: unknown): boolean {
  return isObject(elicitation) && (Object.keys(elicitation).length === 0 || isObject(elicitation.form));
}

function saidIn(mcpReq: ServerContext['mcpReq'], tokens: ServerParts['tokens']): { said?: Said } {
  const response = objectOf(mcpReq.inputResponses)[ASK];
  const state = mcpReq.requestState<unknown>();
  if (!isObject(response) || typeof state !== 'string') return {};
  const sealed = tokens().open(ASK, state);
  if (sealed === undefined) return {};
  const about = JSON.parse(sealed) as JsonObject;
  if (response.action === 'accept')
    return { said: { action: 'accept', about, content: objectOf(response.content) } };
  return { said: { action: response.action === 'decline' ? 'decline' : 'cancel', about } };
}
