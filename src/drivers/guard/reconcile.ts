// reconcile: where a step may not write all files, the tree is compared around each shell call. What changed inside that window is
// the agent's, and must be what the step's lists let it write; what changed outside is a person's, and nobody's business.
// C1. A change inside holds the step until it is undone, or a person lets it stand.
// C3. A file of ignore rules that hides itself is looked for by name, in the upper folders: git would not show it.
// C2. Where a look takes longer than a second it is taken once for the step instead of around each call, and that is said.

import { whyWriteWithheld } from '../../engine/guard.ts';
import type { HeldRun } from '../../hosting/hosting.ts';
import type { EntryBody } from '../../model/entry.ts';
import type { HookEvent } from '../../model/live-session.ts';
import { isWritingTool, parseToolItem } from '../../model/tool-policy.ts';
import type { Workspace } from '../../ports/workspace.ts';
import { type Binding, bindingOf, mayWrite } from './judge-call.ts';

export interface Reconcile {
  /** The call may happen now. */
  before(run: HeldRun, event: HookEvent & { kind: 'tool_call' }): Promise<void>;
  /** It has ended: what is to be put on record. */
  after(run: HeldRun, event: HookEvent & { kind: 'tool_result' }): Promise<EntryBody[]>;
}

type AtStep = Extract<Binding, { kind: 'step' }>;

const SLOW_MS = 1_000;
/** Calls whose end was never heard of are forgotten. */
const MOST_OPEN = 100;

export function createReconcile(): Reconcile {
  /** By call: what bound it, and what the tree was like. */
  const open = new Map<string, { binding: AtStep; before: string; ignoring: Map<string, string> }>();
  /** What the tree was like before the step changed anything, by its path. */
  const clean = new Map<string, string>();
  let isSlow = false;

  return {
    async before(run, { call, acts }) {
      if (!acts.some(({ tool }) => tool === 'Bash' || tool.startsWith('mcp__'))) return;
      const binding = bindingOf(run.state);
      if (binding.kind === 'free' || mayWriteAll(binding)) return;
      const { path } = binding.open;
      const known = isSlow ? clean.get(path) : undefined;
      const started = performance.now();
      const before = known ?? (await run.around().workspace.fingerprint());
      if (performance.now() - started > SLOW_MS) isSlow = true;
      if (before === undefined) return;
      open.set(call, { binding, before, ignoring: ignoreRules(run.around().workspace) });
      if ((run.state.live?.changed.length ?? 0) === 0) clean.set(path, before);
      const [oldest] = open.keys();
      if (open.size > MOST_OPEN && oldest !== undefined) open.delete(oldest);
    },
    async after(run, { call }) {
      const window = open.get(call);
      open.delete(call);
      if (!window) return [];
      const { workspace } = run.around();
      const { path } = window.binding.open;
      const entries: EntryBody[] = [];
      const seen = await workspace.changedSince(window.before);
      const rules = ignoreRules(workspace);
      const changed = [...new Set([...seen, ...differing(window.ignoring, rules)])].filter((file) =>
        isWithheld(window.binding, file, workspace),
      );
      const known = new Set(run.state.live?.changed ?? []);
      const fresh = changed.filter((file) => !known.has(file));
      if (fresh.length > 0) entries.push({ kind: 'change-found', path, files: fresh.slice(0, 1_000) });
      const base = clean.get(path);
      if (known.size > 0 && base !== undefined) {
        const still = new Set([
          ...(await workspace.changedSince(base)),
          ...differing(window.ignoring, rules),
        ]);
        const undone = [...known].filter((file) => !still.has(file));
        if (undone.length > 0) entries.push({ kind: 'change-found', path, files: undone, undone: true });
      }
      return entries;
    },
  };
}

/** Then nothing that a command changes could be wrong. */
function mayWriteAll(binding: AtStep): boolean {
  if (!mayWrite(binding)) return false;
  const { allow, deny } = binding.tools;
  if (deny.some((item) => writes(item))) return false;
  return (
    allow === undefined || allow.some((item) => writes(item) && parseToolItem(item)?.pattern === undefined)
  );
}

function writes(item: string): boolean {
  const { tool } = parseToolItem(item) ?? { tool: '' };
  return tool === '*' || isWritingTool(tool);
}

function isWithheld(binding: AtStep, file: string, { root }: Workspace): boolean {
  return !mayWrite(binding) || whyWriteWithheld(binding.tools, { file }, { root }) !== undefined;
}

const IGNORE_RULES = ['.gitignore', '*/.gitignore', '*/*/.gitignore'];

function ignoreRules(workspace: Workspace): Map<string, string> {
  // By its own name only, not through a link.
  const files = IGNORE_RULES.flatMap((pattern) => workspace.glob(pattern)).filter(
    (path) => workspace.locate(path).real === path,
  );
  return new Map(files.map((path) => [path, Buffer.from(workspace.read(path)).toString('latin1')]));
}

function differing(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  return [...new Set([...before.keys(), ...after.keys()])].filter(
    (path) => before.get(path) !== after.get(path),
  );
}
