// kept-settings: what of a repository's own configuration our git is told. It is a list of what is harmless, so that a
// setting which git learns to run tomorrow is left out today: how files are compared and stored, whose commits they
// are, and where remotes are. Nothing in it names a program, a hook, or another file with settings, and nothing makes git
// believe that a file is unchanged without a look (`core.trustCtime`, `core.checkStat`). Pure.

import { isTrue, lastValue, type Setting } from './config-text.ts';

const KEPT: Record<string, readonly string[]> = {
  core: [
    'attributesfile',
    'autocrlf',
    'bigfilethreshold',
    'checkroundtripencoding',
    'compression',
    'eol',
    'excludesfile',
    'filemode',
    'fsync',
    'hidedotfiles',
    'ignorecase',
    'logallrefupdates',
    'longpaths',
    'loosecompression',
    'precomposeunicode',
    'repositoryformatversion',
    'safecrlf',
    'sharedrepository',
    'symlinks',
  ],
  user: ['name', 'email', 'useconfigonly'],
  author: ['name', 'email'],
  committer: ['name', 'email'],
};

/** What `git sparse-checkout` sets, mostly in the configuration of one work tree. */
const SPARSE: Record<string, readonly string[]> = {
  core: ['sparsecheckout', 'sparsecheckoutcone'],
  index: ['sparse'],
};

/** `reaches`: git may fetch what a partial clone has left out. `common`, `own`: of the repository, of the work tree. */
export function keptSettings(common: Setting[], own: Setting[], reaches: boolean): Setting[] {
  const isPlain = ({ subsection }: Setting) => subsection === undefined;
  const addresses = common.filter(isAddress);
  // Without an address git takes the name of a remote for a path.
  const isKnown = (remote = '') => reaches && addresses.some(({ subsection }) => subsection === remote);
  return [
    ...common.filter((each) => isPlain(each) && KEPT[each.section]?.includes(each.key)),
    ...sparseSettings(common),
    ...(hasOwnSettings(common) ? sparseSettings(own) : []),
    // Git refuses a repository with an extension that it does not know, and so it should here.
    ...common.filter(
      ({ section, key, value }) =>
        section === 'extensions' && key !== 'worktreeconfig' && (key !== 'partialclone' || isKnown(value)),
    ),
    ...addresses,
    ...common.filter((each) => isPromise(each) && isKnown(each.subsection)),
  ];
}

export function sparseSettings(settings: readonly Setting[]): Setting[] {
  return settings.filter(
    ({ section, subsection, key }) => subsection === undefined && SPARSE[section]?.includes(key),
  );
}

/** Whether `config.worktree` counts. */
export function hasOwnSettings(common: readonly Setting[]): boolean {
  return isTrue(lastValue(common, 'extensions', 'worktreeconfig'));
}

/** `https://…`, `host:path`, an absolute path. An address such as `ext::sh -c …` names a program. */
const ADDRESS = /^(?:[a-z][a-z0-9+.-]*:\/\/[^-]|\/|[^-:/][^:/]*:(?!:|\/\/))/i;

function isAddress({ section, subsection, key, value = '' }: Setting): boolean {
  return section === 'remote' && subsection !== undefined && key === 'url' && ADDRESS.test(value);
}

function isPromise({ section, subsection, key }: Setting): boolean {
  return section === 'remote' && subsection !== undefined && /^(?:promisor|partialclonefilter)$/.test(key);
}

export interface ForeignFilter {
  name: string;
  /** The user has one of this name, with other commands. */
  isOverridden: boolean;
}

/** Filters that the repository defines and the user does not, or not like that: they are not run. */
export function foreignFilters(repository: readonly Setting[], users: readonly Setting[]): ForeignFilter[] {
  const theirs = filtersIn(repository);
  const own = filtersIn(users);
  return [...theirs]
    .filter(([name, commands]) => [...commands].some(([key, value]) => own.get(name)?.get(key) !== value))
    .map(([name]) => ({ name, isOverridden: own.has(name) }));
}

function filtersIn(settings: readonly Setting[]): Map<string, Map<string, string>> {
  const filters = new Map<string, Map<string, string>>();
  for (const { section, subsection, key, value = '' } of settings) {
    if (section !== 'filter' || subsection === undefined || !/^(?:clean|smudge|process)$/.test(key)) continue;
    const commands = filters.get(subsection) ?? new Map<string, string>();
    filters.set(subsection, commands.set(key, value));
  }
  return filters;
}
