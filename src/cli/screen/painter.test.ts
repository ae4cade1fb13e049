import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tries } from '../../../test/support/tries.ts';
import { displayWidth, truncate } from '../../views/text/width.ts';
import { VirtualTerminal } from './fixtures/virtual-terminal.ts';
import { createPainter } from './painter.ts';

const sizeOf = (terminal: VirtualTerminal) => ({ columns: terminal.columns, rows: terminal.rows });

describe('the painter', () => {
  it('P1: writes a frame at once, within synchronized output', () => {
    const terminal = new VirtualTerminal(40, 10);
    const painter = createPainter(terminal);
    painter.paint(['for good'], ['one', 'two'], sizeOf(terminal));
    expect(terminal.writes).toHaveLength(1);
    expect(terminal.writes[0]).toMatch(/^\x1b\[\?2026h[\s\S]*\x1b\[\?2026l$/);
    expect(terminal.screen()).toEqual(['for good', 'one', 'two']);
  });

  it('leaves nothing of a live area that shrinks, grows or goes', () => {
    const terminal = new VirtualTerminal(40, 10);
    const painter = createPainter(terminal);
    painter.paint([], ['one', 'a much longer second line', 'three'], sizeOf(terminal));
    painter.paint([], ['one', 'short'], sizeOf(terminal));
    expect(terminal.screen()).toEqual(['one', 'short']);
    painter.paint(['done'], ['one', 'two', 'three', 'four'], sizeOf(terminal));
    expect(terminal.screen()).toEqual(['done', 'one', 'two', 'three', 'four']);
    painter.paint([], [], sizeOf(terminal));
    expect(terminal.screen()).toEqual(['done']);
  });

  it('P2: counts the rows of a line that a narrower terminal has wrapped', () => {
    const terminal = new VirtualTerminal(60, 20);
    const painter = createPainter(terminal);
    painter.paint(['kept'], ['x'.repeat(55), 'y'.repeat(20), 'z'.repeat(59)], sizeOf(terminal));
    terminal.resize(25, 20);
    painter.paint([], ['small'], sizeOf(terminal));
    expect(terminal.screen()).toEqual(['kept', 'small']);
  });

  it('never lets a live line wrap, even one that is too wide for the terminal', () => {
    const terminal = new VirtualTerminal(20, 10);
    const painter = createPainter(terminal);
    painter.paint([], ['x'.repeat(50), 'next'], { columns: 60, rows: 10 });
    expect(terminal.screen()).toHaveLength(2);
    expect(terminal.wraps).toBe(true);
  });

  it('P3: hides the cursor while there is a live area, and shows it when it is gone or restored', () => {
    const terminal = new VirtualTerminal(40, 10);
    const painter = createPainter(terminal);
    painter.paint([], ['live'], sizeOf(terminal));
    expect(terminal.cursorVisible).toBe(false);
    painter.paint([], [], sizeOf(terminal));
    expect(terminal.cursorVisible).toBe(true);
    painter.paint([], ['live'], sizeOf(terminal));
    painter.restore();
    expect(terminal.cursorVisible).toBe(true);
    // What a shell printed in the meantime is not painted over.
    terminal.write('$ fg\n');
    painter.paint([], ['again'], sizeOf(terminal));
    expect(terminal.screen()).toEqual(['live', '$ fg', 'again']);
  });

  it('leaves exactly the permanent lines and the last live area, whatever was painted and however it was resized', () => {
    const line = fc
      .string({ unit: 'grapheme-ascii', maxLength: 70 })
      .map((text) => text.replace(/[^\x21-\x7e]/g, '.'));
    const frames = fc.array(
      fc.record({
        permanent: fc.array(line, { maxLength: 3 }),
        live: fc.array(line, { maxLength: 4 }),
        resize: fc.option(
          fc.record({ columns: fc.integer({ min: 20, max: 90 }), rows: fc.integer({ min: 24, max: 40 }) }),
        ),
      }),
      { minLength: 1, maxLength: 12 },
    );
    fc.assert(
      fc.property(frames, (paints) => {
        const terminal = new VirtualTerminal(80, 30);
        const painter = createPainter(terminal);
        const permanent: string[] = [];
        let live: string[] = [];
        for (const paint of paints) {
          if (paint.resize) terminal.resize(paint.resize.columns, paint.resize.rows);
          live = paint.live.map((text) => truncate(text, terminal.columns - 1));
          permanent.push(...paint.permanent);
          painter.paint(paint.permanent, live, sizeOf(terminal));
          for (const text of live) expect(displayWidth(text)).toBeLessThan(terminal.columns);
        }
        const expected = [...permanent, ...live];
        while (expected.at(-1) === '') expected.pop();
        expect(terminal.history()).toEqual(expected);
        expect(terminal.cursorVisible).toBe(live.length === 0);
        expect(terminal.foreign).toEqual([]);
      }),
      { numRuns: tries(300, 100) },
    );
  });
});
