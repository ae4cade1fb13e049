// rows: a long list of which only what can be seen is in the page. Rows are all of one height.

import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

interface Shown {
  count: number;
  height: number;
  label: string;
  row(index: number): ComponentChildren;
  /** Brought into view when it changes. */
  at?: number | undefined;
  class?: string;
}

const BEYOND = 8;

export function Rows({ count, height, label, row, at, class: name = '' }: Shown) {
  const box = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const [room, setRoom] = useState(600);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const watch = new ResizeObserver(() => setRoom(element.clientHeight));
    watch.observe(element);
    return () => watch.disconnect();
  }, []);
  useEffect(() => {
    const element = box.current;
    if (!element || at === undefined) return;
    const y = at * height;
    if (y < element.scrollTop || y + height > element.scrollTop + element.clientHeight)
      element.scrollTop = Math.max(0, y - element.clientHeight / 2);
  }, [at, height]);
  const first = Math.max(0, Math.floor(top / height) - BEYOND);
  const last = Math.min(count, Math.ceil((top + room) / height) + BEYOND);
  const indexes = Array.from({ length: Math.max(0, last - first) }, (_, index) => first + index);
  return (
    <div
      ref={box}
      class={`rows ${name}`}
      tabIndex={0}
      role="region"
      aria-label={label}
      onScroll={(event) => setTop(event.currentTarget.scrollTop)}
    >
      <div class="all" style={{ height: `${count * height}px` }}>
        {indexes.map((index) => (
          <div key={index} class="row" style={{ top: `${index * height}px`, height: `${height}px` }}>
            {row(index)}
          </div>
        ))}
      </div>
    </div>
  );
}
