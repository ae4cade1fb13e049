// branch-order: the steps of a run in an order that does not depend on which of several branches was quicker. What goes on at
// once begins in an order that time decides; within a branch the order stays as it was.

/** `atOnce`: paths of blocks whose branches go on side by side. */
export function byBranch(paths: readonly string[], atOnce: ReadonlySet<string>): string[] {
  return arranged(
    paths.map((path) => ({ path, parts: partsOf(path) })),
    0,
    atOnce,
  ).map(({ path }) => path);
}

interface Split {
  path: string;
  /** `a[0]/b` is made of `a`, `[0]` and `/b`. */
  parts: string[];
}

function partsOf(path: string): string[] {
  return path.match(/\[\d+\]|#\d+|\/?[^/[#]+/g) ?? [path];
}

/** All of them have the same parts up to `depth`. */
function arranged(all: Split[], depth: number, atOnce: ReadonlySet<string>): Split[] {
  if (all.length < 2) return all;
  const holder = all[0]?.parts.slice(0, depth).join('') ?? '';
  const isAtOnce = atOnce.has(holder);
  const groups: { part: string | undefined; members: Split[] }[] = [];
  for (const one of all) {
    const part = one.parts[depth];
    const known = isAtOnce ? groups.find((group) => group.part === part) : groups.at(-1);
    if (known && known.part === part) known.members.push(one);
    else groups.push({ part, members: [one] });
  }
  if (isAtOnce) groups.sort((a, b) => (a.part ?? '').localeCompare(b.part ?? '', 'en', { numeric: true }));
  return groups.flatMap(({ part, members }) =>
    part === undefined ? members : arranged(members, depth + 1, atOnce),
  );
}
