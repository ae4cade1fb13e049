// workflows-page: what the library has, from which layer; of one its graph, what is wrong with it, and its invariants, live while its
// file is edited.

import { useEffect, useState } from 'preact/hooks';
import type { ListedWorkflow, ShownWorkflow } from '../../src/ui/wire.ts';
import { plain, plainText } from '../../src/views/text/plain.ts';
import { address, goTo, linkTo } from '../address.ts';
import { getJson } from '../connection.ts';
import { Graph } from '../graph/graph.tsx';
import { Note } from '../run/details.tsx';

const LOOK_EVERY_MS = 1_500;

export function WorkflowsPage() {
  const [all, setAll] = useState<ListedWorkflow[]>();
  const { workflow: name } = address.value;
  useEffect(() => {
    getJson<ListedWorkflow[]>('/api/workflows').then(setAll, () => setAll([]));
  }, []);
  return (
    <main class="workflows">
      <h1>Workflows</h1>
      <div class="panes">
        <nav aria-label="workflows of the library">
          {all?.map((one) => (
            <a
              key={one.name}
              href={linkTo({ show: 'workflows', workflow: one.name }, true)}
              aria-current={one.name === name ? 'page' : undefined}
            >
              <b>{plain(one.name)}</b>
              <span class="quiet">{one.layer === 'builtin' ? 'built in' : one.layer}</span>
            </a>
          ))}
        </nav>
        {name === undefined ? (
          <p class="empty">Choose a workflow to see its graph.</p>
        ) : (
          <One key={name} name={name} />
        )}
      </div>
    </main>
  );
}

function One({ name }: { name: string }) {
  const [shown, setShown] = useState<ShownWorkflow>();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    let isOver = false;
    let before = '';
    const look = async (): Promise<void> => {
      try {
        const found = await getJson<ShownWorkflow>(`/api/workflow?${new URLSearchParams({ name })}`);
        const text = JSON.stringify(found);
        if (!isOver && text !== before) setShown(found);
        before = text;
      } catch {
        // The server is gone for a moment; the head of the page says so.
      }
      if (!isOver) timer = setTimeout(look, LOOK_EVERY_MS);
    };
    void look();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [name]);
  if (!shown) return <p class="empty">Reading…</p>;
  const { workflow, diagnostics } = shown;
  return (
    <section class="definition" aria-label={name}>
      {workflow?.description && <p>{plainText(workflow.description)}</p>}
      {diagnostics.map(({ severity, code, message, where, hint }) => (
        <Note
          key={`${code}${where}${message}`}
          kind={severity === 'error' ? 'failed' : 'asking'}
          title={`${severity}: ${code}`}
          text={[`${where}${where === '' ? '' : ': '}${message}`, hint].filter(Boolean).join('\n')}
        />
      ))}
      {workflow && workflow.invariants.length > 0 && (
        <div class="note is-done">
          <b>Proved of every run</b>
          {workflow.invariants.map(({ every, after }) => (
            <p key={`${every} ${after}`}>
              every <code>{every}</code> comes after <code>{after}</code>
            </p>
          ))}
        </div>
      )}
      {workflow && (
        <Graph workflow={workflow} n={0} version={0} selected={undefined} select={() => goTo({}, true)} />
      )}
    </section>
  );
}
