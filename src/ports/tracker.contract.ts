// tracker contract: what every Tracker is held to.

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Fault } from '../model/fault.ts';
import type { IssueDraft, Tracker } from './tracker.ts';

function codeOf(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    if (error instanceof Fault) return error.code;
    throw error;
  }
  return 'nothing was thrown';
}

/** `make` gives an empty tracker each time. */
export function trackerContract(make: () => Tracker): void {
  const titles = (issues: { title: string }[]) => issues.map(({ title }) => title);

  describe('making and reading', () => {
    it('an empty tracker has nothing', () => {
      const tracker = make();
      expect(tracker.list()).toEqual({ issues: [], broken: [] });
      expect(tracker.search('x').issues).toEqual([]);
      expect(tracker.readiness()).toEqual({ ready: [], blocked: [], circles: [], broken: [] });
      expect(codeOf(() => tracker.get(1))).toBe('issue-unknown');
      expect(codeOf(() => tracker.update(1, { status: 'done' }))).toBe('issue-unknown');
    });

    it('numbers go up from 1, and an issue is read as it was made', () => {
      const tracker = make();
      const first = tracker.create({ title: 'Write a parser' });
      expect(first).toMatchObject({
        id: 1,
        status: 'open',
        labels: [],
        dependencies: [],
        body: '',
        more: {},
      });
      const draft: IssueDraft = {
        title: 'Colour: "red" # not a comment',
        body: 'Line one\n\n---\n\n# Heading',
        status: 'in-progress',
        labels: ['parser', 'a b'],
        priority: 'high',
        dependencies: [1],
        run: '20261115T101500Z-a3f8c2',
        task: 'T1',
        assignee: 'anna',
      };
      const second = tracker.create(draft);
      expect(second).toMatchObject({ ...draft, id: 2 });
      expect(tracker.get(2)).toEqual(second);
      expect(tracker.list().issues).toEqual([first, second]);
      expect(second.created).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
      expect(second.updated).toBe(second.created);
    });

    it('whatever the words are, they come back', () => {
      const tracker = make();
      const word = fc.string({ unit: 'grapheme', maxLength: 30 });
      const line = word.map((text) => `x${text.replace(/\s+/g, ' ').trim()}`);
      fc.assert(
        fc.property(line, word, fc.uniqueArray(line, { maxLength: 3 }), (title, body, labels) => {
          const clean = labels.filter((label) => !label.includes(','));
          const { id } = tracker.create({ title, body, labels: clean });
          expect(tracker.get(id)).toMatchObject({ title, body: body.trim(), labels: clean });
        }),
        { numRuns: 30 },
      );
    });

    it('refuses an issue without a title, or that depends on one that nobody knows', () => {
      const tracker = make();
      expect(codeOf(() => tracker.create({ title: '  ' }))).toBe('issue-invalid');
      expect(codeOf(() => tracker.create({ title: 'a', dependencies: [7] }))).toBe('issue-invalid');
      expect(tracker.list().issues).toEqual([]);
    });
  });

  describe('changing', () => {
    it('touches what the change names, and nothing else', () => {
      const tracker = make();
      tracker.create({ title: 'needed' });
      const { id } = tracker.create({
        title: 'a',
        body: 'text',
        labels: ['x', 'y'],
        priority: 'low',
        assignee: 'anna',
      });
      expect(tracker.update(id, { status: 'in-progress' })).toMatchObject({
        ...{ title: 'a', body: 'text', status: 'in-progress', labels: ['x', 'y'], priority: 'low' },
      });
      tracker.update(id, { addLabels: ['z', 'x'], removeLabels: ['y'], addDependencies: [1] });
      tracker.update(id, { priority: null, assignee: null, note: 'A note.' });
      const issue = tracker.get(id);
      expect(issue).toMatchObject({ labels: ['x', 'z'], dependencies: [1], body: 'text\n\nA note.' });
      expect(issue).not.toHaveProperty('priority');
      expect(issue).not.toHaveProperty('assignee');
      tracker.update(id, { title: 'b', body: 'new', removeDependencies: [1] });
      expect(tracker.get(id)).toMatchObject({ title: 'b', body: 'new', dependencies: [], path: issue.path });
    });

    it('a change that changes nothing leaves the time of the last one', () => {
      const tracker = make();
      const issue = tracker.create({ title: 'a', labels: ['x'] });
      expect(tracker.update(1, { title: 'a', status: 'open', addLabels: ['x'] })).toEqual(issue);
    });

    it('refuses a circle of dependencies, and names the way round', () => {
      const tracker = make();
      for (const title of ['a', 'b', 'c']) tracker.create({ title });
      tracker.update(2, { addDependencies: [1] });
      tracker.update(3, { addDependencies: [2] });
      expect(() => tracker.update(1, { addDependencies: [3] })).toThrow(/1 → 3 → 2 → 1/);
      expect(() => tracker.update(1, { addDependencies: [1] })).toThrow(/depend on itself: 1 → 1/);
      expect(tracker.get(1).dependencies).toEqual([]);
    });
  });

  describe('finding', () => {
    function filled(): Tracker {
      const tracker = make();
      tracker.create({ title: 'Parser for dates', labels: ['core'], priority: 'low', run: 'r1', task: 'T1' });
      tracker.create({ title: 'Printer', body: 'Prints what the parser read.', labels: ['core', 'ui'] });
      tracker.create({
        title: 'Docs',
        labels: ['parser'],
        status: 'done',
        assignee: 'anna',
        priority: 'high',
      });
      return tracker;
    }

    it('by filter: all that is given must hold', () => {
      const tracker = filled();
      const ids = (filter: Parameters<Tracker['list']>[0]) => tracker.list(filter).issues.map(({ id }) => id);
      expect(ids({ status: ['open'] })).toEqual([1, 2]);
      expect(ids({ status: ['open', 'done'], labels: ['core'] })).toEqual([1, 2]);
      expect(ids({ labels: ['core', 'ui'] })).toEqual([2]);
      expect(ids({ priority: ['low', 'high'] })).toEqual([1, 3]);
      expect(ids({ assignee: 'anna' })).toEqual([3]);
      expect(ids({ run: 'r1', task: 'T1' })).toEqual([1]);
      expect(ids({ run: 'r1', task: 'T2' })).toEqual([]);
    });

    it('by words: every one of them, the title before the labels before the body', () => {
      const tracker = filled();
      expect(titles(tracker.search('PARSER').issues)).toEqual(['Parser for dates', 'Docs', 'Printer']);
      expect(titles(tracker.search('parser prints').issues)).toEqual(['Printer']);
      expect(titles(tracker.search('parser', { status: ['done'] }).issues)).toEqual(['Docs']);
      expect(tracker.search('nothing of the kind').issues).toEqual([]);
    });

    it('what is ready: nothing in its way, by priority; and what is in the way of the rest', () => {
      const tracker = make();
      tracker.create({ title: 'base', priority: 'low' });
      tracker.create({ title: 'urgent', priority: 'critical' });
      tracker.create({ title: 'on base', dependencies: [1] });
      tracker.create({ title: 'on both', dependencies: [1, 3] });
      expect(titles(tracker.readiness().ready)).toEqual(['urgent', 'base']);
      expect(tracker.readiness().blocked.map(({ issue, by }) => [issue.id, by])).toEqual([
        [3, [1]],
        [4, [1, 3]],
      ]);
      tracker.update(1, { status: 'done' });
      expect(titles(tracker.readiness().ready)).toEqual(['urgent', 'on base']);
      tracker.update(3, { status: 'cancelled' });
      expect(titles(tracker.readiness().ready)).toEqual(['urgent', 'on both']);
      tracker.update(2, { status: 'in-progress' });
      expect(titles(tracker.readiness().ready)).toEqual(['on both']);
    });
  });
}
