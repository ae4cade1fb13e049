// list: what the library has, which layer won, what it shadows, and what it says it is for.

import { dialectOf } from '../../compile/detect.ts';
import type { Definitions } from '../../drivers/run/load.ts';
import type { DialectName } from '../../model/dialect.ts';
import { Fault } from '../../model/fault.ts';
import type { LibraryKind } from '../../model/library.ts';
import type { Library } from '../../ports/library.ts';
import { report } from '../../source/diagnostics.ts';
import { readMarkdown } from '../../source/read/markdown.ts';
import { child, type Node, stringOf } from '../../source/read/node.ts';
import { sourceText } from '../../source/read/source.ts';
import { readYaml } from '../../source/read/yaml.ts';
import { didYouMean } from '../../text/closest-name.ts';
import { layerName } from '../../views/layer-name.ts';
import { plain } from '../../views/text/plain.ts';
import { definitionsOf } from '../find-workflow.ts';
import { terminalWidth } from '../look.ts';
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
  const kinds = only === undefined ? Object.values(KINDS) : [kindOf(only)];
  const definitions = await definitionsOf(services);
  const { library } = definitions;
  const rows = kinds.flatMap((kind) =>
    library.list(kind).map((item) => ({ kind, ...item, ...saidIn(definitions, kind, item.name) })),
  );
  if (options.json) services.stdout.write(`${JSON.stringify(rows, undefined, 2)}\n`);
  else if (rows.length === 0) {
    const what = only === undefined ? 'Nothing' : `No ${only}`;
    services.stdout.write(`${what} here yet. \`lockstep init\` writes a starter workflow.\n`);
  } else services.stdout.write(listing(rows, terminalWidth(services)));
  return 0;
}

type Row = ReturnType<Library['list']>[number] & { kind: LibraryKind } & Said;

function listing(rows: Row[], width: number | undefined): string {
  const cells = rows.map(({ kind, name, layer, path, shadows, description, dialect, state }) => [
    kindText(kind, dialect === 'native' ? undefined : (dialect ?? state)),
    name,
    layerName(layer, path),
    shadows.map((shadow) => layerName(shadow.layer, shadow.path)).join(', '),
    plain(description),
  ]);
  const isShadowing = rows.some(({ shadows }) => shadows.length > 0);
  const head = ['KIND', 'NAME', 'FROM', 'SHADOWS', 'DESCRIPTION'];
  const wanted = (row: string[]) => (isShadowing ? row : [...row.slice(0, 3), ...row.slice(4)]);
  return table(wanted(head), cells.map(wanted), width);
}

function kindText(kind: LibraryKind, more: string | undefined): string {
  return more === undefined ? kind : `${kind} (${more})`;
}

interface Said {
  description: string;
  /** Of a workflow, where it is clear. */
  dialect?: DialectName;
  /** Of a gate that does not look by itself. */
  state?: 'off' | 'manual';
}

/** Empty where it says nothing, or cannot be read: `validate` says why, a list only lists. */
function saidIn({ library, dialects }: Definitions, kind: LibraryKind, name: string): Said {
  const file = library.load({ by: 'name', kind, name });
  if ('missing' in file) return { description: '' };
  const source = sourceText(file.path, file.text);
  const problems = report();
  const node =
    kind === 'workflow' || kind === 'schema'
      ? readYaml(source, problems)
      : readMarkdown(source, problems)?.matter;
  const description = stringOf(child(node, 'description')) ?? '';
  const dialect = kind === 'workflow' && node?.kind === 'map' ? dialectOf(node, dialects) : undefined;
  const state = kind === 'gate' ? stateOf(node) : undefined;
  return { description, ...(dialect && { dialect }), ...(state && { state }) };
}

function stateOf(node: Node | undefined): Said['state'] {
  const enabled = child(node, 'enabled');
  if (enabled?.kind === 'scalar' && enabled.value === false) return 'off';
  return stringOf(child(node, 'run')) === 'manual' ? 'manual' : undefined;
}

function kindOf(word: string): LibraryKind {
  const kind = KINDS[word] ?? KINDS[`${word}s`];
  if (kind) return kind;
  throw new Fault('kind-unknown', `there are no "${word}" in a library`, {
    hint: didYouMean(word, Object.keys(KINDS)) ?? `Say one of ${Object.keys(KINDS).join(', ')}.`,
    exitCode: 2,
  });
}
