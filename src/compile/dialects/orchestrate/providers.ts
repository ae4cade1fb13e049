// providers: provider templates → `providers`, and what a step gives them → `params`.
// In ours only names of parameters stand in the command of a provider. What theirs takes from elsewhere (`${run.id}`)
// becomes a parameter of a fresh name that every step which uses the provider gives.

import { didYouMean } from '../../closest.ts';
import { shorten } from '../../grammar/name.ts';
import { locateIn, type MapNode, type Node, nodeSpan, type ScalarNode, stringOf } from '../../read/node.ts';
import { type BuiltEntry, built, type Part } from '../build.ts';
import { braceParts, FreeNames, slug } from './native-text.ts';
import type { ForeignStep, Outline } from './outline.ts';
import { hasReference, partsOf, type TextPart, unescaped } from './reference-text.ts';
import { placeOf } from './resolve-reference.ts';
import { writtenText } from './substitute.ts';
import { type Translation, wordsOf } from './translation.ts';

/** Where a workflow does not declare them itself. */
const BUILTIN: Readonly<
  Record<string, { command: string[]; input?: string; defaults?: Record<string, string> }>
> = {
  claude: {
    command: ['claude', '-p', '{{ prompt }}', '--model', '{{ model }}'],
    defaults: { model: 'claude-sonnet-4-20250514' },
  },
  gemini: { command: ['gemini', '-p', '{{ prompt }}'] },
  codex: { command: ['codex', 'exec'], input: 'stdin', defaults: { model: 'gpt-5' } },
};

/** In ours these are more than a place in a command. */
const OTHERWISE_USED = ['system', 'prompt', 'max_turns', 'mcp_servers', 'permission_mode', 'setting_sources'];
const NAMESPACES = ['run', 'context', 'loop', 'steps', 'env'];

/** Something in a template, or in its defaults, that only a step can give. */
interface Scoped {
  native: string;
  name: string;
  node: ScalarNode;
  part: TextPart;
}

interface Provider {
  native: string;
  /** Names of parameters in ours, by theirs. */
  names: Map<string, string>;
  free: FreeNames;
  scoped: Map<string, Scoped>;
  /** Defaults in which something is filled in. */
  filled: Map<string, Node>;
  entry?: BuiltEntry;
}

export class Providers {
  readonly #declared: MapNode | undefined;
  readonly #uses = new Map<string, ForeignStep[]>();
  readonly #made = new Map<string, Provider>();
  readonly #natives = new FreeNames(['script']);

  constructor(node: Node | undefined, outline: Outline, to: Translation['to']) {
    this.#declared = node?.kind === 'map' ? node : undefined;
    for (const step of outline.all) {
      const name = stringOf(to.get(step.node, 'provider'));
      if (name === undefined) continue;
      const uses = this.#uses.get(name) ?? [];
      this.#uses.set(name, [...uses, step]);
    }
  }

