// toolsets: which tools there are, in groups that `--toolsets` names, so that a client's context stays small.

export const TOOLSETS = {
  workflow: [
    'list_workflows',
    'inspect_workflow',
    'start_workflow',
    'continue_workflow',
    'checkpoint_workflow',
    'resume_session',
  ],
  session: ['session_start', 'session_checkpoint', 'session_complete', 'session_status', 'session_get'],
  issues: [
    'issues_create',
    'issues_list',
    'issues_search',
    'issues_get',
    'issues_update',
    'issues_delete',
    'issues_mark_complete',
    'issues_all_complete',
    'issues_labels',
    'issues_metadata',
    'issues_projects',
  ],
  guard: ['get_workflow_status', 'request_phase_transition', 'create_handoff', 'mark_artifact_complete'],
  runs: ['run_workflow', 'run_status', 'run_question'],
} as const;

export type Toolset = keyof typeof TOOLSETS;
export type ToolName = (typeof TOOLSETS)[Toolset][number];

export const TOOLSET_NAMES = Object.keys(TOOLSETS) as Toolset[];
