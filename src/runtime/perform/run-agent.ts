// run-agent: hand a prompt to an agent and understand its answer.
// The agent's streams go to the same places as a command's; its answer is parsed, checked against the step's schema,
// masked and bounded before it becomes an outcome.

import type { RunAgent } from '../../model/command.ts';
import type { Failure, Outcome, RepositoryChanges } from '../../model/entry.ts';
import type { GitSeen } from '../../model/git-checks.ts';
import { changesIssues, ISSUES_FOLDER, type OwnTools } from '../../model/own-tools.ts';
import { placeName } from '../../model/place-name.ts';
import { mayWrite } from '../../model/tool-policy.ts';
import type { Agent, AgentAnswer, AgentEvent, AgentRequest } from '../../ports/agent.ts';
import { type Captured, isWhole as captureIsWhole } from '../capture.ts';
import { liveEvent, outputOf } from './agent-events.ts';
import { answerFailure, changeFailure } from './agent-failure.ts';
import { type PreparedRequest, type RequestData, requestFor } from './agent-request.ts';
import { type Understood, understand } from './answer.ts';
import { type CallRecord, openCallRecord } from './call-record.ts';
import { type AgentWatch, type Changes, LONGEST_MARK } from './change-watch.ts';
import type { LiveEvent, PerformContext, Performing } from './context.ts';
import { requireSecrets } from './environment.ts';
import { type FileMeter, startFileMeter } from './file-meter.ts';
import { type Ended, type GitWatch, watchGit } from './git-watch.ts';
import { type KeptTexts, keptTexts } from './kept-text.ts';
import { lookAtServers } from './mcp-check.ts';
import { brokenOutcome, type EndReason, endFailure, masked, TIMED_OUT, UNPERFORMABLE } from './outcome.ts';
import { type Finished, logName, type OutputStreams, openOutput, placeOf } from './output.ts';
import { writePromptLog } from './prompt-log.ts';
import { schemaOf } from './schema-check.ts';
import type { SessionRecord } from './session-facts.ts';
import { type DispatchGuard, toolGuard } from './tool-guard.ts';
import { openTranscript, type Transcript } from './transcript.ts';

/** Lines of its calls that are kept to tell what it did outside its worktree. */
const MOST_SAID = 5_000;
/** How long an agent may take to end after it was told to, before we go on without it. */
const LAST_WORDS_MS = 30_000;

export function runAgent(command: RunAgent, context: PerformContext): Performing {
  const started = context.clock.monotonic();
  requireSecrets(command, context);
  const agent = context.agents.find(command.provider);
  const meter = startFileMeter(context.clock);
  const prepared = requestFor(command, agent, context, meter);
  const dispatch = new Dispatch({
    command,
    agent,
    context,
    meter,
    started,
    injection: prepared.injection,
    own: prepared.own,
  });
  writePromptLog(command, prepared.request.prompt, context);
  dispatch.start(prepared);
  return {
    done: dispatch.done.then((outcome) => ({ kind: 'outcome', outcome })),
    cancel: (reason) => dispatch.end(reason),
  };
}

interface DispatchParts {
  command: RunAgent;
  agent: Agent;
  context: PerformContext;
  meter: FileMeter;
  /** By the monotonic clock. */
  started: number;
  injection: Outcome['injection'];
  own: OwnTools;
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
  readonly #meter: FileMeter;
  readonly #transcript: Transcript | undefined;
  readonly #injection: Outcome['injection'];
  readonly #own: OwnTools;
  readonly #started: number;
  /** What is captured of its stdout is its answer, as of a command. */
  readonly #capturesStdout: boolean;
  #handedOver = 0;
  #providerMs: number | undefined;
  #envCount = 0;
  #argv: string[] | undefined;
  readonly #disarm: (() => void)[] = [];
  #watch: AgentWatch | undefined;
  #git: GitWatch | undefined;
  #gitSeen: GitSeen | undefined;
  readonly #said: string[] = [];
  #repositoryChanges: (() => RepositoryChanges | undefined) | undefined;
  #repository: RepositoryChanges | undefined;
  readonly #calls: CallRecord;
  #guard: DispatchGuard | undefined;
  #session: SessionRecord | undefined;
  #saidOnStdout = false;
  #ended: EndReason | undefined;
  #settled = false;
  #resolve!: (outcome: Outcome) => void;

