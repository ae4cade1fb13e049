// page: an agent, a prompt or a gate in Markdown as that language has them → the same page in ours: front matter with our
// fields, each standing where theirs does, and a body that is a template of ours.

import type { LoadedFile } from '../../../model/library.ts';
import { conform, conforming } from '../../grammar/conform.ts';
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
} from '../../grammar/shape.ts';
import type { MapNode, Node, ScalarNode } from '../../read/node.ts';
import { nodeSpan, stringOf } from '../../read/node.ts';
import type { Report } from '../../report.ts';
import { readPage } from '../../resolve/document.ts';
import { type BuiltEntry, built } from '../build.ts';
import { slug } from '../native-text.ts';
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
  const fits = conform(page.matter, SHAPES[kind], 'the front matter', to);
  if (page.matter.kind !== 'map' || !(fits || to.fits(page.matter))) return { body, names };
  return { matter: nativeMatter(page.matter, kind, (key) => to.entry(page.matter, key), (node) => to.fits(node), report), body, names };
}
