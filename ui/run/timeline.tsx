// timeline: every step, pass and visit as a bar over time. Zoom is a part of the time, moved with the scroll bar.

import { useMemo, useState } from 'preact/hooks';
import { isKnownAt, spanAt, statusAt, type Visit } from '../../src/views/history.ts';
import { depthOf } from '../../src/views/step-path.ts';
import { plain } from '../../src/views/text/plain.ts';
import { duration } from '../../src/views/text/words.ts';
import { goTo } from '../address.ts';
import { StatusGlyph } from '../glyphs.tsx';
import { Rows } from '../rows.tsx';
import type { OpenedRun } from './opened-run.ts';

const ROW = 28;
const MOST_ZOOM = 64;

export function Timeline({ run, n, selected }: { run: OpenedRun; n: number; selected: string | undefined }) {
  const [zoom, setZoom] = useState(1);
  const [from, setFrom] = useState(0);
  const version = run.version.value;
  const visits = useMemo(
    () => inOrder(run.history.visits[0], n).filter((visit) => spanAt(visit, n).from !== undefined),
    [run, n, version],
  );
  const start = run.entries[0]?.at ?? 0;
  const whole = Math.max(1, (run.entries[n - 1]?.at ?? start) - start);
  const shown = whole / zoom;
  const left = start + Math.min(from, 1 - 1 / zoom) * whole;
  const at = (time: number): number => ((time - left) / shown) * 100;
  return (
    <div class="timeline">
      <div class="tools">
        <button
          type="button"
          aria-label="zoom out"
          disabled={zoom === 1}
          onClick={() => setZoom(Math.max(1, zoom / 2))}
        >
          −
        </button>
        <button
          type="button"
          aria-label="zoom in"
          disabled={zoom >= MOST_ZOOM}
          onClick={() => setZoom(zoom * 2)}
        >
          +
        </button>
        {zoom > 1 && (
          <input
            type="range"
            aria-label="which part of the time"
            min={0}
            max={1}
            step={0.001}
            value={from}
            onInput={(event) => setFrom(Number(event.currentTarget.value))}
          />
        )}
        <span class="quiet">
          {visits.length} bars over {duration(whole)}
          {zoom > 1 && `, of which ${duration(shown)} are shown`}
        </span>
      </div>
      <div class="scale" aria-hidden="true">
        <span class="name" />
        <span class="track">
          {[0, 0.25, 0.5, 0.75].map((part) => (
            <i key={part} style={{ left: `${part * 100}%` }}>
              +{duration(Math.round(left - start + part * shown))}
            </i>
          ))}
        </span>
      </div>
      <Rows
        count={visits.length}
        height={ROW}
        label="timeline"
        row={(index) => (
          <Bar visit={visits[index] as Visit} n={n} at={at} end={start + whole} selected={selected} />
        )}
      />
    </div>
  );
}

interface BarShown {
  visit: Visit;
  n: number;
  at(time: number): number;
  end: number;
  selected: string | undefined;
}

function Bar({ visit, n, at, end, selected }: BarShown) {
  const { from = 0, to } = spanAt(visit, n);
  const status = statusAt(visit, n);
  const left = Math.max(0, at(from));
  const right = Math.min(100, at(to ?? end));
  const title = plain(visit.title);
  return (
    <button
      type="button"
      class={`bar-row${visit.path === selected ? ' selected' : ''}`}
      onClick={() => goTo({ step: visit.path })}
    >
      <span class="name" style={{ paddingLeft: `${8 + Math.min(6, depthOf(visit.path)) * 12}px` }}>
        <StatusGlyph status={status} />
        <span>{title}</span>
      </span>
      <span class="track">
        {right >= 0 && left <= 100 && (
          <span
            class={`bar is-${status}${visit.children.length > 0 ? ' outer' : ''}`}
            style={{ left: `${left}%`, width: `${Math.max(0.3, right - left)}%` }}
          >
            <i>{duration((to ?? end) - from)}</i>
          </span>
        )}
      </span>
    </button>
  );
}

/** As they are nested; what began first comes first. */
function inOrder(visit: Visit | undefined, n: number): Visit[] {
  const all: Visit[] = [];
  const walk = (one: Visit): void => {
    for (const child of one.children) {
      if (!isKnownAt(child, n)) continue;
      all.push(child);
      walk(child);
    }
  };
  if (visit) walk(visit);
  return all;
}
