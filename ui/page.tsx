// page: the frame around everything: where one is, where one can go, and whether the server is there.

import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { address, linkTo } from './address.ts';
import { connected, exported, project } from './connection.ts';
import { InboxPage } from './lists/inbox-page.tsx';
import { RunsPage } from './lists/runs-page.tsx';
import { RunPage } from './run/run-page.tsx';
import { waiting } from './runs.ts';

export function Page() {
  const { place, run } = address.value;
  const kept = exported.value;
  if (connected.value === 'shut-out' && !kept) return <ShutOut />;
  return (
    <>
      <button type="button" class="skip" onClick={() => document.getElementById('page-main')?.focus()}>
        to the content
      </button>
      <Head />
      <div id="page-main" tabIndex={-1}>
        {kept ? (
          <RunPage id={kept.facts.id} />
        ) : place === 'run' && run !== undefined ? (
          <RunPage key={run} id={run} />
        ) : (
          <Listed place={place} />
        )}
      </div>
    </>
  );
}

function Listed({ place }: { place: string }) {
  if (place === 'inbox') return <InboxPage />;
  if (place === 'workflows')
    return (
      <Late name="workflows" load={async () => (await import('./lists/workflows-page.tsx')).WorkflowsPage} />
    );
  if (place === 'costs')
    return <Late name="costs" load={async () => (await import('./lists/costs-page.tsx')).CostsPage} />;
  return <RunsPage />;
}

const loaded = new Map<string, ComponentType>();

function Late({ name, load }: { name: string; load(): Promise<ComponentType> }) {
  const [, setLoaded] = useState('');
  useEffect(() => {
    if (!loaded.has(name))
      void load().then((view) => {
        loaded.set(name, view);
        setLoaded(name);
      });
  }, [name]);
  const View = loaded.get(name);
  return View ? <View /> : <p class="empty">Loading…</p>;
}

function Head() {
  const { place } = address.value;
  const kept = exported.value;
  const count = waiting.value.length;
  const link = (show: string, title: string, isHere: boolean, badge = 0) => (
    <a
      href={linkTo({ show: show === 'runs' ? undefined : show }, true)}
      aria-current={isHere ? 'page' : undefined}
    >
      {title}
      {badge > 0 && <span class="badge">{badge}</span>}
    </a>
  );
  return (
    <header class="head">
      <span class="brand">
        <svg viewBox="0 0 32 32" aria-hidden="true">
          <rect width="32" height="32" rx="8" />
          <path d="M9 8v16h6M17 8v16h6" />
        </svg>
        Lockstep
      </span>
      <span class="project" title={project.value?.root}>
        {project.value?.name ?? kept?.project.name}
      </span>
      {!kept && (
        <nav aria-label="places">
          {link('inbox', 'Inbox', place === 'inbox', count)}
          {link('runs', 'Runs', place === 'runs' || place === 'run')}
          {link('workflows', 'Workflows', place === 'workflows')}
          {link('costs', 'Costs', place === 'costs')}
        </nav>
      )}
      {kept && <span class="quiet">exported {new Date(kept.exportedAt).toLocaleString()}</span>}
      {!kept && connected.value === 'closed' && (
        <span class="closed" role="status">
          the server does not answer; trying again
        </span>
      )}
    </header>
  );
}

function ShutOut() {
  return (
    <main class="shut-out">
      <h1>Not let in</h1>
      <p>
        This page shows code and decisions, so it opens only with the address that <code>lockstep ui</code>{' '}
        printed when it started. Each start has its own.
      </p>
    </main>
  );
}
