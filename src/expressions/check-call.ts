// check-call: functions and methods: whether they exist, take these arguments, and what comes of them.

import type { ASTNode } from '@marcbachmann/cel-js';
import { closest } from '../text/closest-name.ts';
import { checkTruth } from './check-operator.ts';
import { comprehensionArities } from './comprehension.ts';
import { type Inspection, problemAt, type Scope } from './inspection.ts';
import { pathOf } from './path.ts';
import { linearPattern } from './pattern.ts';
import {
  accepts,
  conditionElsewhere,
  functionNames,
  knownElsewhere,
  methodNames,
  signaturesOf,
  typeNamed,
} from './signature.ts';
import type { Signature } from './standard.ts';
import type { ExpressionProblem, Type } from './type.ts';
import { ANY, BOOL, describedType, joined, STRING } from './type-relations.ts';

type Call = ASTNode & { op: 'call' };
type MethodCall = ASTNode & { op: 'rcall' };

export function checkCall(node: Call, inspection: Inspection, scope: Scope): Type {
  const [name, parameters] = node.args;
  if (name === 'has') return checkHas(node, inspection, scope);
  const types = parameters.map((parameter) => inspection.infer(parameter, scope));
  const returned = checkSignatures(node, false, name, types, inspection);
  const [wanted, otherwise] = types;
  return name === 'default' && wanted && otherwise ? joined(wanted, otherwise) : returned;
}

function checkHas(node: Call, inspection: Inspection, scope: Scope): Type {
  const [field, ...others] = node.args[1];
  if (field) inspection.infer(field, scope);
  if (!field || others.length > 0 || (field.op !== '.' && field.op !== '[]')) {
    inspection.report(problemAt(node, 'cel-arguments', 'has() needs one field, such as has(x.field)'));
  }
  return BOOL;
}

export function checkMethod(node: MethodCall, inspection: Inspection, scope: Scope): Type {
  const [name, receiver, parameters] = node.args;
  const [variable, second, third] = parameters;
  const arities = comprehensionArities(name);
  if (arities && variable?.op === 'id' && arities.includes(parameters.length)) {
    return checkComprehension(node, variable.args, inspection, scope);
  }
  if (
    name === 'bind' &&
    receiver.op === 'id' &&
    receiver.args === 'cel' &&
    variable?.op === 'id' &&
    second &&
    third
  ) {
    return inspection.infer(third, new Map(scope).set(variable.args, inspection.infer(second, scope)));
  }
  const types = [receiver, ...parameters].map((part) => inspection.infer(part, scope));
  if (arities) {
    const message = `.${name}() needs the name of its variable and what to do with it, such as ${pathOf(receiver)}.${name}(x, …)`;
    inspection.report(problemAt(node, 'cel-arguments', message));
    return ANY;
  }
  if (name === 'matches') checkPattern(parameters[0], inspection);
  return checkSignatures(node, true, name, types, inspection);
}

function checkPattern(node: ASTNode | undefined, inspection: Inspection): void {
  if (node?.op !== 'value' || typeof node.args !== 'string') return;
  const pattern = linearPattern(node.args);
  if (pattern.kind === 'error') {
    const hint =
      'Patterns are RE2: no look-around and no back-references. A backslash is doubled, or the text is raw: r"\\d+".';
    inspection.report(problemAt(node, 'cel-pattern', pattern.message, hint));
  }
}

function checkComprehension(node: MethodCall, variable: string, inspection: Inspection, scope: Scope): Type {
  const [name, receiver, [, first, second]] = node.args;
  const range = inspection.infer(receiver, scope);
  const item = itemType(range);
  if (!item) {
    const message = `.${name}() goes over a list or a map, and \`${pathOf(receiver)}\` is ${describedType(range)}`;
    inspection.report(problemAt(receiver, 'cel-type', message));
  }
  const inside = new Map(scope).set(variable, item ?? ANY);
  if (!first) return ANY;
  if (name === 'map') {
    if (second) checkTruth(first, 'map', inspection, inside);
    return { kind: 'list', of: inspection.infer(second ?? first, inside) };
  }
  checkTruth(first, name, inspection, inside);
  return name === 'filter' ? { kind: 'list', of: item ?? ANY } : BOOL;
}

/** What a comprehension or `{% for %}` goes over, one by one; undefined: nothing can. */
export function itemType(range: Type): Type | undefined {
  if (range.kind === 'any') return ANY;
  if (range.kind === 'list') return range.of;
  return range.kind === 'map' || range.kind === 'object' ? STRING : undefined;
}

