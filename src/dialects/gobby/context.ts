// context: the five sources of `inject_context`, as texts of ours. A source that has nothing says nothing.

import { built } from '../../source/build-nodes.ts';
import { headSpan, type Node, nodeSpan, type ScalarNode, stringOf } from '../../source/read/node.ts';
import { didYouMean } from '../../text/closest-name.ts';
import type { Translation, Where } from './translation.ts';
import { RELATION, type Value, value } from './value.ts';

const holds = (cel: string): Value => value(cel, 'bool', RELATION);

const SUMMARY = {
  when: holds('session.previous_summary != ""'),
  text: 'What the session before this one came to:\n\n{{ session.previous_summary }}',
};

const SOURCES: Readonly<Record<string, { when?: Value; text: string }>> = {
  previous_session_summary: SUMMARY,
  parent_session_summary: SUMMARY,
  handoff: {
    when: holds('session.handoff != {}'),
    text: `Handed over by the session before this one, in the phase {{ default(session.handoff.phase, "") }}:

{{ default(session.handoff.notes, "") }}
{% for task in default(session.handoff.pending_tasks, []) %}
- {{ task }}{% endfor %}`,
  },
  artifacts: {
    when: holds('session.artifacts != {}'),
    text: '{% for name in session.artifacts %}## {{ name }}\n\n{{ session.artifacts[name] }}\n\n{% endfor %}',
  },
  observations: {
    when: holds('session.observations != []'),
    text: 'What was observed:\n{% for seen in session.observations %}\n- {{ seen.tool }} {{ seen.about }}{% if truthy(seen.error) %} (failed){% endif %}: {{ seen.text }}{% endfor %}',
  },
  workflow_state: {
    text: 'Workflow: WORKFLOW. Phase: PHASE, {{ session.step.actions }} tool calls, of {{ session.tool_calls }} in all. Variables: {{ vars }}',
  },
};

/** undefined: there is no such source, and that was reported. */
export function contextSource(
  source: Node | undefined,
  at: Node,
  { to, names }: Translation,
  where: Where,
): { when?: Value; text: ScalarNode } | undefined {
  const name = stringOf(source) ?? '';
  const found = Object.hasOwn(SOURCES, name) ? SOURCES[name] : undefined;
  if (found === undefined) {
    if (source === undefined) return undefined;
    const known = Object.keys(SOURCES);
    to.report.error(
      'bad-choice',
      source.kind === 'scalar' ? nodeSpan(source) : headSpan(at),
      `there is no source "${name}" of context here`,
      didYouMean(name, known) ?? `There are ${known.join(', ')}.`,
    );
    return undefined;
  }
  const scope = { names, ...where, locals: new Map() };
  const shown = (name: string) => {
    const value = names.root('workflow_state', scope);
    const member = value && 'space' in value ? value.member(name) : undefined;
    if (member === undefined || 'space' in member) return '';
    const said = /^"([^"\\{]*)"$/.exec(member.cel)?.[1];
    return said ?? `{{ ${member.cel} }}`;
  };
  const text =
    name === 'workflow_state'
      ? found.text.replace('WORKFLOW', shown('workflow_name')).replace('PHASE', shown('phase'))
      : found.text;
  return { ...(found.when && { when: found.when }), text: built(source ?? at).scalar(text) };
}
