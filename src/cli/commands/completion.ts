// completion: scripts for three shells; all ask `lockstep __complete`, so what they offer is what there is.

import type { Command, Option } from 'commander';
import { loadWorkflow } from '../../drivers/run/load.ts';
import { allSteps, referencesTo, stepsNamed } from '../../drivers/run/single-step.ts';
import { Fault } from '../../model/fault.ts';
import type { LibraryKind } from '../../model/library.ts';
import type { Step, Workflow } from '../../model/workflow.ts';
import { definitionsOf, findDefinition } from '../find-workflow.ts';
import { isSpecification, SPEC_WORKFLOW } from '../given/what-to-run.ts';
import type { Services } from '../services.ts';

const SCRIPTS: Record<'bash' | 'zsh' | 'fish', string> = {
  bash: `# lockstep completion for bash
_lockstep() {
  local IFS=$'\\n' words
  words=("\${COMP_WORDS[@]:1:COMP_CWORD}")
  COMPREPLY=( $(compgen -W "$(lockstep __complete -- "\${words[@]}" 2>/dev/null)" -- "\${COMP_WORDS[COMP_CWORD]}") )
  if [[ \${#COMPREPLY[@]} -eq 1 && \${COMPREPLY[0]} == *= ]]; then compopt -o nospace; fi
}
complete -o default -F _lockstep lockstep
`,
  zsh: `#compdef lockstep
# lockstep completion for zsh
_lockstep() {
  local -a offered
  offered=("\${(@f)$(lockstep __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n "\${offered[*]}" ]]; then compadd -- "\${offered[@]}"; else _files; fi
}
if [[ "\${funcstack[1]}" = "_lockstep" ]]; then _lockstep "$@"; else compdef _lockstep lockstep; fi
`,
  fish: `# lockstep completion for fish
function __lockstep_complete
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

/** One offer a line for the last of the words. Whatever goes wrong on the way: no offers, and no noise. */
export async function complete(services: Services, words: string[], tree: Command): Promise<number> {
  const typed = words[0] === '--' ? words.slice(1) : words;
  const offers = await offersFor(services, typed, tree).catch((error: unknown) => {
    if (error instanceof Fault) return [];
    throw error;
  });
  if (offers.length > 0) services.stdout.write(`${offers.join('\n')}\n`);
  return 0;
}

async function offersFor(services: Services, words: string[], tree: Command): Promise<string[]> {
  const visible = tree.commands.filter((command) => !command.name().startsWith('_'));
  if (words.length <= 1) {
    const names = visible.map((command) => command.name());
    return tree.parent === null ? [...names, 'help', '--help', '--version'] : [...names, '--help'];
  }
  const [name, ...rest] = words;
  if (name === 'help') return rest.length === 1 ? visible.map((command) => command.name()) : [];
  const command = visible.find((each) => each.name() === name);
  if (!command) return [];
  if (command.commands.length > 0) return offersFor(services, rest, command);
  const { option, place, values, given } = whereIn(command, rest);
  const workflow = given.get('--workflow') ?? workflowOf(values[0]);
  if (option !== undefined) return valuesOf(services, option, workflow);
  if (rest.at(-1)?.startsWith('-')) return [...command.options.flatMap(({ long }) => long ?? []), '--help'];
  return argumentsOf(services, command, place, workflow);
}

function workflowOf(word: string | undefined): string | undefined {
  return word !== undefined && isSpecification(word) ? SPEC_WORKFLOW : word;
}

interface Where {
  /** The one that the last word is the value of. */
  option?: Option;
  /** Else: the how-manieth argument it is. */
  place: number;
  values: string[];
  given: Map<string, string>;
}

function whereIn(command: Command, words: string[]): Where {
  const values: string[] = [];
  const given = new Map<string, string>();
  let option: Option | undefined;
  for (const word of words.slice(0, -1)) {
    if (option !== undefined) {
      given.set(option.long ?? '', word);
      option = undefined;
    } else if (word.startsWith('-')) {
      const known = command.options.find(({ long, short }) => long === word || short === word);
      option = known?.required ? known : undefined;
    } else values.push(word);
  }
  return { option, place: values.length, values, given };
}

async function valuesOf(services: Services, option: Option, workflow: string | undefined): Promise<string[]> {
  if (option.argChoices) return [...option.argChoices];
  switch (option.long) {
    case '--input':
    case '--context':
      return Object.keys((await definition(services, workflow))?.inputs ?? {}).map((name) => `${name}=`);
    case '--var':
      return Object.keys((await definition(services, workflow))?.vars ?? {}).map((name) => `${name}=`);
    case '--skip-step':
      return ((await definition(services, workflow))?.steps ?? []).map(({ id }) => id);
    case '--gate':
      return gatesOf((await definition(services, workflow))?.steps ?? []);
    case '--workflow':
      return (await services.library()).list('workflow').map(({ name }) => name);
    case '--resume':
      return ['latest', ...(await services.store()).list()];
    case '--kind':
      return ['workflow', 'agent', 'prompt', 'gate', 'schema'];
    default:
      return []; // the shell offers files
  }
}

function gatesOf(steps: Step[]): string[] {
  return steps.flatMap(({ gate, work }) => [
    ...(gate ? [gate.name] : []),
    ...('steps' in work ? gatesOf(work.steps) : []),
  ]);
}

async function definition(services: Services, reference: string | undefined): Promise<Workflow | undefined> {
  if (reference === undefined) return undefined;
  const definitions = await definitionsOf(services);
  return loadWorkflow(definitions, findDefinition(definitions.library, reference)).workflow;
}

async function argumentsOf(
  services: Services,
  command: Command,
  place: number,
  workflow: string | undefined,
): Promise<string[]> {
  const argument = command.registeredArguments[place] ?? command.registeredArguments.at(-1);
  if (!argument || (place >= command.registeredArguments.length && !argument.variadic)) return [];
  if (argument.argChoices) return [...argument.argChoices];
  const names = async (...kinds: LibraryKind[]) => {
    const library = await services.library();
    return kinds.flatMap((kind) => library.list(kind).map((item) => item.name));
  };
  const answers = ['approve', 'reject', 'again', 'accept', 'fail'];
  switch (argument.name()) {
    case 'what':
    case 'workflow':
      return names('workflow');
    case 'step':
      return command.name() === 'run-step' ? stepNames(await definition(services, workflow)) : [];
    case 'name':
      return command.name() === 'show' ? names('workflow', 'agent', 'prompt', 'gate', 'schema') : [];
    case 'kind':
      return ['workflows', 'agents', 'prompts', 'gates', 'schemas'];
    case 'answer':
      return answers;
    case 'run': {
      const runs = ['latest', ...(await services.store()).list()];
      return command.name() === 'answer' ? [...answers, ...runs] : runs;
    }
    case 'worktree': {
      const project = await services.projectRoot();
      const worktrees = await services.worktrees();
      const paths = worktrees.whyNot(project) === undefined ? worktrees.known(project) : [];
      return ['latest', ...paths.map(({ path }) => path.slice(path.lastIndexOf('/') + 1))];
    }
    case 'issue':
      return (await services.tracker()).list().issues.map(({ id }) => String(id));
    default:
      return [];
  }
}

/** By name, and by path where a name means another step or several. */
function stepNames(workflow: Workflow | undefined): string[] {
  if (!workflow) return [];
  const steps = allSteps(workflow);
  const references = referencesTo(workflow, steps);
  return steps.map(({ name, idPath }, index) => {
    const named = stepsNamed(workflow, name);
    return named.length === 1 && named[0]?.idPath === idPath ? name : (references[index] ?? name);
  });
}
