// What a new user meets first: help, mistakes in typing, the starter, completion.

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { projectRoot, type Scratch } from '../scratch.ts';
import { journal, projectWith, runIds } from './started.ts';

let project: Scratch;
afterEach(() => project.remove());

const COMMANDS =
  'run run-step watch resume answer signal cancel runs status logs report audit clean issues validate list show graph convert schema init doctor completion'.split(
    ' ',
  );

describe('help', () => {
  it.each(['resume', 'answer', 'signal', 'cancel', 'status', 'logs', 'audit'])(
    'lockstep %s --help says that the last six letters of a run are enough',
    (name) => {
      project = projectWith({});
      expect(project.lockstep(name, '--help').stdout.replace(/\s+/g, ' ')).toContain('its last six letters');
    },
  );

  it('LS-CLI-VERSION: --version prints the version', () => {
    project = projectWith({});
    const { version } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as {
      version: string;
    };
    for (const flag of ['--version', '-V']) expect(project.lockstep(flag).stdout).toBe(`${version}\n`);
  });

  it('names every command, the environment and the exit codes', () => {
    project = projectWith({});
    const { exitCode, stdout, stderr } = project.lockstep('--help');
    expect(exitCode).toBe(0);
    expect(stderr).toBe('');
    for (const name of COMMANDS) expect(stdout).toMatch(new RegExp(`^  ${name}\\b`, 'm'));
    for (const word of ['LOCKSTEP_STATE_DIR', 'LOCKSTEP_HOME', 'NO_COLOR', 'Exit codes'])
      expect(stdout).toContain(word);
    expect(stdout).not.toContain('__complete');
    expect(project.lockstep().stdout).toBe(stdout);
  });

  it.each(COMMANDS)(
    'lockstep %s --help shows examples that begin with the command, within 80 columns',
    (name) => {
      project = projectWith({});
      const { exitCode, stdout } = project.lockstep(name, '--help');
      expect(exitCode).toBe(0);
      const examples = stdout.slice(stdout.indexOf('Examples:')).trimEnd().split('\n').slice(1);
      expect(examples.length).toBeGreaterThanOrEqual(2);
      for (const line of examples) expect(line).toMatch(new RegExp(`^  lockstep ${name}\\b`));
      for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(86);
      expect(stdout).not.toContain('default: []');
    },
  );
});

describe('LS-CLI-USAGE: what cannot be typed is exit code 2, with what to type instead', () => {
  it.each([
    [['rnu', 'x'], 'Did you mean run?'],
    [['run', 'x', '--inptu', 'a=b'], 'Did you mean --input?'],
    [['run'], 'lockstep run SPEC.md'],
    [['watch'], "missing required argument 'workflow'"],
    [['run', 'a', 'b'], 'too many arguments'],
    [['clean'], '--older-than'],
    [['graph', 'x', '--format', 'png'], 'mermaid, text'],
    [['completion', 'tcsh'], 'bash, zsh, fish'],
    [['runs', '--limit', 'some'], 'error[limit-invalid]'],
    [['clean', '--older-than', 'long'], 'error[duration-invalid]'],
    [['list', 'agnets'], 'Did you mean "agents"?'],
    [['show', 'x', '--kind', 'thing'], 'error[kind-unknown]'],
  ])('lockstep %j', (argv, expected) => {
    project = projectWith({});
    const { exitCode, stdout, stderr } = project.lockstep(...argv);
    expect(stderr).toContain(expected);
    expect(stdout).toBe('');
    expect(exitCode).toBe(2);
    expect(existsSync(join(project.root, '.lockstep'))).toBe(false);
  });
});

