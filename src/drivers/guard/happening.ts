// happening: what an event is kept as in the journal. Texts are cut, inputs are left out: what matters of them is what was judged.

import type { SessionHappening } from '../../model/entry.ts';
import type { HookEvent } from '../../model/live-session.ts';
import { isWritingTool } from '../../model/tool-policy.ts';
import type { Workspace } from '../../ports/workspace.ts';
import { maskSecretShapes } from '../../text/secret-shapes.ts';
import { filesWritten, lineRuns } from '../../text/shell/shell.ts';

const LONGEST_TEXT = 2_000;
const LONGEST_PROMPT = 8_000;
const LONGEST_ABOUT = 1_000;
const MOST_FILES = 200;

/** Undefined: nothing is made of it. `ownTests`: commands that run the tests of this project, beside the usual ones. */
export function happeningOf(
  event: HookEvent,
  workspace: Workspace,
  ownTests: readonly string[] = [],
): SessionHappening | undefined {
  const by = event.subagent ? { subagent: true as const } : {};
  switch (event.kind) {
    case 'session_start':
      return { name: 'session_start', source: event.source };
    case 'user_prompt':
      return {
        name: 'user_prompt',
        prompt: cut(event.prompt, LONGEST_PROMPT),
        ...((!event.byPerson || event.subagent) && { unsaid: true as const }),
      };
    case 'tool_result':
      return { name: 'tool_result', ...by, ...resultOf(event, workspace, ownTests) };
    case 'stop':
      return { name: 'stop', text: cut(event.text, LONGEST_PROMPT) };
    case 'compact':
      return { name: 'compact', reason: event.trigger };
    case 'session_end':
      return { name: 'session_end', reason: event.reason };
    default:
      return undefined;
  }
}

function resultOf(
  { call, tool, acts, text, error }: HookEvent & { kind: 'tool_result' },
  workspace: Workspace,
  ownTests: readonly string[],
): Omit<SessionHappening, 'name'> {
  const file = acts.find((act) => act.file !== undefined)?.file;
  const command = acts.find((act) => act.command !== undefined)?.command;
  const modified =
    error === undefined
      ? acts.flatMap((act) => [
          ...(act.file !== undefined && isWritingTool(act.tool) ? [named(act.file, workspace)] : []),
          ...(act.command === undefined ? [] : written(act.command, workspace)),
        ])
      : [];
  const tested =
    command !== undefined && isTest(command, ownTests)
      ? error === undefined
        ? 'passed'
        : 'failed'
      : undefined;
  return {
    call,
    tool: acts[0]?.tool ?? tool,
    ...(file !== undefined && { file: cut(named(file, workspace), LONGEST_ABOUT) }),
    ...(command !== undefined && { command: cut(command, LONGEST_ABOUT) }),
    ...(text !== '' && { text: cut(text, LONGEST_TEXT) }),
    ...(error !== undefined && { error: cut(error === '' ? 'it failed' : error, LONGEST_TEXT) }),
    ...(modified.length > 0 && { modified: [...new Set(modified)].slice(0, MOST_FILES) }),
    ...(tested && { tested }),
  };
}

/** As rules know it; a path that leads nowhere is named as it is spelt. */
export function named(file: string, workspace: Workspace): string {
  try {
    return workspace.locate(file).spelt;
  } catch {
    return file;
  }
}

function written(line: string, workspace: Workspace): string[] {
  return filesWritten(line).map(({ file }) => named(file, workspace));
}

/** Commands by which projects run their tests. */
const TESTS = [
  ...['npm test', 'npm run test', 'npm t', 'yarn test', 'pnpm test', 'bun test', 'deno test', 'node --test'],
  ...['npx vitest', 'vitest', 'npx jest', 'jest', 'npx mocha', 'mocha', 'pytest', 'python -m pytest'],
  ...['python3 -m pytest', 'python -m unittest', 'python3 -m unittest', 'tox', 'cargo test', 'cargo nextest'],
  ...['go test', 'gradle test', './gradlew test', 'mvn test', 'make test', 'make check', 'ctest', 'rspec'],
  ...['bundle exec rspec', 'rake test', 'phpunit', 'dotnet test', 'swift test', 'mix test', 'just test'],
];

/** `own`: what the workflow itself runs as the tests of the project. */
function isTest(line: string, own: readonly string[]): boolean {
  return [...TESTS, ...own].some((command) => lineRuns(line, `${command} *`).kind === 'yes');
}

/** What looks like a secret goes first: half of one would not look like it. Of a long text only what may be kept is looked at. */
function cut(whole: string, longest: number): string {
  const text = maskSecretShapes(whole.slice(0, 2 * longest));
  return whole.length > longest ? `${text.slice(0, longest).replace(/[\uD800-\uDBFF]$/, '')}…` : text;
}
