// details: what is selected, in full: what was asked of whom, what came back, what looked at it, its logs.

import type { ComponentChildren } from 'preact';
import type { Json } from '../../src/model/json.ts';
import { spanAt, statusAt, type Visit, visitAt } from '../../src/views/history.ts';
import { plainText } from '../../src/views/text/plain.ts';
import { cost, duration, thousands } from '../../src/views/text/words.ts';
import { type Answered, type Effect, visitDetails } from '../../src/views/visit-details.ts';
import { goTo, linkTo } from '../address.ts';
import { STATUS_WORDS, StatusGlyph, VerbGlyph } from '../glyphs.tsx';
import { LogList } from './logs.tsx';
import type { OpenedRun } from './opened-run.ts';

export function Details({ run, path, n }: { run: OpenedRun; path: string; n: number }) {
  const visit = visitAt(run.history, path, n);
  if (!visit) return <NotBegun path={path} />;
  const status = statusAt(visit, n);
  const { from, to } = spanAt(visit, n);
  const told = visitDetails(visit, run.entries, n);
  const last = run.entries[n - 1]?.at ?? 0;
  const first = visit.entries[0];
  return (
    <section class="details" aria-label={`details of ${path}`}>
      <header>
        <VerbGlyph verb={visit.step?.gate ? 'gate' : visit.verb} />
        <h2>{plainText(visit.title)}</h2>
        <button
          type="button"
          class="close"
          aria-label="close the details"
          onClick={() => goTo({ step: undefined })}
        >
          ×
        </button>
      </header>
      <p class="path">{path}</p>
      <dl class="facts">
        <Fact name="status">
          <span class={`status-${status} with-glyph`}>
            <StatusGlyph status={status} />
            {STATUS_WORDS[status]}
          </span>
        </Fact>
        {from !== undefined && <Fact name="took">{duration(Math.max(0, (to ?? last) - from))}</Fact>}
        {first !== undefined && (
          <Fact name="began with">
            <a href={linkTo({ n: first })}>entry {first}</a>
          </Fact>
        )}
        {visit.earlier > 0 && <Fact name="visit">{visit.earlier + 1}</Fact>}
        <Spent effects={told.effects} />
      </dl>
      {told.skipped && (
        <Note kind="skipped" title={`Left out: ${told.skipped.reason}`} text={told.skipped.why} />
      )}
      {told.failed && <Note kind="failed" title="Failed" text={told.failed.message} />}
      {told.failed?.hint !== undefined && <Note kind="waiting" title="What to do" text={told.failed.hint} />}
      {told.asked.map((asked) => (
        <Asked key={asked.n} asked={asked} />
      ))}
      {triesOf(told.effects).map(([number, effects]) => (
        <Try
          key={number}
          number={number}
          effects={effects}
          reasons={told.rejections.find((one) => one.try === number)?.reasons}
        />
      ))}
      {Object.keys(told.set).length > 0 && <Value title="Set" value={told.set as Json} />}
      {visit.children.length > 0 && <Inside visit={visit} n={n} />}
      <LogList run={run} path={path} />
    </section>
  );
}

function NotBegun({ path }: { path: string }) {
  return (
    <section class="details">
      <header>
        <h2>{path.split('/').at(-1)}</h2>
        <button
          type="button"
          class="close"
          aria-label="close the details"
          onClick={() => goTo({ step: undefined })}
        >
          ×
        </button>
      </header>
      <p class="path">{path}</p>
      <p class="quiet">It has not begun at this moment.</p>
    </section>
  );
}

export function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Spent({ effects }: { effects: Effect[] }) {
  const used = effects.flatMap(({ outcome }) => outcome?.usage ?? []);
  if (used.length === 0) return null;
  const sum = (what: 'input_tokens' | 'output_tokens' | 'turns') =>
    used.reduce((all, one) => all + one[what], 0);
  const known = used.filter((one) => one.cost !== null);
  const words = cost({
    ...{ input_tokens: sum('input_tokens'), output_tokens: sum('output_tokens'), turns: sum('turns') },
    ...{ cost: known.reduce((all, one) => all + (one.cost ?? 0), 0) },
    ...{ priced: known.length, unpriced: used.length - known.length },
  });
  return (
    <>
      <Fact name="tokens">
        {thousands(sum('input_tokens'))} in, {thousands(sum('output_tokens'))} out
      </Fact>
      {words !== undefined && <Fact name="cost">{words}</Fact>}
    </>
  );
}

/** What surrounds the work has no try of its own: it goes with the try before it. */
function triesOf(effects: Effect[]): [number, Effect[]][] {
  const tries = new Map<number, Effect[]>();
  let last = 1;
  for (const effect of effects) {
    if (effect.part === undefined) last = effect.try;
    tries.set(last, [...(tries.get(last) ?? []), effect]);
  }
  return [...tries];
}

