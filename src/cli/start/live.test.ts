import { beforeEach, describe, expect, it } from 'vitest';
import type { LiveEvent } from '../../runtime/perform/perform.ts';
import type { Screen } from '../screen/screen.ts';
import { createLiveDisplay, liveJson } from './live.ts';

let shown: string[];
let doing: string | undefined;
const screen = {
  activity(path: string, text: string) {
    doing = `${path}: ${text}`;
  },
  output: (path: string, text: string) => shown.push(`${path} | ${text}`),
  say: (text: string) => shown.push(text),
} as unknown as Screen;
beforeEach(() => {
  shown = [];
  doing = undefined;
});
const at = { path: 'fix' };
function show(...events: LiveEvent[]): void {
  const live = createLiveDisplay(false);
  for (const event of events) live.show(screen, event);
}

describe('on the screen', () => {
  it('AG-ACTIVITY: the last line of what was said; then the tool, its file or command, and that line', () => {
    show({ ...at, kind: 'text', text: 'I will look.\nThen mend it.\n\n' });
    expect(doing).toBe('fix: Then mend it.');
    show(
      { ...at, kind: 'text', text: 'Then mend it.' },
      { ...at, kind: 'tool', tool: 'Edit', summary: 'src/a.ts' },
    );
    expect(doing).toBe('fix: Edit src/a.ts · Then mend it.');
    show({ ...at, kind: 'tool', tool: 'Bash', summary: 'npm test\n&& echo ok' });
    expect(doing).toBe('fix: Bash npm test && echo ok');
  });

  it('AG-ACTIVITY: a denied call stays on the screen with its reason', () => {
    show({ ...at, kind: 'tool', tool: 'Write', summary: 'b.ts', denied: 'this step only reads' });
    expect(shown).toEqual(['fix: Write b.ts denied: this step only reads']);
    expect(doing).toBe('fix: Write b.ts (denied)');
    createLiveDisplay(true).show(screen, { ...at, kind: 'tool', tool: 'Write', summary: 'c', denied: 'no' });
    expect(shown).toHaveLength(1);
  });

  it('what a command prints is what it does; what a client prints aside is not', () => {
    const output = { ...at, kind: 'output', stream: 'stderr', bytes: 5, line: 'noise' } as const;
    show({ ...output, aside: true });
    expect([doing, shown]).toEqual([undefined, ['fix | noise']]);
    show(output);
    expect(doing).toBe('fix: noise');
  });
});

describe('with --json', () => {
  it('AG-JSON-EVENTS: each is a line of kind `live` with no number, and parts are named', () => {
    const lines = (
      [
        { ...at, kind: 'text', text: 'x'.repeat(5000) },
        { ...at, part: 'exit[0]', kind: 'tool', tool: 'Write', summary: 'b.ts', denied: 'no' },
        { ...at, kind: 'tool-result', tool: 'Bash', summary: 'exit code 1', failed: true },
        { ...at, kind: 'warning', message: 'w' },
      ] satisfies LiveEvent[]
    ).map((event) => JSON.parse(liveJson(event, 7) ?? ''));
    expect(lines).toEqual([
      { kind: 'live', at: 7, event: 'text', path: 'fix', text: 'x'.repeat(4000), cut: 1000 },
      {
        kind: 'live',
        at: 7,
        event: 'tool',
        path: 'fix',
        part: 'exit[0]',
        tool: 'Write',
        summary: 'b.ts',
        denied: 'no',
      },
      {
        kind: 'live',
        at: 7,
        event: 'tool-result',
        path: 'fix',
        tool: 'Bash',
        summary: 'exit code 1',
        failed: true,
      },
      { kind: 'live', at: 7, event: 'warning', path: 'fix', message: 'w' },
    ]);
  });

  it('what commands print is left to the logs', () => {
    expect(liveJson({ ...at, kind: 'output', stream: 'stdout', bytes: 1, line: 'x' }, 1)).toBeUndefined();
    expect(liveJson({ ...at, kind: 'debug', message: 'x' }, 1)).toBeUndefined();
  });
});
