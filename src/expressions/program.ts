// program: a parsed expression → code that can be run again and again. Names of comprehensions become slots, so that
// running one looks nothing up but the roots.

import type { ASTNode } from '@marcbachmann/cel-js';
import { type Code, evaluateAll, strictly } from './code.ts';
import { comprehension, comprehensionArities } from './comprehension.ts';
import { equal } from './equality.ts';
import { exact } from './foreign.ts';
import { callOf } from './functions.ts';
import { inexactLiteral } from './literal.ts';
import { both, conditional, either, truthOf } from './logic.ts';
import { arithmetic, contained, negate, ordered } from './operators.ts';
import { pathOf } from './path.ts';
import { standardType } from './standard.ts';
import { Trouble } from './trouble.ts';
import { described, double, Foreign, Items, isMap, kindOf, member, type Value } from './value.ts';

/** `scope`: the variables that are set around it, outermost first. */
export function compile(node: ASTNode, scope: readonly string[] = []): Code {
  switch (node.op) {
    case 'value':
      return literal(node);
    case 'id':
      return name(node.args, scope);
    case '.':
      return select(node, compile(node.args[0], scope), () => node.args[1]);
    case '[]':
      return select(node, compile(node.args[0], scope), compile(node.args[1], scope));
    case 'list': {
      const items = node.args.map((item) => compile(item, scope));
      return (run) => Items.from(evaluateAll(run, items)) as Items;
    }
    case 'map':
      return mapLiteral(node.args, scope);
    case 'call':
      return call(node, scope);
    case 'rcall':
      return methodCall(node, scope);
    case '?:':
      return conditional(
        compile(node.args[0], scope),
        compile(node.args[1], scope),
        compile(node.args[2], scope),
      );
    case '||':
      return either(compile(node.args[0], scope), compile(node.args[1], scope));
    case '&&':
      return both(compile(node.args[0], scope), compile(node.args[1], scope));
    case '!_': {
      const operand = compile(node.args, scope);
      return (run) => !truthOf(operand(run), '!');
    }
    case '-_':
      return minus(node.args, scope);
    case '.?':
    case '[?]':
      return trouble('optional fields are not part of this language; default(x, y) says what absence means');
    default:
      return binary(node, scope);
  }
}

function trouble(message: string): Code {
  return () => {
    throw new Trouble(message);
  };
}

function literal(node: ASTNode & { op: 'value' }): Code {
  const value: unknown = node.args;
  if (typeof value === 'bigint') {
    if (BigInt(Number(value)) !== value || !Number.isSafeInteger(Number(value))) return () => exact(value);
    const integer = Number(value);
    return () => integer;
  }
  const inexact = typeof value === 'number' ? inexactLiteral(node, value) : undefined;
  if (inexact !== undefined) return trouble(inexact);
  const constant = typeof value === 'number' ? double(value) : isPlain(value) ? value : new Foreign(value);
  return () => constant;
}

function isPlain(value: unknown): value is string | boolean | null {
  return typeof value === 'string' || typeof value === 'boolean' || value === null;
}

function name(identifier: string, scope: readonly string[]): Code {
  const slot = scope.lastIndexOf(identifier);
  if (slot >= 0) return (run) => run.slots[slot] as Value;
  return (run) => {
    const found = run.bindings.lookup(identifier);
    const value = found === undefined ? standardType(identifier) : found;
    if (value === undefined) throw new Trouble(`\`${identifier}\` is not there`, identifier);
    return value;
  };
}

/** A member, or the trouble that names the first part of the path that is not there. */
function select(node: ASTNode & { op: '.' | '[]' }, container: Code, key: Code | (() => string)): Code {
  return (run) => {
    const value = container(run);
    const found = member(value, key(run));
    if (found !== undefined) return found;
    throw absence(node, value);
  };
}

function absence(node: ASTNode & { op: '.' | '[]' }, container: Value): Trouble {
  const path = pathOf(node);
  const parent = pathOf(node.args[0]);
  if (isMap(container)) return new Trouble(`\`${path}\` is not there`, path);
  if (Array.isArray(container)) {
    return new Trouble(
      `\`${path}\` is not there: \`${parent}\` is a list with ${container.length} items`,
      path,
    );
  }
  const has = kindOf(container) === 'null' ? '' : ', which has no fields';
  return new Trouble(`\`${path}\` is not there: \`${parent}\` is ${described(container)}${has}`, path);
}

