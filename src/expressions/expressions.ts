// expressions: CEL and templates.
// Owns: their grammar as we have it, what they mean, and what can be known to be wrong with them before anything runs.
// Never: looks at the world, waits, reads a clock, or lets a definition or a value fill memory, stack or time.
//
// cel-js parses, and does what CEL's library does with single values (standard.ts). Values, names, absence and control
// flow are ours: JSON is read where it lies, and a check says everything at once.
//
// X1. evaluate, test, render, renderText, renderDeep and the checks never throw, whatever text they are given.
// X2. Absence never becomes a value by itself (rule 16): only default, truthy, entries, same, mentions, has, and the side of
//     `||`, `&&`, exists and all that does not matter, live with it.
// X3. Nothing is copied to be read; a result may be part of the bindings and is not to be changed.
// X4. Only own members of an object exist, whatever its keys are called.
// X5. Rendered text is never rendered again.
// X6. Patterns take time linear in the text. Work, nesting and what the caches hold are bounded.
// X7. A value that does not depend on a missing fact is a value; else all missing facts are named at once.

export { absences } from './absences.ts';
export { checkCel, checkTemplate } from './check.ts';
export { checkCommandWords, checkShellLine, checkWords, type KnownText } from './check-shell-line.ts';
export { evaluate, render, renderDeep, renderText, renderWords, test } from './evaluate.ts';
export type { Evaluation } from './evaluation.ts';
export { literalCalls } from './literal-calls.ts';
export { linearPattern } from './pattern.ts';
export { references } from './references.ts';
export { compileTypeOfSchema } from './schema-type.ts';
export { hasExpressions, isInput, isSoleExpression, renderNamed } from './template.ts';
export type { ExpressionProblem, Type, TypeEnvironment } from './type.ts';
