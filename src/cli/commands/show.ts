// show: a definition, which layer it comes from, and what it shadows.

import { dialectIn } from '../../compile/convert.ts';
import { type LoadedWorkflow, loadWorkflow } from '../../drivers/run/load.ts';
import { Fault } from '../../model/fault.ts';
import type { LibraryKind, LoadedFile } from '../../model/library.ts';
import type { Library } from '../../ports/library.ts';
import { didYouMean } from '../../text/closest-name.ts';
import { layerName } from '../../views/layer-name.ts';
import { planWorkflow, renderPlan } from '../../views/plan.ts';
import { definitionsOf, dialectNamed, findDefinition } from '../find-workflow.ts';
import { lookOf } from '../look.ts';
import { printDiagnostics } from '../print-problems.ts';
import type { Services } from '../services.ts';

const KINDS: LibraryKind[] = ['workflow', 'agent', 'prompt', 'gate', 'schema'];

interface ShowOptions {
  kind?: string;
  dialect?: string;
  source?: boolean;
  json?: boolean;
}

export async function show(services: Services, name: string, options: ShowOptions): Promise<number> {
  const definitions = await definitionsOf(services);
  const { kind, file } = find(definitions.library, name, options.kind);
  const said = dialectNamed(options.dialect);
  const dialect = kind === 'workflow' ? (said ?? dialectIn(file, definitions.dialects)) : undefined;
  const facts = {
    kind,
    name,
    layer: file.layer,
    path: file.path,
    dialect,
    hash: services.hash(file.text),
    shadows: file.shadows,
  };
  const load = () => loadWorkflow(definitions, file, said);
  if (options.json) return showJson(services, file, facts, load, options.source ?? false);
  const lines = [
    `${kind} ${name}`,
    `  from     ${file.path} (${layerName(file.layer, file.path)})`,
    ...(dialect === undefined || dialect === 'native' ? [] : [`  language ${dialect}`]),
    `  sha256   ${facts.hash}`,
    ...file.shadows.map((shadow) => `  shadows  ${shadow.path} (${layerName(shadow.layer, shadow.path)})`),
  ];
  services.stdout.write(`${lines.join('\n')}\n`);
  if (options.source) services.stdout.write(`\n${file.text.endsWith('\n') ? file.text : `${file.text}\n`}`);
  if (kind !== 'workflow') return 0;
  if (options.source) return 0;
  const loaded = load();
  printDiagnostics(services, loaded.diagnostics, loaded.texts);
  if (!loaded.workflow) return 2;
  services.stdout.write(`\n${renderPlan(planWorkflow(loaded.workflow), lookOf(services), '')}\n`);
  return 0;
}

function showJson(
  services: Services,
  file: LoadedFile,
  facts: { kind: LibraryKind },
  load: () => LoadedWorkflow,
  withSource: boolean,
): number {
  const loaded = facts.kind === 'workflow' ? load() : undefined;
  const plan = loaded?.workflow && planWorkflow(loaded.workflow);
  const diagnostics = loaded?.diagnostics.length ? loaded.diagnostics : undefined;
  const text = withSource ? file.text : undefined;
  services.stdout.write(`${JSON.stringify({ ...facts, plan, diagnostics, text }, undefined, 2)}\n`);
  return loaded && !plan ? 2 : 0;
}

function find(
  library: Library,
  name: string,
  only: string | undefined,
): { kind: LibraryKind; file: LoadedFile } {
  const kinds = KINDS.filter((kind) => only === undefined || kind === only);
  if (kinds.length === 0) {
    throw new Fault('kind-unknown', `there is no kind "${only}"`, {
      hint: `Say one of ${KINDS.join(', ')}.`,
      exitCode: 2,
    });
  }
  const found = kinds.flatMap((kind) => {
    const file = library.load({ by: 'name', kind, name });
    return 'missing' in file ? [] : [{ kind, file }];
  });
  if (found.length > 1) {
    throw new Fault(
      'name-ambiguous',
      `"${name}" is the name of ${found.map(({ kind }) => `${kind === 'agent' ? 'an' : 'a'} ${kind}`).join(' and ')}`,
      {
        hint: `Say which with --kind ${found[0]?.kind}.`,
        exitCode: 2,
      },
    );
  }
  const [one = gateWithin(library, name, kinds)] = found;
  if (one) return one;
  if (only !== undefined && only !== 'workflow') throw unknownDefinition(library, kinds[0] ?? 'gate', name);
  return { kind: 'workflow', file: findDefinition(library, name) };
}

/** Gates are kept in directories, `review/security`; the last word of it does where only one has it. */
function gateWithin(
  library: Library,
  name: string,
  kinds: LibraryKind[],
): { kind: LibraryKind; file: LoadedFile } | undefined {
  if (!kinds.includes('gate')) return undefined;
  const [only, ...more] = library.list('gate').filter((gate) => gate.name.endsWith(`/${name}`));
  if (only === undefined || more.length > 0) return undefined;
  const file = library.load({ by: 'name', kind: 'gate', name: only.name });
  return 'missing' in file ? undefined : { kind: 'gate', file };
}

function unknownDefinition(library: Library, kind: LibraryKind, name: string): Fault {
  const names = library.list(kind).map((item) => item.name);
  const within = names.filter((one) => one.endsWith(`/${name}`));
  return new Fault('definition-unknown', `there is no ${kind} "${name}"`, {
    hint:
      within.length > 0
        ? `Say which: ${within.join(', ')}.`
        : (didYouMean(name, names) ?? `lockstep list ${kind}s shows those there are.`),
    exitCode: 2,
  });
}