  constructor({ command, agent, context, meter, started, injection, own }: DispatchParts) {
    this.#command = command;
    this.#agent = agent;
    if (hasStory(agent)) this.#transcript = openTranscript(logName(command), context);
    this.#context = { ...context, report: (event) => this.#report(event, context) };
    this.#meter = meter;
    this.#injection = injection;
    this.#own = own;
    this.#started = started;
    this.#capturesStdout = agent.answersOnStdout === true && command.capture.exact === true;
    this.#texts = keptTexts(command, context.mask);
    this.#calls = this.#heard(openCallRecord(command, context));
    this.#output = openOutput(
      {
        ...command,
        saveTo: agent.answersOnStdout ? command.saveTo : undefined,
        // What is captured of another agent is its answer, not its output.
        capture: this.#capturesStdout ? command.capture : { as: 'text', limit: 0, onParseError: 'keep' },
      },
      this.#context,
      meter,
      () => this.#controller.abort(),
    );
    this.done = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  start({ request: data, warnings, servers }: PreparedRequest): void {
    const { timeout } = this.#command;
    const { clock } = this.#context;
    this.#transcript?.begin(this.#agent.name, data);
    for (const warning of warnings) this.warn(warning);
    if (timeout !== undefined) this.#disarm.push(clock.after(timeout, () => this.end('timeout')));
    if (servers.length === 0 && !this.#isWatched() && !this.#command.git) return this.#handOver(data);
    this.#prepare(data, servers).then(
      (failure) => {
        if (failure === undefined && this.#ended === undefined) return this.#handOver(data);
        this.#watch?.drop();
        this.#watch = undefined;
        return this.#settle(() =>
          this.#outcomeOf({ text: '', ...(failure && { exitCode: UNPERFORMABLE, error: failure }) }),
        );
      },
      (error) => this.#settle(() => Promise.reject(error)),
    );
  }

