// describe: a step of a definition in words: what is done, by whom, and when it counts as done.

import type { Check, CommandLine, OnFail, Source, Step, Work, Workflow } from '../../model/workflow.ts';
import { plain } from '../text/plain.ts';
import { count, duration } from '../text/words.ts';

export function commandText(command: CommandLine): string {
  switch (command.kind) {
    case 'argv':
      return plain(
        command.argv.map((word) => (/^[^\s"']+$/.test(word) ? word : JSON.stringify(word))).join(' '),
      );
    case 'shell':
      return plain(command.line);
    case 'input':
      return plain(`{{ ${command.expression} }}`);
  }
}

/** What is done, in a few words. */
export function workText(work: Work): string {
  switch (work.kind) {
    case 'prompt': {
      const { prompt } = work;
      if (prompt.kind === 'file') return `prompt from ${plain(prompt.path)}`;
      return prompt.name === undefined
        ? `prompt: ${plain(prompt.text).trim()}`
        : `prompt ${plain(prompt.name)}`;
    }
    case 'run':
      return `run ${commandText(work.command)}`;
    case 'call':
      return `call ${plain(work.handler)}`;
    case 'wait':
      if (work.for === 'time') return `wait ${duration(work.duration)}`;
      if (work.for === 'signal') return `wait for signal ${plain(work.signal)}`;
      return `wait for ${work.min > 1 ? `${count(work.min, 'file')} like ` : ''}${plain(work.files.join(', '))}`;
    case 'ask':
      return `ask: ${plain(work.question)}`;
    case 'workflow':
      return `workflow ${plain(work.workflow)}`;
    case 'sequence':
      return 'in order';
    case 'parallel':
      if (work.gates !== undefined) return `gates ${plain(work.gates)}`;
      return work.concurrency === undefined ? 'all at once' : `at once, at most ${work.concurrency}`;
    case 'loop':
      return `loop ${work.test.kind} ${plain(work.test.cel)}, at most ${count(work.max, 'pass', 'passes')}`;
    case 'each':
      return `each ${plain(work.name)} in ${plain(work.list)}${eachHow(work.concurrency, work.order)}`;
  }
}

function eachHow(concurrency: number, order: 'listed' | 'dependencies'): string {
  return (
    (concurrency > 1 ? `, ${concurrency} at once` : '') +
    (order === 'dependencies' ? ', in order of dependencies' : '')
  );
}

/** `agent reviewer (agents/reviewer.md, project), model opus, provider claude`; empty where no agent is asked. */
export function performerText(work: Work, sources: Source[]): string {
  if (work.kind !== 'prompt') return '';
  const { agent, model, provider } = work.performer;
  const words = [
    ...(agent ? [`agent ${plain(agent.name)}${fromText(sources[agent.source])}`] : []),
    ...(model === undefined ? [] : [`model ${plain(model)}`]),
    ...(provider === undefined ? [] : [`provider ${plain(provider)}`]),
  ];
  return words.join(', ');
}

export function checkText(check: Check): string {
  switch (check.kind) {
    case 'schema':
      return check.name === '' ? 'the output fits its schema' : `the output fits schema ${plain(check.name)}`;
    case 'schema-file':
      return `the output fits the schema in ${plain(check.path)}`;
    case 'require':
      return plain(requireText(check));
    case 'that':
      return plain(check.is);
    case 'run':
      return `${commandText(check.command)} ends with 0`;
    case 'tests':
      return `the tests of ${commandText(check.command)} still mean something`;
    case 'approve':
      return `a person approves: ${plain(check.ask)}`;
  }
}

function requireText({ pointer, exists, equals, type }: Extract<Check, { kind: 'require' }>): string {
  const where = pointer === '' ? 'the output' : pointer;
  if (!exists) return `${where} is not there`;
  return [
    `${where} is there`,
    ...(type === undefined ? [] : [`of type ${type}`]),
    ...(equals === undefined ? [] : [`equal to ${JSON.stringify(equals)}`]),
  ].join(', ');
}

export function onFailText(onFail: OnFail): string {
  switch (onFail) {
    case 'stop':
      return 'the run stops as failed';
    case 'pause':
      return 'the run pauses for a person';
    case 'continue':
      return 'it is recorded and the run goes on';
  }
}

/** The steps inside a block; a called workflow's are its own. */
export function stepsInside(work: Work, root: Workflow): Step[] {
  if (work.kind === 'workflow') {
    return Object.hasOwn(root.workflows, work.workflow) ? (root.workflows[work.workflow]?.steps ?? []) : [];
  }
  return 'steps' in work ? work.steps : [];
}

function layerText({ layer }: Source): string {
  return layer === 'builtin' ? 'built in' : layer;
}

/** `agents/reviewer.md (project)` */
export function sourceText(source: Source | undefined): string {
  return source ? `${plain(source.path)} (${layerText(source)})` : '';
}

function fromText(source: Source | undefined): string {
  return source ? ` (${plain(source.path)}, ${layerText(source)})` : '';
}
