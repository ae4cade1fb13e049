// exported: starts the page in a file of its own: the run lies in it, and no server is asked.

import { render } from 'preact';
import type { ExportedRun } from '../src/ui/wire.ts';
import { exported, project } from './connection.ts';
import { Page } from './page.tsx';

const root = document.getElementById('page');
const data = document.getElementById('run');
if (root && data) {
  const run = JSON.parse(data.textContent ?? '') as ExportedRun;
  exported.value = run;
  project.value = { ...run.project, answers: false };
  document.title = `${run.facts.workflow.name}: ${run.facts.id}`;
  render(<Page />, root);
}
