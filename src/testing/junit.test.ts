import { describe, expect, it } from 'vitest';
import { junit } from './junit.ts';
import type { CaseResult } from './testing.ts';

const result = (fields: Partial<CaseResult>): CaseResult => ({
  ...{ file: 'ship.test.yaml', line: 3, name: 'ships', passed: true, mismatches: [] },
  ...{ durationMs: 1500, crashes: 0, plays: 1 },
  ...fields,
});

describe('junit', () => {
  it('LS-TEST-JUNIT: counts, and says what failed', () => {
    const text = junit([
      result({}),
      result({
        name: 'fails',
        passed: false,
        mismatches: [{ about: 'path', lines: ['expected a', '  - b'] }],
      }),
      result({ file: 'other.test.yaml' }),
    ]);
    expect(text).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="lockstep" tests="3" failures="1" errors="0" skipped="0" time="4.500">
  <testsuite name="ship.test.yaml" tests="2" failures="1" errors="0" skipped="0" time="3.000">
    <testcase name="ships" classname="ship.test.yaml" file="ship.test.yaml" line="3" time="1.500"/>
    <testcase name="fails" classname="ship.test.yaml" file="ship.test.yaml" line="3" time="1.500">
      <failure message="path: expected a">path:&#10;expected a&#10;  - b</failure>
    </testcase>
  </testsuite>
  <testsuite name="other.test.yaml" tests="1" failures="0" errors="0" skipped="0" time="1.500">
    <testcase name="ships" classname="other.test.yaml" file="other.test.yaml" line="3" time="1.500"/>
  </testsuite>
</testsuites>
`);
  });

  it('LS-TEST-JUNIT: is XML whatever the names and messages hold', () => {
    const nasty = '<&>"\' \u0000\u001b[31m\uD800 ]]> \uFFFF 😀 \r\n\t';
    const text = junit([
      result({ name: nasty, file: nasty, passed: false, mismatches: [{ about: nasty, lines: [nasty] }] }),
    ]);
    const written = "&lt;&amp;&gt;&quot;' \uFFFD\uFFFD[31m\uFFFD ]]&gt; \uFFFD 😀 &#13;&#10;&#9;";
    expect(text).toContain(`<testcase name="${written}" classname="${written}"`);
    expect(text).toContain(`>${written}:&#10;${written}</failure>`);
    // Outside of the tags nothing is left that means something to XML.
    expect(text.replace(/<[^<>]*>/g, '').replace(/&(?:lt|gt|amp|quot|#\d+);/g, '')).not.toMatch(/[<>&]/);
  });
});
