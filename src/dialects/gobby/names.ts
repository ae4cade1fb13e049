// names: what the names of a gobby text stand for in ours. What the workflow declares, or gives a value itself, is a var; the
// rest is what Lockstep knows of the session and of the event. A name that is neither is a var that is null, with a warning.

import type { Json } from '../../model/json.ts';
import { NO_EVENT, NO_SESSION } from '../../model/session-view.ts';
import { nameProblem } from '../../source/grammar/name.ts';
import { closest } from '../../text/closest-name.ts';
import { celText, member } from '../native-text.ts';
import { type Kind, literal, RELATION, type Value, value } from './value.ts';

/** Where an expression stands. */
export interface Scope {
  names: Names;
  /** The phase it belongs to. */
  phase?: string;
  /** The event whose actions it belongs to, as ours calls it. */
  event?: string;
  /** What `{% for %}` binds. */
  locals: ReadonlyMap<string, Value | Space>;
  /** In a text, where what is not there renders as nothing. */
  isText?: boolean;
  /** In a rule that stops calls. */
  isRule?: boolean;
}

/** Something that has members, and is no value by itself. */
export interface Space {
  space: string;
  /** undefined: it has no such member. */
  member(key: string): Value | Space | undefined;
  /** The whole, where it can be had. */
  whole?: Value;
}

export function isSpace(found: Value | Space): found is Space {
  return 'space' in found;
}

const text = (cel: string): Value => value(cel, 'text');
const number = (cel: string): Value => value(cel, 'number');
const test = (cel: string): Value => value(cel, 'bool', RELATION);

/** Lockstep counts these; nothing else sets them. */
export const COUNTED = ['phase_action_count', 'total_action_count', 'files_modified_this_task'];

const PLAIN: Readonly<Record<string, Value>> = {
  tool: text('event.tool'),
  tool_name: text('event.tool'),
  file: text('event.file'),
  file_path: text('event.file'),
  command: text('event.command'),
  source: text('event.source'),
  reason: text('event.reason'),
  tool_output: text('event.text'),
  phase_action_count: number('session.step.actions'),
  total_action_count: number('session.tool_calls'),
  files_modified_this_task: number('size(session.step.files_modified)'),
  observations: value('session.observations', 'list'),
  summary: text('session.previous_summary'),
  previous_summary: text('session.previous_summary'),
  previous_session_summary: text('session.previous_summary'),
  parent_session_summary: text('session.previous_summary'),
  has_handoff: test('session.handoff != {}'),
  has_previous_session: test('session.previous_summary != ""'),
  parent_session_found: test('session.parent != ""'),
  parent_session_id: text('session.parent'),
  context_restored: value('session.context_restored', 'bool'),
  context_injected: value('session.context_restored', 'bool'),
  trigger_source: text('session.source'),
  session_id: text('session.id'),
  verification_passed: test('session.step.tests == "passed"'),
  verification_failed: test('session.step.tests == "failed"'),
};

const PROMPTS = ['prompt', 'user_prompt', 'user_message', 'user_input'];
const PHASES = ['phase', 'current_phase'];
/** Ordinary vars that have a value before anything sets them. */
const BEGINNINGS: Readonly<Record<string, Json>> = { task_list: null, current_task_index: 0 };

export interface Known {
  workflow: string;
  variables: ReadonlyMap<string, Json>;
  settings: ReadonlyMap<string, Json>;
  /** Names that an action gives a value. */
  assigned: ReadonlySet<string>;
  /** Those that an action counts up. */
  counted: ReadonlySet<string>;
}

export class Names {
  /** The vars of the workflow, with their first values. */
  readonly vars: Map<string, Json>;
  /** An expression outside of the phases asks which phase it is: every phase says so when it is entered. */
  tellsPhase = false;
  readonly #known: Known;

  constructor(known: Known) {
    this.#known = known;
    this.vars = new Map(known.variables);
    for (const name of known.assigned) if (!COUNTED.includes(name)) this.variable(name);
  }

