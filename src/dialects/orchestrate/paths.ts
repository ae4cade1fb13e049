// paths: the fields that are paths or patterns of the workspace. Absolute ones, and any that has a `..`, are refused at
// load, also where a variable stands in another part of it; what a variable gives is looked at again before it is used.

import type { Report } from '../../source/diagnostics.ts';
import { shorten } from '../../source/grammar/name.ts';
import { nodeSpan, type ScalarNode } from '../../source/read/node.ts';
import { partsOf } from './reference-text.ts';
import { writtenText } from './substitute.ts';

interface PathField {
  /** As it is called in the workflow: `depends_on.required`. */
  field: string;
  glob?: boolean;
  /** False: nothing is filled in, so a `$` is a `$`. */
  filled?: boolean;
}

/** False: it was reported, and must not be used. */
export function checkPath(
  node: ScalarNode,
  { field, glob, filled = true }: PathField,
  report: Report,
): boolean {
  const source = writtenText(node);
  // What is filled in is part of a name, or whole names; either way it is not this text that leads out.
  const path = filled
    ? partsOf(source)
        .map((part) => (part.kind === 'text' ? part.text : 'x'))
        .join('')
    : source;
  const problem = problemOf(path, source, { field, glob, filled });
  if (problem === undefined) return true;
  report.error(problem.code, nodeSpan(node), problem.message, problem.hint, { field, path: source });
  return false;
}

function problemOf(path: string, source: string, { field, glob, filled }: PathField) {
  const shown = `"${shorten(source)}"`;
  const segments = path.split(/[/\\]/);
  const why = /^[/\\]|^[A-Za-z]:[/\\]/.test(path)
    ? 'is absolute'
    : segments.includes('..')
      ? 'has a `..`'
      : undefined;
  if (why !== undefined) {
    return {
      code: 'path-outside',
      message: `\`${field}\` must stay in the workspace, and ${shown} ${why}`,
      hint: 'Write it relative to the workspace, without `..`.',
    };
  }
  if (path.trim() === '') {
    return { code: 'bad-name', message: `\`${field}\` is empty, and must be a path`, hint: undefined };
  }
  if (filled && /(?<!\$)(?:\$\$)*\$\(/.test(source)) {
    return {
      code: 'shell-in-path',
      message: `\`${field}\` is a path, and no shell reads it: \`$(…)\` would stand in it as it is`,
      hint: 'Let an earlier step print it as JSON, and refer to it: `${steps.Find.json.path}`. A name that really has `$(` is written `$$(`.',
    };
  }
  if (glob && segments.includes('**')) {
    return {
      code: 'globstar',
      message: `\`${field}\`: \`**\` is not part of the patterns of this language, and ${shown} would match one level only`,
      hint: 'Write every level (`src/*/*.py`), or let a step find the files: command: ["find", "src", "-name", "*.py"]',
    };
  }
  return undefined;
}
