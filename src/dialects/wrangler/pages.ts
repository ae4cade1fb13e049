// pages: the agents and prompts that a workflow names, as far as its translation must know them: which names their texts
// read, and whether an agent may write. What is not there yet is asked for; what is missing, whoever uses it reports.

import type { FileNeed, LoadedFile } from '../../model/library.ts';
import { namesTool, parseToolItem, WRITING_TOOLS } from '../../model/tool-policy.ts';
import { type Report, report } from '../../source/diagnostics.ts';
import type { NamedFiles } from '../../source/dialect.ts';
import { readPage } from '../../source/read/document.ts';
import { child, type MapNode, type Node, stringOf } from '../../source/read/node.ts';
import { type ForeignPage, foreignPage } from './page.ts';

export interface PageTexts {
  /** What the text reads, where that is in the text alone. */
  names: ReadonlySet<string>;
  /** Of a page in our language that says what it is to be given: only that. */
  inputs?: readonly string[];
  tools?: Node;
  /** What the answer must look like. */
  schema?: Node;
}

const NOTHING: ReadonlySet<string> = new Set();

export class Pages {
  readonly #files: NamedFiles;
  readonly #report: Report;
  /** Many steps name the same page. */
  readonly #texts = new Map<string, PageTexts | undefined>();
  readonly #tasks = new Map<string, ForeignPage | undefined>();

  readonly #isLoose: boolean;

  /** `isLoose`: the workflow lies in no layer: what it names may lie beside it. */
  constructor(files: NamedFiles, to: Report, isLoose: boolean) {
    this.#files = files;
    this.#report = to;
    this.#isLoose = isLoose;
  }

  /**
   * The path of what a workflow of a repository's own `workflows/` names, in `agents/` or `prompts/` beside that. What the
   * project has in a layer comes before it. undefined: there is none, or it is asked for.
   */
  own(kind: 'agent' | 'prompt', name: string, at: Node): string | undefined {
    if (!this.#isLoose) return undefined;
    const named = this.#files.look({ by: 'name', kind, name });
    const isNamed = named !== undefined && !('missing' in named);
    if (isNamed && (named.layer === 'project' || named.layer === 'wrangler')) return undefined;
    const paths = [`../${kind}s/${name}.md`, `./${kind}s/${name}.md`];
    return paths.find((path) => this.#loaded({ by: 'path', kind, path, from: at.source.id }) !== undefined);
  }

  /** By its name in the library. */
  named(kind: 'agent' | 'prompt', name: string): PageTexts | undefined {
    const file = this.#loaded({ by: 'name', kind, name });
    if (file === undefined) return undefined;
    return once(this.#texts, `${kind} ${file.id}`, () =>
      file.layer === 'wrangler' ? texts(foreignPage(file, kind, report())) : nativeTexts(file),
    );
  }

  /** A file beside the workflow. */
  beside(kind: 'agent' | 'prompt', path: string, at: Node): PageTexts | undefined {
    const file = this.#loaded({ by: 'path', kind, path, from: at.source.id });
    return file && once(this.#texts, `${kind} ${file.id}`, () => texts(foreignPage(file, kind, report())));
  }

  /** An agent of the first generation. A missing one is told here: nobody else reads its front matter. */
  task(path: string, at: Node): ForeignPage | undefined {
    const file = this.#files.want(
      { by: 'path', kind: 'prompt', path, from: at.source.id },
      at,
      'missing-agent',
    );
    return file && once(this.#tasks, file.id, () => foreignPage(file, 'task', this.#report));
  }

  /** All that the gates of a folder read. */
  gates(path: string, at: Node): ReadonlySet<string> {
    const folder = this.#loaded({ by: 'folder', kind: 'gate', path, from: at.source.id });
    const names = (folder?.text ?? '').split('\n').filter((name) => name !== '');
    const pages = names.flatMap((name) => {
      const gate = `${path.replace(/\/$/, '')}/${name}.md`;
      const file = this.#loaded({ by: 'path', kind: 'gate', path: gate, from: at.source.id });
      return file === undefined ? [] : [foreignPage(file, 'gate', report())];
    });
    return new Set(pages.flatMap((page) => [...(page?.names ?? [])]));
  }

  #loaded(need: FileNeed): LoadedFile | undefined {
    const file = this.#files.look(need);
    return file === undefined || 'missing' in file ? undefined : file;
  }
}

function once<T>(made: Map<string, T>, key: string, make: () => T): T {
  if (!made.has(key)) made.set(key, make());
  return made.get(key) as T;
}

/** Problems of a page are told by whoever uses it. */
function nativeTexts(file: LoadedFile): PageTexts {
  const matter = readPage(file, report())?.matter;
  const inputs = keysOf(child(matter, 'inputs'));
  const tools = child(matter, 'tools');
  return { names: NOTHING, ...(inputs && { inputs }), ...(tools && { tools }) };
}

function texts(page: ForeignPage | undefined): PageTexts | undefined {
  const [tools, schema] = [child(page?.matter, 'tools'), child(page?.matter, 'schema')];
  return page && { names: page.names, ...(tools && { tools }), ...(schema && { schema }) };
}

function keysOf(inputs: Node | undefined): string[] | undefined {
  if (inputs?.kind === 'map') return [...(inputs as MapNode).entries.keys()];
  return inputs?.kind === 'list' ? inputs.items.flatMap((item) => stringOf(item) ?? []) : undefined;
}

/** Without a list an agent may use everything. */
export function mayWrite(tools: Node | undefined): boolean {
  const allow = child(tools, 'allow');
  if (allow?.kind !== 'list') return true;
  return allow.items.some((item) => {
    const named = parseToolItem(stringOf(item) ?? '')?.tool;
    return named !== undefined && WRITING_TOOLS.some((tool) => namesTool(named, tool));
  });
}