function checkSignatures(
  node: Call | MethodCall,
  method: boolean,
  name: string,
  types: Type[],
  inspection: Inspection,
): Type {
  const named = signaturesOf(method, name);
  const parameters = types.length - (method ? 1 : 0);
  if (named.length === 0) {
    inspection.report(unknownCall(node, method, name));
    return ANY;
  }
  const counted = named.filter((signature) => signature.parameters.length === parameters);
  if (counted.length === 0) {
    const counts = [...new Set(named.map((signature) => signature.parameters.length))].sort().join(' or ');
    const message = `${shown(method, name)} takes ${counts} argument${counts === '1' ? '' : 's'}, and ${parameters} ${parameters === 1 ? 'is' : 'are'} given`;
    inspection.report(problemAt(node, 'cel-arguments', message));
    return commonType(named);
  }
  const fitting = counted.filter((signature) => fits(signature, types));
  if (fitting.length > 0) return commonType(fitting);
  inspection.report(misfit(node, method, name, types, counted));
  return commonType(counted);
}

function fits({ receiver, parameters }: Signature, types: Type[]): boolean {
  const wanted = receiver === null ? parameters : [receiver, ...parameters];
  return wanted.every((want, index) => accepts(want, types[index] ?? ANY));
}

function commonType(signatures: Signature[]): Type {
  const [first = ANY, ...others] = signatures.map(({ returns }) => typeNamed(returns));
  return others.reduce((all, each) => joined(all, each), first);
}

function shown(method: boolean, name: string): string {
  return `${method ? '.' : ''}${name}()`;
}

/** Types as the user knows them: "a string", "a list", "anything". */
function wantedText(type: string): string {
  const name = type.replace('google.protobuf.', '').replace(/<.*/, '').toLowerCase();
  if (name === 'dyn') return 'anything';
  return name === 'bytes' ? name : `${/^[aeiou]/.test(name) ? 'an' : 'a'} ${name}`;
}

/** "a or b"; bytes and unsigned integers are left out where there is something that more people have. */
function alternatives(types: Iterable<string>): string {
  const all = [...new Set(types)];
  const usual = all.filter((type) => !['bytes', 'uint'].includes(type));
  const names = [...new Set((usual.length > 0 ? usual : all).map(wantedText))];
  const last = names.pop() ?? 'anything';
  return names.length === 0 ? last : `${names.join(', ')} or ${last}`;
}

/** Says which argument does not fit, or that the method is not one of this value. */
function misfit(
  node: Call | MethodCall,
  method: boolean,
  name: string,
  types: Type[],
  counted: Signature[],
): ExpressionProblem {
  const wanted = counted.map(({ receiver, parameters }) =>
    receiver === null ? parameters : [receiver, ...parameters],
  );
  const places = node.op === 'call' ? node.args[1] : [node.args[1], ...node.args[2]];
  const index = types.findIndex(
    (type, at) => !wanted.some((parameters) => accepts(parameters[at] ?? 'dyn', type)),
  );
  const at = Math.max(index, 0);
  const verb = method && at === 0 ? 'is for' : 'needs';
  const message = `${shown(method, name)} ${verb} ${alternatives(wanted.map((parameters) => parameters[at] ?? 'dyn'))}, and this is ${describedType(types[at] ?? ANY)}`;
  return problemAt(places[at] ?? node, 'cel-type', message);
}

function unknownCall(node: Call | MethodCall, method: boolean, name: string): ExpressionProblem {
  const message = `there is no ${method ? 'method' : 'function'} ${shown(method, name)}`;
  return problemAt(placeOfName(node, name), 'cel-unknown-function', message, meantCall(method, name));
}

/** Where the name stands: a call starts with it, a method has it before its arguments. */
function placeOfName(node: Call | MethodCall, name: string): { start: number; end: number } {
  if (node.op === 'call') return { start: node.start, end: node.start + name.length };
  const after = node.args[1].end;
  const start = Math.max(after, node.input.indexOf(name, after));
  return { start, end: start + name.length };
}

function meantCall(method: boolean, name: string): string | undefined {
  const condition = method ? undefined : conditionElsewhere(name);
  if (condition !== undefined) return condition;
  const instead = knownElsewhere(name);
  if (instead) return `Write ${instead}.`;
  const other = method ? functionNames : methodNames;
  if (other.includes(name))
    return method ? `${name} is a function: ${name}(x).` : `${name} is a method: x.${name}(…).`;
  const near = closest(name, method ? methodNames : functionNames);
  if (near !== undefined) return `Did you mean ${shown(method, near)}?`;
  return '`lockstep explain cel-unknown-function` says what there is.';
}
