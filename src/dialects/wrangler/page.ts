// page: an agent, a prompt or a gate in Markdown as that language has them → the same page in ours: front matter with our
// fields, each standing where theirs does, and a body that is a template of ours.

import type { LoadedFile } from '../../model/library.ts';
import { type BuiltEntry, built } from '../../source/build-nodes.ts';
import type { Report } from '../../source/diagnostics.ts';
import { type Conforming, conform, conforming } from '../../source/grammar/conform.ts';
import {
  boolean,
  choice,
  either,
  type Fields,
  field,
  listOf,
  literal,
  object,
  type Shape,
} from '../../source/grammar/shape.ts';
import { slug } from '../../source/grammar/slug.ts';
import { readPage } from '../../source/read/document.ts';
import type { MapNode, Node, ScalarNode } from '../../source/read/node.ts';
import { nodeSpan, stringOf } from '../../source/read/node.ts';
import { schemaName } from './schema-name.ts';
import { translateText } from './text/translate.ts';

/** `task`: an agent of the first generation, whose body is what to do. */
export type PageKind = 'agent' | 'prompt' | 'gate' | 'task';

export interface ForeignPage {
  /** In our words: `name`, `description`, `tools: { allow }`, `model`, `schema`, `run`, `files`, `enabled`. */
  matter?: MapNode;
  /** A template of ours. */
  body: ScalarNode;
  /** Every name that the body may read. */
  names: ReadonlySet<string>;
}

const naming: Fields = {
  name: field(literal, 'What it is called.'),
  description: field(literal, 'What it is for.'),
};
const performing: Fields = {
  tools: field(either(literal, listOf(literal)), 'What it may use.'),
  model: field(literal, 'Which model.'),
};
const answering: Fields = { outputSchema: field(literal, 'What the answer must look like.') };

const SHAPES: Readonly<Record<PageKind, Shape>> = {
  agent: object({ ...naming, ...performing, ...answering }, 'agent'),
  prompt: object({ ...naming, ...answering }, 'prompt'),
  task: object({ ...naming, ...performing, ...answering }, 'agent'),
  gate: object(
    {
      ...naming,
      ...performing,
      ...answering,
      runCondition: field(choice('always', 'changed-files-match', 'manual'), 'When it runs.'),
      filePatterns: field(listOf(literal), 'With `changed-files-match`: what must have changed.'),
      enabled: field(boolean, 'False: it is left out.'),
    },
    'gate',
  ),
};

/** undefined: it cannot be read, and that was reported. */
export function foreignPage(file: LoadedFile, kind: PageKind, report: Report): ForeignPage | undefined {
  const page = readPage(file, report);
  if (page === undefined) return undefined;
  const { body, names } = translateText(page.body, report);
  if (page.matter === undefined) return { body, names };
  const to = conforming(report);
  conform(page.matter, SHAPES[kind], 'the front matter', to);
  if (page.matter.kind !== 'map') return { body, names };
  return { matter: nativeMatter(page.matter, kind, to), body, names };
}

const RUN: Readonly<Record<string, string>> = {
  always: 'always',
  'changed-files-match': 'changed-files',
  manual: 'manual',
};

function nativeMatter(matter: MapNode, kind: PageKind, to: Conforming): MapNode {
  const get = (key: string) => to.get(matter, key);
  const keyOf = (key: string) => to.entry(matter, key)?.keyNode;
  const name = get('name');
  const patterns = get('filePatterns');
  const matching = stringOf(get('runCondition')) === 'changed-files-match' && patterns !== undefined;
  const entries: BuiltEntry[] = [
    ['name', name && built(name).scalar(slug(stringOf(name) ?? '', 'unnamed')), keyOf('name')],
    ['description', get('description'), keyOf('description')],
    ['tools', toolsOf(get('tools'), to), keyOf('tools')],
    ['model', get('model'), keyOf('model')],
    ['schema', schemaOf(get('outputSchema'), kind, to.report), keyOf('outputSchema')],
    ['enabled', get('enabled'), keyOf('enabled')],
    ['run', runOf(get('runCondition'), matching), keyOf('runCondition')],
    // Patterns count only where the gate asks whether anything matches.
    ['files', matching ? patterns : undefined, keyOf('filePatterns')],
  ];
  return built(matter).map(entries);
}

/** A list, or names with commas between them. */
function toolsOf(node: Node | undefined, to: Conforming): Node | undefined {
  if (node === undefined) return undefined;
  const text = stringOf(node);
  const make = built(node);
  const allow =
    text === undefined
      ? node
      : make.list(
          text
            .split(',')
            .map((each) => each.trim())
            .filter((each) => each !== ''),
        );
  return to.fits(node) ? make.map([['allow', allow]]) : undefined;
}

/** Without patterns there is nothing to match, and the gate runs as any other. */
function runOf(node: Node | undefined, matching: boolean): Node | undefined {
  const said = stringOf(node);
  if (node === undefined || said === undefined) return undefined;
  return built(node).scalar(said === 'changed-files-match' && !matching ? 'always' : (RUN[said] ?? 'always'));
}

function schemaOf(node: Node | undefined, kind: PageKind, report: Report): Node | undefined {
  const reference = stringOf(node);
  if (node === undefined || reference === undefined) return undefined;
  const found = schemaName(reference);
  if ('problem' in found) {
    report.error('unknown-schema', nodeSpan(node), found.problem, found.hint);
    return undefined;
  }
  if (kind !== 'agent') return built(node).scalar(found.name);
  report.warn(
    'schema-of-agent',
    nodeSpan(node),
    'an agent that is used with a prompt has no answer of its own to hold against a schema: this one is not looked at',
    'Write `outputSchema` into the prompt.',
  );
  return undefined;
}
