// address: what is shown, as the fragment of the address: a link to a moment of a run is a link. Nothing of it reaches the server.

import { computed, signal } from '@preact/signals';

export type Place = 'inbox' | 'runs' | 'run' | 'workflows' | 'costs';

const fragment = signal(new URLSearchParams(location.hash.slice(1)));
addEventListener('hashchange', () => {
  fragment.value = new URLSearchParams(location.hash.slice(1));
});

export const address = computed(() => {
  const words = fragment.value;
  const run = words.get('run') ?? undefined;
  const n = Number(words.get('n') ?? Number.NaN);
  const place = words.get('show');
  return {
    run,
    /** A moment; absent: as it is now. */
    n: Number.isSafeInteger(n) && n > 0 ? n : undefined,
    step: words.get('step') ?? undefined,
    tab: words.get('tab') ?? 'graph',
    other: words.get('with') ?? undefined,
    workflow: words.get('workflow') ?? undefined,
    token: words.get('token') ?? undefined,
    place: (run !== undefined
      ? 'run'
      : place === 'inbox' || place === 'workflows' || place === 'costs'
        ? place
        : 'runs') as Place,
  };
});

/** What is undefined is taken out. */
export function linkTo(changes: Record<string, string | number | undefined>, anew = false): string {
  const words = new URLSearchParams(anew ? '' : fragment.value);
  words.delete('token');
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) words.delete(name);
    else words.set(name, String(value));
  }
  return `#${words.toString()}`;
}

/** `quietly`: the way back does not lead through every step of the slider. */
export function goTo(changes: Record<string, string | number | undefined>, quietly = false): void {
  const link = linkTo(changes);
  if (quietly) {
    history.replaceState(undefined, '', link);
    fragment.value = new URLSearchParams(link.slice(1));
  } else location.hash = link;
}

/** Where the token was in the address it stays out of what people copy. */
export function forgetToken(): void {
  goTo({}, true);
}
