// tools: the table of all tools. A name without a tool, or a tool without a name, does not compile.

import type { AnyTool } from './tool.ts';
import { checkpointWorkflow } from './tools/checkpoint-workflow.ts';
import { continueWorkflow } from './tools/continue-workflow.ts';
import {
  createHandoff,
  getWorkflowStatus,
  markArtifactComplete,
  requestPhaseTransition,
} from './tools/guard-tools.ts';
import { inspectWorkflow } from './tools/inspect-workflow.ts';
import { issuesCreate, issuesDelete, issuesMarkComplete, issuesUpdate } from './tools/issues-change.ts';
import {
  issuesAllComplete,
  issuesGet,
  issuesLabels,
  issuesList,
  issuesMetadata,
  issuesProjects,
  issuesSearch,
} from './tools/issues-look.ts';
import { listWorkflows } from './tools/list-workflows.ts';
import { resumeSession } from './tools/resume-session.ts';
import { runQuestion, runStatus, runWorkflow } from './tools/run-tools.ts';
import { sessionCheckpoint, sessionComplete, sessionStart } from './tools/session-change.ts';
import { sessionGet, sessionStatus } from './tools/session-look.ts';
import { startWorkflow } from './tools/start-workflow.ts';
import { TOOLSETS, type ToolName, type Toolset } from './toolsets.ts';

export const TOOLS: Record<ToolName, AnyTool> = {
  list_workflows: listWorkflows,
  inspect_workflow: inspectWorkflow,
  start_workflow: startWorkflow,
  continue_workflow: continueWorkflow,
  checkpoint_workflow: checkpointWorkflow,
  resume_session: resumeSession,
  session_start: sessionStart,
  session_checkpoint: sessionCheckpoint,
  session_complete: sessionComplete,
  session_status: sessionStatus,
  session_get: sessionGet,
  issues_create: issuesCreate,
  issues_list: issuesList,
  issues_search: issuesSearch,
  issues_get: issuesGet,
  issues_update: issuesUpdate,
  issues_delete: issuesDelete,
  issues_mark_complete: issuesMarkComplete,
  issues_all_complete: issuesAllComplete,
  issues_labels: issuesLabels,
  issues_metadata: issuesMetadata,
  issues_projects: issuesProjects,
  get_workflow_status: getWorkflowStatus,
  request_phase_transition: requestPhaseTransition,
  create_handoff: createHandoff,
  mark_artifact_complete: markArtifactComplete,
  run_workflow: runWorkflow,
  run_status: runStatus,
  run_question: runQuestion,
};

export function toolsOf(toolsets: readonly Toolset[]): Map<string, AnyTool> {
  return new Map(
    toolsets.flatMap((set) => TOOLSETS[set].map((name): [string, AnyTool] => [name, TOOLS[name]])),
  );
}
