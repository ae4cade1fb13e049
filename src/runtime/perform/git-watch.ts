// git-watch: what git has before and after an effect in a worktree of the run, and whether that may be.
// Owns: the looks, and what is found by them. Never: decides what becomes of the step (engine/acceptance.ts).
//
// GW1. Who commits on the branch of the run does its work. Who leaves it, drops commits, pushes without `publishes`, or
//      commits without a tool to write has failed; what is wrong is said with what to do about it.
// GW2. After a failure the worktree is remembered as it was before: the next effect there does not pass over it.
// GW3. What a step that only reads has left is taken away before the next one begins, if nobody touched it since. If
//      somebody did, it is theirs.

import { createHash } from 'node:crypto';
import type { Place } from '../../model/command.ts';
import type { Failure, RepositoryChanges } from '../../model/entry.ts';
import type { GitCheck, GitOrders, GitSeen, LeftBehind } from '../../model/git-checks.ts';
import type { Json } from '../../model/json.ts';
import { placeName } from '../../model/place-name.ts';
import type { Bystander, Checkout, CheckoutLook } from '../../ports/checkout.ts';
import type { PerformContext } from './context.ts';
import { missingPush, missingWork, readClaims } from './git-claims.ts';
import * as failures from './git-failures.ts';
import { weighOutside } from './git-outside.ts';

export interface GitWatch {
  /** It may not begin. */
  refusal?: Failure;
  /** Before this it must not start. */
  ready?: Promise<void>;
  /** It has ended: what takes a while to look at can be begun. */
  over(): void;
  end(ended: Ended): Promise<{ seen: GitSeen; failure?: Failure }>;
}

/** What is known of the effect when it is over. */
export interface Ended {
  /** The answer of an agent; absent: it has none, or it does not fit its schema. */
  output?: Json;
  /** The tree before it, where it was looked at; and files that it changed and may not. */
  before?: string;
  changed?: readonly string[];
  repository?: RepositoryChanges;
  /** What its calls say. */
  said?: readonly string[];
}

type Watched = Place & { git?: GitOrders; again?: true };
type Does = 'reads' | 'writes' | 'runs';

/** Who puts something back in a worktree does it alone. */
const turns = new Map<string, Promise<unknown>>();

export async function watchGit(
  command: Watched,
  does: Does,
  { workspace }: Pick<PerformContext, 'workspace'>,
): Promise<GitWatch | undefined> {
  const { git: orders } = command;
  if (!orders) return undefined;
  const { checkout, root } = workspace;
  if (!checkout) {
    const seen: GitSeen = { head: orders.last ?? orders.base };
    const failure = failures.noRepository(root);
    return { refusal: failure, over() {}, end: async () => ({ seen, failure }) };
  }
  const watch = new Watch(command, does, orders, checkout, workspace);
  await watch.begin();
  return watch;
}

class Watch implements GitWatch {
  refusal: Failure | undefined;
  ready: Promise<void> | undefined;
  readonly #command: Watched;
  readonly #does: Does;
  /** No commit may come of it. */
  readonly #isFixed: boolean;
  readonly #orders: GitOrders;
  readonly #checkout: Checkout;
  readonly #workspace: PerformContext['workspace'];
  readonly #notes: string[] = [];
  #before: CheckoutLook = { branch: '', head: '', gitFolder: '', references: new Map() };
  #bystander: Bystander | undefined;
  #elsewhere: Promise<string[]> | undefined;
  #cleared = false;

  constructor(
    command: Watched,
    does: Does,
    orders: GitOrders,
    checkout: Checkout,
    workspace: PerformContext['workspace'],
  ) {
    this.#command = command;
    this.#does = orders.publishes ? 'reads' : does;
    this.#isFixed = this.#does === 'reads' || (orders.isVerified === true && does === 'runs');
    this.#orders = orders;
    this.#checkout = checkout;
    this.#workspace = workspace;
  }

