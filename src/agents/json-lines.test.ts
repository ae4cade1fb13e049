import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonLines } from './json-lines.ts';

function reading(longest?: number) {
  const values: unknown[] = [];
  const stray: string[] = [];
  let overlong = 0;
  const lines = jsonLines(
    {
      onValue: (value) => values.push(value),
      onStray: (line) => stray.push(line),
      onOverlong: () => {
        overlong += 1;
      },
    },
    longest,
  );
  return { lines, values, stray, overlong: () => overlong };
}

describe('json lines', () => {
  it('the values are the same however the bytes are cut', () => {
    const values = fc.array(fc.jsonValue(), { maxLength: 8 });
    fc.assert(
      fc.property(values, fc.array(fc.nat(40), { maxLength: 20 }), fc.boolean(), (given, cuts, closed) => {
        const text = given.map((value) => JSON.stringify(value)).join('\n');
        const bytes = Buffer.from(closed && text !== '' ? `${text}\n` : text);
        const { lines, values: read, stray } = reading();
        let at = 0;
        for (const cut of cuts) {
          lines.write(bytes.subarray(at, at + cut));
          at += cut;
        }
        lines.write(bytes.subarray(at));
        expect(lines.end()).toEqual({ brokeOff: false });
        expect(read).toEqual(given.map((value) => JSON.parse(JSON.stringify(value))));
        expect(stray).toEqual([]);
      }),
    );
  });

  it('a line that is no JSON is told, and the next one read', () => {
    const { lines, values, stray } = reading();
    lines.write(Buffer.from(`warning: x\r\n\n{"a":1}\r\n`));
    expect(lines.end()).toEqual({ brokeOff: false });
    expect([stray, values]).toEqual([['warning: x'], [{ a: 1 }]]);
  });

  it('half a value at the end is a stream that broke off', () => {
    const { lines, values, stray } = reading();
    lines.write(Buffer.from('{"a":1}\n{"b":'));
    expect(lines.end()).toEqual({ brokeOff: true });
    expect([values, stray]).toEqual([[{ a: 1 }], []]);
  });

  it('S5: a line without end is passed over, told once, and what follows is read', () => {
    const { lines, values, overlong } = reading(100);
    for (let round = 0; round < 50; round += 1) lines.write(Buffer.alloc(40, 'x'));
    lines.write(Buffer.from('\n{"a":1}\n'));
    expect(lines.end()).toEqual({ brokeOff: false });
    expect([values, overlong()]).toEqual([[{ a: 1 }], 1]);
  });

  it('what it was given may be written over afterwards', () => {
    const { lines, values } = reading();
    const chunk = Buffer.from('{"a"');
    lines.write(chunk);
    chunk.fill(0);
    lines.write(Buffer.from(':1}\n'));
    expect(values).toEqual([{ a: 1 }]);
  });
});
