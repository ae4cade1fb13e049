// handler-arguments: what `with` gives a handler, against what the handler takes.

import type { Handler, HandlerArgument } from '../../model/handlers.ts';
import { didYouMean, meantKeys } from '../../text/closest-name.ts';
import { headSpan, type Node, nodeSpan, type ScalarNode } from '../read/node.ts';
import type { Conforming } from './conform.ts';
import { found } from './expectation.ts';

export function checkArguments(
  name: string,
  handler: Handler,
  call: Node,
  given: Node | undefined,
  to: Conforming,
): void {
  const known = handler.arguments;
  const entries = given?.kind === 'map' ? [...given.entries.values()] : [];
  for (const { key, keyNode, value } of entries) {
    const argument = Object.hasOwn(known, key) ? known[key] : undefined;
    if (argument === undefined) {
      const names = Object.keys(known);
      const all =
        names.length === 0 ? 'It takes none.' : `It takes ${names.map((each) => `\`${each}\``).join(', ')}.`;
      to.report.error(
        'unknown-argument',
        nodeSpan(keyNode),
        `the handler "${name}" has no argument \`${key}\``,
        didYouMean(key, names) ?? all,
      );
    } else if (!isOf(value, argument.type)) {
      to.report.error(
        'wrong-type',
        headSpan(value),
        `\`${key}\` must be ${WORDS[argument.type]}, and this is ${found(value)}`,
        argument.description,
      );
    }
  }
  const meant = meantKeys(
    entries.map(({ key }) => key),
    Object.keys(known),
  );
  for (const [key, { required, description }] of Object.entries(known)) {
    if (required && !meant.has(key) && !entries.some((entry) => entry.key === key)) {
      to.report.error(
        'missing-argument',
        nodeSpan(call),
        `the handler "${name}" needs \`with: { ${key} }\``,
        description,
      );
    }
  }
  if (handler.oneOf) checkOneOf(name, handler.oneOf, call, [...meant, ...entries.map(({ key }) => key)], to);
}

function checkOneOf(
  name: string,
  oneOf: readonly string[],
  call: Node,
  given: readonly string[],
  to: Conforming,
): void {
  const those = oneOf.filter((key) => given.includes(key));
  if (those.length === 1) return;
  const shown = oneOf.map((key) => `\`${key}\``).join(' or ');
  if (those.length === 0)
    to.report.error('missing-argument', nodeSpan(call), `the handler "${name}" needs ${shown} in \`with\``);
  else
    to.report.error(
      'conflicting-arguments',
      nodeSpan(call),
      `the handler "${name}" takes either ${shown}, not both`,
    );
}

const WORDS: Record<HandlerArgument['type'], string> = {
  text: 'a text',
  texts: 'a text or a list of texts',
  boolean: 'true or false',
  number: 'a number',
  map: 'a map',
  list: 'a list',
  any: 'a value',
};

/** A template may give anything: that is looked at when it has. */
function isOf(node: Node, type: HandlerArgument['type']): boolean {
  if (node.kind === 'scalar' && (node.broken || String(node.value).includes('{{'))) return true;
  switch (type) {
    case 'any':
      return true;
    case 'map':
    case 'list':
      return node.kind === type;
    case 'texts':
      return node.kind === 'list' || isOf(node, 'text');
    case 'text':
      return node.kind === 'scalar' && typeof node.value === 'string';
    default:
      return node.kind === 'scalar' && typeof (node as ScalarNode).value === type;
  }
}
