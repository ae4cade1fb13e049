// turns: a loop over very many files gives way to timers, answers and signals in between.

/** A person does not notice this long. */
const LONGEST_MS = 10;
/** However quick each of them is: what waits is served the same in every repository of that size. */
const MOST_ITEMS = 256;

/**
 * To be called between two items: `const wait = giveWay(); if (wait) await wait;`. Undefined: go on, it is too soon. (Awaiting
 * something for each of fifty thousand items would take longer than some of the loops.)
 */
export function turns(): () => Promise<void> | undefined {
  let since = performance.now();
  let items = 0;
  return () => {
    items += 1;
    if (items < MOST_ITEMS && performance.now() - since < LONGEST_MS) return undefined;
    return new Promise((resolve) => {
      setImmediate(() => {
        since = performance.now();
        items = 0;
        resolve();
      });
    });
  };
}
