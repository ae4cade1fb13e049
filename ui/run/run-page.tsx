// run-page: one run: what it is, time, what waits, the graph and the other ways to look, and details of what is selected.

import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { figuresAt, questionsAt } from '../../src/views/history.ts';
import { plainText } from '../../src/views/text/plain.ts';
import { cost, duration } from '../../src/views/text/words.ts';
import { address, goTo, linkTo } from '../address.ts';
import { exported } from '../connection.ts';
import { RunStatus } from '../glyphs.tsx';
import { Graph } from '../graph/graph.tsx';
import { QuestionCard } from '../question.tsx';
import { Details, Fact, Note, Pre, textOf } from './details.tsx';
import { type OpenedRun, openRun } from './opened-run.ts';
import { Slider } from './slider.tsx';

type TabShown = ComponentType<{ run: OpenedRun; n: number; selected: string | undefined }>;

/** What few look at is loaded when somebody does. */
const TABS: Record<string, { title: string; load(): Promise<TabShown> }> = {
  timeline: { title: 'Timeline', load: async () => (await import('./timeline.tsx')).Timeline },
  journal: { title: 'Journal', load: async () => (await import('./journal.tsx')).Journal },
  report: { title: 'Report', load: async () => (await import('./report.tsx')).Report },
  compare: { title: 'Compare', load: async () => (await import('./compare.tsx')).Compare },
};

export function RunPage({ id }: { id: string }) {
  const [run, setRun] = useState<OpenedRun>();
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    let opened: OpenedRun | undefined;
    let isOver = false;
    setRun(undefined);
    setProblem(undefined);
    openRun(id)
      .then((one) => {
        if (isOver) return one.close();
        opened = one;
        setRun(one);
      })
      .catch((error: Error) => setProblem(error.message));
    return () => {
      isOver = true;
      opened?.close();
    };
  }, [id]);
  if (problem !== undefined) return <p class="empty">{problem}</p>;
  if (!run || run.version.value === 0 || run.entries.length === 0)
    return (
      <p class="empty">
        {run?.isNewer ? 'A newer Lockstep wrote this run: open it with that one.' : 'Reading the journal…'}
      </p>
    );
  return <Opened run={run} />;
}

function Opened({ run }: { run: OpenedRun }) {
  const version = run.version.value;
  const { n: chosen, step, tab } = address.value;
  const last = run.entries.length;
  const n = Math.min(chosen ?? last, last);
  const isLive = chosen === undefined || chosen >= last;
  const shown = tab in TABS ? tab : 'graph';
  const asked = questionsAt(run.history, n);
  const select = (path: string): void => goTo({ step: path === step ? undefined : path });
  return (
    <main class="run">
      <Title run={run} n={n} isLive={isLive} />
      <Slider run={run} n={n} isLive={isLive} />
      {run.chain.problem && (
        <Note
          kind="failed"
          title="This journal does not verify"
          text={`Line ${run.chain.problem.n}: ${run.chain.problem.why}. What is shown from there on may not be what happened.`}
        />
      )}
      {asked.map(({ n: at, question }) => (
        <QuestionCard
          key={at}
          waiting={{ run: run.facts.id, workflow: run.facts.workflow.name, asked: at, question }}
          isPast={!isLive}
          within
        />
      ))}
      <nav class="tabs" aria-label="ways to look at the run">
        <a href={linkTo({ tab: undefined })} aria-current={shown === 'graph' ? 'page' : undefined}>
          Graph
        </a>
        {Object.entries(TABS).map(([name, { title }]) =>
          name === 'compare' && exported.value ? null : (
            <a key={name} href={linkTo({ tab: name })} aria-current={shown === name ? 'page' : undefined}>
              {title}
            </a>
          ),
        )}
      </nav>
      <div class={`panes of-${shown}`}>
        <div class="pane">
          {shown === 'graph' ? (
            <Graph
              workflow={run.facts.workflow}
              history={run.history}
              n={n}
              version={version}
              selected={step}
              select={select}
            />
          ) : (
            <Tab name={shown} run={run} n={n} selected={step} />
          )}
        </div>
        <aside>
          {step === undefined ? <Overview run={run} n={n} /> : <Details run={run} path={step} n={n} />}
        </aside>
      </div>
    </main>
  );
}

