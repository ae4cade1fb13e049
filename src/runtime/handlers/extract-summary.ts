// extract-summary: what happened → words, without a model. Everything in it was said or done; nothing is made up.

import type { Happened } from './happened.ts';
import { todoLines } from './todos.ts';

const LONGEST_MESSAGE = 600;
const LAST_MESSAGES = 6;

export function extractSummary(happened: Happened): string {
  const { prompts, phase, files, todos, uncommitted } = happened;
  const [goal] = prompts;
  const later = prompts.slice(1).slice(-5);
  const parts = [
    section('Goal', goal === undefined ? '' : shortened(goal)),
    section('Asked since', later.map((prompt) => `- ${shortened(prompt).replace(/\s+/g, ' ')}`).join('\n')),
    section('Step', phase),
    section('Files written', listed(files)),
    section('Left to do', todoLines(todos)),
    section('Last messages', lastMessages(happened)),
    section('Not committed', listed(uncommitted)),
  ];
  const text = parts.filter((part) => part !== '').join('\n\n');
  return text === '' ? 'Nothing is known of what happened in this session.' : text;
}

export function lastMessages({ messages }: Happened): string {
  return messages
    .slice(-LAST_MESSAGES)
    .map(({ by, text }) => `${by === 'person' ? 'Person' : 'Agent'}: ${shortened(text)}`)
    .join('\n\n');
}

const LONGEST_TITLE = 80;

/** The first sentence of what was asked first; '' where nothing was. */
export function extractTitle({ prompts }: Happened): string {
  return titleFrom(prompts.find((prompt) => !prompt.startsWith('/')) ?? prompts[0] ?? '');
}

/** One line, without the marks around it. */
export function titleFrom(text: string): string {
  const [line = ''] = text.trim().split('\n');
  const plain = line
    .replace(/^(?:#+|[-*>])\s+/, '')
    .replace(/^title:\s*/i, '')
    .replace(/^["'“”*_`]+|["'“”*_`]+$/g, '')
    .trim();
  const sentence = /^.{8,}?[.!?](?=\s)/.exec(plain)?.[0].replace(/\.$/, '') ?? plain.replace(/\.$/, '');
  if (sentence.length <= LONGEST_TITLE) return sentence;
  const cut = sentence.slice(0, LONGEST_TITLE - 1);
  const space = cut.lastIndexOf(' ');
  return `${(space > LONGEST_TITLE / 2 ? cut.slice(0, space) : cut).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

export function listed(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join('\n');
}

function section(title: string, body: string): string {
  return body.trim() === '' ? '' : `## ${title}\n\n${body}`;
}

function shortened(text: string): string {
  return text.length <= LONGEST_MESSAGE
    ? text
    : `${text.slice(0, LONGEST_MESSAGE).replace(/[\uD800-\uDBFF]$/, '')} […]`;
}
