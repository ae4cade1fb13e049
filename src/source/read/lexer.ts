// lexer: that of the yaml library, with one thing allowed that YAML forbids and nearly every reader takes: the closing
// quote of a text over several lines may stand right under the key it belongs to.
//   command: ["sh", "-c", "
//     make
//   "]
// Only the closing quote: where a quote was forgotten, the next line that is not indented still shows it.

import { Lexer } from 'yaml';

/** What the library keeps to itself; this version of it is pinned. */
interface Inside {
  buffer: string;
  pos: number;
  indentNext: number;
  continueScalar(offset: number): number;
}

export function lexer(): Lexer {
  const made = new Lexer();
  const inside = made as unknown as Inside;
  const strictly = inside.continueScalar.bind(made);
  inside.continueScalar = (offset) => {
    const found = strictly(offset);
    const quote = inside.buffer[inside.pos];
    if (found !== -1 || (quote !== '"' && quote !== "'")) return found;
    let at = offset;
    while (inside.buffer[at] === ' ') at++;
    return at - offset >= inside.indentNext - 1 && inside.buffer[at] === quote ? at : -1;
  };
  return made;
}
