// gemini: POST /v1beta/models/M:streamGenerateContent, and :generateContent for an answer in one piece.

import { type ApiError, type Asked, type ModelTurn, USUAL_USAGE } from './turn.ts';

interface Part {
  text?: string;
  thought?: boolean;
  functionCall?: { name: string; args?: Record<string, unknown> };
  functionResponse?: { name: string; response?: Record<string, unknown> };
}
interface Content {
  role?: string;
  parts?: Part[];
}
interface Body {
  systemInstruction?: Content;
  contents?: Content[];
  tools?: { functionDeclarations?: { name: string }[] }[];
}

export function readGemini(body: Record<string, unknown>, model: string): Asked {
  const { systemInstruction, contents = [], tools = [] } = body as Body;
  return {
    model,
    system: textOf(systemInstruction),
    messages: contents.map((content) => ({
      role: content.role === 'model' ? 'assistant' : 'user',
      text: textOf(content),
      calls: callsOf(content),
      results: resultsOf(content),
    })),
    tools: tools.flatMap(({ functionDeclarations = [] }) => functionDeclarations.map(({ name }) => name)),
  };
}

function textOf(content: Content | undefined): string {
  const said = (content?.parts ?? []).filter(({ text, thought }) => text !== undefined && !thought);
  return said.map(({ text }) => text).join('\n');
}

function callsOf({ parts = [] }: Content): Asked['messages'][number]['calls'] {
  return parts.flatMap(({ functionCall }) =>
    functionCall ? [{ name: functionCall.name, input: functionCall.args ?? {} }] : [],
  );
}

function resultsOf({ parts = [] }: Content): Asked['messages'][number]['results'] {
  return parts.flatMap(({ functionResponse }) => {
    if (functionResponse === undefined) return [];
    const { response = {} } = functionResponse;
    const text = String(response.output ?? response.error ?? JSON.stringify(response));
    return [{ text, isError: 'error' in response }];
  });
}

export function geminiAnswer(turn: ModelTurn, model: string): object {
  const { input, output } = turn.usage ?? USUAL_USAGE;
  const parts: Part[] = [];
  if (turn.text !== undefined) parts.push({ text: turn.text });
  for (const { name, input: args } of turn.calls ?? []) parts.push({ functionCall: { name, args } });
  return {
    candidates: [{ index: 0, content: { role: 'model', parts }, finishReason: 'STOP' }],
    usageMetadata: {
      promptTokenCount: input,
      candidatesTokenCount: output,
      totalTokenCount: input + output,
    },
    modelVersion: model,
    responseId: 'scripted',
  };
}

export function geminiEvents(turn: ModelTurn, model: string): string[] {
  return [`data: ${JSON.stringify(geminiAnswer(turn, model))}\r\n\r\n`];
}

const KINDS: Record<number, string> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  503: 'UNAVAILABLE',
};

export function geminiError({ status, type, message, retryAfter }: ApiError): object {
  const retryInfo = { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: `${retryAfter}s` };
  return {
    error: {
      code: status,
      status: type ?? KINDS[status] ?? 'INTERNAL',
      message: message ?? 'scripted error',
      details: retryAfter === undefined ? [] : [retryInfo],
    },
  };
}
