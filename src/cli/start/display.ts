// display: a run on the screen, as its observer; the first signal pauses it.

import type { RunEnd } from '../../drivers/run/run.ts';
import type { HeldRun, Observer } from '../../hosting/hosting.ts';
import type { PutQuestion } from '../../runtime/conversation.ts';
import { compactReport } from '../../views/report/compact.ts';
import { wayOn } from '../../views/report.ts';
import type { Summary } from '../../views/summary.ts';
import { lookOf } from '../look.ts';
import { createScreen, type Screen } from '../screen/screen.ts';
import type { Services } from '../services.ts';
import { createLiveDisplay, liveJson } from './live.ts';
import { summaryJson } from './summary-json.ts';

export interface DisplayOptions {
  json?: boolean;
  quiet?: boolean;
  verbose?: boolean;
  progress?: boolean;
}

export interface Display {
  observer: Observer;
  /** Something that was done beside the run. */
  note(message: string): void;
  /** The summary, and everything printed. */
  finish(end: RunEnd): void;
  /** Whatever happened: the terminal as it was. */
  close(): void;
}

/** `above`: the agent, step or led client that this process runs below, which is not asked what people are asked. */
export function createDisplay(
  services: Services,
  options: DisplayOptions,
  killAll: () => void,
  above?: string,
): Display {
  const look = lookOf(services);
  const interactive = services.stdout.isTTY === true && services.environment.TERM !== 'dumb';
  const early: string[] = [];
  let screen: Screen | undefined;
  let opened: HeldRun | undefined;
  let changes = 0;
  const signals = watchSignals((name) => opened?.interrupt(name), killAll);
  const live = createLiveDisplay(options.quiet ?? false);
  const canAsk = interactive && !options.json && above === undefined && services.stdin.isTTY === true;

  const observer: Observer = {
    warned(message) {
      if (options.json) services.stdout.write(`${JSON.stringify({ kind: 'warning', message })}\n`);
      else if (screen) screen.say(`warning: ${message}`, 'ask');
      else early.push(message);
    },
    opened(run) {
      opened = run;
      if (signals.received !== undefined) run.interrupt(signals.received);
      screen = createScreen({
        outline: run.view.outline,
        stream: services.stdout,
        interactive,
        color: look.color,
        unicode: look.unicode,
        level: options.quiet ? 'quiet' : options.verbose ? 'verbose' : 'normal',
        progress: options.progress ?? false,
        format: options.json ? 'json' : 'text',
        now: () => services.clock.now(),
        input: canAsk ? services.stdin : undefined,
        interrupt: () => signals.interrupt('SIGINT'),
      });
      for (const message of early.splice(0)) screen.say(`warning: ${message}`, 'ask');
    },
    changed(change) {
      // Whoever has just answered here sees that it goes on.
      const isEcho = changes > 0 && change.entry.kind === 'run-resumed' && canAsk;
      changes += 1;
      if (!isEcho) screen?.show(change);
    },
    live(event) {
      if (!options.json) return screen && live.show(screen, event);
      const line = liveJson(event, services.clock.now());
      if (line !== undefined) services.stdout.write(`${line}\n`);
    },
    interlocutor: canAsk
      ? {
          name: services.user,
          ask: (question, signal) => askInPlace(screen, opened, question, signal),
        }
      : undefined,
  };

  function close(): void {
    signals.close();
    screen?.close();
    screen = undefined;
  }

  return {
    observer,
    close,
    note(message) {
      if (options.json) services.stdout.write(`${JSON.stringify({ kind: 'note', message })}\n`);
      else if (!options.quiet) screen?.say(message);
    },
    finish(end) {
      const summary = end.view.summary({
        filesChanged: end.report.filesChanged,
        filesDeleted: end.report.filesDeleted,
        logs: `${end.location}/logs`,
        reportFile: `${end.location}/report.md`,
        report: compactReport(end.report),
        commits: end.report.commits?.length,
        branches: end.report.branches,
        next: wayOn(end.report),
      });
      if (options.json) services.stdout.write(`${summaryJson(summary, end.exitCode)}\n`);
      screen?.close(summary);
      if (options.quiet && !options.json) services.stdout.write(waysOn(summary));
      close();
    },
  };
}

/**
 * Of a quiet run that has stopped before its end: the commands that go on. An approval is for what was shown, and nothing
 * was shown here, so it is not offered.
 */
function waysOn({ run, questions, next }: Summary): string {
  const look = { command: `lockstep status ${run}`, meaning: 'what is to be approved, and how to answer' };
  const hasShown = questions.some(({ shown }) => shown.length > 0);
  const answers = questions.flatMap(({ shown, answers }) => (shown.length > 0 ? [] : answers));
  return [...(hasShown ? [look] : []), ...answers, ...next]
    .map(({ command, meaning }) => `  ${command}${meaning === '' ? '' : `  (${meaning})`}\n`)
    .join('');
}

async function askInPlace(
  screen: Screen | undefined,
  opened: HeldRun | undefined,
  question: PutQuestion,
  signal: AbortSignal,
) {
  const shown = opened?.view.outline.questions.get(question.path);
  if (!screen || !shown) return undefined;
  if (question.problem !== undefined) screen.say(question.problem, 'ask');
  return screen.ask(shown, signal);
}

/** The first signal pauses cleanly, the second ends at once. */
export function watchSignals(interrupt: (name: string) => void, killAll: () => void) {
  let received: string | undefined;
  const onSignal = (name: string) => {
    if (received === undefined) {
      received = name;
      return interrupt(name);
    }
    killAll();
    process.exit(130);
  };
  const names = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const name of names) process.on(name, onSignal);
  return {
    interrupt: onSignal,
    /** One that came before there was a run to interrupt. */
    get received() {
      return received;
    },
    close() {
      for (const name of names) process.off(name, onSignal);
    },
  };
}
