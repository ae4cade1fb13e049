// handed: which steps a client works on right now.

import type { Outline } from './outline/shape.ts';

export function handedOf({ byPath }: Outline): string[] {
  return [...byPath.values()]
    .filter(({ handedAt, status }) => handedAt !== undefined && status === 'waiting')
    .map(({ path }) => path);
}
