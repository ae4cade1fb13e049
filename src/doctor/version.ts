// version: which of two comes first.

/** By its numbers; what stands after them (`-beta.1`) is not looked at. */
export function isBefore(version: string, other: string): boolean {
  const [ours, theirs] = [numbers(version), numbers(other)];
  for (let index = 0; index < Math.max(ours.length, theirs.length); index += 1) {
    const difference = (ours[index] ?? 0) - (theirs[index] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
}

function numbers(version: string): number[] {
  return (/^\d+(\.\d+)*/.exec(version)?.[0] ?? '').split('.').map(Number);
}
