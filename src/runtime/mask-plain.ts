// mask-plain: the spellings of a secret, byte by byte.

import { type LensMaker, quietBytes } from './mask-tracker.ts';
import type { SecretTrie } from './mask-trie.ts';

export function plainLens(trie: SecretTrie): LensMaker {
  const quiet = quietBytes(
    (byte) => !trie.begins(byte),
    (byte, next) => !trie.beginsWith(byte, next),
  );
  return (found) => {
    let state = 0;
    return {
      quiet,
      isBusy: () => state !== 0,
      read(data, from, shift) {
        for (let index = from; index < data.length; index++) {
          state = trie.step(state, data[index] as number);
          if (state === 0) return index + 1;
          const longest = trie.longest(state);
          const end = shift + index + 1;
          if (longest > 0) found(end - longest, end, longest);
        }
        return data.length;
      },
      end() {},
      held: (position) => position - trie.depth(state),
    };
  };
}
