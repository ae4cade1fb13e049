// turn: where a guided run stands, for whoever shows it to a client: the step that is handed out, what a person is asked, or how
// it ended. One step and no more: nothing here tells of a step that was not reached.

import type { ClaimRefusal, Drive, Failure } from '../../model/entry.ts';
import type { JsonObject } from '../../model/json.ts';
import { withoutMarks } from '../../model/mask-mark.ts';
import type { Handed, RunStatus, State } from '../../model/state.ts';
import type { ToolPolicy } from '../../model/workflow.ts';
import type { RunView } from '../../views/run-view.ts';
import type { Question } from '../../views/step-record.ts';

export interface Turn {
  run: {
    id: string;
    workflow: string;
    status: RunStatus;
    /** Anything but `guide`: it was handed over, and no client is led through it. */
    drive: Drive;
    workspace: string;
    branch: string;
    location: string;
  };
  /** What to do now. Absent where the run has ended, waits for a person only, or works itself. */
  handed?: HandedStep;
  questions: Question[];
  /** Something of ours is still under way. */
  working?: Working;
  /** What became of the claim that this answers. */
  claim?: ClaimFate;
  warnings: string[];
  outputs?: JsonObject;
  error?: Failure;
}

export interface HandedStep {
  path: string;
  try: number;
  /** The number of the entry that handed it out. */
  n: number;
  /** Its id. */
  step: string;
  title?: string;
  prompt: string;
  /** What the agent that the step names is told in general, and the guidance of the workflow. */
  system?: string;
  agent?: string;
  model?: string;
  /** What the step may use. Held to, as far as the tools are ours. */
  tools: ToolPolicy;
  /** What the answer has to fit. */
  schema?: JsonObject;
  /** Where to work, if that is not the workspace of the run. */
  workspace?: string;
  /** Why the last try was not accepted. */
  reasons: string[];
  triesLeft: number;
}

export interface Working {
  /** What is under way: a step, or one of its checks. */
  what: string;
  /** Another process holds the run, and it is that one which works. */
  by?: { pid: number; host: string };
}

/** `known`: it was handed in before. */
export type ClaimFate =
  | { status: 'taken' }
  | { status: 'known'; by: string; same: boolean }
  | { status: 'refused'; refusal: ClaimRefusal; why: string };

export function turnOf(state: State, view: RunView, location: string, warnings: string[] = []): Turn {
  const { outline } = view;
  const [handed] = state.handed.values();
  const { run, status, error, outputs } = state;
  return {
    run: {
      ...{ id: run.id, workflow: outline.workflow.name, status, drive: state.driven.drive, location },
      ...{ workspace: run.workspace, branch: run.branch },
    },
    ...(handed && { handed: handedStep(handed, view) }),
    questions: [...outline.questions.values()],
    warnings,
    ...(status === 'completed' && { outputs }),
    ...(status === 'failed' && error && { error }),
  };
}

function handedStep({ open, prompt, system, try: tried, n }: Handed, { outline }: RunView): HandedStep {
  const { step, path, feedback } = open;
  const performer = step.work.kind === 'prompt' ? step.work.performer : undefined;
  const schema = step.done?.checks.find((check) => check.kind === 'schema');
  const title = outline.byPath.get(path)?.title;
  const { agent, model } = performer ?? {};
  return {
    ...{ path, try: tried, n, step: step.id, prompt, reasons: withoutMarks(feedback) },
    triesLeft: (step.done?.tries ?? 1) - tried,
    tools: performer?.tools ?? { deny: [] },
    ...(title !== undefined && { title }),
    ...(system !== undefined && { system }),
    ...(agent && { agent: agent.name }),
    ...(model !== undefined && { model }),
    ...(schema?.kind === 'schema' && { schema: schema.schema }),
    ...(open.worktree && { workspace: open.worktree.path }),
  };
}
