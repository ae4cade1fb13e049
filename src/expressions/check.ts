// check: an expression or a template against what is known of the values it will see. Finds everything at once; says
// nothing about what may merely be absent at run time (rule 16 deals with that).

import type { ASTNode } from '@marcbachmann/cel-js';
import { checkCall, checkMethod, itemType } from './check-call.ts';
import { checkHyphen } from './check-hyphen.ts';
import { checkMember, checkName } from './check-name.ts';
import { checkBinary, checkTruth } from './check-operator.ts';
import { type Inspection, problemAt, type Scope } from './inspection.ts';
import { inexactLiteral } from './literal.ts';
import { parseCel } from './syntax.ts';
import { type Part, parseTemplate } from './template-syntax.ts';
import type { Expression } from './template-token.ts';
import type { ExpressionProblem, Type, TypeEnvironment } from './type.ts';
import { ANY, BOOL, describedType, INT, isNumeric, joined, NULL, NUMBER, STRING } from './type-relations.ts';

export type Expected = 'bool' | 'list' | 'any';

/** More than anyone reads at once. */
const MOST_PROBLEMS = 100;

export function checkCel(
  source: string,
  environment: TypeEnvironment,
  expects: Expected,
): ExpressionProblem[] {
  const problems: ExpressionProblem[] = [];
  typeOfCel({ source, offset: 0 }, environment, new Map(), expects, problems);
  return inOrder(problems);
}

export function checkTemplate(source: string, environment: TypeEnvironment): ExpressionProblem[] {
  const tree = parseTemplate(source);
  const problems = [...tree.problems];
  checkParts(tree.parts, environment, new Map(), problems);
  return inOrder(problems);
}

function inOrder(problems: ExpressionProblem[]): ExpressionProblem[] {
  return problems.sort((a, b) => a.start - b.start || a.end - b.end).slice(0, MOST_PROBLEMS);
}

function checkParts(
  parts: readonly Part[],
  environment: TypeEnvironment,
  scope: Scope,
  problems: ExpressionProblem[],
): void {
  for (const part of parts) {
    if (part.kind === 'output') typeOfCel(part.expression, environment, scope, 'any', problems);
    else if (part.kind === 'if') {
      for (const { test, body } of part.branches) {
        if (test) typeOfCel(test, environment, scope, 'bool', problems);
        checkParts(body, environment, scope, problems);
      }
    } else if (part.kind === 'for') checkFor(part, environment, scope, problems);
  }
}

function checkFor(
  part: Part & { kind: 'for' },
  environment: TypeEnvironment,
  scope: Scope,
  problems: ExpressionProblem[],
): void {
  // Without its name the tag was reported, and its list cannot be told from the rest of it.
  const range = part.variable === '' ? ANY : typeOfCel(part.list, environment, scope, 'any', problems);
  const item = itemType(range);
  if (!item) {
    const { source, offset } = part.list;
    const place = {
      start: offset + source.length - source.trimStart().length,
      end: offset + source.trimEnd().length,
    };
    problems.push(
      problemAt(place, 'cel-type', `\`for\` goes over a list or a map, and this is ${describedType(range)}`),
    );
  }
  checkParts(part.body, environment, new Map(scope).set(part.variable, item ?? ANY), problems);
}

function typeOfCel(
  { source, offset }: Expression,
  environment: TypeEnvironment,
  scope: Scope,
  expects: Expected,
  problems: ExpressionProblem[],
): Type {
  const report = (problem: ExpressionProblem) => {
    problems.push({ ...problem, start: problem.start + offset, end: problem.end + offset });
  };
  const parsed = parseCel(source);
  if (parsed.kind === 'problem') {
    report(parsed.problem);
    return ANY;
  }
  const type = inspection(source, environment, report).infer(parsed.ast, scope);
  if (type.kind !== 'any' && expects !== 'any' && type.kind !== expects) {
    const wanted = expects === 'bool' ? 'true or false' : 'a list';
    const hint = expects === 'bool' ? 'Compare it with something, or write truthy(x).' : undefined;
    report(
      problemAt(
        parsed.ast,
        'cel-type',
        `${wanted} is expected here, and this is ${describedType(type)}`,
        hint,
      ),
    );
  }
  return type;
}

function inspection(source: string, environment: TypeEnvironment, report: Inspection['report']): Inspection {
  const self: Inspection = {
    source,
    environment,
    report,
    infer: (node, scope) => infer(node, self, scope),
    peek: (node, scope) => inspection(source, environment, () => {}).infer(node, scope),
  };
  return self;
}

function infer(node: ASTNode, self: Inspection, scope: Scope): Type {
  switch (node.op) {
    case 'value':
      return literalType(node, self);
    case 'id':
      return checkName(node, self, scope);
    case '.':
    case '[]':
      return checkMember(node, self, scope);
    case 'call':
      return checkCall(node, self, scope);
    case 'rcall':
      return checkMethod(node, self, scope);
    case 'list': {
      const [first = ANY, ...others] = node.args.map((item) => self.infer(item, scope));
      return { kind: 'list', of: others.reduce((all, each) => joined(all, each), first) };
    }
    case 'map':
      return mapType(node.args, self, scope);
    case '?:':
      checkTruth(node.args[0], '?:', self, scope);
      return joined(self.infer(node.args[1], scope), self.infer(node.args[2], scope));
    case '||':
    case '&&':
      for (const side of node.args) checkTruth(side, node.op, self, scope);
      return BOOL;
    case '!_':
      checkTruth(node.args, '!', self, scope);
      return BOOL;
    case '-_':
      return negatedType(node, self, scope);
    case '.?':
    case '[?]':
      return ANY;
    case '-':
      return checkHyphen(node, self, scope) ? ANY : checkBinary(node, self, scope);
    default:
      return checkBinary(node, self, scope);
  }
}

function literalType(node: ASTNode & { op: 'value' }, self: Inspection): Type {
  const value = node.args;
  switch (typeof value) {
    case 'string':
      return STRING;
    case 'boolean':
      return BOOL;
    case 'number': {
      const inexact = inexactLiteral(node, value);
      if (inexact !== undefined) self.report(problemAt(node, 'cel-number', inexact));
      return NUMBER;
    }
    case 'bigint':
      if (!Number.isSafeInteger(Number(value))) {
        const message = `${value} is beyond ±${Number.MAX_SAFE_INTEGER}, where JSON numbers are no longer exact`;
        self.report(problemAt(node, 'cel-number', message));
      }
      return INT;
    default:
      return value === null ? NULL : ANY;
  }
}

function mapType(entries: readonly (readonly [ASTNode, ASTNode])[], self: Inspection, scope: Scope): Type {
  const fields: [string, Type][] = [];
  for (const [key, value] of entries) {
    const keyType = self.infer(key, scope);
    if (!['any', 'string', 'int', 'bool'].includes(keyType.kind)) {
      self.report(
        problemAt(
          key,
          'cel-type',
          `the key of a map is a string, an int or a bool, and this is ${describedType(keyType)}`,
        ),
      );
    }
    const type = self.infer(value, scope);
    if (key.op === 'value' && typeof key.args === 'string') fields.push([key.args, type]);
  }
  if (fields.length < entries.length) return { kind: 'map', of: ANY };
  return { kind: 'object', fields: Object.fromEntries(fields) };
}

function negatedType(node: ASTNode & { op: '-_' }, self: Inspection, scope: Scope): Type {
  const type = self.infer(node.args, scope);
  if (type.kind === 'any' || isNumeric(type)) return type;
  self.report(problemAt(node, 'cel-type', `\`-\` cannot be used on ${describedType(type)}`));
  return ANY;
}
