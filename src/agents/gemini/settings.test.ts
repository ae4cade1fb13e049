import { describe, expect, it } from 'vitest';
import { mcpServersFor, memoryFileName, parseSettings, settingsFor, switchesHooksOff } from './settings.ts';

const door = { command: 'ask', patienceMs: 30_000 };
const nothing = { mcpServers: {} };

describe('settings', () => {
  it('are JSON with comments, none of them inside a text', () => {
    expect(parseSettings('{ "a": "x // y /* z */ \\" //", // no\n /* nor\n this */ "b": 1 }')).toEqual({
      a: 'x // y /* z */ " //',
      b: 1,
    });
    expect(parseSettings(' \n')).toEqual({});
    expect(() => parseSettings('[]')).toThrow('no JSON object');
    expect(() => parseSettings('{')).toThrow();
  });

  it('keep what the user has said', () => {
    const user = {
      ui: { theme: 'dark' },
      context: { fileName: 'A.md', fileFiltering: { respectGitIgnore: false } },
      security: { environmentVariableRedaction: { allowed: ['MINE'] } },
      hooks: { BeforeTool: [{ hooks: [1] }], AfterTool: [{ hooks: [2] }] },
    };
    const settings = settingsFor(user, { ...nothing, maxTurns: 2 }, {}, door);
    expect(settings).toMatchObject({
      ui: { theme: 'dark' },
      context: {
        fileName: 'A.md',
        fileFiltering: { respectGitIgnore: false, enableRecursiveFileSearch: false },
      },
      model: { maxSessionTurns: 2 },
      security: {
        environmentVariableRedaction: {
          allowed: ['MINE', 'LOCKSTEP_RUN', 'LOCKSTEP_STEP', 'LOCKSTEP_AGENT', 'LOCKSTEP_CHILD'],
        },
      },
    });
    expect(settings.hooks).toMatchObject({
      BeforeTool: [{ hooks: [1] }, { hooks: [{ command: 'ask' }] }],
      AfterTool: [{ hooks: [2] }],
    });
  });

  it('give the hook more time than it takes, since Gemini lets a call through that its hook is late for', () => {
    const { hooks } = settingsFor({}, nothing, {}, door) as unknown as {
      hooks: { BeforeTool: { hooks: { timeout: number }[] }[] };
    };
    expect(hooks.BeforeTool[0]?.hooks[0]?.timeout).toBeGreaterThan(door.patienceMs);
  });

  it('allow the servers of the step beside those that the user has allowed', () => {
    const user = {
      mcp: { allowed: ['own'] },
      mcpServers: { own: { command: 'o' }, both: { command: 'old', cwd: 'x' } },
    };
    expect(settingsFor(user, { mcpServers: { both: { command: 'new' } } }, {}, undefined)).toMatchObject({
      mcp: { allowed: ['own', 'both'] },
      mcpServers: { own: { command: 'o' }, both: { command: 'new' } },
    });
  });

  it('name an address as Gemini does, by how it is spoken to', () => {
    const headers = { Authorization: 'Bearer ${TOKEN}' };
    const servers = {
      a: { type: 'http', url: 'http://x', headers },
      b: { type: 'sse', url: 'http://y' },
      c: { command: 'z', env: { TOKEN: '${TOKEN}' } },
    };
    expect(mcpServersFor(servers)).toEqual({
      a: { httpUrl: 'http://x', headers },
      b: { url: 'http://y' },
      c: { command: 'z', env: { TOKEN: '${TOKEN}' } },
    });
  });

  it('say where standing instructions are: the project before the user', () => {
    const named = (fileName: string | string[]) => ({ context: { fileName } });
    expect(memoryFileName({}, {})).toBe('GEMINI.md');
    expect(memoryFileName({}, named('MINE.md'))).toBe('MINE.md');
    expect(memoryFileName(named(['AGENTS.md', 'GEMINI.md']), named('MINE.md'))).toBe('AGENTS.md');
    expect(memoryFileName(named('../../x'), {})).toBe('GEMINI.md');
  });

  it('of a project may switch our hook off, which is seen', () => {
    expect(switchesHooksOff({})).toBe(false);
    expect(switchesHooksOff({ hooksConfig: { enabled: true, disabled: ['other'] } })).toBe(false);
    expect(switchesHooksOff({ hooksConfig: { enabled: false } })).toBe(true);
    expect(switchesHooksOff({ hooksConfig: { disabled: ['lockstep-guard'] } })).toBe(true);
  });
});
