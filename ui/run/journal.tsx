// journal: every entry, told as a sentence, and whether the chain of hashes holds.

import { useMemo, useState } from 'preact/hooks';
import type { Entry } from '../../src/model/entry.ts';
import { type AuditLine, type Story, startStory } from '../../src/views/audit.ts';
import { plain, visibleJson } from '../../src/views/text/plain.ts';
import { duration } from '../../src/views/text/words.ts';
import { goTo } from '../address.ts';
import { Rows } from '../rows.tsx';
import { Pre } from './details.tsx';
import type { OpenedRun } from './opened-run.ts';

const ROW = 34;

/** Told once, and on from there. */
const stories = new WeakMap<object, { story: Story; lines: (AuditLine | undefined)[] }>();

function linesOf(run: OpenedRun): (AuditLine | undefined)[] {
  let told = stories.get(run.history);
  if (!told) {
    told = { story: startStory(run.facts.workflow), lines: [] };
    stories.set(run.history, told);
  }
  for (let at = told.lines.length; at < run.entries.length; at += 1)
    told.lines.push(told.story(run.entries[at] as Entry));
  return told.lines;
}

export function Journal({ run, n }: { run: OpenedRun; n: number }) {
  const [search, setSearch] = useState('');
  const lines = linesOf(run);
  const version = run.version.value;
  const found = useMemo(() => {
    const wanted = search.trim().toLowerCase();
    return run.entries.flatMap((entry, index) =>
      wanted === '' ||
      `${entry.kind} ${'path' in entry ? entry.path : ''} ${lines[index]?.text ?? ''}`
        .toLowerCase()
        .includes(wanted)
        ? [index]
        : [],
    );
  }, [run, version, search]);
  const entry = run.entries[n - 1];
  const start = run.entries[0]?.at ?? 0;
  return (
    <div class="journal">
      <div class="tools">
        <Chain run={run} />
        <input
          type="search"
          placeholder="find an entry"
          aria-label="find an entry"
          value={search}
          onInput={(event) => setSearch(event.currentTarget.value)}
        />
      </div>
      <Rows
        count={found.length}
        height={ROW}
        label="entries of the journal"
        at={found.indexOf(n - 1)}
        row={(position) => {
          const index = found[position] as number;
          const one = run.entries[index] as Entry;
          const line = lines[index];
          return (
            <button
              type="button"
              class={`entry tone-${line?.tone ?? 'none'}${one.n === n ? ' selected' : ''}${one.n > n ? ' later' : ''}`}
              onClick={() => goTo({ n: one.n === run.entries.length ? undefined : one.n }, true)}
            >
              <span class="number">{one.n}</span>
              <span class="time">+{duration(Math.max(0, one.at - start))}</span>
              <span class="kind">{one.kind}</span>
              <span class="text">{line ? line.text : 'path' in one ? plain(one.path ?? '') : ''}</span>
            </button>
          );
        }}
      />
      {entry && (
        <details class="raw">
          <summary>entry {entry.n} as it was written</summary>
          <Pre text={visibleJson(JSON.stringify(entry, undefined, 2))} more />
        </details>
      )}
    </div>
  );
}

export function Chain({ run }: { run: OpenedRun }) {
  const { hash, problem } = run.chain;
  if (problem) {
    return (
      <span class="chain status-failed">
        Line {problem.n} does not verify: {problem.why}
      </span>
    );
  }
  return (
    <span
      class="chain status-done"
      title="Verified in this browser. Note the last hash elsewhere to find a shortened journal later."
    >
      {run.entries.length} entries verify; last hash <code>{hash}</code>
    </span>
  );
}
