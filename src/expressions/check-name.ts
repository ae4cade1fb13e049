// check-name: names and fields: whether they exist, and what was meant if not.

import type { ASTNode } from '@marcbachmann/cel-js';
import { closest } from '../text/closest-name.ts';
import { type Inspection, listed, problemAt, type Scope } from './inspection.ts';
import { pathOf, staticKey } from './path.ts';
import { knownElsewhere } from './signature.ts';
import { standardType } from './standard.ts';
import type { Type } from './type.ts';
import { ANY, describedType, isNumeric, joined, own } from './type-relations.ts';

type Access = ASTNode & { op: '.' | '[]' };

/** Something goes by this name, be it out of reach here. */
export function isKnown(name: string, inspection: Inspection, scope: Scope): boolean {
  const { roots, denied } = inspection.environment;
  return scope.has(name) || own(roots, name) !== undefined || own(denied, name) !== undefined;
}

export function checkName(node: ASTNode & { op: 'id' }, inspection: Inspection, scope: Scope): Type {
  const { roots, denied } = inspection.environment;
  const known = scope.get(node.args) ?? own(roots, node.args);
  if (known) return known;
  const why = own(denied, node.args);
  if (why !== undefined) inspection.report(problemAt(node, 'cel-unknown-name', why));
  else if (standardType(node.args) === undefined) {
    const message = `there is nothing called \`${node.args}\` here`;
    inspection.report(
      problemAt(node, 'cel-unknown-name', message, meantInstead(node.args, inspection, scope)),
    );
  }
  return ANY;
}

function meantInstead(name: string, { environment }: Inspection, scope: Scope): string {
  const names = [...scope.keys(), ...Object.keys(environment.roots)];
  const foreign = nameElsewhere(name);
  if (foreign !== undefined) return foreign;
  const near = closest(name, names);
  if (near !== undefined) return `Did you mean \`${near}\`?`;
  for (const root of ['steps', 'inputs', 'vars']) {
    const type = own(environment.roots, root);
    if (type?.kind === 'object' && own(type.fields, name)) return `Did you mean \`${root}.${name}\`?`;
  }
  return `${listed(names)} A text is written in quotes: "${name}".`;
}

/** Contexts of other tools, and where that is here. */
const CONTEXTS: Readonly<Record<string, string>> = {
  github: 'Give the run an input for it: `inputs.branch`, and `lockstep run … --input branch=main`.',
  secrets:
    'A secret is a variable of the step: list its name in `secrets:` of the step, and let its command read it.',
  env: 'Variables are for commands; a value that a run is given is an input: `inputs.name`.',
  matrix: "In an `each: 'item in list'` the item has the name that you give it.",
  needs: 'What a step gave is in `steps`: `steps.build.output`.',
  jobs: 'What a step gave is in `steps`: `steps.build.output`.',
  nodes: 'What a step gave is in `steps`: `steps.build.output`.',
  tasks: 'What a step gave is in `steps`: `steps.build.output`.',
  workflow: 'What a run is given is in `inputs`; what is known of it in `run`: `inputs.name`, `run.id`.',
  params: 'What a run is given is in `inputs`: `inputs.name`.',
};

function nameElsewhere(name: string): string | undefined {
  return Object.hasOwn(CONTEXTS, name) ? CONTEXTS[name] : undefined;
}

/** `x.field`, `x["field"]` and `x[i]`. */
export function checkMember(node: Access, inspection: Inspection, scope: Scope): Type {
  const container = inspection.infer(node.args[0], scope);
  const key = staticKey(node);
  if (key === undefined) return checkIndex(node as ASTNode & { op: '[]' }, container, inspection, scope);
  switch (container.kind) {
    case 'any':
    case 'null':
      return ANY;
    case 'map':
      return container.of;
    case 'object':
      return (
        own(container.fields, key) ?? (container.open ? ANY : unknownField(node, key, container, inspection))
      );
    default:
      inspection.report(problemAt(placeOfKey(node), 'cel-unknown-field', ...noFields(node, key, container)));
      return ANY;
  }
}

function noFields(node: Access, key: string, container: Type): [string, string?] {
  const path = pathOf(node.args[0]);
  const message = `\`${path}\` is ${describedType(container)}, which has no field \`${key}\``;
  const instead = knownElsewhere(key);
  if (instead) return [message, `Write ${instead.replace(/\bx\b/g, path)}.`];
  if (container.kind !== 'list') return [message];
  return [
    message,
    `Its items are ${path}[0], ${path}[1] …; ${path}.map(item, item.${key}) reads it from each.`,
  ];
}

function unknownField(
  node: Access,
  key: string,
  container: Type & { kind: 'object' },
  inspection: Inspection,
): Type {
  const place = placeOfKey(node);
  const why = own(container.denied, key);
  if (why !== undefined) {
    inspection.report(problemAt(place, 'cel-unknown-field', why));
    return ANY;
  }
  const fields = Object.keys(container.fields);
  const near = closest(key, fields);
  const path = pathOf(node.args[0]);
  const hint = near === undefined ? listed(fields) : `Did you mean \`${memberText(path, near)}\`?`;
  inspection.report(problemAt(place, 'cel-unknown-field', `\`${path}\` has no \`${key}\``, hint));
  return ANY;
}

/** As it has to be written: a name with a hyphen goes into brackets. */
export function memberText(path: string, key: string): string {
  return /^[A-Za-z_]\w*$/.test(key) ? `${path}.${key}` : `${path}[${JSON.stringify(key)}]`;
}

function placeOfKey(node: Access): { start: number; end: number } {
  return node.op === '[]' ? node.args[1] : { start: node.pos, end: node.end };
}

function checkIndex(
  node: ASTNode & { op: '[]' },
  container: Type,
  inspection: Inspection,
  scope: Scope,
): Type {
  const index = inspection.infer(node.args[1], scope);
  const path = pathOf(node.args[0]);
  const wrong = (wanted: string) => {
    const message = `\`${path}\` is ${describedType(container)} and is read by ${wanted}, not by ${describedType(index)}`;
    inspection.report(problemAt(node.args[1], 'cel-type', message));
    return ANY;
  };
  switch (container.kind) {
    case 'any':
    case 'null':
      return ANY;
    case 'list':
      return index.kind === 'any' || isNumeric(index) ? container.of : wrong('an int');
    case 'map':
      return index.kind === 'any' || index.kind === 'string' ? container.of : wrong('a string');
    case 'object': {
      if (index.kind !== 'any' && index.kind !== 'string') return wrong('a string');
      if (container.open) return ANY;
      const [first = ANY, ...others] = Object.values(container.fields);
      return others.reduce((all, each) => joined(all, each), first);
    }
    default:
      inspection.report(
        problemAt(node, 'cel-type', `\`${path}\` is ${describedType(container)}, which has no items`),
      );
      return ANY;
  }
}
