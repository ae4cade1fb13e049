// room-environment: what a command in a room sees: as in the workspace, without what would lead it back there.

/** Of test runners and package managers around us, of git: they would be taken for the command's own. */
const NOT_THEIRS =
  /^(?:NODE_TEST_CONTEXT|NODE_V8_COVERAGE|VITEST.*|JEST_WORKER_ID|npm_.*|INIT_CWD|GIT_(?:DIR|WORK_TREE|INDEX_FILE|COMMON_DIR|OBJECT_DIRECTORY)|MAKEFLAGS|MAKELEVEL|MFLAGS)$/;

/** `workspace`: programs in it are not run. */
export function roomEnvironment(
  environment: Readonly<Record<string, string>>,
  workspace: string,
): Record<string, string> {
  const kept = Object.entries(environment).filter(([name]) => !NOT_THEIRS.test(name));
  const path = (environment.PATH ?? '')
    .split(':')
    .filter((folder) => folder !== workspace && !folder.startsWith(`${workspace}/`))
    .join(':');
  return {
    ...Object.fromEntries(kept),
    ...(environment.PATH !== undefined && { PATH: path }),
    ...(environment.NODE_ENV === 'test' && environment.VITEST !== undefined && { NODE_ENV: '' }),
    // Without it vitest and jest write new snapshots, and pass.
    CI: '1',
  };
}
