import { describe, expect, it } from 'vitest';
import { missingPush, missingWork, readClaims } from './git-claims.ts';

const RUN = {
  commits: [
    { id: `abc1234${'0'.repeat(33)}`, subject: 'feat: say hello' },
    { id: `def5678${'0'.repeat(33)}`, subject: 'added: a test' },
  ],
  files: ['src/hello.ts', 'test/hello.test.ts', 'old.txt'],
};
const missing = (output: Record<string, unknown>, step = RUN) =>
  missingWork(readClaims(output as never), { run: RUN, step });

describe('what an answer claims', () => {
  it.each([
    [['src/hello.ts', './old.txt', 'src', 'test/']],
    [['/home/anna/app/.worktrees/a/src/hello.ts', 'src\\hello.ts']],
    [[{ path: 'src/hello.ts', action: 'modified' }]],
    [[]],
  ])('files that git has: %j', (filesChanged) => expect(missing({ filesChanged })).toEqual([]));

  it.each(['hello.ts', 'src/hello', 'rc/hello.ts', 'src/hello.ts.bak'])('not %s', (path) =>
    expect(missing({ filesChanged: [path] })).toEqual([expect.stringContaining(`says that ${path} changed`)]),
  );

  it.each([
    'abc1234',
    `abc1234${'0'.repeat(33)}`,
    'ABC1',
    'feat: say hello',
    'Feat:  say hello\n\nwith a body',
    'abc1234 feat: say hello',
    'feat: say hello (abc1234)',
    'added: a test',
    'commit: added: a test',
  ])('a commit that git has: %s', (commit) => expect(missing({ commits: [commit] })).toEqual([]));

  it.each(['9999999', 'feat: say', '9999999 feat: say hello', 'abc12345', 'feat: say hello!'])(
    'none by the name of %s',
    (commit) => expect(missing({ commits: [commit] })).toHaveLength(1),
  );

  it('nothing changed, and a reason is asked for; who claims nothing is not asked', () => {
    const none = { commits: [], files: [] };
    expect(missing({ commits: [] }, none)).toEqual([expect.stringContaining('Nothing has changed. Do')]);
    expect(missing({ commits: [], nothingToDo: ' ' }, none)).toHaveLength(1);
    expect(missing({ commits: [], nothingToDo: 'It is there.' }, none)).toEqual([]);
    expect(missing({ commits: [], notFixed: [{ why: 'a' }, { why: 'b' }] }, none)).toEqual([]);
    expect(missing({ commits: [], notFixed: [{ why: 'a' }, { description: 'b' }] }, none)).toHaveLength(1);
    expect(missing({ text: 'done' }, none)).toEqual([]);
    expect(readClaims('all done')).toEqual({});
  });
});

describe('a push that is claimed', () => {
  const head = '1'.repeat(40);
  it('is believed where one remote has the branch at that commit', () => {
    expect(missingPush('b', head, [{ remote: 'mirror' }, { remote: 'origin', head }])).toBeUndefined();
  });
  it.each([
    [[], /has no remote/],
    [[{ remote: 'origin' }], /origin has no such branch/],
    [[{ remote: 'origin', head: '2'.repeat(40) }], /origin has it at 222222222222/],
    [[{ remote: 'origin', problem: 'no route' }], /origin could not be asked \(no route\)/],
  ])('else not: %j', (remotes, told) => expect(missingPush('b', head, remotes)).toMatch(told));
});
