// scan-json: every number of a JSON text as it was written, and every key that is there twice, with their places.
// The text must be JSON (JSON.parse took it). Not recursive: a text may be nested deeper than the stack.

export interface JsonSeen {
  number(written: string, path: (string | number)[]): void;
  /** The path of the second one. */
  repeatedKey(path: (string | number)[]): void;
}

type Open = { keys?: Set<string>; at: string | number };

const NUMBER = /-?\d[\d.eE+-]*/y;

export function scanJson(text: string, seen: JsonSeen): void {
  const open: Open[] = [];
  const path = () => open.map(({ at }) => at);
  let isKey = false;
  for (let at = 0; at < text.length; at++) {
    const inside = open.at(-1);
    switch (text[at]) {
      case '{':
        open.push({ keys: new Set(), at: '' });
        isKey = true;
        break;
      case '[':
        open.push({ at: 0 });
        isKey = false;
        break;
      case '}':
      case ']':
        open.pop();
        break;
      case ',':
        isKey = inside?.keys !== undefined;
        if (inside && !isKey) inside.at = (inside.at as number) + 1;
        break;
      case '"': {
        const end = endOfText(text, at);
        if (isKey && inside?.keys) {
          const key = JSON.parse(text.slice(at, end + 1)) as string;
          inside.at = key;
          if (inside.keys.has(key)) seen.repeatedKey(path());
          inside.keys.add(key);
          isKey = false;
        }
        at = end;
        break;
      }
      default: {
        NUMBER.lastIndex = at;
        const written = NUMBER.exec(text)?.[0];
        if (written === undefined) break;
        seen.number(written, path());
        at += written.length - 1;
      }
    }
  }
}

/** The offset of the quote that ends it. */
function endOfText(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); ; at = text.indexOf('"', at + 1)) {
    let before = at - 1;
    while (text[before] === '\\') before--;
    if ((at - before) % 2 === 1) return at;
  }
}