function Try({
  number,
  effects,
  reasons,
}: {
  number: number;
  effects: Effect[];
  reasons: string[] | undefined;
}) {
  return (
    <div class="try">
      <h3>
        Try {number}
        {reasons && <span class="status-failed"> sent back</span>}
      </h3>
      {effects.map((effect) => (
        <EffectView key={effect.n} effect={effect} />
      ))}
      {reasons?.map((reason) => (
        <Note key={reason} kind="failed" title="Why it was sent back" text={reason} />
      ))}
    </div>
  );
}

function EffectView({ effect }: { effect: Effect }) {
  const { part, verb, outcome, command, agent, provider, model, cancelled, doubt } = effect;
  const who = [agent && `agent ${agent}`, provider ?? outcome?.provider, model ?? outcome?.model]
    .filter(Boolean)
    .join(', ');
  const state = outcome
    ? outcome.ok
      ? 'done'
      : 'failed'
    : cancelled !== undefined
      ? 'cancelled'
      : 'running';
  const isLong = part === undefined;
  const output = outcome && outcome.output !== null && outcome.output !== '' ? outcome.output : undefined;
  return (
    <details class="effect" open={isLong || state === 'failed'}>
      <summary>
        <StatusGlyph status={state} />
        <span class="what">{part ?? verb}</span>
        <code>{plainText(command ?? who)}</code>
        <span class="quiet">{outcome ? duration(outcome.duration_ms) : ''}</span>
      </summary>
      {outcome?.exit_code !== undefined && outcome.exit_code !== 0 && (
        <p class="quiet">exit code {outcome.exit_code}</p>
      )}
      {cancelled !== undefined && <Note kind="cancelled" title="Cancelled" text={cancelled} />}
      {doubt !== undefined && (
        <Note kind="asking" title="Under way when the process ended" text={`remedy: ${doubt}`} />
      )}
      {outcome?.error && <Note kind="failed" title={outcome.error.class} text={outcome.error.message} />}
      {output !== undefined && <Value title={isLong ? 'Answer' : 'Output'} value={output} />}
      {outcome?.stderr && <Value title="stderr" value={outcome.stderr} />}
      {outcome?.violations?.map((one) => (
        <Note key={one} kind="failed" title="Does not fit its schema" text={one} />
      ))}
      {outcome?.warnings?.map((one) => (
        <Note key={one} kind="asking" title="Warning" text={one} />
      ))}
      {outcome?.denials && (
        <Note
          kind="failed"
          title={`${outcome.denials.count} tool calls were denied`}
          text={outcome.denials.calls
            .map(({ tool, about, reason }) => `${tool} ${about}: ${reason}`)
            .join('\n')}
        />
      )}
      {outcome?.truncated && (
        <p class="quiet">
          The journal holds {thousands(outcome.truncated.kept)} of {thousands(outcome.truncated.bytes)} bytes;
          the log has all.
        </p>
      )}
    </details>
  );
}

function Asked({ asked: { question, answer } }: { asked: Answered }) {
  return (
    <div class="asked">
      <h3>{question.question === 'approve' ? 'Approval' : 'Question'}</h3>
      <p class="said">{plainText(question.text)}</p>
      {answer ? (
        <p>
          <b>{plainText(answer.by)}</b>: {plainText(textOf(answer.value))}
          {answer.note !== undefined && <span class="quiet"> “{plainText(answer.note)}”</span>}
        </p>
      ) : (
        <p class="status-asking">waits for an answer</p>
      )}
    </div>
  );
}

const MOST_INSIDE = 200;

function Inside({ visit, n }: { visit: Visit; n: number }) {
  return (
    <div>
      <h3>Inside</h3>
      <ul class="inside">
        {visit.children.slice(0, MOST_INSIDE).map((child) => (
          <li key={child.index}>
            <a href={linkTo({ step: child.path })}>
              <StatusGlyph status={statusAt(child, n)} />
              {plainText(child.title)}
            </a>
          </li>
        ))}
      </ul>
      {visit.children.length > MOST_INSIDE && (
        <p class="quiet">and {visit.children.length - MOST_INSIDE} more</p>
      )}
    </div>
  );
}

export function Note({ kind, title, text }: { kind: string; title: string; text: string }) {
  return (
    <div class={`note is-${kind}`}>
      <b>{title}</b>
      <Pre text={text} />
    </div>
  );
}

const FOLDED = 4_000;

/** A text that somebody else wrote: text and nothing else. */
export function Pre({ text, more }: { text: string; more?: boolean }) {
  const shown = plainText(text.length > FOLDED && !more ? text.slice(0, FOLDED) : text);
  return (
    <pre tabIndex={0}>
      {shown}
      {shown.length < text.length && `\n… ${thousands(text.length - FOLDED)} more characters`}
    </pre>
  );
}

function Value({ title, value }: { title: string; value: Json }) {
  return (
    <div class="value">
      <h4>{title}</h4>
      <Pre text={textOf(value)} />
    </div>
  );
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, undefined, 2);
}
