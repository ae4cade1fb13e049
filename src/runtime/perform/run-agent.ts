// run-agent: hand a prompt to an agent and understand its answer.
// The agent's streams go to the same places as a command's; its answer is parsed, checked against the step's schema,
// masked and bounded before it becomes an outcome.

import type { RunAgent } from '../../model/command.ts';
import type { Failure, Outcome } from '../../model/entry.ts';
import type { Agent, AgentAnswer, AgentEvent, Kept } from '../../ports/agent.ts';
import { type Extract, startExtract, startTail } from '../extract.ts';
import type { Mask } from '../mask.ts';
import { requestFor } from './agent-request.ts';
import { understand } from './answer.ts';
import type { AgentWatch, Changes } from './change-watch.ts';
import { effectName, type PerformContext, type Performing } from './context.ts';
import { requireSecrets } from './environment.ts';
import { brokenOutcome, type EndReason, endFailure, listed, masked, TIMED_OUT } from './outcome.ts';
import { logName, type OutputStreams, openOutput, placeOf, STDERR_BYTES } from './output.ts';

/** How long an agent may take to end after it was told to, before we go on without it. */
const LAST_WORDS_MS = 30_000;
/** What an agent's text may have beyond the limit it was to keep to: the mark of the cut. */
const SLACK = 1024;

export function runAgent(command: RunAgent, context: PerformContext): Performing {
  requireSecrets(command, context);
  const agent = context.agents.find(command.provider);
  const { request, warnings } = requestFor(command, agent, context);
  const dispatch = new Dispatch(command, agent, context, warnings);
  writePromptLog(command, request.prompt, context);
  dispatch.start(() =>
    agent.perform({
      ...request,
      signal: dispatch.controller.signal,
      onEvent: (event) => dispatch.hear(event),
      keep: (part) => dispatch.keep(part),
    }),
  );
  return {
    done: dispatch.done.then((outcome) => ({ kind: 'outcome', outcome })),
    cancel: (reason) => dispatch.end(reason),
  };
}

function writePromptLog(command: RunAgent, prompt: string, context: PerformContext): void {
  const log = context.run.openLog(`${logName(command)}.prompt.txt`);
  const text = context.mask.text(prompt);
  log.write(Buffer.from(text.endsWith('\n') ? text : `${text}\n`));
  log.end();
}

class Dispatch {
  readonly controller = new AbortController();
  readonly done: Promise<Outcome>;
  readonly #command: RunAgent;
  readonly #agent: Agent;
  readonly #context: PerformContext;
  readonly #warnings: string[];
  readonly #output: OutputStreams;
  readonly #started: number;
  #watch: AgentWatch | undefined;
  #changes: Changes | undefined;
  #answerText: Extract | undefined;
  #saidOnStdout = false;
  #ended: EndReason | undefined;
  #settled = false;
  #resolve!: (outcome: Outcome) => void;
  #cancelTimers: (() => void)[] = [];

