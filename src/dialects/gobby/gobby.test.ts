import { describe, expect, it } from 'vitest';
import { HANDLERS } from '../../model/handlers.ts';
import type { JsonObject } from '../../model/json.ts';
import { nativeOf, promptOf, said, stepsOf } from './fixtures/sample-translation.ts';
import { ACTIONS } from './grammar.ts';

const LAST = '  - { name: b, allowed_tools: all }\n';

describe('GOB-TYPES: what kind of workflow it is', () => {
  it('lifecycle has events alone; phase and phased have steps, and so has one that does not say', () => {
    const events = nativeOf(
      'name: w\ntype: lifecycle\ntriggers: { on_stop: [{ action: inject_message, content: Bye }] }\n',
    );
    expect(events).toEqual({ lockstep: 1, name: 'w', events: { stop: [{ say: 'Bye' }] } });
    for (const type of ['type: phase\n', 'type: phased\n', ''])
      expect(stepsOf(LAST, type).map(({ id }) => id)).toEqual(['b']);
  });

  it('a lifecycle with phases, and phases that are not there, are errors', () => {
    expect(said(`name: w\ntype: lifecycle\nphases:\n${LAST}`)).toEqual(['field-not-here w.yaml:3:1']);
    expect(said('name: w\ntype: phase\n')).toContain('missing-field w.yaml:2:7');
  });
});

describe('GOB-EXTENDS: a child of another workflow', () => {
  const base =
    'name: base\nvariables: { a: 1, b: 2 }\nphases:\n  - { name: x, allowed_tools: [Read] }\n  - { name: y, allowed_tools: all }\n';

  it('merges maps, phases by name, and replaces other lists', () => {
    const child =
      'name: child\nextends: base\nvariables: { b: 3 }\nphases:\n  - { name: x, allowed_tools: [Grep], description: Look }\n  - { name: z, allowed_tools: all }\n';
    const made = nativeOf(child, { 'workflows/base.yaml': base });
    expect(made.name).toBe('child');
    expect(made.vars).toEqual({ a: 1, b: 3 });
    expect((made.steps as JsonObject[]).map(({ id, tools, title }) => [id, tools, title])).toEqual([
      ['x', { allow: ['Grep'] }, 'Look'],
      ['y', undefined, undefined],
      ['z', undefined, undefined],
    ]);
  });

  it('names a circle, and a parent that is not there', () => {
    const files = {
      'workflows/a.yaml': 'name: a\nextends: b\n',
      'workflows/b.yaml': 'name: b\nextends: a\nphases: []\n',
    };
    expect(said('name: w\nextends: a\n', files)).toContain('extends-circle workflows/b.yaml:2:10');
    expect(said('name: w\nextends: gone\n')).toContain('missing-parent w.yaml:2:10');
  });

  it('extends a native one natively, with variables and triggers alone', () => {
    const files = {
      'workflows/n.yaml': 'lockstep: 1\nname: n\nvars: { a: 1 }\nsteps: [{ id: s, prompt: { text: Hi } }]\n',
    };
    expect(nativeOf('name: w\nextends: n\nvariables: { a: 2 }\n', files)).toEqual({
      lockstep: 1,
      name: 'w',
      extends: 'n',
      vars: { a: 2 },
    });
    expect(said(`name: w\nextends: n\nphases:\n${LAST}`, files)).toContain('extends-dialect w.yaml:3:1');
  });
});

describe('GOB-FIELDS: what is not known', () => {
  it.each([
    ['nam: x', 'unknown-field w.yaml:5:1'],
    ['triggers: { on_lunch: [] }', 'unknown-field w.yaml:5:13'],
    ['triggers: { on_stop: [{ action: dance }] }', 'unknown-action w.yaml:5:33'],
    ['triggers: { on_stop: [{ action: switch_mode, mode: plan, mod: x }] }', 'unknown-field w.yaml:5:58'],
    ['settings: { stuck_detection: { max_naps: 3 } }', 'unknown-field w.yaml:5:32'],
  ])('%s is an error with its place', (line, problem) => {
    expect(said(`name: w\nphases:\n  - name: b\n    allowed_tools: all\n${line}\n`)).toContain(problem);
  });
});