function mapLiteral(entries: readonly (readonly [ASTNode, ASTNode])[], scope: readonly string[]): Code {
  const codes = entries.flatMap(([key, value]) => [compile(key, scope), compile(value, scope)]);
  return (run) => {
    const values = evaluateAll(run, codes);
    const map = new Map<Value, Value>();
    for (let index = 0; index < values.length; index += 2) {
      map.set(keyOf(values[index] as Value), values[index + 1] as Value);
    }
    return map;
  };
}

function keyOf(key: Value): Value {
  if (typeof key === 'string' || typeof key === 'boolean' || kindOf(key) === 'int') return key;
  throw new Trouble(`the key of a map is a string, an int or a bool, and this is ${described(key)}`);
}

function minus(operand: ASTNode, scope: readonly string[]): Code {
  const code = compile(operand, scope);
  return (run) => negate(code(run));
}

type Binary = Extract<ASTNode, { args: [ASTNode, ASTNode] }>;

function binary(node: Binary, scope: readonly string[]): Code {
  const left = compile(node.args[0], scope);
  const right = compile(node.args[1], scope);
  switch (node.op) {
    case '==':
      return strictly(left, right, (a, b, run) => equal(a, b, run));
    case '!=':
      return strictly(left, right, (a, b, run) => !equal(a, b, run));
    case 'in':
      return strictly(left, right, contained);
    case '<':
    case '<=':
    case '>':
    case '>=': {
      const operator = node.op;
      return strictly(left, right, (a, b) => ordered(operator, a, b));
    }
    case '+':
    case '-':
    case '*':
    case '/':
    case '%': {
      const operator = node.op;
      return strictly(left, right, (a, b, run) => arithmetic(operator, a, b, run));
    }
    default:
      return trouble(`\`${node.op}\` is not part of this language`);
  }
}

function call(node: ASTNode & { op: 'call' }, scope: readonly string[]): Code {
  const [functionName, parameters] = node.args;
  const [first] = parameters;
  if (functionName === 'has' && parameters.length === 1 && first) return has(first, scope);
  const codes = parameters.map((parameter) => compile(parameter, scope));
  return (
    callOf(false, functionName, codes) ??
    trouble(`there is no function ${functionName}() with ${codes.length} arguments`)
  );
}

/** Whether the last part is there; all that leads to it must be (rule 16: a skipped step proves nothing). */
function has(node: ASTNode, scope: readonly string[]): Code {
  if (node.op !== '.' && node.op !== '[]') return trouble('has() needs a field: has(x.field)');
  const container = compile(node.args[0], scope);
  const key = typeof node.args[1] === 'string' ? undefined : compile(node.args[1], scope);
  return (run) => {
    const value = container(run);
    if (!isMap(value) && !Array.isArray(value)) throw absence(node, value);
    return member(value, key ? key(run) : (node.args[1] as string)) !== undefined;
  };
}

function methodCall(node: ASTNode & { op: 'rcall' }, scope: readonly string[]): Code {
  const [methodName, receiver, parameters] = node.args;
  const [variable, second, third] = parameters;
  if (variable?.op === 'id' && second) {
    const inside = [...scope, variable.args];
    if (comprehensionArities(methodName)?.includes(parameters.length)) {
      const bodies: [Code, Code?] = [compile(second, inside), third && compile(third, inside)];
      return comprehension(methodName, compile(receiver, scope), scope.length, bodies);
    }
    if (methodName === 'bind' && third && receiver.op === 'id' && receiver.args === 'cel') {
      return bind(compile(second, scope), scope.length, compile(third, inside));
    }
  }
  const codes = [receiver, ...parameters].map((part) => compile(part, scope));
  return (
    callOf(true, methodName, codes) ??
    trouble(`there is no method .${methodName}() with ${parameters.length} arguments`)
  );
}

function bind(value: Code, slot: number, body: Code): Code {
  return (run) => {
    run.slots[slot] = value(run);
    return body(run);
  };
}