  /** undefined: nothing has that name. */
  root(name: string, scope: Scope): Value | Space | undefined {
    const local = scope.locals.get(name);
    if (local !== undefined) return local;
    if (this.#isOwn(name)) return this.variable(name);
    if (Object.hasOwn(PLAIN, name)) return PLAIN[name];
    if (PROMPTS.includes(name))
      return text(scope.event === 'user_prompt' ? 'event.prompt' : 'session.prompt');
    if (PHASES.includes(name)) return this.#phase(scope);
    if (name === 'reflection_pending') return this.#reflection();
    if (Object.hasOwn(BEGINNINGS, name)) return this.variable(name);
    return this.#space(name, scope);
  }

  /** Every name that means something by itself, for "did you mean". */
  known(): string[] {
    return [
      ...this.#known.variables.keys(),
      ...this.#known.settings.keys(),
      ...this.#known.assigned,
      ...Object.keys(PLAIN),
      ...Object.keys(BEGINNINGS),
      ...PROMPTS,
      ...PHASES,
      ...SPACES,
      'reflection_pending',
    ];
  }

  near(name: string): string | undefined {
    return closest(name, this.known());
  }

  /** A var, declared where it is not. */
  variable(name: string): Value {
    const { variables, settings, assigned, counted } = this.#known;
    if (!this.vars.has(name)) {
      const first =
        settings.get(name) ??
        (Object.hasOwn(BEGINNINGS, name) ? BEGINNINGS[name] : counted.has(name) ? 0 : null);
      this.vars.set(name, first ?? null);
    }
    const first = this.vars.get(name) ?? null;
    const isSet =
      variables.has(name) || settings.has(name) || assigned.has(name) || Object.hasOwn(BEGINNINGS, name);
    return {
      ...value(member('vars', name), kindOf(first)),
      ...(first === null && { nullable: true as const }),
      ...(!isSet && { unset: true as const }),
    };
  }

  #isOwn(name: string): boolean {
    const { variables, settings, assigned } = this.#known;
    return !COUNTED.includes(name) && (variables.has(name) || settings.has(name) || assigned.has(name));
  }

  #phase({ phase }: Scope): Value {
    if (phase !== undefined) return literal(phase);
    this.tellsPhase = true;
    if (!this.vars.has('phase')) this.vars.set('phase', '');
    return text('vars.phase');
  }

  #reflection(): Value {
    const setting = this.#known.settings.has('reflect_after_actions');
    return setting
      ? test(`session.step.actions >= ${this.variable('reflect_after_actions').cel}`)
      : literal(false);
  }

  #space(name: string, scope: Scope): Value | Space | undefined {
    switch (name) {
      case 'session':
        return fields('session', NO_SESSION, (key) =>
          key === 'session_id' ? text('session.id') : undefined,
        );
      case 'handoff':
        return HANDOFF;
      case 'artifacts':
        return ARTIFACTS;
      case 'variables':
      case 'settings':
      case 'vars':
        return { space: name, member: (key) => this.variable(key), whole: value('vars', 'map') };
      case 'workflow_state':
      case 'state':
        return { space: name, member: (key) => this.#state(key, scope), whole: value('vars', 'map') };
      case 'event':
        return EVENT;
      case 'tool_result':
        return {
          space: name,
          member: (key) => (Object.hasOwn(RESULT, key) ? RESULT[key] : undefined),
          whole: text('event.text'),
        };
      case 'tool_input':
        return INPUT;
      default:
        return undefined;
    }
  }

  #state(key: string, scope: Scope): Value | Space | undefined {
    if (key === 'workflow_name') return literal(this.#known.workflow);
    const isState = [
      ...COUNTED,
      ...PHASES,
      'reflection_pending',
      'context_injected',
      'artifacts',
      'observations',
      'variables',
      'task_list',
      'current_task_index',
    ].includes(key);
    return isState || this.#isOwn(key) ? this.root(key, { ...scope, locals: new Map() }) : undefined;
  }
}

