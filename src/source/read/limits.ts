// limits: what a definition may be at most. Far above anything a person writes, and low enough that the worst text
// is refused in well under a second and a few hundred megabytes.

/** UTF-16 units, about 4 MiB. */
export const LARGEST_FILE = 4 * 1024 * 1024;
/** Lists and maps inside each other. */
export const DEEPEST = 100;
/** Syntax tokens of a YAML text; a plain `key: value` line has seven. */
export const MOST_TOKENS = 500_000;
/** Values of a document with every alias written out. */
export const MOST_VALUES = 100_000;
/** Syntax errors that are shown; after the first few they only echo each other. */
export const MOST_SYNTAX_ERRORS = 5;
