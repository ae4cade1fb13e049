// gate: `gates/<directory>/*.md` → the reviews of a `gates` step, in byte order of their files. A name means the files
// of that directory in all layers together, of one name the first; a path means one folder beside the workflow's file.

import type { FileNeed, LoadedFile } from '../../model/library.ts';
import type { TemplateSyntax } from '../../source/dialect.ts';
import { conform } from '../../source/grammar/conform.ts';
import { gateShape } from '../../source/grammar/workflow-shape.ts';
import {
  headSpan,
  type MapNode,
  type Node,
  nodeSpan,
  type ScalarNode,
  stringOf,
  toJson,
} from '../../source/read/node.ts';
import type { Compilation } from '../compilation.ts';
import { definitionPage, foreignPages } from './page.ts';
import { inputsOf, type LibraryPrompt } from './prompt.ts';

export interface GateDefinition {
  /** As its file says, else as the file is called. */
  name: string;
  source: number;
  matter: MapNode | undefined;
  body: ScalarNode;
  /** `prompt` of the front matter: the text is a prompt of the library. */
  prompt?: Node;
  /** Of another language, in which the file is agent and task in one. */
  foreign: boolean;
}

/** undefined: nobody has looked yet, or it was reported. */
export function findGates(
  node: Node,
  syntax: TemplateSyntax | undefined,
  compilation: Compilation,
): GateDefinition[] | undefined {
  const reference = stringOf(node)?.replace(/\/+$/, '');
  if (reference === undefined) return undefined;
  const isPath = /^\.\.?(?:\/|$)/.test(reference);
  const from = node.source.id;
  const folder = compilation.want(
    isPath
      ? { by: 'folder', kind: 'gate', path: reference, from }
      : { by: 'folder', kind: 'gate', name: reference },
    node,
    'missing-gates',
  );
  if (folder === undefined) return undefined;
  const names = folder.text.split('\n').filter(Boolean);
  const gates = names.map((name) => {
    const path = `${reference}/${name}`;
    const need: FileNeed = isPath
      ? { by: 'path', kind: 'gate', path: `${path}.md`, from }
      : { by: 'name', kind: 'gate', name: path };
    const file = compilation.want(need, node, 'missing-gates');
    return file && readGate(file, name, syntax, compilation);
  });
  if (names.length === 0) {
    const where = isPath ? folder.path : `gates/${reference} of any layer`;
    compilation.report.error(
      'gates-empty',
      nodeSpan(node),
      `there is no gate in ${where}: nothing would be reviewed`,
      'A gate is a Markdown file in it; its text is the task of the reviewer.',
    );
  }
  return gates.filter((gate) => gate !== undefined);
}

function readGate(
  file: LoadedFile,
  fileName: string,
  syntax: TemplateSyntax | undefined,
  compilation: Compilation,
): GateDefinition | undefined {
  return compilation.once(`${syntax ?? ''} gate`, file, () => {
    const page = definitionPage(file, 'gate', compilation, syntax);
    if (page === undefined) return undefined;
    if (page.matter !== undefined) conform(page.matter, gateShape, 'the front matter', compilation.to);
    const matter = page.matter?.kind === 'map' ? page.matter : undefined;
    const name = stringOf(compilation.to.get(matter, 'name')) ?? fileName;
    const prompt = compilation.to.get(matter, 'prompt');
    checkKind(name, matter, page.body, compilation);
    const source = compilation.source('gate', name, file);
    const foreign = foreignPages(file, compilation, syntax) !== undefined;
    return { name, source, matter, body: page.body, foreign, ...(prompt && { prompt }) };
  });
}

const KINDS: readonly [field: string, shown: string][] = [
  ['prompt', 'names a prompt'],
  ['command', 'names a `command`'],
  ['call', 'names a handler with `call`'],
];
/** What only a prompt has, and what only a program has. */
const OF_PROMPTS = ['agent', 'tools', 'model', 'provider', 'params', 'schema', 'inputs'];
const OF_PROGRAMS = ['with', 'format', 'levels', 'exit_codes'];

/** It is one thing: a text, a prompt of the library, a command or a handler. */
function checkKind(
  name: string,
  matter: MapNode | undefined,
  body: ScalarNode,
  { to, report }: Compilation,
): void {
  const entry = (key: string) => to.entry(matter, key);
  const said = KINDS.filter(([key]) => entry(key) !== undefined);
  const hasText = String(body.value).trim() !== '';
  const whatItIs = [...(hasText ? ['has a text'] : []), ...said.map(([, shown]) => shown)];
  // Where it is switched off, nobody needs to say what it would have done.
  const enabled = to.get(matter, 'enabled');
  const isOn = enabled === undefined || toJson(enabled) !== false;
  if (isOn && whatItIs.length !== 1) {
    const [first] = said;
    report.error(
      'gate-text',
      headSpan((first && entry(first[0])?.value) ?? matter ?? body),
      whatItIs.length === 0
        ? `the gate "${name}" has neither a text nor a \`prompt\`, a \`command\` or a \`call\``
        : `the gate "${name}" ${whatItIs.slice(0, -1).join(', ')} and ${whatItIs.at(-1)} too`,
      'Write the task below the front matter, or name a prompt of the library, a command or a handler, and write nothing there.',
    );
  }
  const isProgram = entry('command') !== undefined || entry('call') !== undefined;
  for (const key of isProgram ? OF_PROMPTS : OF_PROGRAMS) reportAstray(key, isProgram);
  if (entry('command') !== undefined) reportAstray('with', true);

  function reportAstray(key: string, ofProgram: boolean): void {
    const astray = entry(key);
    if (astray === undefined) return;
    report.error(
      'gate-program',
      nodeSpan(astray.keyNode),
      ofProgram
        ? `\`${key}\` says nothing of the gate "${name}": it is a program`
        : `\`${key}\` says nothing of the gate "${name}": it is no program`,
      ofProgram
        ? 'Leave it out. Values go into the command itself: `command: lint {{ inputs.folder }}`.'
        : 'Leave it out, or make the gate a program with `command` or `call`.',
    );
  }
}

/** The text of the file itself, as a prompt. */
export function promptOfGate(gate: GateDefinition, compilation: Compilation): LibraryPrompt {
  const { name, source, body, matter } = gate;
  const inputs = inputsOf(matter, compilation);
  return { name, source, body, ...(inputs && { inputs: inputs.map((input) => input.name) }) };
}