const loaded = new Map<string, TabShown>();

function Tab({ name, ...shown }: { name: string; run: OpenedRun; n: number; selected: string | undefined }) {
  const [, setLoaded] = useState('');
  useEffect(() => {
    if (!loaded.has(name))
      void TABS[name]?.load().then((tab) => {
        loaded.set(name, tab);
        setLoaded(name);
      });
  }, [name]);
  const View = loaded.get(name);
  return View ? <View {...shown} /> : <p class="empty">Loading…</p>;
}

function Title({ run, n, isLive }: { run: OpenedRun; n: number; isLive: boolean }) {
  const { workflow, id } = run.facts;
  const figures = figuresAt(run.history, n);
  const facts = run.history.outline.run;
  const spent = figures && cost(figures.spending);
  return (
    <header class="title">
      <h1>{plainText(workflow.name)}</h1>
      <RunStatus status={figures?.status ?? 'pending'} {...(isLive && { held: run.held.value })} />
      <dl class="facts">
        <Fact name="run">
          <code>{id}</code>
        </Fact>
        {facts?.branch && (
          <Fact name="branch">
            <code>{plainText(facts.branch)}</code>
          </Fact>
        )}
        {figures && <Fact name="time">{duration(figures.runTime)}</Fact>}
        {figures && (
          <Fact name="steps">
            {figures.done} done{figures.failed > 0 && `, ${figures.failed} failed`}
            {figures.skipped > 0 && `, ${figures.skipped} skipped`}
            {figures.cancelled > 0 && `, ${figures.cancelled} cancelled`}
          </Fact>
        )}
        {spent !== undefined && <Fact name="cost">{spent}</Fact>}
      </dl>
    </header>
  );
}

function Overview({ run, n }: { run: OpenedRun; n: number }) {
  const { workflow } = run.facts;
  const { outline } = run.history;
  const figures = figuresAt(run.history, n);
  const started = run.entries[0];
  const isEnd = n === run.entries.length;
  return (
    <section class="details" aria-label="about the run">
      <header>
        <h2>About this run</h2>
      </header>
      {workflow.description && <p>{plainText(workflow.description)}</p>}
      <dl class="facts">
        {started && <Fact name="began">{new Date(started.at).toLocaleString()}</Fact>}
        {outline.by && (
          <Fact name="by">
            {plainText(outline.by.user)}@{plainText(outline.by.host)}
          </Fact>
        )}
        <Fact name="driven by">{outline.drive === 'run' ? 'Lockstep' : outline.drive}</Fact>
        {outline.worktree && (
          <Fact name="worktree">
            <code>{plainText(outline.worktree.path)}</code>
          </Fact>
        )}
        {outline.worktree && (
          <Fact name="commit it began at">
            <code>{outline.worktree.base.slice(0, 12)}</code>
          </Fact>
        )}
      </dl>
      {isEnd && outline.error && <Note kind="failed" title="Why it failed" text={outline.error.message} />}
      {isEnd && figures?.status === 'completed' && Object.keys(outline.outputs).length > 0 && (
        <div class="value">
          <h4>What it gave</h4>
          <Pre text={textOf(outline.outputs)} />
        </div>
      )}
      {Object.keys(outline.inputs).length > 0 && (
        <div class="value">
          <h4>What it was given</h4>
          <Pre text={textOf(outline.inputs)} />
        </div>
      )}
      <p class="quiet">Select a step to see what was asked, what came back and what looked at it.</p>
      <p class="quiet">
        On a terminal:{' '}
        <code>
          lockstep status {run.facts.id}
          {isEnd ? '' : ` --at ${n}`}
        </code>
      </p>
    </section>
  );
}