describe('init', () => {
  it('LS-CLI-INIT: the starter validates, runs with its script, and the commands it names work', () => {
    project = projectWith({});
    const { exitCode, stdout } = project.lockstep('init');
    expect(exitCode).toBe(0);
    for (const [, path = ''] of stdout.matchAll(/^ {2}(\.lockstep\/\S+)$/gm)) {
      expect(existsSync(join(project.root, path))).toBe(true);
    }
    expect(readFileSync(join(project.root, '.lockstep/workflows/hello.yaml'), 'utf8')).toMatch(/^# /);
    expect(project.lockstep('validate', 'hello').stdout).toBe('hello: "hello" is valid\n');
    const commands = stdout.slice(stdout.indexOf('Now try:')).trimEnd().split('\n').slice(1);
    expect(commands).toHaveLength(2);
    for (const command of commands) expect(project.sh(command)).toMatchObject({ exitCode: 0, stderr: '' });
    expect(journal(project).at(-1)).toMatchObject({ kind: 'run-completed' });
  });

  it('UX-INIT-SCHEMA: the schema is written too: the workflow names it, fits it, and it is no workflow', () => {
    project = projectWith({});
    project.lockstep('init', '--vscode');
    const workflow = readFileSync(join(project.root, '.lockstep/workflows/hello.yaml'), 'utf8');
    const [, path = ''] = /^# yaml-language-server: \$schema=(\S+)\n/.exec(workflow) ?? [];
    const file = join(project.root, '.lockstep/workflows', path);
    const written = readFileSync(file, 'utf8');
    expect(written).toBe(project.lockstep('schema').stdout);
    const settings = JSON.parse(readFileSync(join(project.root, '.vscode/settings.json'), 'utf8'));
    const [named = ''] = Object.keys(settings['yaml.schemas']);
    expect(readFileSync(join(project.root, named), 'utf8')).toBe(written);
    // Beside the workflows it is none either.
    for (const name of ['schema.json', 'lockstep.schema.json'])
      project.write(`.lockstep/workflows/${name}`, written);
    const names = JSON.parse(project.lockstep('list', 'workflows', '--json').stdout).map(
      ({ name }: { name: string }) => name,
    );
    expect(names).toContain('hello');
    expect(names.filter((name: string) => name.includes('schema'))).toEqual([]);
    expect(project.lockstep('doctor').stdout).toContain('all valid');
  });

  it('UX-INIT-SCHEMA: settings of an editor that are there stay, and what to add is said', () => {
    project = projectWith({ '.vscode/settings.json': '{}' });
    const { exitCode, stderr } = project.lockstep('init', '--vscode');
    expect(exitCode).toBe(2);
    expect(stderr).toContain('"yaml.schemas"');
    expect(readFileSync(join(project.root, '.vscode/settings.json'), 'utf8')).toBe('{}');
  });

  it('LS-CLI-INIT: in another folder it says where to go', () => {
    project = projectWith({});
    const { stdout } = project.lockstep('init', 'deep/er');
    expect(stdout).toContain('cd deep/er');
    expect(existsSync(join(project.root, 'deep/er/.lockstep/workflows/hello.yaml'))).toBe(true);
  });

  it('LS-CLI-INIT: nothing is overwritten', () => {
    project = projectWith({ '.lockstep/agents/writer.md': 'mine\n' });
    const { exitCode, stderr } = project.lockstep('init');
    expect(stderr).toContain('error[init-exists] .lockstep/agents/writer.md is already there');
    expect(exitCode).toBe(2);
    expect(readFileSync(join(project.root, '.lockstep/agents/writer.md'), 'utf8')).toBe('mine\n');
    expect(existsSync(join(project.root, '.lockstep/workflows'))).toBe(false);
  });
});

describe('completion', () => {
  const offers = (...words: string[]) =>
    project
      .lockstep('__complete', '--', ...words)
      .stdout.trimEnd()
      .split('\n');

  it('LS-CLI-COMPLETION: offers commands, options, workflows, inputs, steps and runs', () => {
    project = projectWith({});
    project.lockstep('init');
    project.lockstep('run', 'hello', '--script', '.lockstep/scripts/hello.yaml');
    expect(offers('r')).toEqual(expect.arrayContaining([...COMMANDS, 'help']));
    expect(offers('run', '')).toContain('hello');
    expect(offers('run', 'hello', '')).toEqual(['']);
    expect(offers('run', 'hello', '--in')).toEqual(expect.arrayContaining(['--input', '--script', '--help']));
    expect(offers('run', 'hello', '--input', '')).toEqual(['name=']);
    expect(offers('run', 'hello', '--skip-step', '')).toEqual(['write', 'show']);
    expect(offers('run', '--script', 'x', '')).toContain('hello');
    expect(offers('show', '')).toEqual(expect.arrayContaining(['hello', 'writer', 'greeting']));
    expect(offers('resume', '')).toEqual(['latest', ...runIds(project)]);
    expect(offers('answer', 'latest', '')).toEqual(['approve', 'reject', 'again', 'accept', 'fail']);
    expect(offers('graph', 'hello', '--format', '')).toEqual(['mermaid', 'text']);
    expect(offers('run', 'hello', '--on-error', '')).toEqual(['stop', 'continue', 'interactive']);
    expect(offers('run', 'hello', '--dialect', '')).toContain('orchestrate');
    expect(offers('run-step', '--workflow', '')).toContain('hello');
    expect(offers('run-step', '--workflow', 'hello', '')).toEqual(['write', 'show']);
    expect(offers('run-step', 'show', '--workflow', 'hello', '--context', '')).toEqual(['name=']);
    expect(offers('runs', '--status', '')).toContain('paused');
    expect(offers('nonsense', '')).toEqual(['']);
  });

  it('LS-CLI-COMPLETION: the bash script loads, and completes in bash', () => {
    project = projectWith({});
    project.lockstep('init');
    const ask = (...words: string[]) =>
      execFileSync(
        'bash',
        [
          '-c',
          `set -eu
           source <(lockstep completion bash)
           complete -p lockstep >/dev/null
           COMP_WORDS=(lockstep "$@") COMP_CWORD=$#
           _lockstep
           printf '%s\\n' "\${COMPREPLY[@]}"`,
          'bash',
          ...words,
        ],
        { cwd: project.root, env: project.env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] },
      )
        .trimEnd()
        .split('\n');
    expect(ask('va')).toEqual(['validate']);
    expect(ask('run', 'he')).toEqual(['hello']);
    expect(ask('run', 'hello', '--dr')).toEqual(['--dry-run']);
  });

  it.each(['zsh', 'fish'])('LS-CLI-COMPLETION: there is a script for %s that asks the command', (shell) => {
    project = projectWith({});
    const { exitCode, stdout } = project.lockstep('completion', shell);
    expect(stdout).toContain('lockstep __complete --');
    expect(exitCode).toBe(0);
  });
});

describe('output that cannot be written', () => {
  it('is exit code 1, and a run goes on to its end all the same', () => {
    project = projectWith({ 'w.yaml': 'lockstep: 1\nname: w\nsteps: [{ id: x, run: [true] }]\n' });
    const list = project.sh('lockstep list > /dev/full');
    expect(list.stderr).toContain('could not be written');
    expect(list.exitCode).toBe(1);
    expect(project.sh('lockstep run w.yaml > /dev/full').exitCode).toBe(1);
    expect(journal(project).at(-1)).toMatchObject({ kind: 'run-completed' });
  });

  it('a folder that is gone is told', () => {
    project = projectWith({});
    const { exitCode, stderr } = project.sh('mkdir gone && cd gone && rmdir ../gone && lockstep list');
    expect(stderr).toContain('the folder you stand in is gone');
    expect(exitCode).toBe(2);
  });
});
