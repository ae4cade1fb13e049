// compare: this run and another one of the same workflow, step by step, and where they part.

import { useEffect, useState } from 'preact/hooks';
import type { ListedRun } from '../../src/ui/wire.ts';
import { type History, spanAt, statusAt, type Visit } from '../../src/views/history.ts';
import { plain } from '../../src/views/text/plain.ts';
import { duration } from '../../src/views/text/words.ts';
import { address, goTo } from '../address.ts';
import { STATUS_WORDS, StatusGlyph } from '../glyphs.tsx';
import { Rows } from '../rows.tsx';
import { runs } from '../runs.ts';
import { type OpenedRun, openRun } from './opened-run.ts';

interface Pair {
  path: string;
  one: Visit | undefined;
  other: Visit | undefined;
}

export function Compare({ run, n }: { run: OpenedRun; n: number }) {
  const { other: id } = address.value;
  const [other, setOther] = useState<OpenedRun>();
  useEffect(() => {
    if (id === undefined) return;
    let opened: OpenedRun | undefined;
    let isOver = false;
    void openRun(id).then((one) => {
      opened = one;
      if (isOver) one.close();
      else setOther(one);
    });
    return () => {
      isOver = true;
      opened?.close();
    };
  }, [id]);
  const same = [...runs.value.values()].filter(
    (one) => one.workflow === run.facts.workflow.name && one.id !== run.facts.id,
  );
  const shown = other && other.version.value > 0 ? other : undefined;
  const pairs = shown ? pairsOf(run.history, n, shown.history, shown.entries.length) : [];
  const parts = pairs.findIndex((pair) => isOther(pair, n, shown?.entries.length ?? 0));
  return (
    <div class="compare">
      <div class="tools">
        <label>
          with{' '}
          <select
            value={id ?? ''}
            onChange={(event) => goTo({ with: event.currentTarget.value || undefined })}
          >
            <option value="">choose a run of the same workflow</option>
            {same.map((one: ListedRun) => (
              <option key={one.id} value={one.id}>
                {one.id} ({one.status})
              </option>
            ))}
          </select>
        </label>
        {shown && (
          <span class="quiet">
            {parts < 0
              ? 'They did the same steps with the same ends.'
              : `They part at ${pairs[parts]?.path}.`}
          </span>
        )}
      </div>
      {shown && (
        <Rows
          count={pairs.length}
          height={30}
          label="steps of both runs"
          at={parts < 0 ? undefined : parts}
          row={(index) => {
            const pair = pairs[index] as Pair;
            return (
              <button
                type="button"
                class={`pair${isOther(pair, n, shown.entries.length) ? ' differs' : ''}`}
                onClick={() => goTo({ step: pair.path })}
              >
                <code>{plain(pair.path)}</code>
                <Side visit={pair.one} n={n} />
                <Side visit={pair.other} n={shown.entries.length} />
              </button>
            );
          }}
        />
      )}
    </div>
  );
}

function Side({ visit, n }: { visit: Visit | undefined; n: number }) {
  if (!visit) return <span class="quiet">–</span>;
  const status = statusAt(visit, n);
  const { from, to } = spanAt(visit, n);
  return (
    <span class="with-glyph">
      <StatusGlyph status={status} />
      {STATUS_WORDS[status]}
      {from !== undefined && to !== undefined && <span class="quiet"> {duration(to - from)}</span>}
    </span>
  );
}

function isOther({ one, other }: Pair, n: number, m: number): boolean {
  return !one || !other || statusAt(one, n) !== statusAt(other, m) || tries(one, n) !== tries(other, m);
}

function tries({ entries }: Visit, n: number): number {
  return entries.filter((entry) => entry <= n).length;
}

/** In the order of the first; what only the second has follows. */
function pairsOf(one: History, n: number, other: History, m: number): Pair[] {
  const known = (history: History, until: number): Map<string, Visit> =>
    new Map(
      history.visits
        .filter(
          (visit) =>
            visit.index > 0 &&
            visit.kind === 'step' &&
            (visit.entries[0] ?? Number.POSITIVE_INFINITY) <= until,
        )
        .map((visit) => [visit.path, visit]),
    );
  const left = known(one, n);
  const right = known(other, m);
  return [
    ...[...left].map(([path, visit]) => ({ path, one: visit, other: right.get(path) })),
    ...[...right].flatMap(([path, visit]) =>
      left.has(path) ? [] : [{ path, one: undefined, other: visit }],
    ),
  ];
}
