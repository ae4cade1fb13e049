// check: (draft) → what is wrong with it, all at once.
// Owns: whether what the definition says can be meant: names, types, targets, places, concurrency. Never: the shape of
// the text (grammar), where files come from (resolve), invariants (prove).
// K1. Every expression and template is checked against what it can see at its moment, prompt files included.
// K2. What may merely be absent at run time is not a problem (rule 16); what can never be there is.
// K3. A problem points at the text that has to change.

import {
  checkCel,
  checkCommandWords,
  checkShellLine,
  checkTemplate,
  isSoleExpression,
  type KnownText,
} from '../../expressions/expressions.ts';
import type { ExpressionProblem, TypeEnvironment } from '../../expressions/type.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Draft, Site } from '../site.ts';
import { checkApproveWords } from './approve-words.ts';
import { checkEnforceable } from './enforceable.ts';
import { environmentOf } from './environment.ts';
import { checkPaths } from './paths.ts';
import { checkSecretNames } from './secret-names.ts';
import { checkServers } from './servers.ts';
import { type Subject, subjectOf } from './subject.ts';
import { checkGotos, checkInvariants, checkPublishers, checkSessions } from './targets.ts';
import { checkSiblings, checkVariables } from './variables.ts';
import { View } from './view.ts';
import { checkWorkspaces } from './workspace.ts';

export function check(draft: Draft): Diagnostic[] {
  const { workflow } = draft;
  return [workflow, ...Object.values(workflow.workflows)].flatMap((one) => {
    const subject = subjectOf(one, draft);
    const view = new View(subject);
    const sites = draft.sites.filter((site) => site.workflow === one);
    return [
      ...sites.flatMap((site) => checkSite(site, subject, view)),
      ...CHECKS.flatMap((each) => each(subject, view)),
    ];
  });
}

type Check = (subject: Subject, view: View) => Diagnostic[];
const CHECKS: readonly Check[] = [
  checkGotos,
  checkSessions,
  checkPublishers,
  checkInvariants,
  checkSiblings,
  checkVariables,
  checkWorkspaces,
  checkEnforceable,
  checkPaths,
  checkServers,
  checkApproveWords,
  checkSecretNames,
];

/** A habit from other tools: `if: '{{ x > 3 }}'`. */
function braced({ kind, source }: Site): ExpressionProblem[] | undefined {
  const inner = kind === 'cel' ? isSoleExpression(source.trim()) : undefined;
  if (inner === undefined) return undefined;
  const message = 'this is an expression already, and takes no `{{ }}`';
  return [{ code: 'cel-syntax', message, start: 0, end: source.length, hint: `Write '${inner.trim()}'.` }];
}

function checkSite(site: Site, subject: Subject, view: View): Diagnostic[] {
  const environment = environmentOf(site, subject, view);
  const problems =
    braced(site) ??
    (site.kind === 'cel'
      ? checkCel(site.source, environment, site.expects)
      : [...checkTemplate(site.source, environment), ...checkCommand(site, subject)]);
  const { lenient } = site;
  if (lenient) return problems.flatMap((problem) => leniently(problem, { ...lenient, ...environment }, site));
  return problems.map((problem) => diagnostic(problem, site));
}

/** Whether the values of a command stay text. */
function checkCommand(site: Site, { workflow, draft }: Subject): ExpressionProblem[] {
  const known: KnownText = (expression) => {
    const name = /^inputs(?:\.(\w+)|\[["'](.+)["']\])$/.exec(expression)?.slice(1).find(Boolean) ?? '';
    const input = Object.hasOwn(workflow.inputs, name) ? workflow.inputs[name] : undefined;
    if (typeof input?.default === 'string') return input.default;
    // What is found is a whole command.
    return input?.find === undefined ? undefined : 'npm test';
  };
  if (isLineWithValues(site)) return checkShellLine(site.source, known);
  if (site.command === undefined) return [];
  // In the language of another tool a text for its shell is made in that way, and no other.
  const { file } = site.locate(0, 1);
  if (draft.workflow.sources.some(({ path, dialect }) => path === file && dialect !== undefined)) return [];
  return checkCommandWords(site.command.words, known)[site.command.at] ?? [];
}

/** A `run` that is one value and nothing else has its own error: `run-template`. */
function isLineWithValues({ isShellLine, source }: Site): boolean {
  return isShellLine === true && isSoleExpression(source.trim()) === undefined;
}

function diagnostic(
  { code, message, start, end, hint, severity = 'error' }: ExpressionProblem,
  site: Site,
): Diagnostic {
  const span = site.locate(start, end);
  return { code, severity, message, span, ...(hint === undefined ? {} : { hint }) };
}

/** Roots that exist only at some moments: where they do not, nothing else can have their names. */
const MOMENTARY = ['pass', 'output', 'status', 'event', 'session'];

/**
 * What is not there, or is not what it is read as, renders as nothing: that is told, where it is not expected. A text may
 * serve many steps, so a name that the workflow has elsewhere is expected to be missing here and there.
 */
function leniently(
  problem: ExpressionProblem,
  { quiet, denied }: NonNullable<Site['lenient']> & TypeEnvironment,
  site: Site,
): Diagnostic[] {
  const { code, message, start, end } = problem;
  if (code === 'cel-type') return [];
  if (!code.startsWith('cel-unknown-')) return [diagnostic(problem, site)];
  if (quiet.some((part) => start >= part.start && end <= part.end)) return [];
  const name = site.source.slice(start, end);
  if (Object.hasOwn(denied, name) && !MOMENTARY.includes(name)) return [];
  return [
    {
      code: 'template-unbound',
      severity: 'warning',
      message: `${message}, so it renders as nothing`,
      span: site.locate(start, end),
      hint: 'Give it with `with` (in a wrangler workflow, `input`), or let a step before this one have it as its `output`.',
    },
  ];
}
