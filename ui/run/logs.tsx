// logs: the logs of a step, read when they are opened and followed while the run goes on.

import { useEffect, useState } from 'preact/hooks';
import { plain, plainText } from '../../src/views/text/plain.ts';
import { getLog } from '../connection.ts';
import type { OpenedRun } from './opened-run.ts';

/** So much of the end of a large log is shown. */
const MOST_BYTES = 1 << 18;

export function LogList({ run, path }: { run: OpenedRun; path: string }) {
  const names = run.logs.value.filter(
    (name) => name === path || (name.startsWith(`${path}.`) && !name.slice(path.length).includes('/')),
  );
  if (names.length === 0) return null;
  return (
    <div class="logs">
      <h3>Logs</h3>
      {names.map((name) => (
        <Log key={name} run={run} name={name} label={labelOf(name.slice(path.length + 1))} />
      ))}
    </div>
  );
}

function labelOf(end: string): string {
  if (end.endsWith('prompt.txt')) return `prompt as sent${tryOf(end)}`;
  if (end.endsWith('calls.jsonl')) return `tool calls${tryOf(end)}`;
  if (end.endsWith('.patch') || end === 'patch') return `files changed${tryOf(end)}`;
  return end;
}

function tryOf(end: string): string {
  const found = /try(\d+)/.exec(end);
  return found ? ` (try ${found[1]})` : '';
}

function Log({ run, name, label }: { run: OpenedRun; name: string; label: string }) {
  const [isOpen, setOpen] = useState(false);
  const [text, setText] = useState<string>();
  const version = run.version.value;
  useEffect(() => {
    if (!isOpen) return;
    let isOver = false;
    getLog(run.facts.id, name, -MOST_BYTES)
      .then((bytes) => {
        if (!isOver) setText(new TextDecoder().decode(bytes));
      })
      .catch((error: Error) => setText(error.message));
    return () => {
      isOver = true;
    };
  }, [isOpen, name, version]);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{label}</summary>
      {text !== undefined && <LogText name={name} text={text} />}
    </details>
  );
}

function LogText({ name, text }: { name: string; text: string }) {
  if (name.endsWith('calls.jsonl')) return <Calls text={text} />;
  if (name.endsWith('.patch')) return <Diff text={text} />;
  return <pre tabIndex={0}>{plainText(text) || '(empty)'}</pre>;
}

interface Call {
  tool?: string;
  about?: string;
  verdict?: string;
  reason?: string;
  rule?: string;
}

const VERDICTS: Record<string, string> = {
  allowed: 'done',
  rewritten: 'asking',
  denied: 'failed',
  refused: 'failed',
  unasked: 'skipped',
};

function Calls({ text }: { text: string }) {
  const calls = text.split('\n').flatMap((line): Call[] => {
    try {
      return line === '' ? [] : [JSON.parse(line) as Call];
    } catch {
      return [];
    }
  });
  return (
    <ul class="calls">
      {calls.map((call, index) => (
        <li key={index}>
          <span class={`status-${VERDICTS[call.verdict ?? ''] ?? 'skipped'}`}>{call.verdict}</span>{' '}
          <b>{plain(call.tool ?? '')}</b> <code>{plain(call.about ?? '')}</code>
          {call.reason !== undefined && <span class="quiet"> {plain(call.reason)}</span>}
        </li>
      ))}
    </ul>
  );
}

export function Diff({ text }: { text: string }) {
  return (
    <pre class="diff" tabIndex={0}>
      {plainText(text)
        .split('\n')
        .map((line, index) => (
          <span key={index} class={classOf(line)}>
            {line}
            {'\n'}
          </span>
        ))}
    </pre>
  );
}

function classOf(line: string): string {
  if (/^(diff |index |\+\+\+|---)/.test(line)) return 'file';
  if (line.startsWith('@@')) return 'hunk';
  if (line.startsWith('+')) return 'added';
  return line.startsWith('-') ? 'removed' : '';
}
