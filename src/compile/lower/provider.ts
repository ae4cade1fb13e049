// provider: the places in the command of a provider of the workflow's own. They are names of parameters, filled in by
// the agent once everything about the request is known; nothing else can stand there.

import { checkWords } from '../../expressions/expressions.ts';
import type { CommandProvider } from '../../model/workflow.ts';
import { KNOWN_PARAMS } from '../../source/grammar/parts.ts';
import { headSpan, type Node, nodeSpan } from '../../source/read/node.ts';
import { didYouMean } from '../../text/closest-name.ts';
import type { Compilation } from '../compilation.ts';
import { itemsOf, writtenOf } from './values.ts';

const ALWAYS = ['prompt', 'system', 'model', ...Object.keys(KNOWN_PARAMS)];

/** After everything else was lowered: only then is it known which parameters there are. */
export function checkProviders(
  node: Node | undefined,
  providers: Record<string, CommandProvider>,
  compilation: Compilation,
): void {
  const { to, report, parameters } = compilation;
  for (const [name, provider] of Object.entries(providers)) {
    const command = to.get(to.get(node, name), 'command');
    const known = new Set([...ALWAYS, ...Object.keys(provider.defaults), ...parameters]);
    const used = new Set<string>();
    for (const word of itemsOf(command)) {
      for (const parameter of placesOf(writtenOf(word) ?? '')) {
        used.add(parameter);
        if (known.has(parameter)) continue;
        const message = /^[A-Za-z_][\w-]*$/.test(parameter)
          ? `nothing gives the provider "${name}" a parameter "${parameter}"`
          : `only the name of a parameter can stand in the command of a provider, not \`${parameter}\``;
        report.error('provider-parameter', nodeSpan(word), message, didYouMean(parameter, known));
      }
    }
    if (command === undefined) continue;
    const words = itemsOf(command).map((word) => writtenOf(word) ?? '');
    for (const [at, problems] of compilation.isForeign(command) ? [] : checkWords(words).entries()) {
      const word = itemsOf(command)[at];
      // A parameter may say which program the provider is.
      for (const { code, message, hint, severity } of problems)
        if (word !== undefined && severity !== 'warning' && at > 0)
          report.error(code, nodeSpan(word), message, hint);
    }
    if (provider.input !== 'argv' && used.has('prompt')) {
      const goes = provider.input === 'stdin' ? 'gets the prompt on standard input' : 'gets no prompt';
      report.error(
        'provider-prompt',
        headSpan(command),
        `the provider "${name}" ${goes}, so \`{{ prompt }}\` cannot stand in its command`,
        'Take it out, or write `input: argv`.',
      );
    } else if (provider.input === 'argv' && !used.has('prompt')) {
      report.error(
        'provider-prompt',
        headSpan(command),
        `the command of the provider "${name}" has no place for the prompt`,
        'Put `{{ prompt }}` into it, or write `input: stdin`, or `input: none` where it needs none.',
      );
    }
  }
}

function placesOf(word: string): string[] {
  const places: string[] = [];
  for (let open = word.indexOf('{{'); open >= 0; open = word.indexOf('{{', open + 2)) {
    const close = word.indexOf('}}', open);
    if (close < 0) break;
    places.push(word.slice(open + 2, close).trim());
    open = close;
  }
  return places;
}
