// common-environment: what of a client's environment is the user's, and not that client's own.

const OF_A_CLIENT =
  /^(CLAUDECODE|CLAUDE_(PID|PROJECT_DIR|PLUGIN_.*|ENV_FILE|EFFORT)|CLAUDE_CODE_(SESSION.*|ENTRYPOINT|MESSAGING.*|SSE_PORT|EXECPATH|CHILD.*)|GEMINI_(SESSION_ID|PROJECT_DIR|CWD|CLI)|CODEX_(THREAD.*|SANDBOX.*)|LOCKSTEP_(RUN|RUN_ROOT|STEP|AGENT)|TRACEPARENT|NODE_OPTIONS|NODE_EXTRA_CA_CERTS|NODE_CHANNEL_.*)$/;

/** The environment of a client without what is about that client's process and session alone. */
export function commonEnvironment(environment: NodeJS.ProcessEnv): Record<string, string> {
  const common: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    if (value !== undefined && !OF_A_CLIENT.test(name)) common[name] = value;
  }
  return common;
}
