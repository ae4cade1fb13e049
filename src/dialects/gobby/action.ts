// action: one action of theirs → the actions of ours that do the same.

import { type BuiltEntry, built, type Part } from '../../source/build-nodes.ts';
import { nameProblem } from '../../source/grammar/name.ts';
import { type MapNode, type Node, nodeSpan, type ScalarNode, stringOf } from '../../source/read/node.ts';
import { contextSource } from './context.ts';
import { COUNTED } from './names.ts';
import type { ForeignAction } from './outline.ts';
import { namedValue } from './text.ts';
import { conditionAt, reading, type Translation, textAt, valueAt, type Where } from './translation.ts';
import { AND, at, SUM, type Value, value } from './value.ts';

export function translateActions(
  actions: readonly ForeignAction[],
  where: Where,
  translation: Translation,
): MapNode[] {
  return actions.flatMap((action) => translateAction(action, where, translation));
}

/** The journal keeps the state; who enters a phase is a matter of `next` (triggers.ts). */
const ELSEWHERE = ['load_workflow_state', 'save_workflow_state', 'enter_phase'];

function translateAction(action: ForeignAction, where: Where, translation: Translation): MapNode[] {
  const { to } = translation;
  const { node, name } = action;
  if (ELSEWHERE.includes(name)) return [];
  const when = to.get(node, 'when');
  const holds = conditionAt(when, where, translation);
  return new Action(action, where, translation).made().map(({ fields, when: own }) => {
    const all = [holds, own].filter((each): each is Value => each !== undefined);
    const texts = [...new Set(all.map((each) => (all.length > 1 ? at(AND, each) : each.cel)))];
    const joined = texts.length === 0 ? undefined : built(when ?? node).scalar(texts.join(' && '));
    return built(node).map([['when', joined, to.entry(node, 'when')?.keyNode], ...fields]);
  });
}

interface Made {
  fields: BuiltEntry[];
  /** When it has anything to do at all. */
  when?: Value;
}

class Action {
  readonly #node: MapNode;
  readonly #name: string;
  readonly #where: Where;
  readonly #translation: Translation;

  constructor({ node, name }: ForeignAction, where: Where, translation: Translation) {
    this.#node = node;
    this.#name = name;
    this.#where = where;
    this.#translation = translation;
  }

  made(): Made[] {
    switch (this.#name) {
      case 'inject_message':
        return this.#say(this.#text('content') ?? this.#text('message'));
      case 'inject_context': {
        const source = contextSource(this.#get('source'), this.#node, this.#translation, this.#where);
        if (source === undefined) return [];
        return this.#say(this.#text('template') ?? source.text).map((each) => ({
          ...each,
          when: source.when,
        }));
      }
      case 'set_variable':
        return this.#set(this.#value('value') ?? null);
      case 'increment_variable':
        return this.#increment();
      case 'call_llm':
        return this.#kept(
          [['prompt', built(this.#node).map([['text', this.#text('prompt')]])]],
          'output_as',
          'as',
        );
      case 'read_artifact':
        return this.#kept(this.#calling('read-file', [['pattern', this.#text('pattern')]]), 'as');
      case 'call_mcp_tool':
        return this.#kept(this.#tool(), 'output_as', 'as');
      default:
        return [{ fields: this.#call() }];
    }
  }

  #get(key: string): Node | undefined {
    return this.#translation.to.get(this.#node, key);
  }

  #text(key: string): ScalarNode | undefined {
    return textAt(this.#get(key), this.#where, this.#translation);
  }

  #value(key: string): Node | undefined {
    const node = this.#get(key);
    return node && valueAt(node, this.#where, this.#translation);
  }

  /** `source: task_list.tasks`. */
  #named(key: string): Part | undefined {
    const node = this.#get(key);
    const found =
      node?.kind === 'scalar' ? namedValue(node, reading(this.#where, this.#translation)) : undefined;
    return (
      found && built(node as Node).scalar(`{{ ${found.absent ? `default(${found.cel}, [])` : found.cel} }}`)
    );
  }

  #say(text: Part | undefined): Made[] {
    return text === undefined ? [] : [{ fields: [['say', text]] }];
  }

  #variable(...keys: string[]): string | undefined {
    const node = keys.map((key) => this.#get(key)).find((each) => each !== undefined);
    const name = stringOf(node);
    if (name === undefined || node === undefined) return undefined;
    const problem = nameProblem(name, 'variable');
    if (problem !== undefined)
      this.#translation.to.report.error('bad-name', nodeSpan(node), problem.message, problem.hint);
    if (!COUNTED.includes(name)) return problem === undefined ? name : undefined;
    this.#translation.to.report.warn(
      'field-ignored',
      nodeSpan(node),
      `\`${name}\` is counted by Lockstep, and begins anew with every phase: setting it has no effect`,
    );
    return undefined;
  }