  /** All that are declared, and those of the built-in ones that a step uses. */
  node(document: MapNode, translation: Translation): MapNode | undefined {
    for (const name of this.#declared?.entries.keys() ?? []) this.#provider(name, translation);
    const entries = [...this.#made.values()].flatMap(({ entry }) => (entry ? [entry] : []));
    return entries.length === 0 ? undefined : built(this.#declared ?? document).map(entries);
  }

  /** `provider` and `params` of a step. */
  use(step: ForeignStep, translation: Translation): BuiltEntry[] {
    const { to, substitution, references } = translation;
    const place = placeOf(step);
    const at = to.get(step.node, 'provider');
    const name = stringOf(at);
    if (at === undefined || name === undefined) return [];
    const provider = this.#provider(name, translation);
    if (provider === undefined) {
      this.#reportUnknown(name, at, translation);
      return [];
    }
    const given = to.get(step.node, 'provider_params');
    const params = new Map<string, BuiltEntry>();
    const give = (key: string, value: Part, from: Node) => params.set(key, [key, value, from]);
    for (const [key, value] of provider.filled) {
      const native = provider.names.get(key);
      if (native !== undefined) give(native, substitution.deep(value, place), value);
    }
    if (given?.kind === 'map') {
      for (const { key, keyNode, value } of given.entries.values()) {
        give(nameFor(key, provider), substitution.deep(value, place), keyNode);
      }
    }
    for (const { native, name: reference, node, part } of provider.scoped.values()) {
      if (params.has(native)) continue;
      const isBare = !NAMESPACES.includes(reference.split('.')[0] ?? '');
      // A bare name that nobody gives is a place that stays empty, and told as such when the step runs.
      if (isBare && references.resolve(reference, place, node).kind !== 'value') continue;
      const found = substitution.resolve(reference, node, part, place);
      if (found !== undefined)
        give(native, built(node).within(part.start, part.end).scalar(`{{ text(${found.cel}) }}`), at);
    }
    return [
      ['provider', built(at).scalar(provider.native)],
      ['params', params.size === 0 ? undefined : built(given ?? at).map(params.values())],
    ];
  }

  #provider(name: string, translation: Translation): Provider | undefined {
    const known = this.#made.get(name);
    if (known !== undefined) return known;
    const node = translation.to.get(this.#declared, name);
    const isBuiltin = this.#declared?.entries.has(name) !== true && Object.hasOwn(BUILTIN, name);
    if (node === undefined && !isBuiltin && this.#declared?.entries.has(name) !== true) return undefined;
    const provider: Provider = {
      native: this.#natives.take(slug(name, 'provider')),
      names: new Map(),
      free: new FreeNames(OTHERWISE_USED),
      scoped: new Map(),
      filled: new Map(),
    };
    this.#made.set(name, provider);
    if (isBuiltin) provider.entry = this.#builtin(name, provider, translation);
    else if (node?.kind === 'map') provider.entry = this.#template(name, node, provider, translation);
    return provider;
  }

  #builtin(name: string, provider: Provider, { to }: Translation): BuiltEntry {
    const { command = [], input, defaults } = BUILTIN[name] ?? {};
    if (defaults !== undefined) for (const key of Object.keys(defaults)) nameFor(key, provider);
    const [user] = this.#uses.get(name) ?? [];
    const at = user && to.get(user.node, 'provider');
    const value: Part = { command, ...(input && { input }), ...(defaults && { defaults }) };
    return [provider.native, at ? built(at).node(value) : value];
  }

  #template(name: string, node: MapNode, provider: Provider, translation: Translation): BuiltEntry {
    const { to } = translation;
    const mode = to.get(node, 'input_mode');
    const stdin = stringOf(mode) === 'stdin';
    const defaults = this.#defaults(to.get(node, 'defaults'), provider);
    const keys = this.#parameters(name, translation);
    for (const key of keys) nameFor(key, provider);
    const template: Template = { name, stdin, keys, provider, defaults, usesPrompt: false };
    const commandNode = to.get(node, 'command');
    const words = wordsOf(commandNode, 'command', to).map((word) => this.#word(word, template, translation));
    const input = stdin ? 'stdin' : template.usesPrompt ? undefined : 'none';
    const places = new Set([
      ...provider.names.values(),
      ...[...provider.scoped.values()].map(({ native }) => native),
    ]);
    const empty = [...places].filter((place) => !defaults.has(place));
    const all: BuiltEntry[] = [
      ...[...defaults].map(([key, value]): BuiltEntry => [key, value]),
      ...empty.map((place): BuiltEntry => [place, null]),
    ];
    const key = this.#declared?.entries.get(name)?.keyNode;
    return [
      provider.native,
      built(node).map([
        ['command', built(commandNode ?? node).list(words)],
        ['input', input === undefined ? undefined : built(mode ?? node).scalar(input)],
        ['defaults', all.length === 0 ? undefined : built(to.get(node, 'defaults') ?? node).map(all)],
      ]),
      key,
    ];
  }

  /** By their native names. Where something is filled in, every step gives it instead. */
  #defaults(node: Node | undefined, provider: Provider): Map<string, Part> {
    const defaults = new Map<string, Part>();
    if (node?.kind !== 'map') return defaults;
    for (const { key, value } of node.entries.values()) {
      const native = nameFor(key, provider);
      if (isFilled(value)) provider.filled.set(key, value);
      else defaults.set(native, withoutEscapes(value));
    }
    return defaults;
  }

  /** What steps give, and what there are defaults for. */
  #parameters(name: string, { to }: Translation): Set<string> {
    const keys = new Set<string>();
    const declared = to.get(to.get(this.#declared, name), 'defaults');
    const givers = [
      declared,
      ...(this.#uses.get(name) ?? []).map(({ node }) => to.get(node, 'provider_params')),
    ];
    for (const giver of givers) {
      if (giver?.kind === 'map') for (const key of giver.entries.keys()) keys.add(key);
    }
    return keys;
  }

  #word(word: ScalarNode, template: Template, translation: Translation): Node {
    const parts = partsOf(writtenText(word));
    const { provider, defaults } = template;
    const pieces = parts.flatMap((part, index) => {
      if (part.kind === 'reference') return this.#place(part.name, word, part, template, translation);
      const next = parts[index + 1]?.kind === 'reference';
      return braceParts(part.text, next).map(({ text, opens }) => {
        if (!opens) return text;
        // Our templates have no way to write braces here, so they are a parameter too.
        const native = provider.free.take('braces');
        defaults.set(native, text);
        return `{{ ${native} }}`;
      });
    });
    return built(word).scalar(pieces.join(''));
  }

  #place(name: string, word: ScalarNode, part: TextPart, template: Template, { to }: Translation): string[] {
    const { provider, stdin, keys } = template;
    const span = locateIn(word)(part.start, part.end);
    if (name === 'PROMPT') {
      template.usesPrompt = true;
      if (!stdin) return ['{{ prompt }}'];
      to.report.error(
        'prompt-placeholder',
        span,
        `the provider "${shorten(template.name)}" gets the prompt on standard input, so \`\${PROMPT}\` cannot stand in its command`,
        'Take it out, or write `input_mode: argv`.',
        { invalid_prompt_placeholder: '${PROMPT}', provider: template.name },
      );
      return [];
    }
    if (keys.has(name)) {
      const native = nameFor(name, provider);
      if (!template.defaults.has(native)) provider.scoped.set(name, { native, name, node: word, part });
      return [`{{ ${native} }}`];
    }
    if (name === 'env' || name.startsWith('env.')) {
      to.report.error(
        'env-reference',
        span,
        `\`\${${name}}\`: the environment is not read in workflows`,
        'Make it a parameter, and give it in `defaults` or `provider_params`.',
        { invalid_reference: [name] },
      );
      return [];
    }
    const known = provider.scoped.get(name);
    const native = known?.native ?? provider.free.take(placeName(name));
    provider.scoped.set(name, known ?? { native, name, node: word, part });
    return [`{{ ${native} }}`];
  }

  #reportUnknown(name: string, at: Node, { to }: Translation): void {
    const known = [...new Set([...(this.#declared?.entries.keys() ?? []), ...Object.keys(BUILTIN)])];
    to.report.error(
      'unknown-provider',
      nodeSpan(at),
      `there is no provider "${shorten(name)}"`,
      didYouMean(name, known) ??
        `Declare it under \`providers\`, or use one of ${known.slice(0, 12).join(', ')}.`,
      { known_providers: known },
    );
  }
}

interface Template {
  name: string;
  stdin: boolean;
  keys: Set<string>;
  provider: Provider;
  defaults: Map<string, Part>;
  usesPrompt: boolean;
}

/** A name that a place in our templates can have, the same every time. */
function nameFor(key: string, { names, free }: Provider): string {
  const known = names.get(key);
  if (known !== undefined) return known;
  const native = free.take(placeName(key));
  names.set(key, native);
  return native;
}

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
