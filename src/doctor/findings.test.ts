import { describe, expect, it } from 'vitest';
import type { ClientFacts, Facts } from './facts.ts';
import { type Finding, findingsOf } from './findings.ts';

const claude: ClientFacts = {
  name: 'claude',
  install: 'npm install -g claude',
  found: { via: 'command', path: '/bin/claude', version: '999.0.0' },
  variables: ['ANTHROPIC_API_KEY'],
  addresses: [],
};

const fine: Facts = {
  lockstep: '0.1.0',
  platform: 'linux x64',
  node: '20.19.0',
  root: '/project',
  runs: { folder: '/project/.lockstep/runs', free: 10 ** 10 },
  git: { version: '2.39.5', repository: true, identity: 'Ada' },
  hook: { answers: true, tookMs: 40, failsClosed: true },
  mcp: { answers: true, tookMs: 60 },
  library: { project: true, counts: { workflow: 2, agent: 1, prompt: 0, gate: 0, schema: 0 }, invalid: [] },
  clients: [claude],
  guard: { bound: false, build: 'b', daemons: [], unanswered: 0 },
  hazards: [],
};

const ofLevel = (facts: Facts, level: Finding['level']): Finding[] =>
  findingsOf(facts).filter((finding) => finding.level === level);

it('D3: where nothing is wrong everything is ok, in one line each', () => {
  const findings = findingsOf(fine);
  expect(findings.map(({ level }) => level)).toEqual(findings.map(() => 'ok'));
  expect(findings.map(({ says }) => says)).toEqual([
    'Node 20.19.0',
    'git 2.39.5, in a repository',
    'commits are made as Ada',
    'runs are kept in /project/.lockstep/runs',
    'library: 2 workflows and 1 agent, all valid',
    'hook: answers in 40 ms, and denies when nobody is there to ask',
    '`lockstep mcp` answers clients, after 60 ms',
    'claude: 999.0.0 (/bin/claude); ANTHROPIC_API_KEY is set',
  ]);
});

const broken = { via: 'command', path: '/bin/claude', problem: 'did not answer within 20 s' } as const;
const invalid = (layer: 'project' | 'user') => [{ name: 'ship', layer, errors: 2, first: 'x' }];

describe('AG-DOCTOR-EXIT: what keeps runs from working is a problem, the rest is told, and all of it says what to do', () => {
  const cases: [string, Partial<Facts>, Finding['level'], string, RegExp][] = [
    ['Node is too old', { node: '20.18.3' }, 'problem', 'node', /Install Node 20\.19/],
    ['Node is far too old', { node: '9.99.0' }, 'problem', 'node', /Install Node/],
    ['no git', { git: { repository: false, problem: 'is not there' } }, 'warning', 'git', /Install git/],
    ['no repository', { git: { ...fine.git, repository: false } }, 'warning', 'git', /git init/],
    ['nobody to commit as', { git: { version: '2', repository: true } }, 'warning', 'commits', /user\.email/],
    [
      'runs cannot be written',
      { runs: { folder: '/r', unwritable: 'no' } },
      'problem',
      'runs',
      /--state-dir/,
    ],
    ['hardly any space', { runs: { folder: '/r', free: 50_000_000 } }, 'warning', 'disk', /lockstep clean/],
    ['no space', { runs: { folder: '/r', free: 1000 } }, 'problem', 'disk', /lockstep clean/],
    [
      'a workflow with errors',
      { library: { ...fine.library, invalid: invalid('project') } },
      'problem',
      'library',
      /lockstep validate ship/,
    ],
    [
      "a workflow of the user's with errors",
      { library: { ...fine.library, invalid: invalid('user') } },
      'warning',
      'library',
      /lockstep validate ship/,
    ],
    ['no library', { library: { ...fine.library, project: false } }, 'note', 'library', /lockstep init/],
    [
      'a hook that does not answer',
      { hook: { answers: false, failsClosed: true, problem: 'x' } },
      'problem',
      'hook',
      /Install Lockstep again/,
    ],
    [
      'a hook that lets through',
      { hook: { answers: true, failsClosed: false, problem: 'x' } },
      'problem',
      'hook',
      /Install Lockstep again/,
    ],
    [
      'a client that does not start',
      { clients: [{ ...claude, found: broken }] },
      'problem',
      'claude',
      /Install it again/,
    ],
    [
      'a client without a key',
      { clients: [{ ...claude, variables: [] }] },
      'warning',
      'claude',
      /Set ANTHROPIC_API_KEY.*--canary claude/,
    ],
    [
      'an old client',
      { clients: [{ ...claude, found: { ...claude.found, via: 'command', path: '', version: '2.1.7' } }] },
      'note',
      'claude',
      /update it/,
    ],
    [
      'a sandbox that does not work',
      { clients: [{ ...claude, sandbox: { works: false, problem: 'x' } }] },
      'warning',
      'claude',
      /max_user_namespaces/,
    ],
    [
      'a variable that switches hooks off',
      { hazards: [{ variable: 'V', client: 'claude', effect: 'e' }] },
      'warning',
      'claude',
      /Unset V/,
    ],
  ];
  it.each(cases)('%s', (_, facts, level, topic, advice) => {
    const found = findingsOf({ ...fine, ...facts }).filter((finding) => finding.level !== 'ok');
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject({ level, topic, advice: expect.stringMatching(advice) });
  });

  it('no client at all is a note that names what to install, and scripts', () => {
    const clients = (['claude', 'codex', 'gemini'] as const).map((name) => ({
      ...{ name, install: `get ${name}`, variables: [], addresses: [] },
    }));
    const facts = { ...fine, clients };
    expect([...ofLevel(facts, 'problem'), ...ofLevel(facts, 'warning')]).toEqual([]);
    const note = ofLevel(facts, 'note');
    expect(note.map(({ topic }) => topic)).toEqual(['claude', 'codex', 'gemini', 'clients']);
    expect(note.map(({ advice }) => advice).join('\n')).toMatch(
      /get claude.*get codex.*get gemini.*--script/s,
    );
  });

  it('a client that is left out is not looked for, and says so', () => {
    const clients: ClientFacts[] = [
      claude,
      { name: 'codex', install: '', switchedOff: true, variables: [], addresses: [] },
    ];
    expect(ofLevel({ ...fine, clients }, 'note')[0]?.says).toContain('LOCKSTEP_CLIENTS');
  });
});

it('a login counts as well as a key; a server of one’s own is named', () => {
  const { variables, ...rest } = claude;
  const said = (more: Partial<ClientFacts>) =>
    findingsOf({ ...fine, clients: [{ ...rest, variables: [], ...more }] }).at(-1);
  expect(said({ login: '/home/ada/.claude/.credentials.json' })).toMatchObject({ level: 'ok' });
  expect(said({ variables, addresses: ['ANTHROPIC_BASE_URL'] })?.says).toContain(
    'ANTHROPIC_BASE_URL points it at a server of yours',
  );
});
