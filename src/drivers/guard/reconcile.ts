// reconcile: where a step may not write all files, the tree is compared around each call that may change one. What changed inside that
// window is the agent's, and must be what the step's lists let it write; what changed outside may be a person's.
// C1. A change inside holds the step until it is undone, or a person lets it stand. One outside is told, and holds nothing.
// C2. Two looks for a call. Where one takes longer than a second there is one at the first call of a turn and one at its end, and the
//     person is told.
// C3. A file of ignore rules that hides itself is looked for by name, in the upper folders: git would not show it.
// C4. The look before a call is in the journal before the call happens: who kills the daemon from inside of it has not got away.
// C5. A call whose end is never told (a client that ends it, a patch that a shell line applies) is compared when the turn ends.

import { whyWriteWithheld } from '../../engine/guard.ts';
import type { HeldRun } from '../../hosting/hosting.ts';
import type { EntryBody } from '../../model/entry.ts';
import type { HookEvent } from '../../model/live-session.ts';
import type { ToolAct } from '../../model/tool-call.ts';
import { isWritingTool, parseToolItem } from '../../model/tool-policy.ts';
import type { Workspace } from '../../ports/workspace.ts';
import { type Binding, bindingOf, mayWrite, READING, toolsOf } from './judge-call.ts';

export interface Reconcile {
  /** A call is about to be judged. `tree`: what it was like, where that is to be compared with. */
  before(
    run: HeldRun,
    event: HookEvent & { kind: 'tool_call' },
  ): Promise<{ tree?: string; found: EntryBody[] }>;
  /** It does not happen. */
  denied(call: string): void;
  /** It has ended. */
  after(run: HeldRun, event: HookEvent & { kind: 'tool_result' }): Promise<EntryBody[]>;
  /** The agent ends its turn; or a person says something, who may have ended it and changed files since. */
  turn(run: HeldRun, by: 'agent' | 'person'): Promise<EntryBody[]>;
  /** Lockstep itself has run commands: what they changed is nobody's. */
  begin(run: HeldRun): Promise<void>;
  /** What the person is to know about the looks themselves, once. */
  notes(): string[];
}

type AtStep = Extract<Binding, { kind: 'step' }>;
type Around = ReturnType<HeldRun['around']>;

const SLOW_MS = 1_000;
/** A tree in which more differs is kept in memory only. */
const LONGEST_KEPT = 20_000;
const MOST_FILES = 1_000;
/** Calls whose end was never heard of are forgotten. */
const MOST_OPEN = 100;
/** What a client does by itself, or what is judged call by call. */
const QUIET: ReadonlySet<string> = new Set([
  ...READING,
  ...['Task', 'Agent', 'ListAgents', 'SendMessage', 'TaskOutput', 'TaskStop', 'BashOutput', 'KillShell'],
  ...['TaskCreate', 'TaskGet', 'TaskList', 'TaskUpdate', 'ToolSearch', 'EnterPlanMode', 'ExitPlanMode'],
  ...['LSP', 'StructuredOutput', 'ListMcpResources', 'ReadMcpResource', 'ListMcpResourcesTool'],
  ...['ReadMcpResourceTool', 'update_topic', 'get_internal_docs'],
]);
const SLOW =
  'Lockstep looks at the work tree for more than a second here: what commands change in a step that may not write is found at the end of a turn, not after each command.';
const NO_GIT =
  'This folder is in no git repository: what commands change in a step that may not write cannot be found. Deny `Bash` where it matters.';

interface Window {
  binding: AtStep;
  tree: string;
  ignoring: Map<string, string>;
  bySubagent: boolean;
}