  async begin(): Promise<void> {
    const { left, project } = this.#orders;
    if (left && this.#holds('read-only')) this.refusal = await this.#clear(left);
    this.#before = await this.#checkout.look();
    this.refusal ??= (await this.#offBranch(this.#before, this.#orders.last)) ?? (await this.#unverified());
    if (this.refusal || this.#does === 'runs' || !this.#holds('outside')) return;
    this.ready = this.#checkout.watch(project).then((bystander) => {
      this.#bystander = bystander;
    });
  }

  over(): void {
    this.#elsewhere ??= this.#bystander?.changed();
  }

  async end(ended: Ended): Promise<{ seen: GitSeen; failure?: Failure }> {
    const { last, base } = this.#orders;
    if (this.refusal) return { seen: { head: last ?? base, ...this.#told() }, failure: this.refusal };
    const after = await this.#checkout.look();
    const failure = await this.#failure(after, ended);
    const [before, now] = [this.#before.head, after.head];
    if (failure || (ended.changed?.length ?? 0) > 0) {
      const left = await this.#leftBehind(ended, failure);
      return { seen: { head: before, ...this.#told(), ...(left && { left }) }, ...(failure && { failure }) };
    }
    const missing = ended.output === undefined ? undefined : await this.#missing(ended.output, after);
    const outside = await this.#outside(after, ended);
    const { isVerified } = this.#orders;
    return {
      seen: {
        head: now,
        ...(before !== now && { from: before }),
        ...(isVerified && { tree: await this.#checkout.digest() }),
        ...missing,
        ...outside,
        ...this.#told(),
      },
    };
  }

  #holds(check: GitCheck): boolean {
    return !this.#orders.without.includes(check);
  }

  #told(): Pick<GitSeen, 'notes' | 'cleared'> {
    return {
      ...(this.#notes.length > 0 && { notes: this.#notes }),
      ...(this.#cleared && { cleared: true as const }),
    };
  }

  // ── Before ────────────────────────────────────────────────────────────────────────────────────

  async #clear(left: LeftBehind): Promise<Failure | undefined> {
    const { root } = this.#workspace;
    const turn = (turns.get(root) ?? Promise.resolve()).then(() => this.#putBack(left));
    turns.set(
      root,
      turn.catch(() => {}),
    );
    try {
      return await turn;
    } catch (error) {
      return failures.notPutBack(root, left, (error as Error).message);
    }
  }

  async #putBack(left: LeftBehind): Promise<Failure | undefined> {
    const now = await this.#digest();
    this.#cleared = true;
    if (now === left.was) return undefined;
    if (now !== left.is) {
      this.#notes.push(`what ${left.by} had left was changed since: it counts as it is now`);
      return undefined;
    }
    if (!left.mixed)
      await this.#checkout.putBack(
        left.head,
        left.files.filter((file) => !file.startsWith('.git/')),
      );
    if ((await this.#digest()) === left.was) {
      this.#notes.push(failures.takenAway(left));
      return undefined;
    }
    this.#cleared = false;
    return failures.notPutBack(this.#workspace.root, left);
  }

  async #digest(): Promise<string> {
    return digestOf(await this.#workspace.fingerprint());
  }

  /** Where it is to be now, and after what. */
  async #offBranch(look: CheckoutLook, after: string | undefined): Promise<Failure | undefined> {
    if (!this.#holds('branch')) return undefined;
    const { root } = this.#workspace;
    const { branch, last, base } = this.#orders;
    if (look.branch !== branch) return failures.otherBranch(root, branch, look, after ?? last ?? base);
    if (after === undefined || (await this.#checkout.descends(after, look.head))) return undefined;
    return failures.commitsDropped(root, branch, after, look.head);
  }

  async #unverified(): Promise<Failure | undefined> {
    const { publishes, branch, since } = this.#orders;
    if (!publishes || this.#command.part !== undefined) return undefined;
    const { verified } = publishes;
    if (verified && this.#before.head !== verified.head)
      return failures.otherCommit(this.#workspace.root, verified, this.#before.head, 'before');
    if (verified && (await this.#checkout.digest()) !== verified.tree)
      return failures.otherTree(this.#workspace.root, verified, 'before');
    // Once it was begun, it may be its own.
    if (since !== undefined || !this.#holds('push')) return undefined;
    const there = (await this.#checkout.onRemotes(branch)).find(({ head }) => head !== undefined);
    return there && failures.pushedBefore(branch, there);
  }

  // ── After ─────────────────────────────────────────────────────────────────────────────────────

  async #failure(after: CheckoutLook, { changed }: Ended): Promise<Failure | undefined> {
    const { root } = this.#workspace;
    const { publishes, from } = this.#orders;
    const { head } = this.#before;
    if (after.gitFolder !== this.#before.gitFolder) return failures.noRepository(root);
    const off = await this.#offBranch(after, from ?? head);
    if (off) return off;
    if (publishes?.verified && after.head !== publishes.verified.head)
      return failures.otherCommit(root, publishes.verified, after.head, 'after');
    if (after.head !== head && this.#isFixed && this.#holds('read-only')) {
      const { commits } = await this.#checkout.work(head);
      return failures.committed(commits, after.head);
    }
    const isDone = publishes?.verified && (changed?.length ?? 0) === 0;
    if (isDone && publishes.verified && (await this.#checkout.digest()) !== publishes.verified.tree)
      return failures.otherTree(root, publishes.verified, 'after');
    return publishes ? undefined : await this.#pushed(after);
  }

  /** Only who pushes makes a remote have what this run has made. */
  async #pushed(after: CheckoutLook): Promise<Failure | undefined> {
    if (!this.#holds('push')) return undefined;
    const moved = [...after.references].filter(
      ([name, is]) => name.startsWith('refs/remotes/') && this.#before.references.get(name) !== is,
    );
    if (moved.length === 0) return undefined;
    const made = await this.#made();
    const pushed = moved.filter(([, is]) => made.has(is)).map(([name]) => name);
    return pushed.length === 0 ? undefined : failures.pushed(pushed);
  }

  async #made(): Promise<Set<string>> {
    const { commits } = await this.#checkout.work(this.#orders.base);
    return new Set(commits.map(({ id }) => id));
  }

  async #missing(output: Json, { head }: CheckoutLook): Promise<Pick<GitSeen, 'missing' | 'nothing'>> {
    const claims = readClaims(output);
    const { publishes, branch, base, since } = this.#orders;
    const missing: string[] = [];
    let nothing: string | undefined;
    const isClaim = claims.files !== undefined || claims.commits !== undefined;
    if (isClaim && this.#holds('claims')) {
      const run = await this.#checkout.work(base);
      // A file that was made and taken away again is named with good reason.
      if (claims.files && claims.files.length > 0) run.files.push(...(await this.#checkout.touched(base)));
      const begun = since ?? this.#before.head;
      const step = publishes ? run : begun === base ? run : await this.#checkout.work(begun);
      missing.push(
        ...missingWork(publishes ? { ...claims, nothing: 'it publishes' } : claims, { run, step }),
      );
      if (!publishes && step.files.length === 0) nothing = claims.nothing;
    }
    if (publishes && claims.pushed && this.#holds('push')) {
      const unseen = missingPush(branch, head, await this.#checkout.onRemotes(branch));
      if (unseen !== undefined) missing.push(unseen);
    }
    return { ...(missing.length > 0 && { missing }), ...(nothing !== undefined && { nothing }) };
  }

  async #outside(after: CheckoutLook, ended: Ended): Promise<Pick<GitSeen, 'held' | 'meanwhile'>> {
    this.over();
    if (!this.#elsewhere) return {};
    const references = this.#movedReferences(after);
    const files = await this.#elsewhere;
    const settings = ended.repository?.settings ?? [];
    if (references.length + files.length + settings.length === 0) return {};
    const made = references.length > 0 ? await this.#made() : new Set<string>();
    const outside = { references, files, ...(ended.repository && { repository: ended.repository }) };
    const { said = [] } = ended;
    const { held, meanwhile } = weighOutside(outside, { project: this.#orders.project, made, said });
    return {
      ...(held.length > 0 && { held: held.map((each) => failures.heldOutside(each)) }),
      ...(meanwhile.length > 0 && { meanwhile }),
    };
  }

  /** Those that were there, but for what runs of Lockstep work on and what each work tree keeps for itself. */
  #movedReferences({ references }: CheckoutLook): { name: string; was?: string; is?: string }[] {
    const ours = `refs/heads/${this.#orders.branch.split('/')[0]}/`;
    return [...this.#before.references].flatMap(([name, was]) => {
      const is = references.get(name);
      const isTheirs = /^refs\/(?:heads|tags)\//.test(name) && !name.startsWith(ours);
      if (!isTheirs || is === was || name === `refs/heads/${this.#orders.branch}`) return [];
      return [{ name, was, ...(is !== undefined && { is }) }];
    });
  }

  async #leftBehind(
    { before, changed = [] }: Ended,
    failure: Failure | undefined,
  ): Promise<LeftBehind | undefined> {
    const isReading = this.#does === 'reads' && this.#holds('read-only');
    if (!isReading || before === undefined || (failure !== undefined && failure.class !== 'changed-files'))
      return undefined;
    const files = changed.length > 0 ? [...changed] : await this.#workspace.changedSince(before);
    const dirty = new Set(this.#checkout.dirtyIn(before));
    return {
      by: placeName(this.#command.path, this.#command.part),
      head: this.#before.head,
      was: digestOf(before),
      is: await this.#digest(),
      files,
      ...(files.some((file) => dirty.has(file)) && { mixed: true as const }),
    };
  }
}

function digestOf(fingerprint: string | undefined): string {
  return createHash('sha256')
    .update(fingerprint ?? '')
    .digest('hex');
}
