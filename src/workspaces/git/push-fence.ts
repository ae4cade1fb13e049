// push-fence: settings with which the git of an agent or a command does not reach the remotes of the repository: git asks
// `git-remote-lockstep` to push there, and that says who pushes. Fetching goes on as ever, and so do pushes to
// repositories that a test makes for itself. It keeps off mistakes; what was pushed is found by looking.

import { findRepository } from './repository.ts';

/** What a remote elsewhere begins with. */
const ELSEWHERE = ['https://', 'http://', 'ssh://', 'git://', 'git@'];
const FENCE = 'lockstep::';

export interface Remote {
  name: string;
  urls: string[];
  pushUrls: string[];
}

export function remotesOf(folder: string): Remote[] {
  const remotes = new Map<string, Remote>();
  for (const { section, subsection, key, value } of findRepository(folder)?.settings.common ?? []) {
    if (section !== 'remote' || subsection === undefined || !value) continue;
    const remote = remotes.get(subsection) ?? { name: subsection, urls: [], pushUrls: [] };
    if (key === 'url') remote.urls.push(value);
    else if (key === 'pushurl') remote.pushUrls.push(value);
    remotes.set(subsection, remote);
  }
  return [...remotes.values()].filter(({ urls }) => urls.length > 0);
}

/** `pushInsteadOf` does not count where a remote has an address for pushing: that one is led astray for fetching, too. */
export function pushFence(folder: string): [key: string, value: string][] {
  const remotes = remotesOf(folder);
  const fetched = new Set(remotes.flatMap(({ urls }) => urls));
  const pushed = new Set(remotes.flatMap(({ pushUrls }) => pushUrls).filter((url) => !fetched.has(url)));
  return [
    ...[...new Set([...ELSEWHERE, ...fetched])].map((url): [string, string] => [
      `url.${FENCE}${url}.pushInsteadOf`,
      url,
    ]),
    ...[...pushed].map((url): [string, string] => [`url.${FENCE}${url}.insteadOf`, url]),
  ];
}
