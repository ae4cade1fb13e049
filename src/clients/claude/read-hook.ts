// read-hook: what Claude Code sends to a hook → what happens in the session.

import type { JsonObject } from '../../model/json.ts';
import type { HookHappening } from '../../model/live-session.ts';
import { callReaders, TURN_EVENTS } from '../hook-events.ts';
import {
  type HookReading,
  type HookTable,
  inputMap,
  promptOf,
  type ReadAround,
  readPayload,
  textOf,
  wordOf,
} from '../hook-payload.ts';
import { judgedName, OWN_SERVERS } from '../own-calls.ts';
import { isControlTool, toolActs } from './tools.ts';

export function readClaudeHook(payload: JsonObject, around: ReadAround): HookReading {
  return readPayload('claude', EVENTS, payload, around);
}

const { called, ended, asked } = callReaders(({ ownServers = OWN_SERVERS.claude }) => ({
  inputOf: inputMap,
  toolOf: (name) => judgedName(name, ownServers),
  actsOf: ({ name, ...call }) =>
    isControlTool(name) ? [] : toolActs({ ...call, name: judgedName(name, ownServers) }),
}));

const EVENTS: HookTable = {
  ...TURN_EVENTS,
  UserPromptSubmit: readPrompt,
  PreToolUse: called,
  PermissionRequest: asked,
  PostToolUse: ended,
  PostToolUseFailure: (payload, around, cwd) => ({
    ...ended(payload, around, cwd),
    error: textOf(payload.error) || 'it failed',
  }),
  ConfigChange: ({ source, file_path: file }) => ({
    kind: 'settings_change',
    source: wordOf(source),
    ...(typeof file === 'string' && { file }),
  }),
};

/**
 * What Claude sends in a person's name begins with a tag of its own making, such as `<task-notification>` of a background
 * agent. No tag of HTML has a hyphen. A person who begins so is not taken for one: that only asks them to say it again.
 */
const OF_THE_CLIENT = /^\s*<[a-z]+(?:-[a-z]+)+[\s>]/;

function readPrompt(payload: JsonObject): HookHappening {
  const prompt = promptOf(payload);
  const isPersons =
    prompt !== '' &&
    !OF_THE_CLIENT.test(prompt) &&
    (payload.agent_id === undefined || payload.agent_id === '');
  return { kind: 'user_prompt', prompt, byPerson: isPersons };
}
