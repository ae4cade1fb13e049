// tree: a shell line as its reader sees it. Nothing is expanded: what an expansion gives is known only when it runs.

/** A whole line: its commands in the order in which they are written. Of what joins them (`;` `&&` `||` `&`) only `&&` is kept. */
export type Script = Command[];

export type Command = Simple | Block | Pipeline;

/** One program with its arguments; `words` is empty where the command only assigns or redirects. */
export interface Simple {
  kind: 'simple';
  /** It runs only if the command before it did well: `cd x && y`. */
  isAfterSuccess?: true;
  /** As written. */
  text: string;
  assignments: Assignment[];
  words: Word[];
  redirections: Redirection[];
}

/** Commands that belong together: `if`, `for`, `{ }`, `( )`, a function, `[[ ]]`, `(( ))`. */
export interface Block {
  kind: 'block';
  isAfterSuccess?: true;
  form: 'group' | 'subshell' | 'if' | 'while' | 'for' | 'case' | 'function' | 'conditional' | 'arithmetic';
  text: string;
  /** The variable of `for`, the name of a function. */
  name?: string;
  /** The list of `for`, the subject and patterns of `case`, the operands and operators of `[[ ]]`. */
  words: Word[];
  body: Command[];
  /** What a POSIX shell, which knows neither `[[ ]]` nor `(( ))`, would make of it. */
  otherwise: Command[];
  redirections: Redirection[];
}

/** Two or more commands, each reading what the one before it prints. */
export interface Pipeline {
  kind: 'pipeline';
  isAfterSuccess?: true;
  parts: Command[];
}

export interface Assignment {
  name: string;
  subscript?: Part[];
  /** `name=value` */
  value?: Word;
  /** `name=(a b c)` */
  items?: Word[];
  /** `name+=value` */
  isAppended: boolean;
}

export interface Redirection {
  operator: '<' | '>' | '>>' | '>|' | '<>' | '<&' | '>&' | '&>' | '&>>' | '<<' | '<<-' | '<<<';
  /** The descriptor before the operator, where one is written: a number, or a name in braces (`{log}>file`). */
  descriptor?: string;
  /** The file, the descriptor, or the text of `<<<`; of a heredoc its delimiter. */
  target: Word;
  /** What a heredoc says: text, and substitutions where the delimiter is not quoted. */
  body?: Part[];
}

export interface Word {
  source: string;
  parts: Part[];
}

/** How a piece of a word is quoted. What is quoted is never split or matched against files. */
export type Quote = 'none' | 'single' | 'double';

export type Part =
  /** `posix`: what a shell without `$'…'` makes of one. */
  | { kind: 'text'; text: string; quote: Quote; posix?: string }
  /**
   * `$name`, `${name…}`. `isPlain`: the value of the variable and nothing else. `isEvaluated`: bash takes what is inside, or
   * the value, for an expression (`${a[…]}`, `${a:…}`, `${!a}`).
   */
  | { kind: 'parameter'; name: string; isPlain: boolean; isEvaluated?: true; quote: Quote; inner: Part[] }
  /** `$( )`, backquotes, `<( )`, `>( )`. */
  | { kind: 'command'; form: '$(' | '`' | '<(' | '>('; quote: Quote; script: Script }
  | { kind: 'arithmetic'; quote: Quote; inner: Part[] }
  /** A value that is filled in before the shell sees the line (`{{ }}`). */
  | { kind: 'hole'; index: number; quote: Quote; place: HolePlace };

/** Where a value stands. In `word` it can be quoted so that the shell sees text; elsewhere it cannot. */
export type HolePlace =
  | 'word'
  | 'after-dollar'
  | 'after-name'
  | 'after-backslash'
  | 'ansi-quote'
  | 'arithmetic'
  | 'backquote'
  | 'comment'
  | 'descriptor'
  | 'expansion'
  | 'heredoc'
  | 'heredoc-delimiter'
  | 'subscript';

/** Stands for a value in a line that is read before its values are known. */
export const HOLE = '\u{f8f0}';
