import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../model/json.ts';
import { listedOutput } from './listed-schema.ts';
import { exampleOf } from './schema-example.ts';
import { TOOLS } from './tools.ts';
import { TOOLSETS } from './toolsets.ts';

const ajv = new Ajv({ strict: false });
const outputs = Object.entries(TOOLS).map(([name, { output }]) => [name, output] as [string, JsonObject]);

describe('MCP-LIST-SIZE: the list of tools is small', () => {
  it.each(outputs)(
    'what %s gives is listed with every field, and whatever fits the whole schema fits the listed one',
    (_, whole) => {
      const listed = listedOutput(whole);
      expect(Object.keys(listed.properties as object).sort()).toEqual(
        Object.keys(whole.properties as object).sort(),
      );
      const { anyOf: _either, ...rest } = whole;
      const [needed] = whole.anyOf as [{ required: string[] }];
      const example = exampleOf({ ...rest, required: needed.required });
      expect(ajv.validate(whole, example), ajv.errorsText()).toBe(true);
      expect(ajv.validate(listed, example), ajv.errorsText()).toBe(true);
      expect(ajv.validate(listed, {})).toBe(false);
    },
  );

  it('takes less than half of what the whole schemas take, words and all', () => {
    const size = (all: object[]): number => JSON.stringify(all).length;
    const whole = outputs.map(([, output]) => output);
    expect(size(whole.map(listedOutput)) * 2).toBeLessThan(size(whole));
    expect(Object.keys(TOOLS)).toHaveLength(Object.values(TOOLSETS).flat().length);
  });
});
