// substitute: foreign texts → our templates and expressions. Only where the language fills something in: not in `env`,
// not in literal items, not in instructions, and never in the content of files.

import { built, type Piece } from '../../source/build-nodes.ts';
import type { Report } from '../../source/diagnostics.ts';
import { headSpan, locateIn, type Node, type ScalarNode, stringOf } from '../../source/read/node.ts';
import { braceParts, celText } from '../native-text.ts';
import { partsOf, type TextPart } from './reference-text.ts';
import type { Place, References, Resolved } from './resolve-reference.ts';

type Filled = { kind: 'text'; text: string; part: TextPart } | { kind: 'value'; cel: string; part: TextPart };

export class Substitution {
  readonly #references: References;
  readonly #report: Report;

  constructor(references: References, report: Report) {
    this.#references = references;
    this.#report = report;
  }

  /** The text as a template. With `asText`, a value that stands alone becomes text, as it does there. */
  template(node: ScalarNode, place: Place, asText = false): ScalarNode {
    const source = writtenText(node);
    if (!/[${]/.test(source)) return node;
    const filled = this.#fill(node, source, place);
    const [only] = filled;
    if (asText && filled.length === 1 && only?.kind === 'value')
      return built(node).text([piece(`{{ text(${only.cel}) }}`, only.part)]);
    return built(node).text(filled.flatMap((each, index) => written(each, filled[index + 1])));
  }

  /** A text in which nothing is filled in, there or here. */
  literal(node: ScalarNode): ScalarNode {
    const text = writtenText(node);
    if (!text.includes('{')) return node;
    const part: TextPart = { kind: 'text', text, start: 0, end: text.length };
    return built(node).text(written({ kind: 'text', text, part }, undefined));
  }

  /** A template as an expression whose value is the text. */
  expression(node: ScalarNode, place: Place): string {
    const filled = this.#fill(node, writtenText(node), place);
    const terms = filled.map((each) => (each.kind === 'text' ? celText(each.text) : `text(${each.cel})`));
    return terms.length === 0 ? '""' : terms.join(' + ');
  }

  /** JSON in which every text is filled in, as deep as it goes. */
  deep(node: Node, place: Place): Node {
    switch (node.kind) {
      case 'map':
        return built(node).map(
          [...node.entries.values()].map(({ key, keyNode, value }) => [
            key,
            this.deep(value, place),
            keyNode,
          ]),
        );
      case 'list':
        return built(node).list(node.items.map((item) => this.deep(item, place)));
      case 'scalar':
        return stringOf(node) === undefined ? node : this.template(node, place, true);
    }
  }

  /** What a reference stands for. undefined: it cannot be, which was reported, and nothing stands for it. */
  resolve(
    name: string,
    node: Node,
    part: TextPart,
    place: Place,
  ): Extract<Resolved, { cel: string }> | undefined {
    return this.tell(name, node, part, this.#references.resolve(name, place, node));
  }

  /** Tells what is wrong with what was found for it. */
  tell(
    name: string,
    node: Node,
    part: Pick<TextPart, 'start' | 'end'>,
    found: Resolved,
  ): Extract<Resolved, { cel: string }> | undefined {
    const span = node.kind === 'scalar' ? locateIn(node)(part.start, part.end) : headSpan(node);
    if (found.kind === 'env') {
      this.#report.error(
        'env-reference',
        span,
        `\`\${${name}}\`: the environment is not read in workflows`,
        `Give the value with --context, or let the command read $${name.slice('env.'.length)} itself.`,
        { invalid_reference: [name] },
      );
      return undefined;
    }
    if (found.kind === 'absent') {
      this.#report.warn(
        'unresolved-reference',
        span,
        `\`\${${name}}\` stands for nothing, and the step will fail with exit code 2: ${found.why}`,
        found.hint,
      );
    }
    return found;
  }

  #fill(node: ScalarNode, source: string, place: Place): Filled[] {
    return partsOf(source).flatMap((part): Filled[] => {
      if (part.kind === 'text') return [{ kind: 'text', text: part.text, part }];
      const found = this.resolve(part.name, node, part, place);
      return found === undefined ? [] : [{ kind: 'value', cel: found.cel, part }];
    });
  }
}

/** A text, or a number or boolean as it stands there. */
export function writtenText(node: ScalarNode): string {
  return typeof node.value === 'string' ? node.value : node.written;
}

/** As a template. Braces that would open something in our language are given as a text that has them. */
function written(filled: Filled, next: Filled | undefined): Piece[] {
  if (filled.kind === 'value') return [piece(`{{ ${filled.cel} }}`, filled.part)];
  return braceParts(filled.text, next?.kind === 'value').map(({ text, opens }) =>
    piece(opens ? `{{ ${celText(text)} }}` : text, filled.part),
  );
}

function piece(text: string, { start, end }: TextPart): Piece {
  return { text, from: [start, end] };
}