describe('GOB-SETTINGS: numbers that phases are held to', () => {
  const phases =
    '  - { name: plan, allowed_tools: [Read] }\n  - { name: work, allowed_tools: all }\n  - { name: reflect, allowed_tools: [Read] }\n';
  const settings =
    'settings: { reflect_after_actions: 5, max_actions_per_phase: 9, require_plan_approval: true, stuck_detection: { max_phase_duration_minutes: 2, max_verification_attempts: 4 } }\n';

  it('reflect, the limit of actions, the time and the approval', () => {
    const made = nativeOf(`name: w\n${settings}phases:\n${phases}`);
    const [plan, work, reflect] = made.steps as JsonObject[];
    expect(made.rules).toEqual([
      expect.objectContaining({
        when: expect.stringContaining('session.step.actions >= vars.max_actions_per_phase'),
        ask: expect.any(String),
      }),
    ]);
    expect(plan?.done).toMatchObject({ approve: { ask: 'Is this the plan?' } });
    expect(plan?.next).toEqual([{ when: 'session.step.elapsed >= 120', goto: 'reflect' }]);
    expect(work?.next).toEqual([
      { when: 'session.step.actions >= vars.reflect_after_actions', goto: 'reflect' },
      { when: 'session.step.elapsed >= 120', goto: 'reflect' },
    ]);
    expect(reflect?.next).toBeUndefined();
  });

  it('attempts end in going on, but never past a person', () => {
    const [first, second] = stepsOf(
      '  - { name: a, exit_conditions: [{ type: variable_set, variable: x }] }\n  - { name: b, exit_conditions: [{ type: variable_set, variable: x }, { type: user_approval }] }\n  - { name: reflect, allowed_tools: all }\n',
      settings.replace('require_plan_approval: true, ', ''),
    );
    expect([first?.done, first?.on_fail]).toMatchObject([{ tries: 4 }, 'continue']);
    expect([second?.done, second?.on_fail]).toMatchObject([{ tries: 20 }, undefined]);
  });
});

describe('GOB-PHASE: a phase is a step', () => {
  it('the words that stand last are the prompt; what stands before keeps its order', () => {
    const [step] = stepsOf(`  - name: a
    description: Look around
    on_enter:
      - { action: inject_message, content: First }
      - { action: set_variable, name: x, value: 1 }
      - { action: inject_message, content: 'x is {{ x }}' }
      - { action: inject_message, content: Go }
    on_exit: [{ action: set_variable, name: x, value: null }]
    transitions: [{ to: b, when: "x == 1", on_transition: [{ action: inject_message, content: On }] }, { to: complete, when: "user_says('enough')" }]
${LAST}`);
    expect(step).toMatchObject({
      title: 'Look around',
      prompt: { text: 'x is {{ default(vars.x, "") }}\n\nGo' },
      enter: [{ say: 'First' }, { set: { x: 1 } }],
      exit: [{ set: { x: null } }],
      next: [
        { when: 'vars.x == 1', goto: 'b', do: [{ say: 'On' }] },
        { when: 'user_says("enough")', goto: 'end' },
      ],
    });
  });

  it('a last phase with words alone ends the workflow; one with tools stays', () => {
    const words = '  - { name: c, on_enter: [{ action: inject_message, content: Bye }] }\n';
    expect(stepsOf(LAST + words).at(-1)).toEqual({ id: 'c', call: 'noop', enter: [{ say: 'Bye' }] });
    expect(stepsOf(words + LAST)[0]).toEqual({ id: 'c', prompt: { text: 'Bye' } });
  });

  it('rules: what `allow` lets through is not asked about again', () => {
    const [step] = stepsOf(`  - name: a
    allowed_tools: all
    rules:
      - { when: "file == 'a'", action: allow }
      - { when: "tool == 'Write'", action: require_approval, message: 'Write {{ file }}?' }
`);
    expect(step?.rules).toEqual([
      { when: '!(event.file == "a") && event.tool == "Write"', ask: 'Write {{ event.file }}?' },
    ]);
  });
});

describe('GOB-EXITS: what lets a phase go', () => {
  it.each([
    [
      '{ type: artifact_exists, pattern: "*.md" }',
      { that: [{ is: 'size(files("*.md")) > 0', else: 'There is no file *.md yet.' }] },
    ],
    [
      '{ type: artifact_exists, artifact: plan }',
      { that: [{ is: '"plan" in session.artifacts', else: expect.any(String) }] },
    ],
    ['{ type: variable_set, variable: x }', { that: [{ is: 'vars.x != null', else: expect.any(String) }] }],
    [
      '{ type: variable_set, variable: x, value: 2, when: yes_please }',
      { that: [{ is: '!truthy(vars.yes_please) || vars.x == 2', else: expect.any(String) }] },
    ],
    ['{ type: expression, expression: "x > 1" }', { that: [{ is: 'vars.x > 1' }] }],
    [
      '{ type: user_approval, prompt: "Go?", when: "{{ x }}", timeout: 60 }',
      {
        approve: {
          ask: 'Go?',
          if: expect.stringContaining('truthy(vars.x)'),
          timeout: '1m',
          accept: ['yes', 'approve', 'proceed', 'continue'],
          reject: ['no', 'reject', 'stop', 'cancel'],
        },
        tries: 20,
      },
    ],
  ])('%s', (exit, done) => {
    const [step] = stepsOf(
      `  - { name: a, allowed_tools: all, exit_conditions: [${exit}], on_exit: [{ action: set_variable, name: x, value: null }] }\n${LAST}`,
    );
    expect(step?.done).toEqual(done);
  });

  it('auto ends with the turn; without any, nothing ends it', () => {
    expect(stepsOf(`  - { name: a, exit_conditions: auto }\n${LAST}`)[0]?.done).toMatchObject({
      that: [{ is: 'event.name == "stop"' }],
    });
    expect(stepsOf(LAST)[0]?.done).toBeUndefined();
  });
});

