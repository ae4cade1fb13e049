// every-verb: the workflow with every verb in a scratch project, run by the real driver with the real file store.

import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compileScript } from '../../src/compile/script.ts';
import { loadWorkflow } from '../../src/drivers/run/load.ts';
import type { RunEnd } from '../../src/drivers/run/run.ts';
import { fileLibrary } from '../../src/library/file-library.ts';
import type { Script } from '../../src/model/script.ts';
import type { Workflow } from '../../src/model/workflow.ts';
import { fileStore } from '../../src/stores/file/file-store.ts';
import { type Drive, drive } from '../support/drive.ts';

const folder = import.meta.dirname;

export function everyVerb(): { workflow: Workflow; script: Script } {
  const library = fileLibrary({
    project: folder,
    user: join(folder, 'nobody'),
    builtin: join(folder, 'none'),
    cwd: folder,
  });
  const main = library.loadFile('every-verb.yaml');
  if ('missing' in main) throw new Error('every-verb.yaml is missing');
  const { workflow, diagnostics } = loadWorkflow(
    { library, hash: (text) => String(text.length), dialects: [] },
    main,
  );
  if (!workflow) throw new Error(diagnostics.map((each) => `${each.span?.line}: ${each.message}`).join('\n'));
  const script = compileScript({
    path: 'answers.yaml',
    text: readFileSync(join(folder, 'answers.yaml'), 'utf8'),
  });
  if (!('script' in script)) throw new Error(JSON.stringify(script.diagnostics));
  return { workflow, script: script.script };
}

/** A stage whose runs lie in `runs`. */
export function stageWith(runs: string): Drive {
  return drive({ store: fileStore({ directory: runs }) });
}

export function scratchFolder(name: string): { path: string; remove(): void } {
  const path = realpathSync(mkdtempSync(join(tmpdir(), `lockstep-${name}-`)));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** Answers and signals as they are needed, until the run has ended. */
export async function finish(stage: Drive, first: () => Promise<RunEnd>): Promise<RunEnd> {
  let end = await first();
  for (let round = 0; end.state.status === 'paused' && round < 5; round += 1) {
    stage.store.post(end.id, { kind: 'answer', path: 'question', answer: 'yes please', by: 'tester' });
    end = await stage.resume(end.id);
  }
  return end;
}

export function effects(root: string): string[] {
  const path = join(root, 'effects.log');
  return existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n') : [];
}
