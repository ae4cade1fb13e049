// answer-text: what an answer says, for a model to read. The workflow's own text stands apart from ours, word for word.

import type { Continued, Started } from './step-answer.ts';

export function stepText(answer: Started | Continued): string {
  const parts = [
    ...blockedText(answer),
    ...pendingText(answer),
    ...questionText(answer),
    ...(answer.working ? [`Lockstep is still at work: ${answer.working.what}.`] : []),
    ...endText(answer),
    ...(answer.recap === undefined ? [] : [`So far:\n${answer.recap}`]),
    ...referencesText(answer),
    ...answer.warnings.map((warning) => `Warning: ${warning}`),
    nextText(answer),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

function blockedText(answer: Started | Continued): string[] {
  if (!('blockers' in answer) || !answer.blockers) return [];
  const lines = answer.blockers.blockers.map(
    ({ code, message, suggestedFix }) => `- ${message.trimEnd()} (${code})\n  ${suggestedFix}`,
  );
  // For clients that show a model the text alone.
  const token =
    answer.retryContinueToken === undefined ? '' : `\nretryContinueToken: ${answer.retryContinueToken}`;
  return [`Not taken:\n${lines.join('\n')}${token}`];
}

function pendingText({ pending, stepContext }: Started): string[] {
  if (!pending || !stepContext) return [];
  const { try: tried, triesLeft, workspace, outputSchema } = stepContext;
  const tries = tried > 1 || triesLeft > 0 ? `, try ${tried} of ${tried + triesLeft}` : '';
  const head = [`Step: ${pending.title} (${pending.stepId}${tries})`, `Work in: ${workspace}`];
  return [
    head.join('\n'),
    ...(pending.agentRole === undefined ? [] : [`Your role:\n${pending.agentRole}`]),
    pending.prompt,
    ...(outputSchema
      ? [`What you hand in has to fit this JSON Schema:\n${JSON.stringify(outputSchema)}`]
      : []),
  ];
}

function questionText({ questions = [], pending }: Started): string[] {
  return questions.map(({ text, answerWith }) =>
    [
      pending ? 'A person is also asked:' : 'A person is asked, and only a person may answer:',
      text,
      'In a terminal of their own they can type:',
      ...answerWith.map((line) => `  ${line}`),
    ].join('\n'),
  );
}

function endText({ isComplete, outputs, workflowId }: Started): string[] {
  if (!isComplete) return [];
  const given = Object.keys(outputs ?? {}).length > 0 ? `\n${JSON.stringify(outputs, undefined, 2)}` : '';
  return [`The workflow "${workflowId}" is complete.${given}`];
}

function referencesText({ references = [] }: Started): string[] {
  if (references.length === 0) return [];
  return [
    `References (read the resource, or the file):\n${references
      .map(({ id, title, source, uri }) => `- ${title ?? id}: ${source} (${uri})`)
      .join('\n')}`,
  ];
}

function nextText({ nextCall, isComplete }: Started): string {
  if (nextCall) return `Next: call ${nextCall.tool} with ${JSON.stringify(nextCall.params)}`;
  return isComplete ? 'Nothing is left to do. Tell the person what came of it.' : '';
}
