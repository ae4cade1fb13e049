// shell-quote: puts a value into a POSIX shell line so that the shell sees it as text and nothing else, wherever in
// the line it stands: bare, inside "double" or inside 'single' quotes. It reads the fixed text of the line to know,
// and refuses where it cannot know.

import { Trouble } from './trouble.ts';

/** What the shell is inside of. The last two are never left: nothing after them can be told for sure. */
type Context =
  | 'command'
  | 'single'
  | 'double'
  | 'backquote'
  | 'comment'
  | 'expansion'
  | 'here-document'
  | 'unclear';

const refusals: Partial<Record<Context, string>> = {
  backquote: 'inside `backquotes`; write $( ) instead',
  comment: 'inside a comment',
  expansion: 'inside ${ }',
  'here-document': 'after `<<`',
  unclear:
    "after such quoting ($'…', quotes inside ${ }, or case inside ( )); give it to the command on a line of its own",
};

export class ShellLine {
  readonly #inside: Context[] = ['command'];
  #escaped = false;
  /** The character before, to tell `$(` and `<<`, and where a comment may start. */
  #previous = '\n';
  /** The bare word so far. */
  #word = '';

  /** Fixed text of the line, as its author wrote it. */
  read(text: string): void {
    for (const character of text) {
      this.#step(character);
      this.#previous = character;
    }
  }

  /** `value` as the line needs it at this place. */
  quote(value: string): string {
    if (value.includes('\0'))
      throw new Trouble('a value for the shell holds a NUL character, which no command can be given');
    const inside = this.#inside.at(-1) ?? 'command';
    const refusal = this.#escaped ? 'right after a backslash' : refusals[inside];
    if (refusal) throw new Trouble(`a value cannot be put into a shell line safely ${refusal}`);
    this.#previous = 'x';
    if (inside === 'double') return value.replace(/["\\$`]/g, '\\$&');
    const escaped = value.replaceAll("'", `'\\''`);
    return inside === 'single' ? escaped : `'${escaped}'`;
  }

  #step(character: string): void {
    const inside = this.#inside.at(-1);
    if (inside === 'here-document' || inside === 'unclear') return;
    if (inside === 'comment' || inside === 'single') {
      if (character === (inside === 'single' ? "'" : '\n')) this.#inside.pop();
    } else if (this.#escaped) {
      this.#escaped = false;
    } else if (character === '\\') {
      this.#escaped = true;
    } else if (character === '"') {
      this.#toggle('double');
    } else if (character === '`') {
      this.#toggle('backquote');
    } else if (this.#previous === '$' && character === '(') {
      this.#inside.push('command');
    } else if (this.#previous === '$' && character === '{') {
      this.#inside.push('expansion');
    } else if (inside === 'expansion') {
      if (character === '}') this.#inside.pop();
      else if (character === "'") this.#inside.push('unclear');
    } else if (inside !== 'double') {
      this.#bare(character);
    }
  }

  #toggle(quote: 'double' | 'backquote'): void {
    if (this.#inside.at(-1) === quote) this.#inside.pop();
    else this.#inside.push(quote);
  }

  #bare(character: string): void {
    this.#word = /\w/.test(character) ? this.#word + character : '';
    if (character === "'") this.#inside.push(this.#previous === '$' ? 'unclear' : 'single');
    else if (character === '(') this.#inside.push('command');
    else if (character === ')' && this.#inside.length > 1) this.#inside.pop();
    else if (character === '<' && this.#previous === '<') this.#inside.push('here-document');
    else if (character === '#' && /[\s;&|()]/.test(this.#previous)) this.#inside.push('comment');
    // The `)` of its patterns closes nothing.
    else if (this.#word === 'case' && this.#inside.length > 1) this.#inside.push('unclear');
  }
}
