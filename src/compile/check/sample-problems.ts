// sample-problems: for tests. What compile says of a workflow, a line each.

import { compileSample, type SampleFiles } from '../sample-library.ts';

const HEAD = 'lockstep: 1\nname: w\n';

/** `line: code: message → hint`. The text begins at line 3. */
export function problemsOf(text: string, files?: SampleFiles): string[] {
  const result = compileSample(HEAD + text.replace(/^\n/, ''), files);
  if (result.kind === 'needs') throw new Error('files are missing');
  return result.diagnostics.map(({ code, message, span, hint }) => {
    const file = span?.file === 'w.yaml' ? '' : `${span?.file}:`;
    return `${file}${span?.line}: ${code}: ${message}${hint === undefined ? '' : ` → ${hint}`}`;
  });
}
