// loop: `for_each` → `each`, with what becomes of every item as actions at the end of its pass.

import type { Json } from '../../model/json.ts';
import { type BuiltEntry, built } from '../../source/build-nodes.ts';
import { shorten } from '../../source/grammar/name.ts';
import { type MapNode, type Node, nodeSpan, stringOf, toJson } from '../../source/read/node.ts';
import { celValue, member } from '../native-text.ts';
import type { ForeignList, ForeignStep } from './outline.ts';
import { type Place, placeOf } from './resolve-reference.ts';
import { type Translation, translatePath } from './translation.ts';

/** Longer lists, and deeper ones, are no part of an expression. */
const LONGEST_EXPRESSION = 8_000;
const DEEPEST = 20;

/** `each` and `exit`; the steps inside are given. */
export function translateLoop(step: ForeignStep, steps: Node, translation: Translation): BuiltEntry[] {
  const { to } = translation;
  const loop = to.get(step.node, 'for_each');
  if (loop?.kind !== 'map' || step.body?.alias === undefined) return [];
  const items = to.get(loop, 'items');
  const from = to.get(loop, 'items_from');
  const list = items ? literalItems(step, items, translation) : itemsFrom(step, from, translation);
  const at = items ?? from ?? loop;
  return [
    [
      'each',
      built(at).scalar(`${step.body.alias.native} in ${list ?? '[]'}`),
      to.entry(step.node, 'for_each')?.keyNode,
    ],
    ['steps', steps, to.entry(loop, 'steps')?.keyNode],
    ['exit', lifecycle(step.body, loop, translation), to.entry(loop, 'on_item_complete')?.keyNode],
  ];
}

function literalItems({ id }: ForeignStep, items: Node, { lists }: Translation): string {
  const value = toJson(items);
  const cel = depthOf(value) > DEEPEST ? '' : celValue(value);
  if (cel !== '' && cel.length <= LONGEST_EXPRESSION) return cel;
  const name = `items_of_${id.replaceAll('-', '_')}`;
  lists.set(name, items);
  return `vars.${name}`;
}

function depthOf(value: Json): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Object.values(value).reduce<number>((deepest, each) => Math.max(deepest, depthOf(each)), 0);
}

/** A name of a path: whatever a key may be, but for what looks like a pattern or an expression. */
const PATH = /^(?! )[^*?[\](){}$\t\r\n]+(?<! )$/;

/** `steps.<Name>.lines`, `steps.<Name>.json`, `steps.<Name>.json.<path>`. */
function itemsFrom(step: ForeignStep, node: Node | undefined, translation: Translation): string | undefined {
  const { references, substitution } = translation;
  const written = stringOf(node);
  if (node === undefined || written === undefined) return undefined;
  const path = written.startsWith('steps.') ? written.slice('steps.'.length) : '';
  const field =
    references.stepOf(path, step.list)?.field ?? /\.((?:lines|json)(?:\..*)?)$/.exec(path)?.[1] ?? '';
  const [head = '', ...keys] = field.split('.');
  const reads = head === 'lines' ? keys.length === 0 : head === 'json' && keys.every((key) => PATH.test(key));
  if (!reads) {
    reportPointer(written, node, translation);
    return undefined;
  }
  const found = references.list(written, placeOf(step));
  return substitution.tell(written, node, { start: 0, end: written.length }, found)?.cel;
}

function reportPointer(written: string, node: Node, { to }: Translation): void {
  const braced = /^\$\{(.*)\}$/.exec(written)?.[1];
  to.report.error(
    'items-from-invalid',
    nodeSpan(node),
    `\`items_from\`: "${shorten(written)}" does not point at a list of an earlier step`,
    braced === undefined
      ? 'Write `steps.<Name>.lines`, `steps.<Name>.json` or `steps.<Name>.json.<path>`; a path has names and dots only.'
      : `Write it without \`\${ }\`: items_from: "${shorten(braced)}"`,
    { invalid_reference: [written] },
  );
}

/** The item has succeeded when its pass came to its end and nothing in it failed that was not dealt with. */
function lifecycle(body: ForeignList, loop: MapNode, translation: Translation): Node | undefined {
  const { to, flow } = translation;
  const complete = to.get(loop, 'on_item_complete');
  if (complete?.kind !== 'map') return undefined;
  const unhandled = body.steps.filter((step) => !flow.isHandled(step) && flow.endsPass(step));
  const failed = unhandled.map(({ id }) => `default(${member('steps', id)}.status, "") == "failed"`);
  const succeeded = ['status == "done"', ...(failed.length > 0 ? [`!(${failed.join(' || ')})`] : [])].join(
    ' && ',
  );
  const place: Place = { list: body };
  const actions = (['success', 'failure'] as const).flatMap((result) => {
    const field = to.entry(to.get(complete, result), 'move_to');
    const target = to.get(to.get(complete, result), 'move_to');
    const path = translatePath(target, `on_item_complete.${result}.move_to`, place, translation);
    if (target === undefined || path === undefined || body.alias === undefined) return [];
    const make = built(target);
    const folder = String(path.value);
    return [
      make.map([
        ['when', result === 'success' ? succeeded : `!(${succeeded})`],
        ['call', 'move'],
        [
          'with',
          make.map([
            ['from', `{{ ${body.alias.native} }}`],
            ['to', folder.endsWith('/') ? path : make.scalar(`${folder}/`), field?.keyNode],
          ]),
        ],
      ]),
    ];
  });
  return actions.length === 0 ? undefined : built(complete).list(actions);
}