describe('GOB-UNKNOWN-NAMES: a name that nothing gives a value', () => {
  it('is false, and told with its place and what was meant', () => {
    const text = `name: w\nphases:\n  - name: a\n    allowed_tools: all\n    transitions:\n      - { to: end, when: "trust_me and session.mood == 'good'" }\n`;
    expect(said(text)).toEqual(['warning unknown-name w.yaml:6:27', 'warning unknown-name w.yaml:6:40']);
    expect((nativeOf(text).steps as JsonObject[])[0]?.next).toEqual([
      { when: 'truthy(vars.trust_me) && default(absent("session.mood"), null) == "good"', goto: 'end' },
    ]);
  });
});

describe('GOB-TEXT: Jinja', () => {
  it.each([
    ['{{ x }}', '{{ vars.x }}'],
    ['{{ m.a.b }}!', '{{ default(vars.m.a.b, "") }}!'],
    [
      '{% if x > 1 %}a{% elif l %}b{% else %}c{% endif %}',
      '{% if vars.x > 1 %}a{% elsif vars.l != [] %}b{% else %}c{% endif %}',
    ],
    ['{% for i in l %}{{ i }},{% endfor %}', '{% for i in vars.l %}{{ default(i, "") }},{% endfor %}'],
    [
      '{% for i in l %}{{ loop.index }}{{ i }}{% endfor %}',
      '{% for i in entries(vars.l) %}{{ i.index + 1 }}{{ default(i.value, "") }}{% endfor %}',
    ],
    [
      '{% for k, v in m.items() %}{{ k }}={{ v }}{% endfor %}',
      '{% for k in entries(vars.m) %}{{ k.key }}={{ default(k.value, "") }}{% endfor %}',
    ],
    [
      '{% for i in l %}x{% else %}y{% endfor %}',
      '{% if size(vars.l) > 0 %}{% for i in vars.l %}x{% endfor %}{% else %}y{% endif %}',
    ],
    ['a {{- x -}} b', 'a{{ vars.x }}b'],
    ['{# nobody #}a', 'a'],
    ['{% raw %}{{ x }}{% endraw %}', '{{ "{{" }} x }}'],
    [
      '{{ l | length }} {{ l | join(", ") }} {{ m | tojson }}',
      '{{ size(vars.l) }} {{ vars.l.map(item, text(item)).join(", ") }} {{ text(vars.m) }}',
    ],
    ['{{ gone.x | default("none") }}', '{{ default(vars.gone.x, "none") }}'],
    ['{{ "}}" }} ok', '{{ "}}" }} ok'],
  ])('%s', (theirs, ours) => {
    expect(promptOf(theirs, 'variables: { x: 1, l: [1], m: { a: { b: 2 } } }\n')).toBe(ours);
  });

  it.each(['{% set a = 1 %}', '{{ x', '{% if x %}', '{% for x %}{% endfor %}', '{{ x | wish }}'])(
    '%s is an error',
    (text) => {
      expect(() => promptOf(text)).toThrow(/error/);
    },
  );
});

