import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import type { OpenList, OpenStep, State } from '../model/state.ts';
import { anyWorkflow, anyWorld } from '../views/fixtures/any-workflow.ts';
import { play } from '../views/fixtures/play.ts';
import { command, workflowOf } from '../views/fixtures/workflow.ts';
import { fold, initialState } from './engine.ts';
import { hasOpenChildren } from './leaving.ts';
import { newList, newStep, rootScope } from './opening.ts';
import { close, enter, MOVES, queue, start, withdraw } from './places.ts';

/** All that is open, as the tree holds it. */
function* openIn(list: OpenList): Generator<OpenStep> {
  for (const open of list.owner?.fan ? list.owner.fan.children.values() : list.child ? [list.child] : []) {
    yield open;
    if (open.body) yield* openIn(open.body);
  }
}

/** What P1 and P2 say of a place, or what is wrong with it. */
function problem(state: State, open: OpenStep): string | undefined {
  const isReady = state.ready.get(open.path) === open;
  const isRunning = open.effect !== undefined && state.running.get(open.effect)?.open === open;
  const isAsked = state.questions.get(open.path)?.open === open;
  const isHanded = state.handed.get(open.path)?.open === open;
  const isEnding = open.leaving !== undefined || open.expired;
  const is = `${isReady} ${isRunning} ${isAsked} ${hasOpenChildren(open)}${isHanded ? ' handed' : ''}`;
  switch (open.place) {
    case 'moving':
      return 'moves, and the entry is folded';
    case 'ready':
      return is === 'true false false false' ? undefined : `ready: ${is}`;
    case 'running':
      return isRunning && !isAsked && (!isReady || isEnding) ? undefined : `running: ${is}`;
    case 'asked':
      return isAsked && !isRunning && (!isReady || isEnding) ? undefined : `asked: ${is}`;
    case 'handed':
      return isHanded && !isRunning && !isAsked && (!isReady || isEnding) ? undefined : `handed: ${is}`;
    case 'inside':
      return is === 'false false false true' ? undefined : `inside: ${is}`;
    case 'closed':
      return isReady || isRunning || isAsked || isHanded ? `closed: ${is}` : undefined;
  }
}

describe('places', () => {
  it('P1, P2: after every entry each open step is in one place, and the sets say the same', () => {
    const met = new Set<string>();
    fc.assert(
      fc.property(anyWorkflow, anyWorld, (workflow, world) => {
        const state = initialState(workflow);
        for (const entry of play(workflow, world)) {
          fold(workflow, state, entry);
          let waiting = 0;
          for (const open of openIn(state.root)) {
            met.add(open.place);
            expect(problem(state, open), `${entry.n} ${entry.kind}: ${open.path}`).toBeUndefined();
            if (['ready', 'running', 'asked', 'handed'].includes(open.place)) waiting += 1;
          }
          const waits = new Set([...state.ready.keys(), ...state.questions.keys(), ...state.handed.keys()]);
          for (const { open } of state.running.values()) waits.add(open.path);
          expect(waits.size, 'nothing waits that is not in the tree').toBe(waiting);
        }
      }),
      { numRuns: 150 },
    );
    expect([...met].sort()).toEqual(['asked', 'closed', 'handed', 'inside', 'ready', 'running']);
  });

  it('P4: a move that the table does not have throws, and names place and move', () => {
    const workflow = workflowOf('one', [command('a')]);
    const state = initialState(workflow);
    const list = newList('', workflow.steps, rootScope(workflow, {}, {}), undefined);
    const open = newStep(list, workflow.steps[0] as (typeof workflow.steps)[0], 'a', 0);
    queue(state, open);
    expect(() => start(state, open, { verb: 'run', startedAt: 0 })).toThrow(
      'a is ready: no "start" from there',
    );
    expect(() => enter(open)).toThrow('a is ready: no "enter" from there');
    expect(() => close(open)).toThrow('a is ready: no "close" from there');
    withdraw(state, open);
    expect(open.place).toBe('ready');
  });

  it('every place is left by some move and reached by some move', () => {
    const moves = Object.values(MOVES) as { from: readonly string[]; to: string }[];
    const places = ['moving', 'ready', 'running', 'asked', 'handed', 'inside', 'closed'];
    expect([...new Set(moves.flatMap(({ from }) => from))].sort()).toEqual([...places].sort());
    expect([...new Set(moves.map(({ to }) => to))].sort()).toEqual([...places].sort());
  });
});

// ── Nobody else touches a place ─────────────────────────────────────────────────────────────────

const SETS = new Set(['ready', 'running', 'questions', 'handed']);

function sources(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => join(folder, name));
}

/** Where a file reads one of the sets off something, or changes the place of a step, by lines. */
function touches(name: string, text: string): string[] {
  const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const at = (node: ts.Node, what: string): void => {
    found.push(`${what} in line ${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}`);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAccessExpression(node) && SETS.has(node.name.text)) at(node, node.name.text);
    if (ts.isElementAccessExpression(node) && ts.isStringLiteral(node.argumentExpression))
      if (SETS.has(node.argumentExpression.text)) at(node, node.argumentExpression.text);
    // `const { ready } = state`; a parameter `{ questions }` as well.
    if (ts.isBindingElement(node) && SETS.has((node.propertyName ?? node.name).getText()))
      at(node, (node.propertyName ?? node.name).getText());
    if (
      ts.isBinaryExpression(node) &&
      node.operatorToken.kind === ts.SyntaxKind.EqualsToken &&
      ts.isPropertyAccessExpression(node.left) &&
      node.left.name.text === 'place'
    )
      at(node, 'place');
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

describe('the one file that moves', () => {
  it('the engine touches `ready`, `running`, `questions`, `handed` and `place` in places.ts and nowhere else', () => {
    const elsewhere = sources(import.meta.dirname).flatMap((name) =>
      name.endsWith('/places.ts')
        ? []
        : touches(name, readFileSync(name, 'utf8')).map((one) => `${name}: ${one}`),
    );
    expect(elsewhere).toEqual([]);
    expect(touches('places.ts', readFileSync(join(import.meta.dirname, 'places.ts'), 'utf8'))).not.toEqual(
      [],
    );
  });

  it('outside the engine they can be looked at and not changed', () => {
    const shape = readFileSync(join(import.meta.dirname, '../model/state.ts'), 'utf8');
    for (const set of SETS) expect(shape).toMatch(new RegExp(`readonly ${set}: ReadonlyMap<`));
    expect(shape).toContain('readonly place: Place;');
  });

  it.each([
    ['state.ready.set(open.path, open);', ['ready in line 1']],
    ['const { running } = state;', ['running in line 1']],
    ["state['questions'].clear();", ['questions in line 1']],
    ['function f({ ready: r }: State) {}', ['ready in line 1']],
    ["(open as { place: string }).place = 'ready';", ['place in line 1']],
    ["if (open.place === 'ready') return;", []],
  ])('the look itself sees: %s', (text, seen) => {
    expect(touches('x.ts', text)).toEqual(seen);
  });
});
