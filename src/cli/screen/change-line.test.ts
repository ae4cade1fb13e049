import { expect, it } from 'vitest';
import { rehearse } from '../../../test/support/rehearsal.ts';
import { gate, gates, workflow } from '../../../test/support/workflow.ts';
import type { JsonObject } from '../../model/json.ts';
import type { Gate } from '../../model/workflow.ts';
import { createRunView } from '../../views/run-view.ts';
import { symbols } from '../../views/text/symbols.ts';
import { changeLines } from './change-line.ts';

/** The colour of the mark and the words, of what was said once a gate or all of them had ended. */
function lines(fields: Partial<Gate>, output: JsonObject): string[] {
  const flow = workflow([gates('reviews', [gate('a', fields)])]);
  const { entries } = rehearse(flow, { replies: { 'reviews/a': { outcome: { output } } } });
  const view = createRunView(flow);
  return entries
    .flatMap((entry) => changeLines(view.outline, view.record(entry), symbols(true)))
    .filter(({ level, line }) => level === 'normal' && line[0]?.style !== 'live')
    .map(({ line }) => `${line[0]?.style}: ${line.map(({ text }) => text).join('')}`)
    .filter((text) => text.includes('reviews') || text.includes('eval') || text.includes(' more'))
    .map((text) => text.replace(/ in [\d.]+ m?s.*/, ''));
}

const ISSUE = {
  severity: 'critical',
  description: 'eval',
  file: 'a.js',
  line: 1,
  fixInstructions: 'Drop it.',
};

it('LS-GATE-COMPUTED: a gate that says approved and names what is critical is not shown as if it approved', () => {
  const shown = lines({}, { assessment: 'approved', issues: [ISSUE], hasActionableIssues: false });
  expect(shown).toEqual([
    'ask: ! reviews/a  needs revision, 1 issue,',
    'ask: ! reviews  needs revision, 1 issue,',
    'none:     critical a.js:1: eval (a)',
  ]);
});

it('V4: nobody looked is said, and not in green', () => {
  expect(lines({ run: 'manual' }, {}).at(-1)).toBe('ask: ! reviews  nobody looked: every gate was left out');
});

it('an approval is one', () => {
  const shown = lines({}, { assessment: 'needs_revision', issues: [{ ...ISSUE, severity: 'minor' }] });
  expect(shown).toEqual(['good: ✓ reviews/a  approved', 'good: ✓ reviews  approved']);
});

it('of very many issues the first are shown, and what is minor is not', () => {
  const issues = Array.from({ length: 8 }, (_, index) => ({
    ...ISSUE,
    description: `eval ${index}`,
    severity: index === 0 ? 'minor' : 'important',
  }));
  const shown = lines({}, { assessment: 'needs_revision', issues, hasActionableIssues: true });
  expect(shown.slice(1)).toEqual([
    'ask: ! reviews  needs revision, 8 issues,',
    ...[1, 2, 3, 4, 5].map((index) => `none:     important a.js:1: eval ${index} (a)`),
    'none:     and 2 more',
  ]);
});
