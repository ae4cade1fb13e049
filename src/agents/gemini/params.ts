// params: what `params` of a step may say to Gemini, beside what every provider knows.

import type { Json, JsonObject } from '../../model/json.ts';

export type Params = { [Name in keyof typeof KNOWN]?: Json };

const isNumber = (value: Json) => typeof value === 'number';
const isWhole = (value: Json) => Number.isInteger(value);
const KNOWN = {
  temperature: { fits: isNumber, is: 'a number' },
  top_p: { fits: isNumber, is: 'a number' },
  max_output_tokens: { fits: isWhole, is: 'a whole number' },
  thinking_budget: { fits: isWhole, is: 'a whole number' },
  thinking_level: {
    fits: (value: Json) => typeof value === 'string' && /^(minimal|low|medium|high)$/i.test(value),
    is: 'minimal, low, medium or high',
  },
  max_attempts: { fits: isWhole, is: 'a whole number' },
};

export function readParams(params: JsonObject): { known: Params; warnings: string[] } {
  const known: Params = {};
  const warnings: string[] = [];
  for (const [name, value] of Object.entries(params)) {
    if (!Object.hasOwn(KNOWN, name)) {
      warnings.push(
        `gemini knows no parameter \`${name}\` (it knows ${Object.keys(KNOWN).join(', ')}): it changes nothing`,
      );
      continue;
    }
    const key = name as keyof typeof KNOWN;
    if (KNOWN[key].fits(value)) known[key] = value;
    else
      warnings.push(
        `\`${name}\` of gemini is ${KNOWN[key].is}, not ${JSON.stringify(value)}: it changes nothing`,
      );
  }
  return { known, warnings };
}

export function settingsOfParams(params: Params): JsonObject {
  const { temperature, top_p, max_output_tokens, thinking_budget, thinking_level, max_attempts } = params;
  const thinkingConfig: JsonObject = {
    ...(thinking_budget !== undefined && { thinkingBudget: thinking_budget }),
    ...(thinking_level !== undefined && { thinkingLevel: String(thinking_level).toUpperCase() }),
  };
  const generateContentConfig: JsonObject = {
    ...(temperature !== undefined && { temperature }),
    ...(top_p !== undefined && { topP: top_p }),
    ...(max_output_tokens !== undefined && { maxOutputTokens: max_output_tokens }),
    ...(Object.keys(thinkingConfig).length > 0 && { thinkingConfig }),
  };
  const override = { match: { overrideScope: 'core' }, modelConfig: { generateContentConfig } };
  return {
    ...(max_attempts !== undefined && { general: { maxAttempts: max_attempts } }),
    ...(Object.keys(generateContentConfig).length > 0 && { modelConfigs: { customOverrides: [override] } }),
  };
}
