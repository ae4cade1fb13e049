import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runsCommand, saysPhrase } from './phrases.ts';

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
    ['echo "unclosed', 'unclosed', true],
  ])('%j runs %j: %s', (line, wanted, expected) => {
    expect(runsCommand(line, wanted)).toBe(expected);
  });

  it('answers for any line, in time', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (line, wanted) => typeof runsCommand(line, wanted) === 'boolean'),
    );
    const before = performance.now();
    runsCommand('"$(`'.repeat(20_000), 'git push');
    expect(performance.now() - before).toBeLessThan(5_000);
  });
});
