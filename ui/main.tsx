// main: starts the page that a server serves.

import { render } from 'preact';
import { connected, enter } from './connection.ts';
import { Page } from './page.tsx';
import { followRuns } from './runs.ts';

const root = document.getElementById('page');
if (root) {
  await enter().catch(() => {
    if (connected.value === 'open') connected.value = 'closed';
  });
  render(<Page />, root);
  followRuns();
}
