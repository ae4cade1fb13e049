// find-place: a token → the run and the project that it belongs to, or what is wrong with it and which call works instead.

import { type Blocker, blocker } from './blockers.ts';
import type { CallContext } from './call-context.ts';
import type { Place, TokenKind, TokenProblem } from './tokens.ts';
import type { Workplace } from './workplace.ts';

export type FoundPlace =
  | { place: Workplace; token: Place; problem?: undefined }
  | { problem: Blocker; root: string };

/** `kinds`: which tokens do here. */
export async function findPlace(
  context: CallContext,
  token: string,
  kinds: readonly TokenKind[],
  workspacePath: string | undefined,
): Promise<FoundPlace> {
  const here = await context.at(workspacePath);
  const read = context.tokens().read(token);
  if (read.problem) return { problem: misread(read.problem), root: here.root };
  if (!kinds.includes(read.kind)) return { problem: wrongKind(read.kind, kinds), root: here.root };
  const { run } = read.place;
  const places = workspacePath === undefined ? [here, ...(await context.workplaces.known())] : [here];
  const place = places.find((one) => hasRun(one, run));
  return place ? { place, token: read.place } : { problem: foreign(run, here.root), root: here.root };
}

/** Without listing them: there may be thousands. */
function hasRun({ store }: Workplace, run: string): boolean {
  try {
    return store.read(run).hasJournal();
  } catch {
    return false;
  }
}

const AT_TOKEN = { kind: 'argument', pointer: '/continueToken' } as const;
const RESUME = 'Call resume_session with the workspacePath of the project: it gives a token that works.';

const MISREAD: Record<TokenProblem, { code: string; message: string; fix: string }> = {
  unreadable: {
    code: 'token-unreadable',
    message: 'this is no token: they begin with ct_, st_ or ck_ and are handed back as they are',
    fix: 'Copy the continueToken of the last answer whole.',
  },
  tampered: {
    code: 'token-tampered',
    message: 'this token was changed or cut since it was given',
    fix: 'Copy the continueToken of the last answer whole.',
  },
  'other-key': {
    code: 'token-key-lost',
    message: 'this token was signed with a key that is not here any more',
    fix: 'Nothing of the run is lost.',
  },
};

function misread(problem: TokenProblem): Blocker {
  const { code, message, fix } = MISREAD[problem];
  return blocker(code, AT_TOKEN, message, `${fix} ${RESUME}`);
}

const USES: Record<TokenKind, string> = {
  ct: 'continue_workflow takes it',
  st: 'it only shows where the run is',
  ck: 'checkpoint_workflow takes it',
};

function wrongKind(kind: TokenKind, kinds: readonly TokenKind[]): Blocker {
  return blocker(
    'token-other-kind',
    AT_TOKEN,
    `a token that begins with ${kind}_ does not do here (${USES[kind]}); expected ${kinds.map((one) => `${one}_`).join(' or ')}`,
    kind === 'ck'
      ? RESUME
      : 'Call continue_workflow with this token and intent "rehydrate": it shows where the run is, with the tokens that work.',
  );
}

function foreign(run: string, root: string): Blocker {
  return blocker(
    'token-foreign',
    AT_TOKEN,
    `the run ${run} of this token is not one of ${root}`,
    `Set /workspacePath to the folder of the project that the run belongs to. Where that is not known: ${RESUME}`,
  );
}