const SPACES = [
  'session',
  'handoff',
  'artifacts',
  'variables',
  'settings',
  'workflow_state',
  'state',
  'event',
  'tool_result',
  'tool_input',
];

function kindOf(given: Json): Kind {
  if (typeof given === 'string') return 'text';
  if (typeof given === 'number') return 'number';
  if (typeof given === 'boolean') return 'bool';
  return given === null ? 'any' : Array.isArray(given) ? 'list' : 'map';
}

function fields(
  path: string,
  all: Readonly<Record<string, Json>>,
  more: (key: string) => Value | Space | undefined = () => undefined,
): Space {
  return {
    space: path,
    whole: value(path, 'map'),
    member(key) {
      if (!Object.hasOwn(all, key)) return more(key);
      if (path === 'session' && key === 'handoff') return HANDOFF;
      if (path === 'session' && key === 'artifacts') return ARTIFACTS;
      const found = all[key] as Json;
      return path === 'session' && key === 'step'
        ? fields('session.step', NO_SESSION.step)
        : value(`${path}.${key}`, kindOf(found));
    },
  };
}

const HANDED: Readonly<Record<string, [string, Kind]>> = {
  notes: ['notes', 'text'],
  phase: ['phase', 'text'],
  pending_tasks: ['pending_tasks', 'list'],
  pending_task_ids: ['pending_tasks', 'list'],
  artifacts: ['artifacts', 'map'],
  from: ['from', 'text'],
  from_session_id: ['from', 'text'],
};

const HANDOFF: Space = {
  space: 'handoff',
  whole: value('session.handoff', 'map'),
  member(key) {
    const found = Object.hasOwn(HANDED, key) ? HANDED[key] : undefined;
    return found && { ...value(`session.handoff.${found[0]}`, found[1]), absent: true };
  },
};

const ARTIFACTS: Space = {
  space: 'artifacts',
  whole: value('session.artifacts', 'map'),
  member: (key) => ({ ...text(member('session.artifacts', key)), absent: true }),
};

const INPUT: Space = {
  space: 'tool_input',
  whole: value('event.input', 'map'),
  member: (key) => ({ ...value(member('event.input', key)), absent: true }),
};

const RESULT: Readonly<Record<string, Value>> = {
  is_error: test('event.error != ""'),
  error: text('event.error'),
  content: text('event.text'),
  output: text('event.text'),
  text: text('event.text'),
  result: text('event.text'),
  tool: text('event.tool'),
  tool_name: text('event.tool'),
};

const EVENTS: Readonly<Record<string, string>> = {
  type: 'name',
  event_type: 'name',
  tool_name: 'tool',
  tool_output: 'text',
};

const EVENT: Space = fields('event', NO_EVENT, (key) => {
  if (key === 'data') return { ...EVENT, space: 'event.data' };
  if (key === 'tool_input') return INPUT;
  if (key === 'session_id') return text('session.id');
  return Object.hasOwn(EVENTS, key) ? text(`event.${EVENTS[key]}`) : undefined;
});

/** What a `{% for %}` may call its item in ours. */
export function bindingName(wish: string): string {
  return nameProblem(wish, 'binding') === undefined ? wish : `${wish}_item`;
}

/** `loop` of a `{% for %}` over `entries(…)`. */
export function loopSpace(item: string, list: string): Space {
  const all: Readonly<Record<string, Value>> = {
    index: value(`${item}.index + 1`, 'number', 4),
    index0: number(`${item}.index`),
    first: value(`${item}.first`, 'bool'),
    last: value(`${item}.last`, 'bool'),
    length: number(`size(entries(${list}))`),
  };
  return { space: 'loop', member: (key) => (Object.hasOwn(all, key) ? all[key] : undefined) };
}

export function absentName(path: string): Value {
  return { ...value(`absent(${celText(path)})`), absent: true };
}
