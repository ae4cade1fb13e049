// shared-look: many who want to know what a work tree looks like, and one look for all of them.
//
// L1. Whoever asks gets a look that began after they asked: what they did before is in it.
// L2. One look at a time. Who asks while one is under way shares the next one with all others who do.

export function sharedLook<T>(take: () => Promise<T>): () => Promise<T> {
  let underWay: Promise<unknown> = Promise.resolve();
  let next: Promise<T> | undefined;
  return () => {
    next ??= underWay.then(() => {
      next = undefined;
      const look = take();
      underWay = look.catch(() => {});
      return look;
    });
    return next;
  };
}
