// find-answer: which scripted answer a request gets. A path beats an id, an id beats `*`.

import type { Script, ScriptedAnswer } from '../../model/script.ts';
import type { AgentRequest } from '../../ports/agent.ts';

type Asked = Pick<AgentRequest, 'path' | 'step' | 'dispatch'>;

export function findAnswer({ answers }: Script, { path, step, dispatch }: Asked): ScriptedAnswer | undefined {
  const place = withoutVisit(path);
  // At the top a path and an id read the same. It is then the id: `implement` anywhere takes its answers in turn.
  if (place !== step && Object.hasOwn(answers, place)) return nth(answers[place], dispatch.path);
  if (Object.hasOwn(answers, step)) return nth(answers[step], dispatch.id);
  return Object.hasOwn(answers, '*') ? nth(answers['*'], dispatch.id) : undefined;
}

/** `execute[1]/plan~2` → `execute[1]/plan`: a second visit goes on with the answers of the first. */
function withoutVisit(path: string): string {
  return path.replace(/~\d+(?=(\.[^/]*)?$)/, '');
}

function nth(answers: ScriptedAnswer[] | undefined, index: number): ScriptedAnswer | undefined {
  return answers?.[index] ?? answers?.at(-1);
}
