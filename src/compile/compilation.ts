// compilation: what one call of compile gathers: problems, files it still needs, sources, sites, and the way back
// from the parts of the workflow to the text.

import type { Span } from '../model/diagnostic.ts';
import type { DialectName } from '../model/dialect.ts';
import type { FileNeed, LoadedFile, MissingFile, PlaceFound, PlaceNeed } from '../model/library.ts';
import type { Source, SourceKind, ToolPolicy, Workflow } from '../model/workflow.ts';
import { type Report, report } from '../source/diagnostics.ts';
import type { Dialect, NamedFiles } from '../source/dialect.ts';
import { type Conforming, conforming } from '../source/grammar/conform.ts';
import { quoted } from '../source/grammar/flow-text.ts';
import {
  headSpan,
  type MapEntry,
  type MapNode,
  type Node,
  nodeSpan,
  type ScalarNode,
} from '../source/read/node.ts';
import { didYouMean } from '../text/closest-name.ts';
import type { LibraryPrompt } from './resolve/prompt.ts';
import type { Site } from './site.ts';

/** What is known by now, by `needKey`: a map of all that was found before, or one that looks when it is asked. */
export interface Known<Need, Found> {
  get(key: string, need: Need): Found | undefined;
}

export interface CompileRequest {
  main: LoadedFile;
  files: Known<FileNeed, LoadedFile | MissingFile>;
  /** Absent: the caller cannot look at the disk, so no paths are asked about. */
  places?: Known<PlaceNeed, PlaceFound>;
  /** sha256 of a text, in hex. */
  hash: (text: string) => string;
  /** The languages besides our own that it reads. */
  dialects: readonly Dialect[];
  /** What the main file is written in, where somebody says so; else its shape tells. */
  dialect?: DialectName;
  /** Goes before `defaults.model` of every workflow. */
  model?: string;
}

/** A source with its text, for pinning and for source frames. */
export interface CompiledSource extends Source {
  text: string;
}

export type Refused = Workflow['refused'][number];

export function needKey(need: FileNeed | PlaceNeed): string {
  if (need.by === 'place') return JSON.stringify(['place', need.path, need.glob ?? '']);
  const by = need.by === 'folder' ? ['folder'] : [];
  return JSON.stringify([...by, need.kind, ...('name' in need ? [need.name] : [need.path, need.from])]);
}

interface Missed {
  need: FileNeed;
  file: MissingFile;
  at: Node;
  code: string;
  places: Set<Node>;
}

const EXTENSION = /\.(?:ya?ml|json|md)$/;

/** A name in the library, or a path relative to the file that says it (which may be the parent of this one). */
export function needFor(kind: FileNeed['kind'], reference: string, at: Node): FileNeed {
  return reference.includes('/') || EXTENSION.test(reference)
    ? { by: 'path', kind, path: reference, from: at.source.id }
    : { by: 'name', kind, name: reference };
}

export class Compilation implements NamedFiles {
  readonly report: Report = report();
  readonly to: Conforming = conforming(this.report);
  readonly needs = new Map<string, FileNeed>();
  readonly sources: CompiledSource[] = [];
  readonly sites: Site[] = [];
  readonly refused: Refused[] = [];
  /** Names of parameters that anything gives a provider. */
  readonly parameters = new Set<string>();
  /** Prompts that are not looked up: the texts of gates, by what names them. */
  readonly prepared = new WeakMap<Node, LibraryPrompt>();
  /** What workflow and agent allow together, by both. */
  readonly tools = new Map<MapNode, Map<MapNode | undefined, ToolPolicy>>();
  readonly #missing = new Map<string, Missed>();
  readonly #request: CompileRequest;
  readonly #refusals = new Set<string>();
  readonly #indices = new Map<string, number>();
  readonly #nodes = new WeakMap<object, Node>();
  readonly #memo = new Map<string, unknown>();

  constructor(request: CompileRequest) {
    this.#request = request;
  }

  /** The file, if it is there. A need that nobody has looked for yet is noted; one that is missing is reported. */
  want(need: FileNeed, at: Node, code: string): LoadedFile | undefined {
    const file = this.look(need);
    if (file === undefined || !('missing' in file)) return file;
    const key = needKey(need);
    const missed = this.#missing.get(key) ?? { need, file, at, code, places: new Set() };
    missed.places.add(at);
    this.#missing.set(key, missed);
    return undefined;
  }

  /** The same for what need not be there. undefined: nobody has looked yet. */
  look(need: FileNeed): LoadedFile | MissingFile | undefined {
    const key = needKey(need);
    const file = this.#request.files.get(key, need);
    if (file === undefined) this.needs.set(key, need);
    return file;
  }

  /** undefined: nobody has looked yet, or nobody will. */
  found(need: PlaceNeed): PlaceFound | undefined {
    return this.#request.places?.get(needKey(need), need);
  }

  /** Those that somebody could look at and nobody has yet, each once. */
  unseen(needs: readonly PlaceNeed[]): PlaceNeed[] {
    const { places } = this.#request;
    if (places === undefined) return [];
    const unseen = needs
      .map((need) => [needKey(need), need] as const)
      .filter(([key, need]) => places.get(key, need) === undefined);
    return [...new Map(unseen).values()];
  }

