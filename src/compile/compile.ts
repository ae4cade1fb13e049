// compile: text → Workflow, or all that is wrong with it, or the files it still needs.
// Owns: the language; what a definition means. Never: loads a file, runs anything, looks at a run.
//
// C1. Pure and synchronous. Files arrive as loaded text; what is missing is asked for (`needs`), and the caller calls
//     again with more until nothing is. A caller that can answer at once gives `files` and `places` that do, and calls once.
// C2. No text makes it throw, and none makes it take unbounded time or memory.
// C3. All problems of all files at once, each once, each with its place.
// C4. What it calls compiled is whole: every default filled in, every name resolved, every expression checked.

import type { Diagnostic } from '../model/diagnostic.ts';
import type { FileNeed, PlaceNeed } from '../model/library.ts';
import type { Workflow } from '../model/workflow.ts';
import { check } from './check/check.ts';
import { placesOf } from './check/places.ts';
import { Compilation, type CompiledSource, type CompileRequest } from './compilation.ts';
import { lowerRoot } from './lower/workflow.ts';
import { prove } from './prove/prove.ts';
import type { Draft } from './site.ts';

export { type CompiledSource, type CompileRequest, type Known, needKey } from './compilation.ts';

export type CompileResult =
  | { kind: 'needs'; needs: (FileNeed | PlaceNeed)[] }
  | { kind: 'invalid'; diagnostics: Diagnostic[]; sources: CompiledSource[] }
  /** `diagnostics` are warnings. */
  | { kind: 'compiled'; workflow: Workflow; diagnostics: Diagnostic[]; sources: CompiledSource[] };

export function compile(request: CompileRequest): CompileResult {
  const compilation = new Compilation(request);
  const { report, sources } = compilation;
  const workflow = lowerRoot(request.main, compilation);
  if (compilation.needs.size > 0) return { kind: 'needs', needs: [...compilation.needs.values()] };
  compilation.reportMissing();
  if (workflow === undefined) return { kind: 'invalid', diagnostics: report.diagnostics(), sources };

  const draft: Draft = {
    workflow,
    sites: compilation.sites,
    span: (part, ...keys) => compilation.span(part, ...keys),
    fieldName: (part, ...keys) => compilation.fieldName(part, ...keys),
    found: (need) => compilation.found(need),
  };
  const unseen = compilation.unseen(placesOf(draft));
  if (unseen.length > 0) return { kind: 'needs', needs: unseen };
  report.add(check(draft));
  // A workflow that is wrong in other ways has paths that nobody meant.
  if (!report.hasErrors()) report.add(prove(workflow, draft));
  const diagnostics = report.diagnostics();
  return report.hasErrors()
    ? { kind: 'invalid', diagnostics, sources }
    : { kind: 'compiled', workflow, diagnostics, sources };
}