  /** What has to be known before it may start. */
  async #prepare(
    { mcpServers, env }: RequestData,
    servers: PreparedRequest['servers'],
  ): Promise<Failure | undefined> {
    const looking = { command: this.#command, env, signal: this.#controller.signal };
    const failure =
      servers.length === 0 ? undefined : await lookAtServers(mcpServers, servers, looking, this.#context);
    if (failure !== undefined || this.#ended !== undefined) return failure;
    // What was left behind is taken away before anybody looks.
    this.#git = await watchGit(this.#command, this.#isWatched() ? 'reads' : 'writes', this.#context);
    if (this.#git?.refusal) return this.#git.refusal;
    await Promise.all([this.#git?.ready, this.#isWatched() && this.#keepWatch()]);
    return undefined;
  }

  #handOver(data: RequestData): void {
    const { clock, sessions } = this.#context;
    if (this.#settled) return this.#watch?.drop();
    this.#repositoryChanges = this.#context.workspace.watchRepository('thorough');
    this.#session = sessions.open(data.session);
    this.#guard = toolGuard({
      command: this.#command,
      agent: this.#agent,
      own: this.#own,
      context: this.#context,
      session: this.#session,
      calls: this.#calls,
      ...(data.env.HOME !== undefined && { home: data.env.HOME }),
      warn: (warning) => this.warn(warning),
    });
    const request: AgentRequest = {
      ...data,
      ...(this.#guard !== undefined && { guard: this.#guard }),
      signal: this.#controller.signal,
      onEvent: (event) => this.#hear(event),
      keep: (part) => this.#texts.keep(part),
    };
    this.#envCount = Object.keys(data.env).length;
    this.#handedOver = clock.monotonic();
    new Promise<AgentAnswer>((resolve) => resolve(this.#agent.perform(request))).then(
      (answer) => this.#settle(() => this.#outcomeOf(answer)),
      (error) => this.#settle(() => Promise.reject(error)),
    );
  }

  /** Who may not write is held to it (rule 6, and tools without one that writes). */
  #isWatched(): boolean {
    return this.#command.concurrent === true || !mayWrite(this.#command.tools);
  }

  async #keepWatch(): Promise<void> {
    const { saveTo, tools } = this.#command;
    const { changes, workspace } = this.#context;
    const writes = [
      ...(saveTo === undefined ? [] : [saveTo]),
      ...(changesIssues(this.#own.names) ? [ISSUES_FOLDER] : []),
    ];
    this.#watch = await changes.agent(placeName(this.#command.path, this.#command.part), writes);
    if (mayWrite(tools) || !changes.tellBlind()) return;
    this.warn(
      `this step has no tool that writes, and nobody can tell whether its agent keeps to that: ${workspace.root} is not in a git repository`,
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

  #report(event: LiveEvent, { report }: PerformContext): void {
    this.#transcript?.hear(event);
    const shown = event.kind === 'output' ? outputOf(this.#agent, event) : event;
    if (shown) report(shown);
  }

  #hear(event: AgentEvent): void {
    if (this.#settled) return;
    const { mask, report, onUsage, debug } = this.#context;
    const seen = liveEvent(event, placeOf(this.#command), mask);
    if (seen) report(seen);
    switch (event.kind) {
      case 'output':
        if (event.stream === 'stdout') this.#saidOnStdout = true;
        this.#output[event.stream](event.chunk);
        break;
      case 'tool':
        this.#noteCall(event);
        break;
      case 'debug':
        debug?.(this.#command, 'parameters', event.message);
        break;
      case 'warning':
        this.warn(event.message);
        break;
      case 'started':
        this.#argv = event.argv;
        debug?.(this.#command, 'command', JSON.stringify(event.argv));
        break;
      case 'usage':
        onUsage(placeName(this.#command.path, this.#command.part), event.usage);
        break;
    }
  }

  /** What its calls say of places is needed when git is looked at. */
  #heard(calls: CallRecord): CallRecord {
    return {
      note: (call) => {
        const paths = call.acts?.flatMap(({ file, real }) => [file, real]) ?? [];
        for (const line of [call.about, ...paths])
          if (line !== undefined && this.#said.length < MOST_SAID) this.#said.push(line);
        calls.note(call);
      },
      end: () => calls.end(),
      refusals: () => calls.refusals(),
    };
  }

  /** What the guard was asked about it notes itself. */
  #noteCall({ tool, summary: about, denied: reason, unasked }: AgentEvent & { kind: 'tool' }): void {
    if (reason !== undefined) this.#calls.note({ verdict: 'refused', tool, about, by: 'client', reason });
    else if (unasked || this.#guard === undefined) this.#calls.note({ verdict: 'unasked', tool, about });
  }

  async #settle(outcome: () => Promise<Outcome>): Promise<void> {
    if (this.#settled) return;
    this.#settled = true;
    this.#guard?.close();
    this.#providerMs = this.#since(this.#handedOver);
    for (const disarm of this.#disarm) disarm();
    this.#repository = this.#repositoryChanges?.();
    const { mask } = this.#context;
    const settled = await outcome().then(
      (whole) => masked(mask, whole),
      (error) => {
        this.#watch?.drop();
        const broken = brokenOutcome(error, mask, this.#since(this.#started));
        return this.#repository === undefined
          ? broken
          : masked(mask, { ...broken, repository: this.#repository });
      },
    );
    const calls = this.#calls.end();
    const refusals = this.#calls.refusals();
    const counted = calls === undefined ? settled : { ...settled, calls, ...(refusals && { refusals }) };
    this.#transcript?.end(counted);
    this.#resolve(counted);
  }

  async #outcomeOf(answer: AgentAnswer): Promise<Outcome> {
    if (answer.session !== undefined && this.#session !== undefined)
      this.#context.sessions.keep(answer.session, this.#session);
    this.#git?.over();
    const before = this.#watch?.before;
    const changes = this.#ownChanges(await this.#watch?.end());
    const changed = changeFailure(changes, !mayWrite(this.#command.tools));
    if (changed.warning !== undefined) this.warn(changed.warning);
    const { text, cut } = this.#texts.bounded(answer.text);
    this.#writeAnswer(text);
    if (answer.usage !== undefined)
      this.#context.onUsage(placeName(this.#command.path, this.#command.part), answer.usage);
    const failure = this.#failureOf(answer, changed.failure);

    const streamed = this.#capturesStdout ? this.#output.finish() : undefined;
    const understood =
      failure === undefined ? await this.#understand(answer, text, cut, streamed?.captured) : undefined;
    if (understood?.warning !== undefined) this.warn(understood.warning);
    const fits = understood && understood.failure === undefined && !understood.violations?.length;
    const byGit = await this.#lookAtGit({
      ...(fits && { output: understood.output }),
      ...(before !== undefined && { before }),
      ...(changed.failure && { changed: changes?.files ?? [] }),
    });
    const finished = streamed ?? this.#output.finish(cut === undefined && isWhole(understood));
    const facts = this.#facts(answer, answer.stderr ?? finished.stderr);
    if (byGit !== undefined && changed.failure === undefined)
      return this.#failed(facts, text, byGit, streamed);
    if (understood === undefined) return this.#failed(facts, text, failure, streamed);

    const { output, violations, failure: unusable, unparsed, truncated = cut, masked } = understood;
    const keepsRaw = !this.#command.capture.exact && output !== text && text !== '';
    const mark = this.#command.mark ? this.#watch?.before : undefined;
    return {
      ...facts,
      ...(mark !== undefined && mark.length <= LONGEST_MARK && { mark }),
      ok: unusable === undefined,
      output,
      ...(unusable !== undefined && { error: unusable, exit_code: UNPERFORMABLE }),
      ...(violations !== undefined && { violations }),
      ...(unparsed !== undefined && { unparsed }),
      ...(keepsRaw && { raw: text }),
      ...((masked || this.#texts.masked()) && { masked: true }),
      ...(truncated !== undefined && { truncated }),
    };
  }

  /** Who pushes may have git remember where to: that is no file of the work. */
  #ownChanges(changes: Changes | undefined): Changes | undefined {
    if (changes === undefined || this.#command.git?.publishes === undefined) return changes;
    return { ...changes, files: changes.files.filter((file) => file !== '.git/config') };
  }

  async #lookAtGit(ended: Ended): Promise<Failure | undefined> {
    if (this.#git === undefined) return undefined;
    const { seen, failure } = await this.#git.end({
      ...ended,
      said: this.#said,
      ...(this.#repository && { repository: this.#repository }),
    });
    this.#gitSeen = seen;
    return failure;
  }

  /** What it changed goes first: tried again, nobody would see it any more. */
  #failureOf(answer: AgentAnswer, changed: Failure | undefined): Failure | undefined {
    if (this.#ended === undefined || this.#ended === 'timeout') {
      if (changed !== undefined) return changed;
    } else if (changed !== undefined) this.warn(changed.message);
    return this.#ended === undefined ? answerFailure(answer) : endFailure(this.#ended, this.#command.timeout);
  }

  #understand(
    answer: AgentAnswer,
    text: string,
    cut: Outcome['truncated'],
    captured: Captured | undefined,
  ): Promise<Understood> {
    const { mask } = this.#context;
    const isExact = this.#command.capture.exact === true;
    return understand(
      this.#command,
      {
        // Exactly means from the text as it came: it is cut where it is captured.
        answer: isExact ? answer : { ...answer, text },
        cut: cut !== undefined,
        ...(captured && { captured }),
        schema: () => schemaOf(this.#command, this.#context, this.#meter),
      },
      mask,
    );
  }

  /** What there was stands beside the failure. */
  #failed(facts: Outcome, text: string, error: Failure | undefined, streamed: Finished | undefined): Outcome {
    const isMasked = streamed?.captured.masked || this.#texts.masked();
    const mask = isMasked ? { masked: true as const } : {};
    if (streamed === undefined)
      return { ...facts, ...mask, ok: false, output: text === '' ? null : text, error };
    const { output, truncated, unparsed } = streamed.captured;
    return {
      ...facts,
      ...mask,
      ok: false,
      output,
      error,
      ...(truncated !== undefined && { truncated }),
      ...(unparsed !== undefined && { unparsed }),
      ...(streamed.stdoutTail !== undefined && { stdout_tail: streamed.stdoutTail }),
    };
  }

  /** An agent without a stream of its own: its answer is what there is to log and to save. */
  #writeAnswer(text: string): void {
    const bytes = Buffer.from(text);
    if (!this.#saidOnStdout && bytes.length > 0) this.#output.stdout(bytes);
    const { saveTo } = this.#command;
    if (saveTo === undefined || this.#agent.answersOnStdout) return;
    this.#meter.count(() => this.#context.workspace.write(saveTo, bytes));
    this.#context.debug?.(this.#command, 'files', `saved the answer to ${saveTo} (${bytes.length} bytes)`);
  }

  #facts(answer: AgentAnswer, stderr: string): Outcome {
    const model = answer.model ?? this.#command.model;
    const said = answer.error === undefined ? (answer.exitCode ?? 0) : answer.exitCode;
    const exitCode = this.#ended === 'timeout' ? TIMED_OUT : said;
    const denials = this.#guard?.denials();
    return {
      ok: true,
      output: null,
      duration_ms: this.#since(this.#started),
      provider: this.#agent.name,
      ...(exitCode !== undefined && { exit_code: exitCode }),
      ...(stderr !== '' && { stderr }),
      ...(answer.usage !== undefined && { usage: answer.usage }),
      ...(answer.usageByModel !== undefined && { usage_by_model: answer.usageByModel }),
      ...(answer.session !== undefined && { session: answer.session }),
      ...(answer.sessionTotals !== undefined && { session_totals: answer.sessionTotals }),
      ...(model !== undefined && { model }),
      ...(this.#warnings.length > 0 && { warnings: this.#warnings }),
      ...(denials !== undefined && { denials }),
      ...(this.#repository !== undefined && { repository: this.#repository }),
      ...(this.#gitSeen !== undefined && { git: this.#gitSeen }),
      ...(this.#argv !== undefined && { invocation: { argv: this.#argv, env_count: this.#envCount } }),
      ...(this.#injection !== undefined && { injection: this.#injection }),
      metrics: { provider_ms: this.#providerMs ?? 0, ...this.#meter.metrics() },
    };
  }

  #since(moment: number): number {
    return Math.round(this.#context.clock.monotonic() - moment);
  }
}

/** Of a command that is an agent nothing is known that its stdout does not have. */
function hasStory({ answersOnStdout, can }: Agent): boolean {
  return !answersOnStdout || can.has('tools');
}

function isWhole(understood: Understood | undefined): boolean {
  return understood === undefined || captureIsWhole(understood);
}
