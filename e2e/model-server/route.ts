// route: which vendor's protocol a request speaks, by its path.

import type { Vendor } from './turn.ts';

export interface Route {
  vendor: Vendor;
  /** Gemini has it in the path, the others in the body. */
  model: string;
  streamed: boolean;
}

/** Undefined for what is no call of a model. */
export function routeOf(method: string, path: string): Route | undefined {
  if (method !== 'POST') return undefined;
  if (path.endsWith('/v1/messages')) return { vendor: 'anthropic', model: '', streamed: true };
  if (path.endsWith('/responses')) return { vendor: 'openai', model: '', streamed: true };
  const gemini = /\/models\/([^/:]+):(streamGenerateContent|generateContent)$/.exec(path);
  if (gemini === null) return undefined;
  const [, model = '', verb] = gemini;
  return {
    vendor: 'gemini',
    model: decodeURIComponent(model),
    streamed: verb === 'streamGenerateContent',
  };
}

/** What clients ask besides. */
export function sideAnswer(path: string): object | undefined {
  if (path.endsWith(':countTokens')) return { totalTokens: 10 };
  if (path.endsWith('/count_tokens')) return { input_tokens: 10 };
  if (path.endsWith('/models')) return { object: 'list', data: [], models: [] };
  return undefined;
}
