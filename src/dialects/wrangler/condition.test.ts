import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tries } from '../../../test/support/tries.ts';
import { test as holds } from '../../expressions/expressions.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import { built } from '../../source/build-nodes.ts';
import { report } from '../../source/diagnostics.ts';
import { type ScalarNode, toJson } from '../../source/read/node.ts';
import { sourceText } from '../../source/read/source.ts';
import { readYaml } from '../../source/read/yaml.ts';
import { member } from '../native-text.ts';
import { type Absence, translateCondition } from './condition.ts';

const SEEN: JsonObject = {
  review: {
    hasIssues: true,
    none: false,
    zero: 0,
    empty: '',
    list: [],
    n: 3,
    half: 1.5,
    text: 'all good',
    said: '4',
  },
  verification: { testSuite: { exitCode: 0 }, nothing: null, failed: 'x' },
  plain: 'just text',
  silence: '',
};

function cel(text: string, absence: Absence = 'is-false'): string | undefined {
  const problems = report();
  const node = readYaml(sourceText('w.yaml', JSON.stringify(text)), problems) as ScalarNode;
  const pieces = translateCondition(node, 'condition', {
    report: problems,
    resolve: ({ root, keys }) =>
      keys.reduce<string>((so, key) => (typeof key === 'number' ? `${so}[${key}]` : member(so, key)), root),
    absence,
  });
  const said = problems.diagnostics().map(({ code, message, span, hint }) => {
    return `${code} ${span?.column}-${span?.endColumn}: ${message}${hint === undefined ? '' : ` ${hint}`}`;
  });
  return pieces ? (toJson(built(node).text(pieces)) as string) : said.join('\n');
}

const value = (text: string, absence: Absence = 'is-false', from: JsonObject = SEEN): Json => {
  const source = cel(text, absence) ?? '';
  const found = holds(source, { lookup: (name) => from[name], fact: () => undefined });
  return found.kind === 'value' ? found.value : found.kind === 'error' ? `error: ${found.message}` : 'needs';
};