describe('GOB-TRIGGERS: events', () => {
  it('each trigger, by all of its names', () => {
    const names = {
      on_session_start: 'session_start',
      on_prompt_submit: 'user_prompt',
      on_before_agent: 'user_prompt',
      on_tool_call: 'tool_call',
      on_before_tool: 'tool_call',
      on_tool_result: 'tool_result',
      on_after_tool: 'tool_result',
      on_assistant_response: 'stop',
      on_stop: 'stop',
      on_session_end: 'session_end',
    };
    for (const [theirs, ours] of Object.entries(names))
      expect(
        nativeOf(
          `name: w\ntype: lifecycle\ntriggers: { ${theirs}: [{ action: inject_message, content: Hi }] }\n`,
        ).events,
      ).toEqual({ [ours]: [{ say: 'Hi' }] });
  });

  const phases = '  - { name: a, allowed_tools: all }\n  - { name: b, allowed_tools: all }\n';

  it('a session begins where enter_phase says, unless that is the first phase', () => {
    const start = (phase: string, when = '') =>
      stepsOf(phases, `triggers: { on_session_start: [{ action: enter_phase, phase: ${phase}${when} }] }\n`);
    expect(start('a').map(({ id }) => id)).toEqual(['a', 'b']);
    expect(start('a', ', when: "not workflow_state.phase"').map(({ id }) => id)).toEqual(['a', 'b']);
    expect(start('b')[0]).toEqual({ id: 'start', call: 'noop', next: [{ goto: 'b' }] });
    expect(start('b', `, when: "trigger_source == 'clear'"`)[0]).toEqual({
      id: 'start',
      call: 'noop',
      next: [{ when: 'session.source == "clear"', goto: 'b' }],
    });
  });

  it('elsewhere enter_phase is a way on of every other phase, and so is on_error', () => {
    const [first, second] = stepsOf(
      phases,
      `triggers: { on_stop: [{ action: enter_phase, phase: b, when: "session.errors > 2" }] }\non_error: [{ action: enter_phase, phase: b }, { action: inject_message, content: Oh }]\n`,
    );
    expect(first?.next).toEqual([
      { when: 'event.error != ""', goto: 'b', do: [{ say: 'Oh' }] },
      { when: 'event.name == "stop" && session.errors > 2', goto: 'b' },
    ]);
    expect(second?.next).toBeUndefined();
  });

  it('on_error without a phase is said when a tool failed', () => {
    expect(
      nativeOf(
        `name: w\nphases:\n${phases}on_error: [{ action: inject_message, content: Oh, when: "session.errors > 1" }]\n`,
      ).events,
    ).toEqual({
      tool_result: [{ when: 'event.error != "" && (session.errors > 1)', say: 'Oh' }],
    });
  });

  it('an expression outside of the phases may ask which it is', () => {
    const made = nativeOf(
      `name: w\nphases:\n${phases}triggers: { on_stop: [{ action: inject_message, content: Hm, when: "workflow_state.phase == 'b'" }] }\n`,
    );
    expect(made.events).toEqual({ stop: [{ when: 'vars.phase == "b"', say: 'Hm' }] });
    expect((made.steps as JsonObject[]).map(({ enter }) => enter)).toEqual([
      [{ set: { phase: 'a' } }],
      [{ set: { phase: 'b' } }],
    ]);
  });
});

