import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runsCommand, saysPhrase } from './phrases.ts';
import { Trouble } from './trouble.ts';

describe('saysPhrase', () => {
  it.each([
    ['Looks good, go ahead!', 'go ahead', true],
    ['GO   AHEAD', 'go ahead', true],
    ['go\nahead', 'Go Ahead', true],
    ['do not go aheadish', 'go ahead', false],
    ['forgo ahead', 'go ahead', false],
    ['approved', 'approve', false],
    ['unapproved, approve', 'approve', true],
    ['naïve', 'na', false],
    ['use c++ now', 'c++', true],
    ['(yes)', 'yes', true],
    ['yes_no', 'yes', false],
    ['anything', '', false],
    ['anything', '   ', false],
    ['', 'x', false],
  ])('in %j says %j: %s', (said, phrase, expected) => {
    expect(saysPhrase(said, phrase)).toBe(expected);
  });

  it('finds any phrase between spaces, in any case', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z]{1,8}( [a-z]{1,8}){0,3}$/), fc.lorem(), (phrase, text) => {
        expect(saysPhrase(`${text} ${phrase.toUpperCase()} ${text}`, phrase)).toBe(true);
      }),
    );
  });
});

describe('runsCommand', () => {
  it.each([
    ['git push', 'git push', true],
    ['git push origin main', 'git push', true],
    ['cd app && git push', 'git push', true],
    ['sudo git push', 'git push', true],
    ['git pushx', 'git push', false],
    ['legit push', 'git push', false],
    ['git commit; push', 'git push', false],
    ['git | push', 'git push', false],
    ['git\npush', 'git push', false],
    ['git \\\n push', 'git push', true],
    ['"git" \'push\'', 'git push', true],
    ['git  "pu"sh', 'git push', true],
    ['echo "git push"', 'git push', false],
    ["echo 'git push'", 'git push', false],
    ['bash -c "git push"', 'git push', true],
    ["/bin/sh -lc 'cd x && git push'", 'git push', true],
    ['bash -c "sh -c \'git push\'"', 'git push', true],
    ['eval git push', 'git push', true],
    ['eval "git push"', 'git push', true],
    ['echo $(git push)', 'git push', true],
    ['echo "$(git push)"', 'git push', true],
    ['echo `git push`', 'git push', true],
    ['(git push)', 'git push', true],
    ['npm test -- --watch', 'npm test', true],
    ['rm -rf /', 'rm -rf', true],
    ['rm', 'rm -rf', false],
    ['x', '', false],
    ['', 'x', false],
    ['/bin/rm -rf x', 'rm -rf', true],
    ['rm -fr x', 'rm -rf', true],
    ['rm -r -f x', 'rm -rf', true],
    ['rm --recursive x --force', 'rm -rf', true],
    ['rm -r x', 'rm -rf', false],
    ['git -C . push', 'git push', true],
    ['git --no-pager push', 'git push', true],
  ])('%j runs %j: %s', (line, wanted, expected) => {
    expect(runsCommand(line, wanted)).toBe(expected);
  });

  it.each(['echo "unclosed', 'git $x', 'eval "$x"', 'npm --version \r# ; git push'])(
    'says of %j that it cannot tell',
    (line) => {
      expect(() => runsCommand(line, 'git push')).toThrow('cannot be told');
    },
  );

  it('answers for any line, or says that it cannot, in time', () => {
    const answer = (line: string, wanted: string) => {
      try {
        return runsCommand(line, wanted);
      } catch (thrown) {
        if (thrown instanceof Trouble) return undefined;
        throw thrown;
      }
    };
    fc.assert(
      fc.property(fc.string(), fc.string(), (line, wanted) => typeof answer(line, wanted) !== 'string'),
    );
    const before = performance.now();
    for (const nasty of [
      '"$(`',
      '((',
      '$((',
      '${a[',
      '[[ ',
      '{a,',
      '<<E\n',
      'f() { ',
      "$'",
      'bash -c "',
      '\\\n',
      '`',
    ])
      answer(nasty.repeat(20_000), 'git push');
    expect(performance.now() - before).toBeLessThan(20_000);
  });
});
