// call-tool: one call of a tool, from the arguments as they came to the answer as it goes out. Whatever goes wrong becomes
// an answer that a model can read: a call never ends the server.

import type { JsonObject } from '../model/json.ts';
import type { CallContext } from './call-context.ts';
import { problemsOf } from './check-value.ts';
import { formProblem } from './form.ts';
import { misformed, type Refusal, refusalOf, refusalText } from './refusal.ts';
import type { AnyTool, Elicitation, Told } from './tool.ts';

export type CallResult =
  | {
      content: Content[];
      structuredContent: JsonObject;
      isError?: true;
      begun?: Told<object>['begun'];
    }
  | { ask: Elicitation };

type Content =
  | { type: 'text'; text: string }
  | { type: 'resource_link'; uri: string; name: string; description?: string };

export async function callTool(
  name: string,
  tool: AnyTool,
  given: JsonObject,
  context: CallContext,
): Promise<CallResult> {
  const form = formProblem(given);
  const problems = form ? [form] : problemsOf(tool.input, given);
  if (problems.length > 0) return refused(misformed(name, problems));
  try {
    const answer = await tool.call(given, context);
    if ('ask' in answer) return answer;
    const { text, value, links = [], begun } = answer;
    return {
      ...(begun && { begun }),
      content: [
        { type: 'text', text },
        ...links.map((link) => ({ type: 'resource_link' as const, ...link })),
      ],
      structuredContent: value as JsonObject,
    };
  } catch (error) {
    return refused(refusalOf(error));
  }
}

function refused(refusal: Refusal): CallResult {
  return {
    content: [{ type: 'text', text: refusalText(refusal) }],
    structuredContent: { refused: { ...refusal } },
    isError: true,
  };
}