export function createReconcile(): Reconcile {
  /** By call. What a daemon before this one began is in the state of the run. */
  const open = new Map<string, Window>();
  /** What the tree was like when it was last looked at in this step. */
  let last: { path: string; tree: string } | undefined;
  let isSlow = false;
  const told = new Set<string>();
  const untold: string[] = [];

  const tell = (text: string): void => {
    if (told.has(text)) return;
    told.add(text);
    untold.push(text);
  };

  async function look({ workspace }: Around): Promise<string | undefined> {
    const started = performance.now();
    const tree = await workspace.fingerprint();
    if (tree === undefined) tell(NO_GIT);
    if (performance.now() - started > SLOW_MS) {
      isSlow = true;
      tell(SLOW);
    }
    return tree;
  }

  /** What was found before and is as it was. */
  async function undone(run: HeldRun, path: string, hidden: readonly string[]): Promise<EntryBody[]> {
    const { changed = [], clean } = run.state.live ?? {};
    if (changed.length === 0 || clean === undefined) return [];
    const still = new Set([...(await run.around().workspace.changedSince(clean)), ...hidden]);
    const files = changed.filter((file) => !still.has(file));
    return files.length > 0 ? [{ kind: 'change-found', path, files, undone: true }] : [];
  }

  /** Since the last look, while no call was under way. */
  async function beside(run: HeldRun, binding: AtStep, now: string): Promise<EntryBody[]> {
    const { changed = [], windows, clean } = run.state.live ?? {};
    const { path } = binding.open;
    // A daemon that was killed knew more than the journal, which has the last look before a call.
    const then = last === undefined ? clean : last.path === path ? last.tree : undefined;
    if (then === undefined || open.size > 0 || (windows?.size ?? 0) > 0) return [];
    const files = await withheld(binding, then, now, run.around());
    const fresh = files.filter((file) => !changed.includes(file)).slice(0, MOST_FILES);
    return fresh.length > 0 ? [{ kind: 'change-found', path, files: [], beside: fresh }] : [];
  }

  /** Of calls that have not ended. */
  function windowsOf(run: HeldRun, binding: AtStep): Pick<Window, 'binding' | 'tree'>[] {
    const before = [...(run.state.live?.windows ?? [])].filter(([call]) => !open.has(call));
    return [...open.values(), ...before.map(([, tree]) => ({ binding, tree }))];
  }

  return {
    async before(run, { call, acts, subagent }) {
      const binding = withheldAt(run);
      if (!binding || !acts.some(mayChange)) return { found: [] };
      const { path } = binding.open;
      if (isSlow && last?.path === path) return { found: [] };
      const around = run.around();
      const tree = await look(around);
      if (tree === undefined) return { found: [] };
      const found = isSlow ? [] : await beside(run, binding, tree);
      last = { path, tree };
      if (isSlow) return { found };
      const ignoring = ignoreRules(around.workspace);
      open.set(call, { binding, tree, ignoring, bySubagent: subagent !== undefined });
      const [oldest] = open.keys();
      if (open.size > MOST_OPEN && oldest !== undefined) open.delete(oldest);
      return tree.length <= LONGEST_KEPT ? { tree, found } : { found };
    },

    denied(call) {
      open.delete(call);
    },

    async after(run, { call }) {
      const known = open.get(call);
      open.delete(call);
      const binding = known?.binding ?? withheldAt(run);
      const then = known?.tree ?? run.state.live?.windows.get(call);
      if (!binding || then === undefined || isSlow) return [];
      const around = run.around();
      const { path } = binding.open;
      const now = await look(around);
      if (now === undefined) return [];
      last = { path, tree: now };
      const hidden = known ? differing(known.ignoring, ignoreRules(around.workspace)) : [];
      const files = [
        ...(await withheld(binding, then, now, around)),
        ...hidden.filter((file) => isWithheld(binding, file, around.workspace)),
      ];
      return [...inside(run, path, files), ...(await undone(run, path, hidden))];
    },

    async turn(run, by) {
      const binding = withheldAt(run);
      const windows = binding ? windowsOf(run, binding) : [];
      if (!binding || (last === undefined && windows.length === 0)) return [];
      const { path } = binding.open;
      if (isSlow && last?.path === path) windows.push({ binding, tree: last.tree });
      const around = run.around();
      const now = await look(around);
      if (now === undefined) return [];
      // A person ends what is under way, and may have changed anything since.
      if (by === 'person') for (const [call, { bySubagent }] of open) if (!bySubagent) open.delete(call);
      const files: string[] = [];
      for (const one of windows) files.push(...(await withheld(one.binding, one.tree, now, around)));
      const unknown: EntryBody[] =
        files.length > 0 ? [{ kind: 'change-found', path, files: [], beside: files }] : [];
      const found =
        windows.length === 0
          ? await beside(run, binding, now)
          : by === 'agent'
            ? inside(run, path, files)
            : unknown;
      const again = await undone(run, path, []);
      // What is slow begins anew with the next turn.
      last = isSlow ? undefined : { path, tree: now };
      return [...found, ...again];
    },

    async begin(run) {
      if (last === undefined) return;
      const binding = withheldAt(run);
      const tree = binding && !isSlow ? await look(run.around()) : undefined;
      last = binding && tree !== undefined ? { path: binding.open.path, tree } : undefined;
    },

    notes: () => untold.splice(0),
  };
}

function inside({ state }: HeldRun, path: string, files: readonly string[]): EntryBody[] {
  const known = new Set(state.live?.changed ?? []);
  const fresh = [...new Set(files)].filter((file) => !known.has(file)).slice(0, MOST_FILES);
  return fresh.length > 0 ? [{ kind: 'change-found', path, files: fresh }] : [];
}

async function withheld(
  binding: AtStep,
  then: string,
  now: string,
  { workspace }: Around,
): Promise<string[]> {
  if (then === now) return [];
  const seen = await workspace.changedSince(then);
  return seen.filter((file) => isWithheld(binding, file, workspace));
}

function mayChange({ tool }: ToolAct): boolean {
  return !QUIET.has(tool) && !WRITERS.has(tool);
}

/** Judged by the file that they name. */
const WRITERS: ReadonlySet<string> = new Set(['Write', 'Edit', 'MultiEdit', 'NotebookEdit']);

/** Undefined: nothing that a command changes could be wrong. */
function withheldAt(run: HeldRun): AtStep | undefined {
  const bound = bindingOf(run.state);
  if (bound.kind === 'free') return undefined;
  // While a person is asked the files of the step are still its own.
  const { open } = bound;
  const binding: AtStep = { kind: 'step', open, tools: toolsOf(open) };
  return mayWriteAll(binding) ? undefined : binding;
}

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