describe('GOB-ACTIONS: every action', () => {
  const table: Record<string, [fields: string, ours: unknown[]]> = {
    inject_message: ['content: Hi', [{ say: 'Hi' }]],
    inject_context: ['source: handoff', [{ when: 'session.handoff != {}', say: expect.any(String) }]],
    switch_mode: ['mode: plan', [{ call: 'switch-mode', with: { mode: 'plan' } }]],
    capture_artifact: [
      'pattern: "*.md", as: plan',
      [{ call: 'capture-artifact', with: { files: '*.md', as: 'plan' } }],
    ],
    read_artifact: [
      'pattern: "*.md", as: doc',
      [{ call: 'read-file', with: { pattern: '*.md' }, output: 'doc' }, { set: { doc: '{{ doc }}' } }],
    ],
    load_workflow_state: ['', []],
    save_workflow_state: ['', []],
    set_variable: [
      'name: x, value: "{{ x or 3 }}"',
      [{ set: { x: '{{ truthy(vars.x) && !(vars.x in [[], {}]) ? vars.x : 3 }}' } }],
    ],
    increment_variable: ['name: n, amount: 2', [{ set: { n: '{{ vars.n + 2 }}' } }]],
    generate_handoff: [
      'include: [artifacts], notes: N, pending_task_ids: [T1], template: default',
      [
        {
          call: 'generate-handoff',
          with: { include: ['artifacts'], notes: 'N', pending_tasks: ['T1'], template: 'default' },
        },
      ],
    ],
    restore_from_handoff: ['', [{ call: 'restore-context', with: { source: 'handoff' } }]],
    restore_context: [
      'source: parent_session_summary, inject_as: system_context',
      [{ call: 'restore-context', with: { source: 'parent_session_summary', inject_as: 'system_context' } }],
    ],
    find_parent_session: [
      'filter: { status: ready }',
      [{ call: 'find-parent-session', with: { filter: { status: 'ready' } } }],
    ],
    mark_session_status: [
      'status: expired, target: parent',
      [{ call: 'mark-session-status', with: { status: 'expired', target: 'parent' } }],
    ],
    call_llm: [
      'prompt: Why?, output_as: why',
      [{ prompt: { text: 'Why?' }, output: 'why' }, { set: { why: '{{ why }}' } }],
    ],
    generate_summary: ['generator: llm', [{ call: 'generate-summary', with: { generator: 'llm' } }]],
    synthesize_title: ['', [{ call: 'synthesize-title' }]],
    write_todos: [
      'source: task_list.tasks',
      [{ call: 'write-todos', with: { todos: '{{ default(vars.task_list.tasks, []) }}' } }],
    ],
    mark_todo_complete: ['index: 2', [{ call: 'mark-todo-complete', with: { index: 2 } }]],
    persist_tasks: [
      'source: task_list, create_dependencies: sequential, link_to_session: true',
      [
        {
          call: 'persist-tasks',
          with: { tasks: '{{ vars.task_list }}', dependencies: 'sequential', link_session: true },
        },
      ],
    ],
    call_mcp_tool: [
      'server: s, tool: t, arguments: { a: 1 }',
      [
        {
          call: 'call-mcp-tool',
          with: { server: 's', servers: '{{ vars.mcp_servers }}', tool: 't', arguments: { a: 1 } },
        },
      ],
    ],
    enter_phase: ['phase: b', []],
  };
  it.each(Object.entries(table))('%s', (name, [fields, ours]) => {
    const events = nativeOf(
      `name: w\nvariables: { mcp_servers: { s: { command: x } } }\nphases:\n${LAST}triggers: { on_stop: [{ action: ${name}${fields === '' ? '' : `, ${fields}`} }] }\n`,
    ).events as JsonObject | undefined;
    expect(events?.stop ?? []).toEqual(ours);
  });

  it('the table has all of them, and every handler of a live session is called by one', () => {
    expect(Object.keys(table).sort()).toEqual(Object.keys(ACTIONS).sort());
    const called = JSON.stringify(table);
    for (const [name, { needs }] of Object.entries(HANDLERS))
      if (needs === 'session') expect(called).toContain(`"${name}"`);
  });
});

describe('GOB-SOURCES: context', () => {
  it.each(['previous_session_summary', 'handoff', 'artifacts', 'observations', 'workflow_state'])(
    '%s, in our words or in those of a template',
    (source) => {
      const events = (more: string) =>
        (
          nativeOf(
            `name: w\ntype: lifecycle\ntriggers: { on_prompt_submit: [{ action: inject_context, source: ${source}${more} }] }\n`,
          ).events as JsonObject
        ).user_prompt as JsonObject[];
      expect(events('')[0]?.say).toMatch(/\{\{ .*\}\}/);
      expect(events(', template: "Look: {{ summary }}{{ handoff.notes }}"')[0]?.say).toBe(
        'Look: {{ session.previous_summary }}{{ default(session.handoff.notes, "") }}',
      );
    },
  );
});

describe('GOB-WARNINGS: what is told', () => {
  it('a file that the phase has no tool for, unless it may write it', () => {
    const phase = (tools: string) =>
      `name: w\nphases:\n  - name: a\n    ${tools}\n    exit_conditions: [{ type: artifact_exists, pattern: '*.plan.md' }]\n`;
    expect(said(phase('allowed_tools: [Read]'))).toEqual(['warning artifact-out-of-reach w.yaml:5:57']);
    expect(said(phase('blocked_tools: [Write, Edit, Bash, NotebookEdit, MultiEdit]'))).toHaveLength(1);
    for (const tools of [
      "allowed_tools: [Read, 'Write(*.plan.md)']",
      'allowed_tools: all',
      'allowed_tools: [Bash]',
    ])
      expect(said(phase(tools))).toEqual([]);
  });

  it('a count that is lost, and a phase that is not there', () => {
    const text = (more: string) =>
      `name: w\nphases:\n  - name: a\n    allowed_tools: all\n    on_enter: [{ action: set_variable, name: i, value: 0${more} }]\n    transitions: [{ to: a, when: "user_says('next')", on_transition: [{ action: increment_variable, name: i }] }, { to: nowhere, when: "i > 3" }]\n`;
    expect(said(text(''))).toEqual([
      'warning variable-reset w.yaml:5:46',
      'warning unknown-phase w.yaml:6:121',
    ]);
    expect(said(text(', when: "i > 9"'))).toEqual(['warning unknown-phase w.yaml:6:121']);
  });
});
