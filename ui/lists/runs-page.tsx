// runs-page: every run of the project, the newest first, with a search and filters.

import { useMemo, useState } from 'preact/hooks';
import type { ListedRun } from '../../src/ui/wire.ts';
import { plain } from '../../src/views/text/plain.ts';
import { dollars, duration } from '../../src/views/text/words.ts';
import { linkTo } from '../address.ts';
import { RunStatus } from '../glyphs.tsx';
import { Rows } from '../rows.tsx';
import { isListed, runs, waiting } from '../runs.ts';

const ROW = 56;

export function RunsPage() {
  const [search, setSearch] = useState('');
  const [status, setStatus] = useState('');
  const all = runs.value;
  const sorted = useMemo(() => [...all.values()].sort((a, b) => (a.id < b.id ? 1 : -1)), [all]);
  const statuses = useMemo(() => [...new Set(sorted.map((run) => run.status))].sort(), [sorted]);
  const wanted = search.trim().toLowerCase();
  const shown = sorted.filter(
    (run) =>
      (status === '' || run.status === status) &&
      (wanted === '' || `${run.id} ${run.workflow} ${run.branch ?? ''}`.toLowerCase().includes(wanted)),
  );
  if (!isListed.value) return <p class="empty">Reading the runs…</p>;
  if (sorted.length === 0) {
    return (
      <p class="empty">
        No runs here yet. Start one with <code>lockstep run</code>.
      </p>
    );
  }
  return (
    <main class="runs">
      <h1>Runs</h1>
      <div class="tools">
        <input
          type="search"
          placeholder="find by workflow, branch or id"
          aria-label="find a run"
          value={search}
          onInput={(event) => setSearch(event.currentTarget.value)}
        />
        <select aria-label="status" value={status} onChange={(event) => setStatus(event.currentTarget.value)}>
          <option value="">every status</option>
          {statuses.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
        <span class="quiet">
          {shown.length} of {sorted.length}
        </span>
      </div>
      <Rows
        count={shown.length}
        height={ROW}
        label="runs"
        row={(index) => <Run run={shown[index] as ListedRun} />}
      />
    </main>
  );
}

function Run({ run }: { run: ListedRun }) {
  const { id, workflow, branch, status, held, started_at, duration_ms, steps, cost, unpriced } = run;
  const asks = waiting.value.filter((one) => one.run === id).length;
  return (
    <a class="run-row" href={linkTo({ run: id }, true)}>
      <RunStatus status={status} held={held} />
      <span class="what">
        <b>{plain(workflow)}</b>
        <span class="quiet">{plain(branch ?? id)}</span>
      </span>
      {asks > 0 && <span class="asks">{asks === 1 ? 'asks you' : `asks ${asks} things`}</span>}
      <span class="steps">
        {steps.done} done{steps.failed > 0 && <span class="status-failed">, {steps.failed} failed</span>}
      </span>
      <span class="cost">
        {cost === null
          ? unpriced > 0
            ? 'cost unknown'
            : ''
          : `${unpriced > 0 ? 'at least ' : ''}${dollars(cost)}`}
      </span>
      <span class="time">{duration(duration_ms)}</span>
      <time dateTime={started_at}>{started_at === '' ? '' : when(started_at)}</time>
    </a>
  );
}

function when(iso: string): string {
  const time = new Date(iso);
  const isToday = time.toDateString() === new Date().toDateString();
  return isToday
    ? time.toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit' })
    : time.toLocaleDateString(undefined, { month: 'short', day: 'numeric', year: 'numeric' });
}
