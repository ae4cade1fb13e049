// wrangler: a workflow of the wrangler language, of either generation → the same workflow in ours.
// Owns: what that language means, said in ours. Never: runs anything, reads a file, knows what becomes of the result.
//
// W1. Pure: the same document and files give the same result and the same problems, and no document makes it throw.
// W2. Every node of the result stands where the foreign part stands that it was made from.
// W3. All problems at once: what is wrong is reported and left out, so that the rest can be looked at too.
// W4. Absence skips a step only where that language says so (`condition`); it never lets a check hold (`failWhen`).
// W5. What its texts read and would not see by themselves is in `with` of the step: nothing later knows its names.

import type { LoadedFile } from '../../model/library.ts';
import { type BuiltEntry, built } from '../../source/build-nodes.ts';
import type { Report } from '../../source/diagnostics.ts';
import type { NamedFiles } from '../../source/dialect.ts';
import { conform, conforming } from '../../source/grammar/conform.ts';
import { slug } from '../../source/grammar/slug.ts';
import { child, headSpan, type MapNode, type Node, nodeSpan, stringOf } from '../../source/read/node.ts';
import { DOCUMENTS, type Generation } from './grammar.ts';
import { Marks } from './marks.ts';
import { Names, nativeName } from './names.ts';
import { Outline } from './outline.ts';
import { Pages } from './pages.ts';
import { Reports } from './reports.ts';
import { Safety } from './safety.ts';
import { translateSteps } from './step.ts';
import { agentReference, answerOf, judges, taskWrites } from './task.ts';
import type { Translation } from './translation.ts';

/** undefined: nothing can be made of it, and that was reported. */
export function translateWrangler(
  document: MapNode,
  file: LoadedFile,
  report: Report,
  files: NamedFiles,
): MapNode | undefined {
  const version = versionOf(document, report);
  if (version === undefined) return undefined;
  const to = conforming(report);
  conform(document, DOCUMENTS[version], 'the workflow', to);
  const get = (key: string) => to.get(document, key);
  const outline = new Outline(get('phases'), version, to);
  const shared = {
    to,
    pages: new Pages(files, report, file.layer === 'file'),
    agent: to.get(get('defaults'), 'agent'),
  };
  const translation: Translation = {
    ...shared,
    version,
    names: new Names(outline, to),
    safety: new Safety(document, to),
    reports: new Reports(document, outline, to),
    marks: new Marks(
      outline,
      {
        writes: (step) => taskWrites(step, shared),
        judges: (step) => judges(step, shared),
        reportsPublication: (step) => answerOf(step, shared) === 'publish',
      },
      to,
    ),
  };
  const later: (() => void)[] = [];
  const steps = translateSteps(outline.root, get('phases') ?? document, translation, later);
  for (const finish of later) finish();
  const carried = new Set([...translation.names.carried.values()].flatMap((names) => [...names]));
  const make = built(document);
  return make.map([
    ['lockstep', 1],
    ...naming(document, file, translation),
    ['inputs', INPUTS],
    [
      'vars',
      carried.size === 0
        ? undefined
        : Object.fromEntries([...carried].map((name) => [nativeName(name), null])),
    ],
    ['defaults', defaultsOf(get('defaults'), document, translation), to.entry(document, 'defaults')?.keyNode],
    ['limits', translation.safety.limits(), to.entry(document, 'safety')?.keyNode],
    ['workspace', 'worktree'],
    ['policy', POLICY],
    ['steps', steps, to.entry(document, 'phases')?.keyNode],
  ]);
}

const INPUTS = { spec: { type: 'file', description: 'The specification' } };
const POLICY = { paused_exit: 2, branch_prefix: 'wrangler' };

function versionOf(document: MapNode, report: Report): Generation | undefined {
  const node = child(document, 'version');
  const value = node?.kind === 'scalar' ? node.value : undefined;
  if (value === 1 || value === 2) return value;
  const code = node === undefined ? 'missing-field' : 'dialect-version';
  const message =
    node?.kind === 'scalar'
      ? `"${node.written}" is not a version of wrangler that this build reads`
      : 'a wrangler workflow needs `version`';
  report.error(
    code,
    node?.kind === 'scalar' ? nodeSpan(node) : headSpan(node ?? document),
    message,
    'It reads 1 and 2, written as numbers.',
  );
  return undefined;
}

/** Names of ours are plain; what people call it stays as the description. */
function naming(document: MapNode, file: LoadedFile, { to }: Translation): BuiltEntry[] {
  const node = to.get(document, 'name');
  const stem = file.path.replace(/^.*[\\/]/, '').replace(/\.\w+$/, '');
  const given = stringOf(node);
  const name = slug(given ?? stem, 'workflow');
  const described = to.get(document, 'description');
  return [
    ['name', built(node ?? document).scalar(name), to.entry(document, 'name')?.keyNode],
    ['description', described ?? (given === undefined || given === name ? undefined : node)],
  ];
}

const PARAMS = [
  ['permission_mode', 'permissionMode'],
  ['setting_sources', 'settingSources'],
  ['mcp_servers', 'mcpServers'],
  ['max_turns', 'maxTurns'],
] as const;

/** What may go better the next time is tried three times in all; a step that took too long has had its time. */
const RETRY = { max: 2, delay: '1s', on: [1, 'rate-limit', 'overloaded'] };

function defaultsOf(node: Node | undefined, document: MapNode, { to, pages }: Translation): Node {
  const params = PARAMS.flatMap(([key, field]): BuiltEntry[] => {
    const value = to.get(node, field);
    return value === undefined ? [] : [[key, value, to.entry(node, field)?.keyNode]];
  });
  const make = built(node ?? document);
  return make.map([
    ['agent', agentReference(to.get(node, 'agent'), pages), to.entry(node, 'agent')?.keyNode],
    ['model', to.get(node, 'model'), to.entry(node, 'model')?.keyNode],
    ['params', params.length === 0 ? undefined : make.map(params)],
    ['retry', RETRY],
  ]);
}
