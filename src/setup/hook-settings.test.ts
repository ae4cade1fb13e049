import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hookLine, isHookLine } from '../clients/hook-line.ts';
import { installedHooks } from '../clients/hooks.ts';
import { CLIENTS } from '../model/live-session.ts';
import { jsonValue, readJsonNodes } from '../text/json-edit.ts';
import { hooksIn, invalidTimeouts, withHooks, withoutHooks } from './hook-settings.ts';

const own = { node: '/usr/bin/node', program: "/opt/it's here/lockstep.js" };
const isClosed = (kind: string) => kind === 'tool_call' || kind === 'stop';
const read = (text: string) => jsonValue(readJsonNodes(text)) as Record<string, unknown>;

/** JSON as people leave it: any spacing, comments, commas at the end, other hooks. */
const odd = fc.letrec((tie) => ({
  blank: fc.constantFrom('', ' ', '\n', '\r\n', '\t', '\n    ', ' // why\n', '/* a "hook" { */', '\n\n'),
  leaf: fc
    .oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null))
    .map((value) => JSON.stringify(value)),
  value: fc.oneof({ depthSize: 'small' }, tie('leaf'), tie('list'), tie('map')),
  list: fc
    .tuple(fc.array(fc.tuple(tie('blank'), tie('value'), tie('blank')), { maxLength: 3 }), fc.boolean())
    .map(written('[', ']')),
  map: fc
    .tuple(fc.array(fc.tuple(tie('blank'), tie('entry'), tie('blank')), { maxLength: 3 }), fc.boolean())
    .map(written('{', '}')),
  entry: fc
    .tuple(fc.string(), tie('blank'), tie('value'))
    .map(([key, blank, value]) => `${JSON.stringify(key)}:${blank}${value}`),
}));

function written(open: string, close: string) {
  return ([items, isTrailing]: [unknown[][], boolean]) =>
    `${open}${items.map((parts) => parts.join('')).join(',')}${isTrailing && items.length > 0 ? ',' : ''}${close}`;
}

const others = fc.constantFrom(
  undefined,
  '"hooks": {"Other": [1]}',
  '"hooks" : { "PreToolUse": [ {"matcher":"Bash", "hooks":[{"type":"command","command":"./mine","timeout":5}]} ], // mine\n "Stop":[{"hooks":[{"type":"command","command":"say done"}]},] }',
);
const settingsText = fc
  .tuple(
    fc.constantFrom('', '\uFEFF', '// settings\n', '\n'),
    odd.map,
    others,
    fc.constantFrom('', '\n', '\r\n', ' // end'),
  )
  .map(([before, map, hooks, after]) => {
    const body =
      hooks === undefined
        ? (map as string)
        : `{${hooks}${(map as string) === '{}' ? '' : `,${(map as string).slice(1)}`}`;
    return `${before}${body.replace(/,\s*\}$/, '}')}${after}`;
  })
  .filter((text) => {
    try {
      const { hooks } = read(text);
      return hooks === undefined || (typeof hooks === 'object' && hooks !== null && !Array.isArray(hooks));
    } catch {
      return false;
    }
  });

describe.each(CLIENTS)('settings of %s', (client) => {
  const settings = { client, own, isClosed };

  it('GOB-SETUP-MERGE: whatever is in them stays, ours are there once, and putting them in twice changes nothing', () => {
    fc.assert(
      fc.property(settingsText, (text) => {
        const { text: once } = withHooks(text, settings, 'x');
        const ours = hooksIn(once, 'x');
        expect(ours.map(({ event }) => event).sort()).toEqual(
          installedHooks(client)
            .map(({ event }) => event)
            .sort(),
        );
        expect(withHooks(once, settings, 'x').text).toBe(once);
        const before = read(text);
        const after = read(once);
        for (const [key, value] of Object.entries(before))
          if (key !== 'hooks') expect(after[key]).toEqual(value);
        for (const [event, groups] of Object.entries((before.hooks ?? {}) as Record<string, unknown[]>))
          expect((after.hooks as Record<string, unknown[]>)[event]?.slice(0, groups.length)).toEqual(groups);
      }),
    );
  });

  it('GOB-SETUP-REMOVE: taken out, the text is what it was, but for spacing in what was empty', () => {
    fc.assert(
      fc.property(settingsText, (text) => {
        const { text: installed, made } = withHooks(text, settings, 'x');
        const back = withoutHooks(installed, made, 'x');
        if (/[[{]\s+[\]}]/.test(text)) expect(read(back)).toEqual(read(text));
        else expect(back).toBe(text);
      }),
    );
  });
});

it('an older line is replaced, a hook of somebody else in the same group stays', () => {
  const line = hookLine('claude', true, undefined);
  const text = `{"hooks":{"PreToolUse":[{"matcher":"*","hooks":[{"type":"command","command":"mine"},{"type":"command","command":${JSON.stringify(line)}}]}]}}`;
  expect(withoutHooks(text, [], 'x')).toBe(
    '{"hooks":{"PreToolUse":[{"matcher":"*","hooks":[{"type":"command","command":"mine"}]}]}}',
  );
  expect(isHookLine(line)).toBe(true);
});

it.each([
  ['no JSON', '{"a": }', 'unexpected "}" at line 1, column 7'],
  ['cut short', '{"a": [1', 'unexpected the end at line 1, column 9'],
  ['a list', '[]', 'it is not a JSON object'],
  ['hooks of another shape', '{"hooks": []}', '`hooks` is not a map'],
  ['an event of another shape', '{"hooks": {"PreToolUse": {}}}', '`hooks.PreToolUse` is not a list'],
])('settings-unreadable: %s', (_, text, why) => {
  expect(() => withHooks(text, { client: 'claude', own, isClosed }, 'settings.json')).toThrow(
    `settings.json cannot be changed: ${why}`,
  );
});

it('time-outs that a client does not take are found, whose ever they are', () => {
  const of = (timeout: unknown) =>
    JSON.stringify({ hooks: { Stop: [{ hooks: [{ type: 'command', command: 'x', timeout }] }] } });
  const invalid = (client: (typeof CLIENTS)[number], timeout: unknown) =>
    invalidTimeouts(of(timeout), client, 'x').length > 0;
  expect([0, -1, '5', 0.5, 60].map((each) => invalid('claude', each))).toEqual([
    true,
    true,
    true,
    false,
    false,
  ]);
  expect([0, -1, '5', 0.5, 60, 1e19].map((each) => invalid('codex', each))).toEqual([
    true,
    true,
    true,
    true,
    false,
    true,
  ]);
  expect([0, 2 ** 31, 60_000].map((each) => invalid('gemini', each))).toEqual([true, true, false]);
});
