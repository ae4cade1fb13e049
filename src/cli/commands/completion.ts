// completion: scripts for three shells; all ask `lockstep __complete`, so what they offer is what there is.

import type { Command } from 'commander';
import type { Services } from '../services.ts';

const SCRIPTS: Record<'bash' | 'zsh' | 'fish', string> = {
  bash: `_lockstep() {
  local IFS=$'\\n'
  COMPREPLY=( $(compgen -W "$(lockstep __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)" -- "\${COMP_WORDS[COMP_CWORD]}") )
}
complete -o default -F _lockstep lockstep
`,
  zsh: `#compdef lockstep
_lockstep() {
  local -a offered
  offered=(\${(f)"$(lockstep __complete -- "\${words[@]:1:$((CURRENT-1))}" 2>/dev/null)"})
  compadd -- $offered
  _files
}
compdef _lockstep lockstep
`,
  fish: `function __lockstep_complete
  set -l words (commandline -opc) (commandline -ct)
  lockstep __complete -- $words[2..-1] 2>/dev/null
end
complete -c lockstep -a '(__lockstep_complete)'
`,
};

export async function completion(services: Services, shell: 'bash' | 'zsh' | 'fish'): Promise<number> {
  services.stdout.write(SCRIPTS[shell]);
  return 0;
}

/** One offer a line for the last of the words. */
export async function complete(services: Services, words: string[], tree: Command): Promise<number> {
  const offers = await offersFor(services, words[0] === '--' ? words.slice(1) : words, tree);
  if (offers.length > 0) services.stdout.write(`${offers.join('\n')}\n`);
  return 0;
}

async function offersFor(services: Services, words: string[], tree: Command): Promise<string[]> {
  const visible = tree.commands.filter((command) => !command.name().startsWith('_'));
  if (words.length <= 1) return [...visible.map((command) => command.name()), '--help', '--version'];
  const command = visible.find((each) => each.name() === words[0]);
  if (!command) return [];
  if (words.at(-1)?.startsWith('-'))
    return [...command.options.flatMap((option) => option.long ?? []), '--help'];
  switch (words[0]) {
    case 'run':
    case 'validate':
    case 'graph':
      return (await services.library()).list('workflow').map((item) => item.name);
    case 'show': {
      const library = await services.library();
      return (['workflow', 'agent', 'prompt', 'gate', 'schema'] as const).flatMap((kind) =>
        library.list(kind).map((item) => item.name),
      );
    }
    case 'list':
      return ['workflows', 'agents', 'prompts', 'gates', 'schemas'];
    case 'schema':
      return ['workflow', 'script'];
    case 'completion':
      return ['bash', 'zsh', 'fish'];
    case 'answer':
      return ['approve', 'reject', 'again', 'accept', 'fail', 'latest', ...(await services.store()).list()];
    case 'resume':
    case 'status':
    case 'logs':
    case 'audit':
    case 'signal':
    case 'cancel':
      return ['latest', ...(await services.store()).list()];
    default:
      return [];
  }
}
