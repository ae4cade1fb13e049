// provider-template: the command of a provider → one of ours, in which only names of parameters stand.
// What theirs takes from elsewhere (`${run.id}`) becomes a parameter of a fresh name, for the steps to give.

import { type BuiltEntry, built, type Part } from '../../source/build-nodes.ts';
import { shorten } from '../../source/grammar/name.ts';
import { slug } from '../../source/grammar/slug.ts';
import { locateIn, type MapNode, type Node, type ScalarNode, stringOf } from '../../source/read/node.ts';
import { braceParts, FreeNames } from '../native-text.ts';
import { hasReference, partsOf, type TextPart, unescaped } from './reference-text.ts';
import { writtenText } from './substitute.ts';
import { type Translation, wordsOf } from './translation.ts';

/** In ours these are more than a place in a command. */
const OTHERWISE_USED = ['system', 'prompt', 'max_turns', 'mcp_servers', 'permission_mode', 'setting_sources'];

/** Something in a template that a step may have to give, and where it stands. */
export interface Place {
  native: string;
  name: string;
  word: ScalarNode;
  part: TextPart;
}

export class ProviderTemplate {
  readonly name: string;
  /** By what stands between the braces: all that has no default. */
  readonly places = new Map<string, Place>();
  /** Defaults in which something is filled in, by their names in ours: the steps give them. */
  readonly filled = new Map<string, Node>();
  readonly #names = new Map<string, string>();
  readonly #free = new FreeNames(OTHERWISE_USED);
  readonly #defaults = new Map<string, Part>();
  readonly #keys: ReadonlySet<string>;

  /** `keys` are the parameters that steps give it. */
  constructor(name: string, keys: Iterable<string>) {
    this.name = name;
    this.#keys = new Set(keys);
    for (const key of this.#keys) this.parameter(key);
  }

  /** A name that a place in our templates can have, the same every time. */
  parameter(key: string): string {
    const known = this.#names.get(key);
    if (known !== undefined) return known;
    const native = this.#free.take(placeName(key));
    this.#names.set(key, native);
    return native;
  }

  /** What it is in ours. */
  node(node: MapNode, { to }: Translation): MapNode {
    const mode = to.get(node, 'input_mode');
    const given = to.get(node, 'defaults');
    const command = to.get(node, 'command');
    this.#readDefaults(given);
    const stdin = stringOf(mode) === 'stdin';
    const words = wordsOf(command, node, 'command', to).map((word) => this.#word(word, stdin, to));
    const takesPrompt = words.some(({ value }) => String(value).includes(PROMPT));
    const input = stdin ? 'stdin' : takesPrompt ? undefined : 'none';
    const defaults = this.#allDefaults();
    return built(node).map([
      ['command', built(command ?? node).list(words)],
      ['input', input === undefined ? undefined : built(mode ?? node).scalar(input)],
      ['defaults', defaults.length === 0 ? undefined : built(given ?? node).map(defaults)],
    ]);
  }

  #readDefaults(node: Node | undefined): void {
    if (node?.kind !== 'map') return;
    for (const { key, value } of node.entries.values()) {
      const native = this.parameter(key);
      if (isFilled(value)) this.filled.set(native, value);
      else this.#defaults.set(native, withoutEscapes(value));
    }
  }

  /** A place that nobody fills is told when the step runs: in ours it must be known that there is one. */
  #allDefaults(): BuiltEntry[] {
    const places = [...this.#names.values(), ...[...this.places.values()].map(({ native }) => native)];
    const empty = [...new Set(places)].filter((place) => !this.#defaults.has(place));
    return [...this.#defaults, ...empty.map((place): BuiltEntry => [place, null])];
  }

  #word(word: ScalarNode, stdin: boolean, to: Translation['to']): ScalarNode {
    const parts = partsOf(writtenText(word));
    const pieces = parts.flatMap((part, index) => {
      if (part.kind === 'reference') return this.#place(part.name, word, part, stdin, to);
      const next = parts[index + 1]?.kind === 'reference';
      return braceParts(part.text, next).map(({ text, opens }) => (opens ? this.#braces(text) : text));
    });
    return built(word).scalar(pieces.join(''));
  }

  /** Our templates have no way to write braces here, so they are a parameter too. */
  #braces(text: string): string {
    const native = this.#free.take('braces');
    this.#defaults.set(native, text);
    return `{{ ${native} }}`;
  }

  #place(name: string, word: ScalarNode, part: TextPart, stdin: boolean, to: Translation['to']): string {
    if (name === 'PROMPT' && !stdin) return PROMPT;
    if (name === 'PROMPT' || name === 'env' || name.startsWith('env.')) {
      this.#refuse(name, word, part, to);
      return '';
    }
    const isParameter = this.#names.has(name);
    const native = isParameter
      ? this.parameter(name)
      : (this.places.get(name)?.native ?? this.#free.take(placeName(name)));
    if (!this.#defaults.has(native)) this.places.set(name, { native, name, word, part });
    return `{{ ${native} }}`;
  }

  #refuse(name: string, word: ScalarNode, part: TextPart, { report }: Translation['to']): void {
    const span = locateIn(word)(part.start, part.end);
    if (name === 'PROMPT') {
      report.error(
        'prompt-placeholder',
        span,
        `the provider "${shorten(this.name)}" gets the prompt on standard input, so \`\${PROMPT}\` cannot stand in its command`,
        'Take it out, or write `input_mode: argv`.',
        { invalid_prompt_placeholder: '${PROMPT}', provider: this.name },
      );
      return;
    }
    report.error(
      'env-reference',
      span,
      `\`\${${name}}\`: the environment is not read in workflows`,
      'Make it a parameter, and give it in `defaults` or `provider_params`.',
      { invalid_reference: [name] },
    );
  }
}

const PROMPT = '{{ prompt }}';

function placeName(text: string): string {
  const name = slug(text, 'value');
  return /^\d/.test(name) ? `_${name}` : name;
}

function isFilled(node: Node): boolean {
  if (node.kind === 'list') return node.items.some(isFilled);
  if (node.kind === 'map') return [...node.entries.values()].some(({ value }) => isFilled(value));
  return hasReference(stringOf(node) ?? '');
}

function withoutEscapes(node: Node): Node {
  switch (node.kind) {
    case 'list':
      return built(node).list(node.items.map(withoutEscapes));
    case 'map':
      return built(node).map(
        [...node.entries.values()].map(({ key, keyNode, value }) => [key, withoutEscapes(value), keyNode]),
      );
    case 'scalar': {
      const text = stringOf(node);
      return text?.includes('$') ? built(node).scalar(unescaped(text)) : node;
    }
  }
}
