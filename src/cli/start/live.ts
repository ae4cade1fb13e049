// live: what an agent or a command is doing right now, for whoever watches. Nothing here is journaled: with --json such
// a line is `"kind": "live"` and has no number.

import type { LiveEvent } from '../../runtime/perform/perform.ts';
import { placeName } from '../../views/step-path.ts';
import type { Screen } from '../screen/screen.ts';

const LONGEST_TEXT = 4000;

export interface LiveDisplay {
  show(screen: Screen, event: LiveEvent): void;
}

/** `quiet`: warnings only. */
export function createLiveDisplay(quiet: boolean): LiveDisplay {
  /** By path: the last line the agent said. */
  const said = new Map<string, string>();
  return {
    show(screen, event) {
      const name = placeName(event.path, event.part);
      switch (event.kind) {
        case 'output':
          if (!event.aside) screen.activity(event.path, event.line, true);
          return screen.output(name, event.line);
        case 'text': {
          const line = lastLine(event.text);
          said.set(event.path, line);
          return screen.activity(event.path, line);
        }
        case 'tool': {
          const call = `${event.tool} ${oneLine(event.summary)}`.trim();
          if (event.denied !== undefined) {
            screen.activity(event.path, `${call} (denied)`);
            if (!quiet) screen.say(`${name}: ${call} denied: ${oneLine(event.denied)}`, 'ask');
            return undefined;
          }
          const line = said.get(event.path);
          return screen.activity(event.path, line === undefined ? call : `${call} · ${line}`);
        }
        case 'warning':
          return screen.say(`${name}: ${event.message}`, 'ask');
        default:
          return undefined;
      }
    },
  };
}

/** What a command prints is in the logs; a program is told what agents do. */
export function liveJson(event: LiveEvent, at: number): string | undefined {
  const { kind, path, part, ...rest } = event;
  if (kind === 'output' || kind === 'debug') return undefined;
  const place = part === undefined ? { path } : { path, part };
  const told =
    'text' in rest && rest.text.length > LONGEST_TEXT
      ? { text: rest.text.slice(0, LONGEST_TEXT), cut: rest.text.length - LONGEST_TEXT }
      : rest;
  return JSON.stringify({ kind: 'live', at, event: kind, ...place, ...told });
}

function lastLine(text: string): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.at(-1)?.trim() ?? '';
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
