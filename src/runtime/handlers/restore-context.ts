// restore-context: { session, source, inject_as, template }. Puts what an earlier session left into words for this one. A handoff
// is given to one session only: who comes second gets nothing of it, and its context is not restored. Gives the text, or null.

import { isObject, type JsonObject } from '../../model/json.ts';
import { handoffFields } from '../../model/session-fields.ts';
import type { SessionRecord } from '../../model/session-record.ts';
import { maskShapesIn } from '../../text/secret-shapes.ts';
import type { LiveSession } from '../perform/live-session.ts';
import { previousSession } from '../previous-session.ts';
import { wrong } from './argument.ts';
import { fillBraces } from './fill-braces.ts';
import type { Handled, HandlerCall } from './handler.ts';
import { changeRecord, givenTo, sessionOf } from './live-call.ts';

const OF_EARLIER = ['parent_session_summary', 'previous_session_summary', 'summary', 'handoff'];
const OF_THIS = ['artifacts', 'observations', 'workflow_state'];

export function restoreContext(call: HandlerCall): Handled {
  const session = sessionOf(call);
  const given = givenTo(call);
  const { source, template } = given;
  if (source !== undefined && !(typeof source === 'string' && [...OF_EARLIER, ...OF_THIS].includes(source)))
    throw wrong('source', `one of ${[...OF_EARLIER, ...OF_THIS].join(', ')}`, source);
  const words = typeof template === 'string' && template !== '' ? template : undefined;
  if (typeof source === 'string' && OF_THIS.includes(source)) return fromThis(session, source, words);

  const earlier = earlierSession(session, given.session);
  if (earlier === undefined) return { output: null };
  const { key, sessions } = session;
  const handoff = earlier.handoff === undefined ? undefined : sessions.consume(earlier, key);
  if (earlier.handoff !== undefined && handoff === undefined)
    return {
      output: null,
      warnings: [`another session has got what session ${earlier.id} left: nothing is restored`],
    };
  const left: JsonObject = {
    summary: source === 'handoff' && words === undefined ? '' : earlier.summary,
    handoff: handoff === undefined ? {} : handoffFields(handoff),
  };
  const text = words === undefined ? inWords(left) : fillBraces(words, left).trim();
  if (text === '') return { output: null };
  const { client, id } = earlier;
  const record = changeRecord(call, (before) => ({
    ...before,
    parent: { client, id },
    context_restored: true,
  }));
  return {
    output: text,
    say: given.inject_as === 'message' ? text : `What an earlier session in this project left:\n\n${text}`,
    sessionFacts: {
      parent: id,
      context_restored: record.context_restored,
      previous_summary: earlier.summary,
      handoff: left.handoff ?? {},
    },
  };
}

function earlierSession(session: LiveSession, named: JsonObject[''] | undefined): SessionRecord | undefined {
  const { key, sessions, project } = session;
  if (named === undefined || named === null || named === '') return previousSession(sessions, key, project);
  if (typeof named !== 'string') throw wrong('session', 'the id of a session', named);
  return sessions.find({ project, except: key }).find(({ id }) => id === named);
}

function inWords({ summary, handoff }: JsonObject): string {
  const { phase, notes, pending_tasks, artifacts, workflow } = isObject(handoff) ? handoff : {};
  const tasks = Array.isArray(pending_tasks) ? pending_tasks : [];
  const where =
    typeof phase === 'string' && phase !== '' ? `It was in the step "${phase}" of ${workflow}.` : '';
  return [
    typeof summary === 'string' ? summary.trim() : '',
    where,
    ...(typeof notes === 'string' && notes.trim() !== '' ? [`## Notes\n\n${notes.trim()}`] : []),
    ...(tasks.length > 0 ? [`## Left to do\n\n${tasks.map((task) => `- ${task}`).join('\n')}`] : []),
    ...Object.entries(isObject(artifacts) ? artifacts : {}).map(([name, text]) => `## ${name}\n\n${text}`),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

/** Of the session itself: sources that a workflow names beside those of an earlier one. */
function fromThis({ facts, workflow }: LiveSession, source: string, template: string | undefined): Handled {
  const { phase, view, vars } = facts();
  const values = maskShapesIn<JsonObject>({
    artifacts: view.artifacts,
    observations: view.observations,
    workflow_state: { workflow, phase, actions: view.step.actions, variables: JSON.stringify(vars) },
  });
  const text = fillBraces(template ?? `{${source}}`, values).trim();
  return text === '' ? { output: null } : { output: text, say: text };
}
