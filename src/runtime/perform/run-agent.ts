// run-agent: hand a prompt to an agent and understand its answer.
// The agent's streams go to the same places as a command's; its answer is parsed, checked against the step's schema,
// masked and bounded before it becomes an outcome.

import type { RunAgent } from '../../model/command.ts';
import type { Outcome } from '../../model/entry.ts';
import type { Agent, AgentAnswer, AgentEvent, AgentRequest } from '../../ports/agent.ts';
import { answerFailure, changeFailure } from './agent-failure.ts';
import { type RequestData, requestFor } from './agent-request.ts';
import { understand } from './answer.ts';
import type { AgentWatch } from './change-watch.ts';
import { effectName, type PerformContext, type Performing } from './context.ts';
import { requireSecrets } from './environment.ts';
import { type KeptTexts, keptTexts } from './kept-text.ts';
import { brokenOutcome, type EndReason, endFailure, masked, TIMED_OUT } from './outcome.ts';
import { logName, type OutputStreams, openOutput, placeOf } from './output.ts';

/** How long an agent may take to end after it was told to, before we go on without it. */
const LAST_WORDS_MS = 30_000;

export function runAgent(command: RunAgent, context: PerformContext): Performing {
  requireSecrets(command, context);
  const agent = context.agents.find(command.provider);
  const { request, warnings } = requestFor(command, agent, context);
  const dispatch = new Dispatch(command, agent, context);
  writePromptLog(command, request.prompt, context);
  for (const warning of warnings) dispatch.warn(warning);
  dispatch.start(request);
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

/** One dispatch, from its start to its outcome. */
class Dispatch {
  readonly done: Promise<Outcome>;
  readonly #command: RunAgent;
  readonly #agent: Agent;
  readonly #context: PerformContext;
  readonly #controller = new AbortController();
  readonly #output: OutputStreams;
  readonly #texts: KeptTexts;
  readonly #warnings: string[] = [];
  readonly #started: number;
  readonly #disarm: (() => void)[] = [];
  #watch: AgentWatch | undefined;
  #saidOnStdout = false;
  #ended: EndReason | undefined;
  #settled = false;
  #resolve!: (outcome: Outcome) => void;

  constructor(command: RunAgent, agent: Agent, context: PerformContext) {
    this.#command = command;
    this.#agent = agent;
    this.#context = context;
    this.#started = context.clock.monotonic();
    this.#texts = keptTexts(command, context.mask);
    this.#output = openOutput(
      {
        ...command,
        saveTo: agent.answersOnStdout ? command.saveTo : undefined,
        // What is captured of an agent is its answer, not its output.
        capture: { as: 'text', limit: 0, onParseError: 'keep' },
      },
      context,
      () => this.#controller.abort(),
    );
    this.done = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  start(data: RequestData): void {
    const { timeout, concurrent, saveTo } = this.#command;
    const { clock, changes } = this.#context;
    if (concurrent) this.#watch = changes.agent(effectName(this.#command), saveTo);
    if (timeout !== undefined) this.#disarm.push(clock.after(timeout, () => this.end('timeout')));
    const request: AgentRequest = {
      ...data,
      signal: this.#controller.signal,
      onEvent: (event) => this.#hear(event),
      keep: (part) => this.#texts.keep(part),
    };
    new Promise<AgentAnswer>((resolve) => resolve(this.#agent.perform(request))).then(
      (answer) => this.#settle(() => this.#outcomeOf(answer)),
      (error) => this.#settle(() => Promise.reject(error)),
    );
  }

  end(reason: EndReason): void {
    if (this.#ended !== undefined || this.#settled) return;
    this.#ended = reason;
    this.#controller.abort();
    const giveUp = () => {
      this.warn(`the agent \`${this.#agent.name}\` did not end when it was told to; it may still be running`);
      void this.#settle(() => this.#outcomeOf({ text: '' }));
    };
    this.#disarm.push(this.#context.clock.after(LAST_WORDS_MS, giveUp));
  }

  warn(warning: string): void {
    const message = this.#context.mask.text(warning);
    this.#warnings.push(message);
    this.#context.report({ kind: 'warning', ...placeOf(this.#command), message });
  }

  #hear(event: AgentEvent): void {
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
        onUsage(effectName(this.#command), event.usage);
        break;
    }
  }

  async #settle(outcome: () => Promise<Outcome>): Promise<void> {
    if (this.#settled) return;
    this.#settled = true;
    for (const disarm of this.#disarm) disarm();
    const { mask } = this.#context;
    try {
      this.#resolve(masked(mask, await outcome()));
    } catch (error) {
      this.#watch?.drop();
      this.#resolve(brokenOutcome(error, mask, this.#elapsed()));
    }
  }

  async #outcomeOf(answer: AgentAnswer): Promise<Outcome> {
    const changed = changeFailure(this.#watch?.end());
    if (changed.warning !== undefined) this.warn(changed.warning);
    const { text, cut } = this.#texts.bounded(answer.text);
    this.#writeAnswer(text);
    const { stderr } = this.#output.finish();
    if (answer.usage !== undefined) this.#context.onUsage(effectName(this.#command), answer.usage);
    const facts = this.#facts(answer, answer.stderr ?? stderr);

    const failure =
      this.#ended === undefined
        ? (answerFailure(answer) ?? changed.failure)
        : endFailure(this.#ended, this.#command.timeout);
    if (failure !== undefined) {
      return { ...facts, ok: false, output: text === '' ? null : text, error: failure };
    }
    const { mask } = this.#context;
    const understood = await understand(this.#command, { ...answer, text }, cut !== undefined, mask);
    return {
      ...facts,
      ok: understood.failure === undefined,
      output: understood.output,
      ...(understood.failure !== undefined && { error: understood.failure, exit_code: 2 }),
      ...(understood.violations !== undefined && { violations: understood.violations }),
      ...(understood.output !== text && text !== '' && { raw: text }),
      ...(cut !== undefined && { truncated: cut }),
    };
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
    const said = answer.error === undefined ? (answer.exitCode ?? 0) : answer.exitCode;
    const exitCode = this.#ended === 'timeout' ? TIMED_OUT : said;
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

  #elapsed(): number {
    return Math.round(this.#context.clock.monotonic() - this.#started);
  }
}
