// report: what the run came to, as of the moment that is shown; the same words as report.md has.

import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { renderReport } from '../../src/views/render-report.ts';
import { createRunView } from '../../src/views/run-view.ts';
import { plainText } from '../../src/views/text/plain.ts';
import type { OpenedRun } from './opened-run.ts';

export function Report({ run, n }: { run: OpenedRun; n: number }) {
  const version = run.version.value;
  const blocks = useMemo(() => {
    const view = createRunView(run.facts.workflow);
    for (const entry of run.entries.slice(0, n)) view.record(entry);
    return readBlocks(plainText(renderReport(view.report())));
  }, [run, n, version]);
  return <article class="report">{blocks.map(showBlock)}</article>;
}

type Block =
  | { kind: 'heading'; level: number; text: string }
  | { kind: 'code'; text: string }
  | { kind: 'list'; items: string[] }
  | { kind: 'table'; head: string[]; rows: string[][] }
  | { kind: 'words'; text: string };

/** The few parts of Markdown that a report is made of. */
function readBlocks(text: string): Block[] {
  const blocks: Block[] = [];
  const lines = text.split('\n');
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] as string;
    const heading = /^(#{1,4}) (.*)$/.exec(line);
    const fence = /^\s*(`{3,})/.exec(line)?.[1];
    if (line.trim() === '') continue;
    if (heading) blocks.push({ kind: 'heading', level: heading[1]?.length ?? 1, text: heading[2] ?? '' });
    else if (fence !== undefined) {
      const inside: string[] = [];
      for (at += 1; at < lines.length && lines[at]?.trim() !== fence; at += 1)
        inside.push(lines[at] as string);
      blocks.push({ kind: 'code', text: inside.join('\n') });
    } else if (line.startsWith('|')) {
      const rows: string[][] = [];
      for (; at < lines.length && lines[at]?.startsWith('|'); at += 1)
        rows.push(cellsOf(lines[at] as string));
      at -= 1;
      blocks.push({ kind: 'table', head: rows[0] ?? [], rows: rows.slice(2) });
    } else if (/^\s*- /.test(line)) {
      const items: string[] = [];
      for (; at < lines.length && /^\s*- |^\s+\S/.test(lines[at] as string); at += 1) {
        const item = lines[at] as string;
        if (/^\s*- /.test(item)) items.push(item.replace(/^\s*- /, ''));
        else items.push(`${items.pop() ?? ''} ${item.trim()}`);
      }
      at -= 1;
      blocks.push({ kind: 'list', items });
    } else blocks.push({ kind: 'words', text: line });
  }
  return blocks;
}

function cellsOf(line: string): string[] {
  return line
    .replace(/^\|\s?|\s?\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim());
}

function showBlock(block: Block, index: number): JSX.Element {
  switch (block.kind) {
    case 'heading': {
      const Tag = block.level === 1 ? 'h2' : block.level === 2 ? 'h3' : 'h4';
      return <Tag key={index}>{inline(block.text)}</Tag>;
    }
    case 'code':
      return (
        <pre key={index} tabIndex={0}>
          {block.text}
        </pre>
      );
    case 'list':
      return (
        <ul key={index}>
          {block.items.map((item, at) => (
            <li key={at}>{inline(item)}</li>
          ))}
        </ul>
      );
    case 'table':
      return (
        <div key={index} class="wide" tabIndex={0} role="region" aria-label="table">
          <table>
            <thead>
              <tr>
                {block.head.map((cell, at) => (
                  <th key={at}>{inline(cell)}</th>
                ))}
              </tr>
            </thead>
            <tbody>
              {block.rows.map((row, at) => (
                <tr key={at}>
                  {row.map((cell, column) => (
                    <td key={column}>{inline(cell)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      );
    case 'words':
      return <p key={index}>{inline(block.text)}</p>;
  }
}

/** `code`, **strong**, and escapes. Links stay text: what an agent wrote leads nowhere. */
function inline(text: string): (JSX.Element | string)[] {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((part, index) => {
    if (part.startsWith('`') && part.length > 2) return <code key={index}>{part.slice(1, -1)}</code>;
    if (part.startsWith('**') && part.length > 4) return <b key={index}>{unescaped(part.slice(2, -2))}</b>;
    return unescaped(part);
  });
}

function unescaped(text: string): string {
  return text
    .replace(/\\([\\`*_{}[\]()#+\-.!|<>~=&:])/g, '$1')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&amp;/g, '&');
}
