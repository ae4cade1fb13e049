// credentials: what gives each client a key or a login, by name. Nobody looks at values (D1).

import type { ClientName } from './facts.ts';

interface Credentials {
  variables: string[];
  addresses: string[];
  /** A file that its own login leaves behind: below the folder that `home` names, else below the user's. */
  login: { home: string; inHome: string; file: string };
  /** How a person logs in. */
  how: string;
}

export const CREDENTIALS: Readonly<Record<ClientName, Credentials>> = {
  claude: {
    variables: [
      'ANTHROPIC_API_KEY',
      'ANTHROPIC_AUTH_TOKEN',
      'CLAUDE_CODE_OAUTH_TOKEN',
      'CLAUDE_CODE_USE_BEDROCK',
      'CLAUDE_CODE_USE_VERTEX',
    ],
    addresses: ['ANTHROPIC_BASE_URL'],
    login: { home: 'CLAUDE_CONFIG_DIR', inHome: '.claude', file: '.credentials.json' },
    how: 'Set ANTHROPIC_API_KEY, or log in once with `claude`.',
  },
  codex: {
    variables: ['CODEX_API_KEY', 'OPENAI_API_KEY'],
    addresses: ['OPENAI_BASE_URL'],
    login: { home: 'CODEX_HOME', inHome: '.codex', file: 'auth.json' },
    how: 'Set CODEX_API_KEY, or log in once with `codex login`.',
  },
  gemini: {
    variables: [
      'GEMINI_API_KEY',
      'GOOGLE_API_KEY',
      'GOOGLE_GENAI_USE_VERTEXAI',
      'GOOGLE_APPLICATION_CREDENTIALS',
    ],
    addresses: ['GOOGLE_GEMINI_BASE_URL'],
    login: { home: 'GEMINI_CLI_HOME', inHome: '.gemini', file: 'oauth_creds.json' },
    how: 'Set GEMINI_API_KEY, or log in once with `gemini`.',
  },
};

/** The versions that the scenarios in e2e/ are played with. */
export const TESTED: Readonly<Record<ClientName, { command: string; sdk?: string }>> = {
  claude: { command: '2.1.325', sdk: '0.3.325' },
  codex: { command: '0.166.0' },
  gemini: { command: '0.61.0' },
};

/** Variables with which a client no longer does what a run needs. */
export const HAZARDS = [
  { variable: 'CLAUDE_CODE_SIMPLE', client: 'claude', effect: 'switches its hooks off' },
  {
    variable: 'CLAUDE_CODE_SHELL_PREFIX',
    client: 'claude',
    effect: 'puts a program before its hooks, which need not run them',
  },
] as const;

export function isSet(environment: Readonly<Record<string, string>>, variable: string): boolean {
  return (environment[variable] ?? '') !== '';
}
