// question: what a person is asked, all that the answer is about, and the ways to answer.

import { useState } from 'preact/hooks';
import type { Json } from '../src/model/json.ts';
import type { WaitingQuestion } from '../src/ui/wire.ts';
import { answerCommands, heldMeaning } from '../src/views/next-commands.ts';
import { shownParts } from '../src/views/shown.ts';
import type { Question } from '../src/views/step-record.ts';
import { plain, plainText } from '../src/views/text/plain.ts';
import { duration } from '../src/views/text/words.ts';
import { linkTo } from './address.ts';
import { getLog, postJson, project, Refused } from './connection.ts';
import { StatusGlyph } from './glyphs.tsx';
import { Pre } from './run/details.tsx';
import { Diff } from './run/logs.tsx';

const KINDS: Record<Question['question'], string> = {
  ask: 'asks',
  approve: 'wants an approval',
  held: 'is held',
  'in-doubt': 'is in doubt after a crash',
  blocker: 'cannot go on',
};

interface Shown {
  waiting: WaitingQuestion;
  /** Shown as it was; it is not asked now. */
  isPast?: boolean;
  /** On the page of its run. */
  within?: boolean;
}

export function QuestionCard({ waiting, isPast = false, within = false }: Shown) {
  const { run, workflow, question } = waiting;
  const parts = shownParts(run, question);
  const canAnswer = project.value?.answers === true && !isPast;
  return (
    <article class="question">
      <header>
        <StatusGlyph status="asking" />
        <h2>
          <a href={linkTo({ run, step: question.path }, !within)}>{plain(question.path)}</a>{' '}
          {KINDS[question.question]}
        </h2>
        <span class="quiet">
          {!within && `${plain(workflow)}, `}
          {isPast ? 'at this moment' : `for ${duration(Math.max(0, Date.now() - question.askedAt))}`}
        </span>
      </header>
      <p class="said">{plainText(question.text)}</p>
      {question.reasons.map((reason) => (
        <Pre key={reason} text={reason} />
      ))}
      {parts.map(({ title, lines, more }) => (
        <details key={title} open={lines.length > 0 && lines.length <= 12}>
          <summary>{title}</summary>
          {lines.length > 0 && <Pre text={lines.join('\n')} />}
          {more !== undefined && <p class="quiet">{more}</p>}
        </details>
      ))}
      {question.shown?.logs?.patch !== undefined && <Patch run={run} name={question.shown.logs.patch} />}
      {canAnswer ? (
        <Answer key={waiting.asked} waiting={waiting} />
      ) : (
        !isPast && <OnTerminal waiting={waiting} />
      )}
    </article>
  );
}

function Patch({ run, name }: { run: string; name: string }) {
  const [text, setText] = useState<string>();
  return (
    <details
      onToggle={() => {
        if (text !== undefined) return;
        getLog(run, name, 0)
          .then((bytes) => setText(new TextDecoder().decode(bytes)))
          .catch((error: Error) => setText(error.message));
      }}
    >
      <summary>Every changed line</summary>
      {text !== undefined && <Diff text={text} />}
    </details>
  );
}

/** The page is for reading only: how it is answered elsewhere. */
function OnTerminal({ waiting: { run, question } }: { waiting: WaitingQuestion }) {
  return (
    <details class="ways">
      <summary>How to answer</summary>
      <p class="quiet">
        This page is for reading only; start it with `lockstep ui --answer` to answer here. On a terminal:
      </p>
      {answerCommands(run, question, true).map(({ command, meaning }) => (
        <p key={command}>
          <code>{command}</code> <span class="quiet">{meaning}</span>
        </p>
      ))}
    </details>
  );
}

interface Way {
  label: string;
  answer: Json;
  kind: 'yes' | 'no' | 'plain';
  meaning?: string;
  /** Cannot be said without a note. */
  needsNote?: boolean;
}

function waysOf(question: Question): Way[] {
  switch (question.question) {
    case 'approve':
      return [
        { label: 'Approve', answer: 'approve', kind: 'yes' },
        {
          label: 'Reject',
          answer: 'reject',
          kind: 'no',
          needsNote: true,
          meaning: 'send it back with your reason',
        },
      ];
    case 'held':
    case 'in-doubt':
      return (['again', 'accept', 'fail'] as const).map((answer) => ({
        ...{ answer, label: answer[0]?.toUpperCase() + answer.slice(1) },
        kind: answer === 'accept' ? 'yes' : answer === 'fail' ? 'no' : 'plain',
        ...(question.question === 'held' && { meaning: heldMeaning(question, answer) }),
      }));
    default:
      return [
        ...(question.choices ?? []).map(
          (choice): Way => ({
            label: plain(typeof choice === 'string' ? choice : JSON.stringify(choice)),
            answer: choice,
            kind: 'plain',
          }),
        ),
        ...(question.question === 'blocker'
          ? [{ label: 'Let it fail', answer: 'fail', kind: 'no' } satisfies Way]
          : []),
      ];
  }
}

function Answer({ waiting: { run, asked, question } }: { waiting: WaitingQuestion }) {
  const [note, setNote] = useState('');
  const [state, setState] = useState<{ busy?: true; said?: true; problem?: string }>({});
  const give = async (answer: Json, withNote: boolean): Promise<void> => {
    setState({ busy: true });
    try {
      await postJson(`/api/runs/${encodeURIComponent(run)}/answer`, {
        ...{ path: question.path, asked, answer },
        ...(withNote && note.trim() !== '' && { note }),
        ...(question.shown?.digest !== undefined && { shown: question.shown.digest }),
      });
      setState({ said: true });
    } catch (error) {
      setState({
        problem: `${(error as Error).message}${error instanceof Refused && error.hint ? ` ${error.hint}` : ''}`,
      });
    }
  };
  const isFree =
    question.question === 'blocker' || (question.question === 'ask' && (question.choices ?? []).length === 0);
  if (state.said)
    return <p class="status-done">Answered. It is in the journal in the name of {project.value?.user}.</p>;
  return (
    <form
      class="answer"
      onSubmit={(event) => {
        event.preventDefault();
        if (isFree && note.trim() !== '') void give(note, false);
      }}
    >
      <label>
        <span>{isFree ? 'Your answer' : 'Note'}</span>
        <textarea rows={2} value={note} onInput={(event) => setNote(event.currentTarget.value)} />
      </label>
      <div class="buttons">
        {isFree && (
          <button type="submit" class="yes" disabled={state.busy || note.trim() === ''}>
            Answer
          </button>
        )}
        {waysOf(question).map(({ label, answer, kind, meaning, needsNote }) => (
          <button
            key={label}
            type="button"
            class={kind}
            title={meaning ?? ''}
            disabled={state.busy || (needsNote && note.trim() === '')}
            onClick={() => void give(answer, !isFree)}
          >
            {label}
          </button>
        ))}
      </div>
      {waysOf(question).some(({ needsNote }) => needsNote) && note.trim() === '' && (
        <p class="quiet">To reject, write why into the note.</p>
      )}
      {state.problem !== undefined && (
        <p class="status-failed" role="alert">
          {state.problem}
        </p>
      )}
    </form>
  );
}
