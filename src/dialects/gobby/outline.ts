// outline: the phases of a workflow and every action in it, held against the grammar once.

import type { Json } from '../../model/json.ts';
import { type Conforming, conform } from '../../source/grammar/conform.ts';
import { slug } from '../../source/grammar/slug.ts';
import { headSpan, type MapNode, type Node, nodeSpan, stringOf, toJson } from '../../source/read/node.ts';
import { didYouMean } from '../../text/closest-name.ts';
import { FreeNames } from '../native-text.ts';
import {
  ACTIONS,
  actionShape,
  phaseShape,
  ruleShape,
  SETTINGS,
  TRIGGERS,
  transitionShape,
} from './grammar.ts';

export interface ForeignAction {
  node: MapNode;
  name: string;
}

export interface ForeignTransition {
  node: MapNode;
  to: string;
  /** On the way. */
  actions: ForeignAction[];
}

export interface ForeignPhase {
  node: MapNode;
  name: string;
  /** What it is called in ours. */
  id: string;
  enter: ForeignAction[];
  exit: ForeignAction[];
  transitions: ForeignTransition[];
  rules: MapNode[];
}

export interface Outline {
  phases: ForeignPhase[];
  /** By the event as ours calls it. */
  triggers: Map<string, ForeignAction[]>;
  error: ForeignAction[];
  /** All actions, wherever they stand. */
  actions: ForeignAction[];
  variables: Map<string, Json>;
  /** Those that are plain values. */
  settings: Map<string, Json>;
}

export function outlineOf(document: MapNode, to: Conforming): Outline {
  const get = (key: string) => to.get(document, key);
  const all: ForeignAction[] = [];
  const actions = (list: Node | undefined): ForeignAction[] => {
    const found = itemsOf(list).flatMap((item) => actionAt(item, to));
    all.push(...found);
    return found;
  };
  const ids = new FreeNames(['end']);
  const phases = itemsOf(get('phases')).flatMap((node): ForeignPhase[] => {
    if (!conform(node, phaseShape, 'a phase', to) || node.kind !== 'map') return [];
    const name = stringOf(to.get(node, 'name'));
    if (name === undefined) return [];
    return [
      {
        node,
        name,
        id: ids.take(slug(name, 'phase')),
        enter: actions(to.get(node, 'on_enter')),
        exit: actions(to.get(node, 'on_exit')),
        transitions: itemsOf(to.get(node, 'transitions')).flatMap((item): ForeignTransition[] => {
          if (!conform(item, transitionShape, 'a transition', to) || item.kind !== 'map') return [];
          const target = stringOf(to.get(item, 'to'));
          return target === undefined
            ? []
            : [{ node: item, to: target, actions: actions(to.get(item, 'on_transition')) }];
        }),
        rules: itemsOf(to.get(node, 'rules')).flatMap((item) =>
          conform(item, ruleShape, 'a rule', to) && item.kind === 'map' ? [item] : [],
        ),
      },
    ];
  });
  reportRepeated(phases, to);
  const triggers = new Map<string, ForeignAction[]>();
  for (const [key, event] of Object.entries(TRIGGERS)) {
    const list = to.get(get('triggers'), key);
    if (list !== undefined) triggers.set(event, [...(triggers.get(event) ?? []), ...actions(list)]);
  }
  const error = actions(get('on_error'));
  return {
    phases,
    triggers,
    error,
    actions: all,
    variables: valuesOf(get('variables')),
    settings: settingsOf(get('settings')),
  };
}

function actionAt(item: Node, to: Conforming): ForeignAction[] {
  const name = item.kind === 'map' ? item.entries.get('action')?.value : undefined;
  const said = stringOf(name);
  if (item.kind !== 'map' || said === undefined) {
    conform(item, actionShape({}), 'an action', to);
    return [];
  }
  const fields = Object.hasOwn(ACTIONS, said) ? ACTIONS[said] : undefined;
  if (fields === undefined) {
    const known = Object.keys(ACTIONS);
    to.report.error(
      'unknown-action',
      nodeSpan(name as Node),
      `there is no action "${said}" here`,
      didYouMean(said, known) ?? `There are ${known.join(', ')}.`,
    );
    return [];
  }
  conform(item, actionShape(fields), `the action \`${said}\``, to);
  return [{ node: item, name: said }];
}

function reportRepeated(phases: readonly ForeignPhase[], to: Conforming): void {
  const seen = new Set<string>();
  for (const { name, node } of phases) {
    if (seen.has(name))
      to.report.error(
        'duplicate-name',
        headSpan(to.get(node, 'name') ?? node),
        `there are two phases "${name}"`,
      );
    seen.add(name);
  }
}

function valuesOf(node: Node | undefined): Map<string, Json> {
  const entries = node?.kind === 'map' ? [...node.entries.values()] : [];
  return new Map(entries.map(({ key, value }) => [key, toJson(value)]));
}

/** What a project may name in an expression: `priority` says nothing to one. */
function settingsOf(node: Node | undefined): Map<string, Json> {
  const all = valuesOf(node);
  for (const [key, value] of all)
    if (key === 'priority' || (typeof value === 'object' && Object.hasOwn(SETTINGS, key))) all.delete(key);
  return all;
}

export function itemsOf(node: Node | undefined): readonly Node[] {
  return node?.kind === 'list' ? node.items : [];
}
