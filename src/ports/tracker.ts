// tracker: issues, for people and for runs. Whoever writes at the same time, nothing that was written is lost: a change
// is made on the newest text, and touches only what it names.

import type { JsonObject } from '../model/json.ts';

export const ISSUE_STATUSES = ['open', 'in-progress', 'done', 'cancelled'] as const;
export const ISSUE_PRIORITIES = ['critical', 'high', 'medium', 'low'] as const;
export type IssueStatus = (typeof ISSUE_STATUSES)[number];
export type IssuePriority = (typeof ISSUE_PRIORITIES)[number];

export interface Issue {
  id: number;
  title: string;
  status: IssueStatus;
  labels: string[];
  priority?: IssuePriority;
  /** Issues that must be over before this one is begun. */
  dependencies: number[];
  /** ISO 8601; '' where nobody wrote it down. */
  created: string;
  updated: string;
  /** The run that made it, and which of its tasks it is. */
  run?: string;
  task?: string;
  assignee?: string;
  /** Markdown. */
  body: string;
  /** For people: relative to the project. */
  path: string;
  /** What somebody else wrote beside it. It stays as it is. */
  more: JsonObject;
}

/** A file that cannot be read as an issue. It is never written. */
export interface BrokenIssue {
  path: string;
  why: string;
}

export interface IssueDraft {
  title: string;
  body?: string;
  status?: IssueStatus;
  labels?: string[];
  priority?: IssuePriority;
  dependencies?: number[];
  run?: string;
  task?: string;
  assignee?: string;
}

/** What is absent stays. `null` takes away. */
export interface IssueChange {
  title?: string;
  body?: string;
  status?: IssueStatus;
  priority?: IssuePriority | null;
  assignee?: string | null;
  addLabels?: string[];
  removeLabels?: string[];
  addDependencies?: number[];
  removeDependencies?: number[];
  /** A paragraph at the end of the body. */
  note?: string;
}

/** All that is given must hold. */
export interface IssueFilter {
  status?: IssueStatus[];
  labels?: string[];
  priority?: IssuePriority[];
  assignee?: string;
  run?: string;
  task?: string;
}

export interface Issues {
  /** By number. */
  issues: Issue[];
  broken: BrokenIssue[];
}

export interface Readiness {
  /** Open, with nothing in their way: by priority, then by number. */
  ready: Issue[];
  /** `missing`: dependencies that no issue has the number of. */
  blocked: { issue: Issue; by: number[]; missing: number[] }[];
  /** Each as a way round: [3, 5, 3]. */
  circles: number[][];
  broken: BrokenIssue[];
}

export interface Tracker {
  /** Faults `issue-invalid` (no title, an unknown dependency), `issues-failed`. */
  create(draft: IssueDraft): Issue;
  list(filter?: IssueFilter): Issues;
  /** Faults `issue-unknown`, `issue-broken`, `issue-ambiguous` where two files have the number. */
  get(id: number): Issue;
  /** As `get`; and `issue-invalid` where its dependencies would go round in a circle. */
  update(id: number, change: IssueChange): Issue;
  /** Every word of the text is in the title, the labels or the body, in any case. The title counts most. */
  search(text: string, filter?: IssueFilter): Issues;
  readiness(): Readiness;
}