  /** One missing file is one problem, however many name it. */
  reportMissing(): void {
    for (const { need, file, at, code, places } of this.#missing.values()) {
      const asked = 'name' in need ? `${need.kind} "${need.name}"` : `file "${need.path}" (${need.kind})`;
      const where = 'name' in need ? 'in' : 'for';
      const looked = file.looked.length === 0 ? '' : `; looked ${where} ${file.looked.join(', ')}`;
      const problem = {
        'not-found': `was not found${looked}`,
        'too-large': 'is too large to be a definition (at most 4 MiB are read)',
        unreadable: `cannot be read${looked}`,
        outside: 'lies outside of the folder that it may be taken from',
      }[file.problem ?? 'not-found'];
      const more = places.size === 1 ? '' : ` (named in ${places.size} places)`;
      const hint = hintFor(need, file);
      this.report.error(code, headSpan(at), `the ${asked} ${problem}${more}`, hint);
    }
  }

  /** The index of the file among the sources of the root. */
  source(kind: SourceKind, name: string, file: LoadedFile): number {
    const key = `${kind} ${file.id}`;
    const known = this.#indices.get(key);
    if (known !== undefined) return known;
    const index = this.sources.length;
    const { layer, path, text } = file;
    const { hash } = this.#request;
    let hashed: string | undefined;
    this.sources.push({
      ...{ kind, name, layer, path },
      // Who only wants to know what is wrong with a definition needs none.
      get hash() {
        hashed ??= hash(text);
        return hashed;
      },
      text,
    });
    this.#indices.set(key, index);
    return index;
  }

  /** What a person says instead of `defaults.model`. */
  get defaultModel(): string | undefined {
    return this.#request.model;
  }

  get dialects(): readonly Dialect[] {
    return this.#request.dialects;
  }

  /** What somebody says that this file is written in. */
  dialectSaid(file: LoadedFile): DialectName | undefined {
    return file.id === this.#request.main.id ? this.#request.dialect : undefined;
  }

  /** Written in the language of another tool, in which a text for a shell is made by putting values into it. */
  isForeign(node: Node): boolean {
    const { file } = nodeSpan(node);
    return this.sources.some(({ path, dialect }) => path === file && dialect !== undefined);
  }

  /** That the source was translated is told wherever sources are. */
  translated(file: LoadedFile, dialect: DialectName): void {
    const source = this.sources[this.#indices.get(`workflow ${file.id}`) ?? -1];
    if (source !== undefined) source.dialect = dialect;
    this.report.translated(file.path);
  }

  /** Makes what belongs to a file once, however often it is asked for. */
  once<T>(kind: string, file: LoadedFile, make: () => T): T {
    const key = `${kind} ${file.id}`;
    if (!this.#memo.has(key)) this.#memo.set(key, make());
    return this.#memo.get(key) as T;
  }

  /** Remembers where a part of the workflow stands. */
  place<T extends object>(part: T, node: Node | undefined): T {
    if (node !== undefined) this.#nodes.set(part, node);
    return part;
  }

  /** As far along the keys as there is something. */
  span(part: object, ...keys: (string | number)[]): Span {
    let node = this.#nodes.get(part);
    if (node === undefined)
      return { file: this.#request.main.path, line: 1, column: 1, endLine: 1, endColumn: 1 };
    let isField = false;
    for (const key of keys) {
      const child: Node | undefined =
        typeof key === 'number' ? itemOf(node, key) : this.#field(node, key)?.value;
      if (child === undefined) break;
      node = child;
      isField = true;
    }
    return isField && node.kind === 'scalar' ? nodeSpan(node) : headSpan(node);
  }

  /** What the text calls a field: in a foreign one that is not what we call it. */
  fieldName(part: object, ...keys: (string | number)[]): string | undefined {
    let node = this.#nodes.get(part);
    let name: string | undefined;
    for (const key of keys) {
      if (node === undefined) break;
      const entry: MapEntry | undefined = typeof key === 'number' ? undefined : this.#field(node, key);
      if (entry !== undefined) name = foreignKey(entry.keyNode) ?? name;
      node = typeof key === 'number' ? itemOf(node, key) : entry?.value;
    }
    return name;
  }

  /** The model spells names its own way: `onFail` is `on_fail` in the text. */
  #field(node: Node, key: string): MapEntry | undefined {
    const spelt = key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    return this.to.entry(node, key) ?? this.to.entry(node, spelt);
  }

  /** Only a drive that has a live session can do it. */
  needsSession(what: string, node: Node, path: string): void {
    const { file, line } = headSpan(node);
    const where = path === '' ? `${file}:${line}` : `${path} (${file}:${line})`;
    const key = `${what} ${where}`;
    if (this.#refusals.has(key)) return;
    this.#refusals.add(key);
    this.refused.push({ what, where, needs: 'session' });
  }
}

/** One text may stand for a list of it. */
function itemOf(node: Node, index: number): Node | undefined {
  return node.kind === 'list' ? node.items[index] : index === 0 && node.kind === 'scalar' ? node : undefined;
}

/** The foreign key that one of ours was made from; undefined where it was made from something else. */
function foreignKey({ style, source, start, end }: ScalarNode): string | undefined {
  const isKey = style === 'built' && /^["']?\s*:/.test(source.text.slice(end, end + 20));
  return isKey ? source.text.slice(start, end).replace(/^["']|["']$/g, '') : undefined;
}

function hintFor(need: FileNeed, file: MissingFile): string | undefined {
  // A name has no spaces: this is the task itself.
  const isText = 'name' in need && need.kind === 'prompt' && /\s/.test(need.name.trim());
  if (isText) return `Write \`prompt: { text: ${quoted(need.name)} }\`.`;
  return didYouMean('name' in need ? need.name : need.path, file.known);
}