  constructor(command: RunAgent, agent: Agent, context: PerformContext, warnings: string[]) {
    this.#command = command;
    this.#agent = agent;
    this.#context = context;
    this.#warnings = warnings;
    this.#started = context.clock.monotonic();
    // What is captured of an agent is its answer, not its output.
    const { saveTo, ...unsaved } = command;
    this.#output = openOutput(
      {
        ...(agent.answersOnStdout ? command : unsaved),
        capture: { as: 'text', limit: 0, onParseError: 'keep' },
      },
      context,
      () => this.controller.abort(),
    );
    this.done = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    for (const message of warnings) context.report({ kind: 'warning', ...placeOf(command), message });
  }

  start(perform: () => Promise<AgentAnswer>): void {
    const { timeout, concurrent, saveTo } = this.#command;
    const { clock, changes } = this.#context;
    if (concurrent) this.#watch = changes.agent(effectName(this.#command), saveTo);
    if (timeout !== undefined) this.#cancelTimers.push(clock.after(timeout, () => this.end('timeout')));
    new Promise<AgentAnswer>((resolve) => resolve(perform())).then(
      (answer) => this.#settle(() => this.#outcomeOf(answer)),
      (error) => this.#settle(async () => brokenOutcome(error, this.#context.mask, this.#elapsed())),
    );
  }

  end(reason: EndReason): void {
    if (this.#ended !== undefined || this.#settled) return;
    this.#ended = reason;
    this.controller.abort();
    const { clock } = this.#context;
    this.#cancelTimers.push(
      clock.after(LAST_WORDS_MS, () => {
        this.#warn(
          `the agent \`${this.#agent.name}\` did not end when it was told to; it may still be running`,
        );
        this.#settle(() => this.#outcomeOf({ text: '' }));
      }),
    );
  }

  hear(event: AgentEvent): void {
    if (this.#settled) return;
    const { mask, report, onUsage } = this.#context;
    const place = placeOf(this.#command);
    switch (event.kind) {
      case 'output':
        if (event.stream === 'stdout') this.#saidOnStdout = true;
        this.#output[event.stream](event.chunk);
        break;
      case 'text':
        report({ kind: 'text', ...place, text: mask.text(event.text) });
        break;
      case 'tool':
        report({ kind: 'tool', ...place, tool: event.tool, summary: mask.text(event.summary) });
        break;
      case 'usage':
        onUsage(this.#command.path, event.usage);
        break;
    }
  }

  keep(part: 'answer' | 'stderr'): Kept {
    const { mask } = this.#context;
    const name = logName(this.#command);
    if (part === 'stderr')
      return kept(startTail(STDERR_BYTES, `all of it is in the log ${name}.stderr`), mask);
    this.#answerText = startExtract(this.#textLimit(), `all of it is in the log ${name}.stdout`);
    return kept(this.#answerText, mask);
  }

  async #settle(outcome: () => Promise<Outcome>): Promise<void> {
    if (this.#settled) return;
    this.#settled = true;
    for (const cancel of this.#cancelTimers) cancel();
    const { mask } = this.#context;
    try {
      this.#changes = this.#watch?.end();
      this.#resolve(masked(mask, await outcome()));
    } catch (error) {
      this.#resolve(brokenOutcome(error, mask, this.#elapsed()));
    }
  }

  async #outcomeOf(answer: AgentAnswer): Promise<Outcome> {
    const { mask, onUsage } = this.#context;
    const { text, cut } = this.#bounded(answer);
    this.#writeAnswer(text);
    const { stderr } = this.#output.finish();
    if (answer.usage !== undefined) onUsage(this.#command.path, answer.usage);
    const facts = this.#facts(answer, answer.stderr ?? stderr);

    const failure = this.#failureOf(answer) ?? this.#changeFailure(this.#changes);
    if (failure !== undefined) {
      return { ...facts, ok: false, output: text === '' ? null : text, error: failure };
    }
    const understood = await understand(this.#command, { ...answer, text }, cut !== undefined, mask);
    const raw = understood.output === text || text === '' ? undefined : text;
    return {
      ...facts,
      ok: understood.failure === undefined,
      output: understood.output,
      ...(understood.failure !== undefined && { error: understood.failure, exit_code: 2 }),
      ...(understood.violations !== undefined && { violations: understood.violations }),
      ...(raw !== undefined && { raw }),
      ...(cut !== undefined && { truncated: cut }),
      ...(this.#warnings.length > 0 && { warnings: this.#warnings }),
    };
  }

  /** An agent that gathered its text elsewhere than in `keep` is held to the same bounds here. */
  #bounded(answer: AgentAnswer): { text: string; cut?: { bytes: number; kept: number } } {
    const kept = this.#answerText;
    const bytes = Buffer.byteLength(answer.text);
    if (bytes > this.#textLimit() + SLACK) {
      const extract = startExtract(
        this.#textLimit(),
        `all of it is in the log ${logName(this.#command)}.stdout`,
      );
      extract.write(Buffer.from(this.#context.mask.text(answer.text)));
      return { text: extract.text(), cut: { bytes, kept: extract.kept() } };
    }
    if (!kept?.cut()) return { text: answer.text };
    return { text: answer.text, cut: { bytes: kept.total(), kept: kept.kept() } };
  }

  #textLimit(): number {
    const { capture } = this.#command;
    return capture.as === 'lines' ? 10 * 1024 * 1024 : capture.limit;
  }

  /** An agent without a stream of its own: its answer is what there is to log and to save. */
  #writeAnswer(text: string): void {
    const bytes = Buffer.from(text);
    if (!this.#saidOnStdout && bytes.length > 0) this.#output.stdout(bytes);
    const { saveTo } = this.#command;
    if (saveTo !== undefined && !this.#agent.answersOnStdout) this.#context.workspace.write(saveTo, bytes);
  }

  #facts(answer: AgentAnswer, stderr: string): Outcome {
    const model = answer.model ?? this.#command.model;
    const exitCode =
      this.#ended === 'timeout' ? TIMED_OUT : answer.error ? answer.exitCode : (answer.exitCode ?? 0);
    return {
      ok: true,
      output: null,
      duration_ms: this.#elapsed(),
      provider: this.#agent.name,
      ...(exitCode !== undefined && { exit_code: exitCode }),
      ...(stderr !== '' && { stderr }),
      ...(answer.usage !== undefined && { usage: answer.usage }),
      ...(answer.session !== undefined && { session: answer.session }),
      ...(model !== undefined && { model }),
      ...(this.#warnings.length > 0 && { warnings: this.#warnings }),
    };
  }

  #failureOf({ error }: AgentAnswer): Failure | undefined {
    if (this.#ended !== undefined) return endFailure(this.#ended, this.#command.timeout);
    if (error === undefined) return undefined;
    const details = {
      ...error.details,
      ...(error.retryAfter !== undefined && { retry_after_ms: error.retryAfter }),
    };
    return {
      // Nobody here cancelled it.
      class: error.class === 'cancelled' ? 'error' : error.class,
      message: error.message,
      ...(error.hint !== undefined && { hint: error.hint }),
      ...(Object.keys(details).length > 0 && { details }),
    };
  }

  /** Rule 6: concurrent agents change nothing in the workspace they share. */
  #changeFailure(changes: Changes | undefined): Failure | undefined {
    if (changes === undefined || changes.files.length === 0) return undefined;
    const files = changes.files.length > 20 ? [...changes.files.slice(0, 20), '…'] : changes.files;
    if (changes.workers.length > 0) {
      this.#warn(
        `${listed(files)} changed while this agent ran; ${listed(changes.workers)} ran too and may have done it`,
      );
      return undefined;
    }
    const who =
      changes.agents.length === 1
        ? 'the agent'
        : `one of the agents of ${listed(changes.agents.slice(0, 20))}`;
    return {
      class: 'changed-files',
      message: `${who} changed ${listed(files)}, and agents that run at the same time share the workspace and may not`,
      hint: 'Run the step on its own, or give each pass a workspace of its own (`workspace: worktree`).',
      details: { files: changes.files.slice(0, 100), agents: changes.agents.slice(0, 100) },
    };
  }

  #warn(message: string): void {
    this.#warnings.push(message);
    this.#context.report({
      kind: 'warning',
      ...placeOf(this.#command),
      message: this.#context.mask.text(message),
    });
  }

  #elapsed(): number {
    return Math.round(this.#context.clock.monotonic() - this.#started);
  }
}

/** Masked before it is cut: half a secret at the edge of the cut would pass for none. */
function kept(extract: Extract, mask: Mask): Kept {
  const masking = mask.stream();
  return {
    write: (chunk) => extract.write(masking.write(typeof chunk === 'string' ? Buffer.from(chunk) : chunk)),
    text() {
      extract.write(masking.end());
      return extract.text();
    },
  };
}
