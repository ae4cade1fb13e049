// triggers: actions by event → `events`. A trigger that enters a phase is a way on of every other phase, or where the workflow begins.

import { type BuiltEntry, built } from '../../source/build-nodes.ts';
import { type MapNode, type Node, stringOf } from '../../source/read/node.ts';
import { translateActions } from './action.ts';
import type { ForeignAction, ForeignPhase } from './outline.ts';
import { targetId } from './target.ts';
import { conditionAt, type Translation } from './translation.ts';
import { AND, at, type Value } from './value.ts';

const FAILED = 'event.error != ""';

export function eventsOf(translation: Translation): BuiltEntry[] {
  const { outline, document, to } = translation;
  const events = new Map<string, MapNode[]>();
  for (const [event, actions] of outline.triggers)
    events.set(event, translateActions(actions, { event }, translation));
  if (!entersPhase(outline.error)) {
    const failed = translateActions(outline.error, { event: 'tool_result' }, translation).map(onlyFailed);
    events.set('tool_result', [...(events.get('tool_result') ?? []), ...failed]);
  }
  const made = [...events].filter(([, actions]) => actions.length > 0);
  if (made.length === 0) return [];
  const make = built(to.get(document, 'triggers') ?? document);
  return [
    [
      'events',
      make.map(made.map(([event, actions]): BuiltEntry => [event, make.list(actions)])),
      to.entry(document, 'triggers')?.keyNode,
    ],
  ];
}

function onlyFailed(action: MapNode): MapNode {
  const own = action.entries.get('when')?.value;
  const when = own?.kind === 'scalar' ? `${FAILED} && (${String(own.value)})` : FAILED;
  return built(action).map([
    ['when', when],
    ...[...action.entries.values()]
      .filter(({ key }) => key !== 'when')
      .map(({ key, value }): BuiltEntry => [key, value]),
  ]);
}

function entersPhase(actions: readonly ForeignAction[]): boolean {
  return actions.some(({ name }) => name === 'enter_phase');
}

function phaseOf(action: ForeignAction, { to }: Translation): { name: string; at: Node } {
  const node = to.get(action.node, 'phase');
  return { name: stringOf(node) ?? '', at: node ?? action.node };
}

/** A way out of this phase for everything that goes wrong. */
export function errorWays(phase: ForeignPhase, translation: Translation): MapNode[] {
  const { outline } = translation;
  const enters = outline.error.find(({ name }) => name === 'enter_phase');
  if (enters === undefined) return [];
  const { name, at: place } = phaseOf(enters, translation);
  if (name === phase.name) return [];
  const when = conditionAt(translation.to.get(enters.node, 'when'), { phase: phase.name }, translation);
  const others = translateActions(outline.error, { phase: phase.name }, translation);
  const make = built(enters.node);
  return [
    make.map([
      ['when', [FAILED, ...(when ? [at(AND, when)] : [])].join(' && ')],
      ['goto', make.at(place).scalar(targetId(name, place, translation))],
      ['do', others.length === 0 ? undefined : make.list(others)],
    ]),
  ];
}

/** Triggers that enter another phase than this one. A session that starts begins there: `beginning`. */
export function entering(phase: ForeignPhase, translation: Translation): MapNode[] {
  return [...translation.outline.triggers].flatMap(([event, actions]) =>
    actions.flatMap((action): MapNode[] => {
      if (action.name !== 'enter_phase' || event === 'session_start') return [];
      const { name, at: place } = phaseOf(action, translation);
      if (name === phase.name) return [];
      const when = conditionAt(
        translation.to.get(action.node, 'when'),
        { phase: phase.name, event },
        translation,
      );
      const make = built(action.node);
      return [
        make.map([
          ['when', [`event.name == "${event}"`, ...(when ? [at(AND, when)] : [])].join(' && ')],
          ['goto', make.at(place).scalar(targetId(name, place, translation))],
        ]),
      ];
    }),
  );
}

/** A step before the first phase, where a session does not begin with that one. */
export function beginning(translation: Translation): MapNode[] {
  const { outline, to } = translation;
  const [first] = outline.phases;
  const ways = (outline.triggers.get('session_start') ?? []).flatMap(
    (action): { when: Value | undefined; action: ForeignAction }[] => {
      if (action.name !== 'enter_phase') return [];
      const node = to.get(action.node, 'when');
      // There is no phase yet, whatever the session begins with.
      const holds = conditionAt(node, { phase: '', event: 'session_start' }, translation);
      const isSure = holds === undefined || holds.cel === '!("" != "")' || holds.cel === 'true';
      return [{ when: isSure ? undefined : holds, action }];
    },
  );
  const upTo = ways.findIndex(({ when }) => when === undefined);
  const counted = upTo < 0 ? ways : ways.slice(0, upTo + 1);
  const isPlain = counted.every(({ action }) => phaseOf(action, translation).name === first?.name);
  if (first === undefined || counted.length === 0 || isPlain) return [];
  const make = built((counted[0] as { action: ForeignAction }).action.node);
  const next = counted.map(({ when, action }) => {
    const { name, at: place } = phaseOf(action, translation);
    return built(action.node).map([
      ['when', when?.cel],
      ['goto', make.at(place).scalar(targetId(name, place, translation))],
    ]);
  });
  return [
    make.map([
      ['id', freeId(outline.phases)],
      ['call', 'noop'],
      ['next', make.list(next)],
    ]),
  ];
}

function freeId(phases: readonly ForeignPhase[]): string {
  return (
    ['start', 'begin', 'start-here'].find((id) => !phases.some((phase) => phase.id === id)) ?? 'start-of-all'
  );
}

/** Actions that enter a phase where nothing can follow them. */
export function reportStrayEntries(translation: Translation): void {
  const { outline, to } = translation;
  const stray = outline.phases.flatMap(({ enter, exit, transitions }) => [
    ...enter,
    ...exit,
    ...transitions.flatMap(({ actions }) => actions),
  ]);
  for (const { node, name } of stray)
    if (name === 'enter_phase') {
      const at = to.get(node, 'action') ?? node;
      to.report.error(
        'field-not-here',
        at.source.span(at.start, at.end),
        '`enter_phase` does not belong into the actions of a phase',
        'Use `transitions`: they say when the phase is left, and for which.',
      );
    }
}