  #set(given: Part): Made[] {
    const name = this.#variable('name');
    return name === undefined ? [] : [{ fields: [['set', built(this.#node).map([[name, given]])]] }];
  }

  #increment(): Made[] {
    const name = this.#variable('name');
    if (name === undefined) return [];
    const by = this.#get('amount') ?? this.#get('by');
    const amount =
      by?.kind === 'scalar' ? namedValue(by, reading(this.#where, this.#translation)) : undefined;
    const variable = this.#translation.names.variable(name);
    const start = variable.nullable ? value(`default(${variable.cel}, 0)`, 'number') : variable;
    return this.#set(`{{ ${at(SUM, start)} + ${at(SUM + 1, amount ?? value('1', 'number'))} }}`);
  }

  /** What comes of it is a variable. */
  #kept(fields: BuiltEntry[], ...keys: string[]): Made[] {
    const name = this.#variable(...keys);
    if (name === undefined) return [{ fields }];
    const output = nameProblem(name, 'binding') === undefined ? name : `${name}_found`;
    return [
      { fields: [...fields, ['output', output]] },
      { fields: [['set', built(this.#node).map([[name, `{{ ${output} }}`]])]] },
    ];
  }

  #calling(handler: string, given: BuiltEntry[]): BuiltEntry[] {
    const make = built(this.#node);
    const arguments_ = given.filter(([, part]) => part !== undefined);
    return [
      ['call', make.at(this.#get('action') ?? this.#node).scalar(handler)],
      ['with', arguments_.length === 0 ? undefined : make.map(arguments_)],
    ];
  }

  #tool(): BuiltEntry[] {
    const { to, outline, names } = this.#translation;
    const servers = outline.variables.has('mcp_servers')
      ? `{{ ${names.variable('mcp_servers').cel} }}`
      : undefined;
    const server = this.#text('server') ?? this.#text('server_name');
    if (server !== undefined && servers === undefined)
      to.report.warn(
        'field-ignored',
        nodeSpan(server),
        `nothing says how to reach the server "${String(server.value)}"`,
        'Declare it in `variables`: `mcp_servers: { name: { command, args } }`.',
      );
    return this.#calling('call-mcp-tool', [
      ['server', server ?? ''],
      ['servers', servers],
      ['tool', this.#text('tool') ?? this.#text('tool_name') ?? ''],
      ['arguments', this.#value('arguments')],
    ]);
  }

  #call(): BuiltEntry[] {
    switch (this.#name) {
      case 'switch_mode':
        return this.#calling('switch-mode', [['mode', this.#text('mode')]]);
      case 'capture_artifact':
        return this.#calling('capture-artifact', [
          ['files', this.#text('pattern')],
          ['as', this.#text('as')],
        ]);
      case 'generate_handoff':
        return this.#calling('generate-handoff', [
          ['include', this.#get('include')],
          ['notes', this.#text('notes')],
          ['pending_tasks', this.#list('pending_tasks') ?? this.#list('pending_task_ids')],
          ...this.#written(),
        ]);
      case 'restore_from_handoff':
        return this.#calling('restore-context', [
          ['source', 'handoff'],
          ['template', this.#raw('template')],
        ]);
      case 'restore_context':
        return this.#calling('restore-context', [
          ['session', this.#text('session')],
          ['source', this.#text('source')],
          ['inject_as', this.#text('inject_as')],
          ['template', this.#raw('template')],
        ]);
      case 'find_parent_session':
        return this.#calling('find-parent-session', [['filter', this.#get('filter')]]);
      case 'mark_session_status': {
        const target = stringOf(this.#get('target'));
        return this.#calling('mark-session-status', [
          ['status', this.#text('status')],
          ['target', target === 'parent' ? this.#get('target') : undefined],
        ]);
      }
      case 'generate_summary':
      case 'synthesize_title':
        return this.#calling(this.#name.replaceAll('_', '-'), this.#written());
      case 'write_todos':
        this.#ignored('filename', 'the list is kept with the session');
        return this.#calling('write-todos', [['todos', this.#named('source')]]);
      case 'mark_todo_complete':
        return this.#calling('mark-todo-complete', [['index', this.#value('index')]]);
      default:
        return this.#calling('persist-tasks', [
          ['tasks', this.#named('source')],
          [
            'dependencies',
            stringOf(this.#get('create_dependencies')) === 'sequential' ? 'sequential' : undefined,
          ],
          ['link_session', this.#get('link_to_session')],
        ]);
    }
  }

  /** A name, or a list of texts. */
  #list(key: string): Part | undefined {
    const node = this.#get(key);
    return node?.kind === 'scalar' ? this.#named(key) : this.#value(key);
  }

  #written(): BuiltEntry[] {
    return [
      ['generator', this.#text('generator')],
      ['template', this.#raw('template') ?? this.#raw('prompt')],
    ];
  }

  /** Filled in by the handler: `{git_status}` means nothing before. */
  #raw(key: string): ScalarNode | undefined {
    return this.#text(key);
  }

  #ignored(key: string, why: string): void {
    const entry = this.#translation.to.entry(this.#node, key);
    if (entry)
      this.#translation.to.report.warn(
        'field-ignored',
        nodeSpan(entry.keyNode),
        `\`${key}\` has no effect here: ${why}`,
      );
  }
}

/** What the actions of the workflow give a value. */
export function assignedNames(actions: readonly ForeignAction[]): {
  assigned: Set<string>;
  counted: Set<string>;
} {
  const [assigned, counted] = [new Set<string>(), new Set<string>()];
  for (const { node, name } of actions) {
    const said = (...keys: string[]) =>
      keys.map((key) => stringOf(node.entries.get(key)?.value)).find((each) => each !== undefined);
    const found =
      name === 'set_variable' || name === 'increment_variable'
        ? said('name')
        : name === 'read_artifact'
          ? said('as')
          : name === 'call_llm' || name === 'call_mcp_tool'
            ? said('output_as', 'as')
            : undefined;
    if (found === undefined || nameProblem(found, 'variable') !== undefined) continue;
    assigned.add(found);
    if (name === 'increment_variable') counted.add(found);
  }
  return { assigned, counted };
}
