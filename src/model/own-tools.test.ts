import { describe, expect, it } from 'vitest';
import { AGENT_TOOLS, isOwnCall, ownToolsOf } from './own-tools.ts';

const named = (allow: string[] | undefined, deny: string[] = [], servers: string[] = []) =>
  ownToolsOf(allow === undefined ? { deny } : { allow, deny }, servers).names;

describe('WR44-FR-008: the tools of our own server that a list names', () => {
  it.each(['mcp__lockstep__issues_get', 'mcp__wrangler__issues_get', 'issues_get', 'issues_ge*'])(
    'O1: %s is issues_get',
    (item) => {
      expect(named([item, 'Read'])).toEqual(['issues_get']);
    },
  );

  it('O1: `*` behind the name of the server is all of them, in the order of the server', () => {
    expect(named(['mcp__lockstep__*'])).toEqual(AGENT_TOOLS);
    expect(named(['mcp__wrangler__issues_*'])).toEqual(
      AGENT_TOOLS.filter((name) => name.startsWith('issues_')),
    );
    expect(named(['session_*'])).toEqual(['session_get', 'session_status']);
  });

  it.each([
    [undefined],
    [[]],
    [['*']],
    [['mcp__*']],
    [['Read', 'Bash(issues_get *)']],
    [['mcp__lockstep__continue_workflow', 'session_start', 'mcp__wrangler__session_checkpoint']],
    [['mcp__other__issues_get', 'mcp__lockstep-notes__issues_get']],
  ])('O1: %j names none', (allow) => {
    expect(named(allow)).toEqual([]);
  });

  it.each(['issues_delete', 'mcp__wrangler__issues_delete', 'mcp__lockstep__issues_del*'])(
    'a denial of %s takes it away, however it was named',
    (denied) => {
      expect(named(['mcp__lockstep__issues_delete', 'mcp__wrangler__issues_get'], [denied])).toEqual([
        'issues_get',
      ]);
    },
  );

  it('a denial of every tool, or of every one of a server, takes all of them away', () => {
    for (const denied of ['*', 'mcp__*', 'mcp__lockstep__*'])
      expect(named(['issues_get'], [denied])).toEqual([]);
  });

  it('O2: lists have the name that calls come by; an item of wrangler stays, for whoever has that server', () => {
    const { policy } = ownToolsOf({
      allow: ['Read', 'issues_get', 'mcp__wrangler__issues_update', 'mcp__lockstep__session_*'],
      deny: ['issues_delete', 'Write'],
    });
    expect(policy).toEqual({
      allow: [
        ...[
          'Read',
          'mcp__lockstep__issues_get',
          'mcp__wrangler__issues_update',
          'mcp__lockstep__issues_update',
        ],
        ...['mcp__lockstep__session_get', 'mcp__lockstep__session_status'],
      ],
      deny: ['mcp__lockstep__issues_delete', 'Write'],
    });
    const others = { allow: ['Read', 'mcp__github__*'], deny: ['Bash(rm *)'] };
    expect(ownToolsOf(others).policy).toEqual(others);
    expect(ownToolsOf({ deny: [] }).policy).toEqual({ deny: [] });
  });

  it('O3: a server of the step that is called wrangler keeps its names for itself', () => {
    const allow = ['mcp__wrangler__issues_get', 'issues_list'];
    expect(named(allow, [], ['wrangler'])).toEqual(['issues_list']);
    expect(ownToolsOf({ allow, deny: [] }, ['wrangler']).policy.allow).toEqual([
      'mcp__wrangler__issues_get',
      'mcp__lockstep__issues_list',
    ]);
  });

  it('only the first spelling is the name of a call', () => {
    expect(isOwnCall('mcp__lockstep__issues_get')).toBe(true);
    for (const tool of ['issues_get', 'mcp__wrangler__issues_get', 'mcp__lockstep__run_question'])
      expect(isOwnCall(tool)).toBe(false);
  });
});
