// slider: the journal as time: to any entry, one back, one on, play, and now.

import { useEffect, useState } from 'preact/hooks';
import { duration } from '../../src/views/text/words.ts';
import { goTo, linkTo } from '../address.ts';
import type { OpenedRun } from './opened-run.ts';

/** A whole run is played in about so long. */
const PLAY_MS = 20_000;
const FRAME_MS = 100;

export function Slider({ run, n, isLive }: { run: OpenedRun; n: number; isLive: boolean }) {
  const last = run.entries.length;
  const [isPlaying, setPlaying] = useState(false);
  useEffect(() => {
    if (!isPlaying) return;
    if (n >= last) {
      setPlaying(false);
      goTo({ n: undefined }, true);
      return;
    }
    const step = Math.max(1, Math.round((last * FRAME_MS) / PLAY_MS));
    const timer = setTimeout(() => goTo({ n: Math.min(last, n + step) }, true), FRAME_MS);
    return () => clearTimeout(timer);
  }, [isPlaying, n, last]);
  const move = (to: number): void => goTo({ n: to >= last ? undefined : Math.max(1, to) }, true);
  const entry = run.entries[n - 1];
  const start = run.entries[0]?.at ?? 0;
  return (
    <div class={`slider ${isLive ? 'live' : 'past'}`}>
      <button
        type="button"
        aria-label={isPlaying ? 'stop playing' : 'play'}
        title={isPlaying ? 'stop' : 'play'}
        onClick={() => {
          if (!isPlaying && n >= last) goTo({ n: 1 }, true);
          setPlaying(!isPlaying);
        }}
      >
        <svg class="glyph" viewBox="0 0 16 16" aria-hidden="true">
          <path d={isPlaying ? 'M5 3.5v9M11 3.5v9' : 'M5 3l7.5 5L5 13z'} />
        </svg>
      </button>
      <button type="button" aria-label="one entry back" disabled={n <= 1} onClick={() => move(n - 1)}>
        ‹
      </button>
      <input
        type="range"
        aria-label="entry of the journal"
        aria-valuetext={`entry ${n} of ${last}${entry ? `, ${entry.kind}` : ''}`}
        min={1}
        max={Math.max(1, last)}
        value={n}
        onInput={(event) => {
          setPlaying(false);
          move(Number(event.currentTarget.value));
        }}
      />
      <button type="button" aria-label="one entry on" disabled={n >= last} onClick={() => move(n + 1)}>
        ›
      </button>
      <span class="where">
        entry <b>{n}</b> of {last}
        <span class="quiet"> · +{duration(Math.max(0, (entry?.at ?? start) - start))}</span>
      </span>
      {isLive ? (
        <span class="now">{run.held.value ? 'live' : 'now'}</span>
      ) : (
        <a class="button" href={linkTo({ n: undefined })}>
          back to now
        </a>
      )}
    </div>
  );
}