describe('a condition', () => {
  it.each([
    ['review.hasIssues', 'truthy(review.hasIssues)'],
    [
      'codeQualityReview.hasActionableIssues || securityReview.hasCriticalIssues',
      'truthy(codeQualityReview.hasActionableIssues) || truthy(securityReview.hasCriticalIssues)',
    ],
    ['!a && (b || !c.d)', '!truthy(a) && (truthy(b) || !truthy(c.d))'],
    ['review.criticalCount > 0', 'default(number(review.criticalCount) > 0, false)'],
    ['a.b == "x"', 'default(a.b == "x", false)'],
    ["a.b !== 'x'", 'default(a.b != "x", false)'],
    ['a.b == null', 'default(a.b, null) == null'],
    ['a["b-c"][0].d', 'truthy(a["b-c"][0].d)'],
    ['a.startsWith("x")', 'default(type(a) == string && a.startsWith("x"), false)'],
    ['true', 'true'],
  ])('%s → %s', (text, expected) => expect(cel(text)).toBe(expected));

  it.each([
    // JavaScript's truthiness (dialects.md); an empty list is true, as it is there.
    ['review.hasIssues', true],
    ['review.none', false],
    ['review.zero', false],
    ['review.empty', false],
    ['review.list', true],
    ['verification.nothing', false],
    // What is not there is false, and its negation true; a field of a text is not there.
    ['review.missing', false],
    ['!review.missing', true],
    ['plain.hasIssues', false],
    ['nothing.at.all', false],
    ['nothing.at.all || review.hasIssues', true],
    // A comparison with what is not there is false, whichever it is.
    ['review.missing == 0', false],
    ['review.missing != 0', false],
    ['review.missing > 0', false],
    ['!(review.missing > 0)', true],
    ['review.missing == null', true],
    ['verification.nothing == undefined', true],
    ['review.n != null', true],
    // Values of other kinds than expected do not stop anything.
    ['review.said > 3', true],
    ['review.text > 3', false],
    ['review.text > "aaa"', true],
    ['review.n >= 3 && review.n <= 3 && !(review.n < 3)', true],
    ['review.n === 3', true],
    ['review.text == 3', false],
    ['review.text.includes("good")', true],
    ['review.list.includes("good")', false],
    ['review.n.includes("good")', false],
    ['review.missing.includes("good")', false],
    ['review.n.startsWith("good")', false],
    ['plain.endsWith("text")', true],
    ['review.text.includes(3)', false],
    ['review.text.includes(review.n)', false],
    ['review.list.includes(review.n)', false],
    ['plain.startsWith(review.n)', false],
    ['review.list.length', false],
    ['review.list.length == 0', true],
    ['review.missing.length == 0', false],
    ['review.n.length > 0', false],
    ['!review.n == false', true],
    ['"x"', true],
    ['0 || -1', true],
  ])('WR47-FR-3.4a: %s is %s', (text, expected) => expect(value(text)).toBe(expected));

  it.each([
    ['verification.testSuite.exitCode != 0', false],
    ['verification.testSuite.exitCode == 0', true],
    ['review.hasIssues && review.n > 2', true],
    ['review.text.includes("good")', true],
    ['review.none', false],
    // Values that say the same number are equal, as there.
    ['review.said == 4', true],
    ['review.said != 4', false],
    ['review.list.includes(3)', false],
    ['review.text.includes(3)', false],
    ['review.n == review.n && review.half != review.n', true],
    ['review.list.length == 0', true],
    ['!review.none == true', true],
    ['plain', true],
  ])('as `failWhen`, %s is %s', (text, expected) => expect(value(text, 'is-an-error')).toBe(expected));

  it.each([
    ['verification.testSuite.code != 0', 'verification.testSuite.code'],
    ['verification.nothing', 'verification.nothing'],
    ['nothing.failed', 'nothing.failed'],
    ['verification.missing == "failed"', 'verification.missing'],
    ['review.missing.length > 0', 'review.missing'],
    ['review.missing.includes("x")', 'review.missing'],
    ['review.none || review.missing', 'review.missing'],
  ])('as `failWhen`, %s has no answer without %s', (text, name) => {
    expect(value(text, 'is-an-error')).toBe(`error: \`${name}\` is not there`);
  });

  it.each([
    ['review.text == 3', 'number()'],
    ['review.list != 3', 'number()'],
    ['review.text > 3', 'number()'],
    ['review.n == "x"', 'review.n as a text'],
    ['review.n > "x"', 'review.n as a text'],
    ['review.text == true', 'review.text as true or false'],
    ['review.n == review.text', 'review.n and review.text of one kind'],
    ['review.n.includes("FAIL")', 'review.n as a text or a list'],
    ['verification.testSuite.includes("FAIL")', 'verification.testSuite as a text or a list'],
    ['review.n.startsWith("FAIL")', 'review.n as a text'],
    ['review.n.length > 0', 'review.n.length'],
    ['silence', 'silence'],
  ])('as `failWhen`, %s has no answer where the value is of another kind', (text, name) => {
    expect(value(text, 'is-an-error')).toMatch(
      name === 'number()' ? /^error: number\(\) finds no/ : `error: \`${name}\` is not there`,
    );
  });

  it.each([
    ['', '`condition`: there is nothing here'],
    [
      '!review.n == 0',
      'true or false is compared with a number: that tells nothing `!` is about what stands next',
    ],
    ['review.list.length == "0"', 'a number is compared with a text: that tells nothing'],
    ['"a" < 3', 'a text is compared with a number'],
    ['true > review.n', 'true or false is neither more nor less (`>`) Compare numbers or texts'],
    ['!review.n > review.half', 'neither more nor less (`>`) `!` is about what stands next to it'],
    [
      'review.n >= 1e999',
      'condition-syntax 14-19: `condition`: 1e999 is larger than any number that can be kept',
    ],
    ['a = 1', '`=` means nothing here Two values are compared with `==`.'],
    ['a and b', '`and` cannot stand here Write `&&`.'],
    ['a ||', 'it ends too early'],
    ['(a', 'The `(` is not closed.'],
    ['a + 1 > 2', 'do not calculate'],
    ['a ? b : c', 'There is no `a ? b : c` here'],
    ['a?.b', 'Write `.`: what is not there is false by itself.'],
    ['a.map(x)', '`.map()` is not part of conditions'],
    ['check(a)', 'there are no functions here'],
    ['{{ a }}', 'A condition is written without `{{ }}`.'],
    ['a < b < c', 'Only two values are compared at a time'],
    ['a.', 'The name of a field belongs after the `.`.'],
    ['a b', '`b` cannot stand here'],
    ['`a`', '"so"'],
    ['a[b]', 'A number or a text in quotes'],
    ['review.a-b', 'read as `x["a-b"]`'],
    [`${'('.repeat(60)}a`, 'More than 50 levels'],
    ['x'.repeat(10_001), 'more than 10000 characters'],
  ])('WR47-FR-3.4b: %s is refused', (text, said) => expect(cel(text)).toContain(said));

  it('points at the very part that is wrong', () => {
    expect(cel('review.ok && review.n = 3')).toContain('condition-syntax 24-25:');
  });

  it('W1: no text makes it throw, and what it makes of one is never an error of the evaluation', () => {
    const word = fc.constantFrom(
      ...['a', 'review', '.b', '.n', '!', '&&', '||', '==', '!=', '>', '(', ')', '[0]', '"x"', '3', ' '],
      ...['.includes(', '.length', 'null', 'true', '-', '\\', "'", '{'],
    );
    const text = fc.array(word, { maxLength: 14 }).map((words) => words.join(''));
    fc.assert(
      fc.property(text, (given) => {
        const made = cel(given) ?? '';
        if (made.startsWith('condition-syntax')) return;
        expect(typeof value(given)).toBe('boolean');
      }),
      { numRuns: tries(3_000, 600) },
    );
  });
});
