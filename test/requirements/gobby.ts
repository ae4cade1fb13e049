import type { Requirement } from '../ledger.ts';

// The gobby dialect: what its documents, expressions, actions and templates mean here (live.md, section 4, seed 003). What the guard
// drive does with them has ids of its own.

/** Any test that names the requirement. */
const named = (id: string, requirement: string): Requirement => ({ id, requirement, proof: `*${id}*` });

export const gobby: Requirement[] = [
  named(
    'GOB-NAMES',
    '`session` and `event` have the same fields in every step, rule, event and prompt, and are checked field by field.',
  ),
  named(
    'GOB-CONVERT',
    'Every printed example of the language loads, and its conversion compiles to the very same workflow.',
  ),
  named('GOB-TYPES', 'lifecycle has events and no phases; phase is the default; phased is the same.'),
  named(
    'GOB-EXTENDS',
    'A child is its parent with the changes, over several generations; a circle is named; a native parent is extended natively.',
  ),
  named('GOB-FIELDS', 'Unknown fields and actions are errors with file, line and column.'),
  named('GOB-LAYERS', '.gobby/workflows, ~/.gobby/workflows and templates/ below are layers.'),
  named(
    'GOB-SETTINGS',
    'reflect_after_actions, max_actions_per_phase, stuck_detection and require_plan_approval become rules and ways on; any setting is read by name.',
  ),
  named(
    'GOB-PHASE',
    'on_enter, tools, rules, transitions with on_transition, exits, on_exit; the last phase with words alone ends the workflow; a missing phase ends it.',
  ),
  named(
    'GOB-EXITS',
    'artifact_exists, user_approval (prompt, when, timeout), variable_set, expression and auto.',
  ),
  named(
    'GOB-EXPRESSIONS',
    'and, or, not, in, `| length` binding tightest, .strip, .lower, .get, `{{ }}` in when, every name and helper of the examples.',
  ),
  named('GOB-EXPRESSIONS-AGREE', 'A test holds here where it holds there, by an evaluator of its own.'),
  named('GOB-UNKNOWN-NAMES', 'A name that nothing gives a value is false, and a warning says so.'),
  named('GOB-TEXT', 'Jinja: values, if, for with loop, else, filters, raw, comments, white space.'),
  named(
    'GOB-TRIGGERS',
    'The five triggers and their aliases become events; enter_phase is where a workflow begins, or a way on; on_error.',
  ),
  named('GOB-ACTIONS', 'Every action of the list, with its fields.'),
  named('GOB-SOURCES', 'Five sources of context, with words of their own or a template.'),
  named(
    'GOB-WARNINGS',
    'Told: a file that a phase cannot make, a count that is lost, a phase that is not there.',
  ),
  named('GOB-TEMPLATES', 'The seven templates in our words: lists and rules that the guard really enforces.'),
];
