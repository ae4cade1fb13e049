// scalar: the values that stand for themselves: names, numbers, durations, sizes, choices, texts, expressions.

import { didYouMean } from '../../text/closest-name.ts';
import { nodeSpan, type ScalarNode } from '../read/node.ts';
import { checkComment } from './comment.ts';
import type { Conforming } from './conform.ts';
import { parseEach } from './each.ts';
import { expected } from './expectation.ts';
import { DURATIONS, parseDuration, parseSize, SIZES } from './measure.ts';
import { nameProblem, shorten } from './name.ts';
import type { Shape } from './shape.ts';
import { choiceHint } from './value-habits.ts';

export function checkScalar(node: ScalarNode, shape: Shape, label: string, to: Conforming): boolean {
  const problem = problemOf(node, shape, label);
  if (problem !== undefined) {
    to.report.error(problem.code, nodeSpan(node), problem.message, problem.hint);
    return to.bad(node);
  }
  if (shape.kind === 'cel' || shape.kind === 'each') return checkComment(node, 'expression', label, to);
  const isPrompt = shape.kind === 'name' && shape.rule === 'prompt';
  if (shape.kind === 'text' || shape.kind === 'argument' || isPrompt)
    return checkComment(node, 'template', label, to);
  if (shape.kind === 'literal' && shape.warn && String(node.value).includes('{{')) {
    to.report.warn(
      'literal-braces',
      nodeSpan(node),
      `nothing is filled in here: ${label} is taken as it stands, with its \`{{\``,
    );
  }
  return true;
}

interface ScalarProblem {
  code: string;
  message: string;
  hint?: string | undefined;
}

function problemOf(node: ScalarNode, shape: Shape, label: string): ScalarProblem | undefined {
  const { value, written } = node;
  switch (shape.kind) {
    case 'version':
      return versionProblem(node);
    case 'name': {
      const problem = nameProblem(String(value), shape.rule);
      return problem && { code: 'bad-name', message: `${label}: ${problem.message}`, hint: problem.hint };
    }
    case 'integer': {
      const { min, max = Number.MAX_SAFE_INTEGER } = shape;
      if (Number.isInteger(value) && Number(value) >= min && Number(value) <= max) return undefined;
      const range = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
      return { code: 'out-of-range', message: `${label} must be a whole number ${range}, not ${written}` };
    }
    case 'number':
      if (Number(value) > 0 || (Number(value) === 0 && !shape.above)) return undefined;
      return {
        code: 'out-of-range',
        message: `${label} must be ${shape.above ? 'more than 0' : '0 or more'}, not ${written}`,
      };
    case 'duration':
      if (parseDuration(String(value)) !== undefined) return undefined;
      return {
        code: 'bad-duration',
        message: `${label}: "${shorten(written)}" is not a duration`,
        hint: `Write ${DURATIONS}.`,
      };
    case 'size': {
      const good =
        typeof value === 'number' ? Number.isSafeInteger(value) && value > 0 : parseSize(String(value));
      if (good) return undefined;
      return {
        code: 'bad-size',
        message: `${label}: "${shorten(written)}" is not a size`,
        hint: `Write ${SIZES}.`,
      };
    }
    case 'choice':
      if (shape.of.includes(String(value))) return undefined;
      return {
        code: 'bad-choice',
        message: `${label} must be ${expected(shape)}, not "${shorten(written)}"`,
        hint: choiceHint(label, String(value), shape.of) ?? didYouMean(String(value), shape.of),
      };
    case 'each':
      if (parseEach(String(value)) !== undefined) return undefined;
      return {
        code: 'bad-each',
        message: `${label}: "${shorten(written)}" does not read as \`name in list\``,
        hint: "Write for example each: 'task in plan.tasks'",
      };
    default:
      return undefined;
  }
}

function versionProblem({ value, written }: ScalarNode): ScalarProblem | undefined {
  if (value === 1 && written === '1') return undefined;
  const shown = written === '' ? 'nothing' : `\`${shorten(written)}\``;
  return {
    code: 'language-version',
    message: `\`lockstep\` is the version of the language, a whole number, and ${shown} is not one that this build reads`,
    hint: 'Write `lockstep: 1`.',
  };
}
