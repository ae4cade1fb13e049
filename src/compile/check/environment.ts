// environment: what a text may name, for its check; with the reasons where it names something that is not there.
// Only what the text asks for is looked up: a workflow of a thousand steps is not laid out for each of its texts.

import { references, type Type, type TypeEnvironment } from '../../expressions/expressions.ts';
import { ANY } from '../../expressions/type-relations.ts';
import type { Site } from '../site.ts';
import { whyNoRoot, whyNoStep, whyUnbound } from './denial.ts';
import { type Position, positionOf } from './position.ts';
import { objectType, resultType } from './result-type.ts';
import type { Subject } from './subject.ts';
import type { View } from './view.ts';

/** How many steps are offered where a name is unknown. */
const OFFERED = 12;

export function environmentOf(site: Site, subject: Subject, view: View): TypeEnvironment {
  const { flow, outline } = subject;
  const locals = Object.fromEntries(site.local.map((name) => [name, ANY]));
  const asked = references(site.source, site.kind).filter(({ root }) => !Object.hasOwn(locals, root));
  const at = positionOf(flow, site.step && outline.at(site.step), site.moment);
  if (site.only) {
    const run = view.root('run', at);
    return { roots: { ...(run && { run }), ...locals }, denied: whyOnly(asked.map(({ root }) => root)) };
  }
  const { roots, denied } = new Asking(subject, view, at).about(asked);
  return { roots: { ...roots, ...locals }, denied };
}

const EVERYWHERE = ['inputs', 'vars', 'steps', 'run'];

function whyOnly(roots: string[]): Record<string, string> {
  const why = (root: string) =>
    `\`${root}\` is not seen here: this prompt declares its inputs, and sees only those and \`run\``;
  const hidden = roots.filter((root) => root !== 'run' && EVERYWHERE.includes(root));
  return Object.fromEntries(hidden.map((root) => [root, why(root)]));
}

type Asked = readonly { root: string; path: readonly string[] }[];

class Asking {
  readonly #subject: Subject;
  readonly #view: View;
  readonly #at: Position;

  constructor(subject: Subject, view: View, at: Position) {
    this.#subject = subject;
    this.#view = view;
    this.#at = at;
  }

  about(asked: Asked): TypeEnvironment {
    const roots: Record<string, Type> = {};
    const denied: Record<string, string> = {};
    const unknown: string[] = [];
    for (const root of new Set([...EVERYWHERE, ...asked.map((one) => one.root)])) {
      if (root === 'steps') continue;
      const type = this.#view.root(root, this.#at);
      const why = type
        ? undefined
        : (whyNoRoot(root) ?? whyUnbound(this.#subject, this.#view.bindings, root, this.#at));
      if (type) roots[root] = type;
      else if (why !== undefined) denied[root] = why;
      else unknown.push(root);
    }
    const ids = asked.filter(({ root }) => root === 'steps').map(({ path }) => path[0]);
    // A name that is nowhere may be meant to be a step, or a name that is near.
    roots.steps = this.#steps([...ids, ...unknown]);
    if (unknown.length > 0) this.#offerNames(roots);
    return { roots, denied };
  }

  #offerNames(roots: Record<string, Type>): void {
    for (const name of this.#view.bindings.keys()) {
      const type = this.#view.root(name, this.#at);
      if (type && !Object.hasOwn(roots, name)) roots[name] = type;
    }
  }

  #steps(ids: readonly (string | undefined)[]): Type {
    const fields = new Map<string, Type>();
    const denied: [string, string][] = [];
    const show = (id: string): boolean => {
      const type = this.#view.step(id, this.#at);
      if (type) fields.set(id, type);
      return type !== undefined;
    };
    for (const id of new Set(ids)) {
      // Which step is read is not written out.
      if (id === undefined) return { kind: 'map', of: resultType(ANY, true) };
      if (show(id)) continue;
      const why = whyNoStep(this.#subject, id, this.#at);
      if (why !== undefined) denied.push([id, why]);
      for (const other of this.#near(id)) show(other);
    }
    return { ...objectType([...fields]), denied: Object.fromEntries(denied) };
  }

  /** What could have been meant, and the steps just before. */
  #near(id: string): string[] {
    const { spots } = this.#subject.outline;
    const ids = spots.map(({ step }) => step.id);
    const meant = this.#subject.near(id, ids);
    const here = this.#at.spot ? spots.indexOf(this.#at.spot) : ids.length;
    return [...(meant === undefined ? [] : [meant]), ...ids.slice(Math.max(0, here - OFFERED), here)];
  }
}
