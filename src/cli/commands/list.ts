// list: what the library has, which layer won, and what it shadows.

import { didYouMean } from '../../compile/closest.ts';
import { Fault } from '../../model/fault.ts';
import type { LibraryKind } from '../../model/library.ts';
import type { Library } from '../../ports/library.ts';
import type { Services } from '../services.ts';
import { table } from '../table.ts';

const KINDS: Record<string, LibraryKind> = {
  workflows: 'workflow',
  agents: 'agent',
  prompts: 'prompt',
  gates: 'gate',
  schemas: 'schema',
};

export async function list(
  services: Services,
  only: string | undefined,
  options: { json?: boolean },
): Promise<number> {
  const library = await services.library();
  const kinds = only === undefined ? Object.values(KINDS) : [kindOf(only)];
  const rows = kinds.flatMap((kind) => library.list(kind).map((item) => ({ kind, ...item })));
  if (options.json) {
    services.stdout.write(`${JSON.stringify(rows, undefined, 2)}\n`);
    return 0;
  }
  if (rows.length === 0) {
    services.stdout.write('Nothing here yet. `lockstep init` writes a starter workflow.\n');
    return 0;
  }
  services.stdout.write(listing(rows));
  return 0;
}

type Row = ReturnType<Library['list']>[number] & { kind: LibraryKind };

function listing(rows: Row[]): string {
  const cells = rows.map(({ kind, name, layer, path, shadows }) => [
    kind,
    name,
    layer,
    path,
    shadows.length === 0
      ? ''
      : `shadows ${shadows.map((shadow) => `${shadow.layer} (${shadow.path})`).join(', ')}`,
  ]);
  return table(['KIND', 'NAME', 'LAYER', 'PATH', ''], cells);
}

function kindOf(word: string): LibraryKind {
  const kind = KINDS[word] ?? KINDS[`${word}s`];
  if (kind) return kind;
  throw new Fault('kind-unknown', `there are no "${word}" in a library`, {
    hint: didYouMean(word, Object.keys(KINDS)) ?? `Say one of ${Object.keys(KINDS).join(', ')}.`,
    exitCode: 2,
  });
}
