// providers: which providers there are, and what a step gives the one that it uses: `provider` and `params`.

import { type BuiltEntry, built, type Part } from '../../source/build-nodes.ts';
import type { Conforming } from '../../source/grammar/conform.ts';
import { shorten } from '../../source/grammar/name.ts';
import { slug } from '../../source/grammar/slug.ts';
import { type MapNode, type Node, nodeSpan, stringOf } from '../../source/read/node.ts';
import { didYouMean } from '../../text/closest-name.ts';
import { FreeNames } from '../native-text.ts';
import type { ForeignStep, Outline } from './outline.ts';
import { ProviderTemplate } from './provider-template.ts';
import { placeOf } from './resolve-reference.ts';
import type { Translation } from './translation.ts';

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

const NAMESPACES = ['run', 'context', 'loop', 'steps'];

interface Provider {
  native: string;
  template: ProviderTemplate;
  /** Absent: it is not right, and that was reported. */
  entry?: BuiltEntry;
}

export class Providers {
  readonly #declared: MapNode | undefined;
  readonly #uses = new Map<string, ForeignStep[]>();
  readonly #made = new Map<string, Provider>();
  // `script` is the agent of tests, whatever anybody declares.
  readonly #natives = new FreeNames(['script']);

  constructor(node: Node | undefined, outline: Outline, to: Conforming) {
    this.#declared = node?.kind === 'map' ? node : undefined;
    for (const step of outline.all) {
      const name = stringOf(to.get(step.node, 'provider'));
      if (name === undefined) continue;
      const uses = this.#uses.get(name);
      if (uses === undefined) this.#uses.set(name, [step]);
      else uses.push(step);
    }
  }

  /** All that are declared, and those of the built-in ones that a step uses. */
  node(document: MapNode, translation: Translation): MapNode | undefined {
    for (const name of this.#declared?.entries.keys() ?? []) this.#provider(name, translation);
    const entries = [...this.#made.values()].flatMap(({ entry }) => (entry ? [entry] : []));
    return entries.length === 0 ? undefined : built(this.#declared ?? document).map(entries);
  }

  use(step: ForeignStep, translation: Translation): BuiltEntry[] {
    const { to } = translation;
    const at = to.get(step.node, 'provider');
    const name = stringOf(at);
    if (at === undefined || name === undefined) return [];
    const provider = this.#provider(name, translation);
    if (provider === undefined) {
      this.#reportUnknown(name, at, to);
      return [];
    }
    const params = paramsOf(step, provider.template, at, translation);
    const given = to.get(step.node, 'provider_params');
    return [
      ['provider', built(at).scalar(provider.native)],
      ['params', params.size === 0 ? undefined : built(given ?? at).map(params.values())],
    ];
  }

  #provider(name: string, translation: Translation): Provider | undefined {
    const known = this.#made.get(name);
    if (known !== undefined) return known;
    const { to } = translation;
    const declared = this.#declared?.entries.get(name);
    if (declared === undefined && !Object.hasOwn(BUILTIN, name)) return undefined;
    const uses = this.#uses.get(name) ?? [];
    const provider: Provider = {
      native: this.#natives.take(slug(name, 'provider')),
      template: new ProviderTemplate(
        name,
        uses.flatMap(({ node }) => keysOf(to.get(node, 'provider_params'))),
      ),
    };
    this.#made.set(name, provider);
    const node = to.get(this.#declared, name);
    if (node?.kind === 'map')
      provider.entry = [provider.native, provider.template.node(node, translation), declared?.keyNode];
    else if (declared === undefined) {
      const at = uses[0] && to.get(uses[0].node, 'provider');
      const value = { ...BUILTIN[name] };
      provider.entry = [provider.native, at ? built(at).node(value) : value];
    }
    return provider;
  }

  #reportUnknown(name: string, at: Node, { report }: Conforming): void {
    const known = [...new Set([...(this.#declared?.entries.keys() ?? []), ...Object.keys(BUILTIN)])];
    report.error(
      'unknown-provider',
      nodeSpan(at),
      `there is no provider "${shorten(name)}"`,
      didYouMean(name, known) ??
        `Declare it under \`providers\`, or use one of ${known.slice(0, 12).join(', ')}.`,
      { known_providers: known },
    );
  }
}

function keysOf(node: Node | undefined): string[] {
  return node?.kind === 'map' ? [...node.entries.keys()] : [];
}

/** The defaults that something is filled in in, then what the step says, then what its place in the workflow gives. */
function paramsOf(
  step: ForeignStep,
  template: ProviderTemplate,
  at: Node,
  { to, substitution, references }: Translation,
): Map<string, BuiltEntry> {
  const here = placeOf(step);
  const params = new Map<string, BuiltEntry>();
  const give = (key: string, value: Part, from: Node) => params.set(key, [key, value, from]);
  for (const [native, value] of template.filled) give(native, substitution.deep(value, here), value);
  const given = to.get(step.node, 'provider_params');
  if (given?.kind === 'map') {
    for (const { key, keyNode, value } of given.entries.values())
      give(template.parameter(key), substitution.deep(value, here), keyNode);
  }
  for (const { native, name, word, part } of template.places.values()) {
    if (params.has(native)) continue;
    const isBare = !NAMESPACES.includes(name.split('.')[0] ?? '');
    // A bare name that nobody gives is a place that stays empty, and told as such when the step runs.
    if (isBare && references.resolve(name, here, word).kind !== 'value') continue;
    const found = substitution.resolve(name, word, part, here);
    if (found !== undefined)
      give(native, built(word).within(part.start, part.end).scalar(`{{ text(${found.cel}) }}`), at);
  }
  return params;
}
