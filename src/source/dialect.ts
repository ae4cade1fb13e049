// dialect: what a language other than our own must provide, so that its workflows can be compiled. `src/dialects/` has
// them; `compile` is handed a list and knows none by itself.
//
// D1. A dialect is a pure function: foreign document → native document, whose nodes stand where the foreign ones do.
// D2. After translation nothing asks which dialect it was, except to say so to a person.
// D3. It sees no file but those it asks for; it is called again when they are there, and what it made before is dropped.

import type { DialectName } from '../model/dialect.ts';
import type { FileNeed, LoadedFile, MissingFile } from '../model/library.ts';
import type { Layer } from '../model/workflow.ts';
import type { Report } from './diagnostics.ts';
import type { MarkdownFile } from './read/markdown.ts';
import type { MapNode, Node, ScalarNode } from './read/node.ts';

export interface Dialect {
  name: DialectName;
  /** What it is recognised by, for people. */
  marks: string;
  recognises(document: MapNode): boolean;
  /** Absent: this build cannot read it. undefined: it cannot be translated, and that was reported. */
  translate?(document: MapNode, file: LoadedFile, to: Report, files: NamedFiles): MapNode | undefined;
  /** Absent: its workflows bring no agents, prompts and gates of their own. */
  pages?: ForeignPages;
}

/** What the text of a prompt is written in. */
export type TemplateSyntax = 'native' | 'handlebars';

/** Agents, prompts and gates in Markdown, as another language has them. */
export interface ForeignPages {
  /** What lies in this layer is written in that language, whoever names it. */
  layer: Layer;
  /** Where a definition of ours names such a text, it says so by this. */
  syntax: TemplateSyntax;
  /** The same page in our words. undefined: it cannot be read, and that was reported. */
  read(file: LoadedFile, kind: 'agent' | 'prompt' | 'gate', to: Report): MarkdownFile | undefined;
  /** The body alone, as a template of ours. */
  template(body: ScalarNode, to: Report): ScalarNode;
}

/**
 * What a dialect may look at beside the document it translates: files that the document names. A translation stays pure:
 * what nobody has loaded yet is asked for, and the translation is made again once it is there.
 */
export interface NamedFiles {
  /**
   * The file. undefined: it is asked for, and `translate` is called again; or it is not there, which is reported at the
   * node with this code. Either way the translation goes on without it.
   */
  want(need: FileNeed, at: Node, code: string): LoadedFile | undefined;
  /** The same for what need not be there: nothing is reported. undefined: it is asked for. */
  look(need: FileNeed): LoadedFile | MissingFile | undefined;
}
