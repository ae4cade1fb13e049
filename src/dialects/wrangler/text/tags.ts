// tags: where the `{{ }}` of a Mustache or Handlebars text begin and end, and what of the white space around them is
// text. A tag that opens, closes or divides a block, or is a comment, takes its line with it where it stands alone on it.

export interface TextToken {
  kind: 'text';
  text: string;
  start: number;
  end: number;
}

export interface Tag {
  kind: 'tag';
  /** `''`: a value. `else` has none of its own there: it is a value called `else`. */
  sign: '' | '#' | '^' | '/' | '!' | '>' | '=' | '*';
  content: string;
  /** Of the whole tag. */
  start: number;
  end: number;
  /** Where the content starts. */
  at: number;
}

export type Token = TextToken | Tag;

export interface Problem {
  code: 'template-unclosed' | 'template-syntax' | 'template-partial' | 'template-helper' | 'template-unbound';
  message: string;
  start: number;
  end: number;
  hint?: string;
}

interface Found extends Tag {
  /** `{{~` and `~}}`: all white space on that side goes. */
  before: boolean;
  after: boolean;
}

const SIGNS = ['#', '^', '/', '!', '>', '=', '*'];

export function tokensOf(source: string): { tokens: Token[]; problems: Problem[] } {
  const found: (TextToken | Found)[] = [];
  const problems: Problem[] = [];
  const lastClose = source.lastIndexOf('}}');
  let done = 0;
  const text = (to: number, from = done) => {
    if (to > from) found.push({ kind: 'text', text: source.slice(from, to), start: from, end: to });
  };
  for (let start = source.indexOf('{{'); start >= 0; start = source.indexOf('{{', done)) {
    const slashes = /\\+$/.exec(source.slice(Math.max(done, start - 2), start))?.[0].length ?? 0;
    if (slashes === 1) {
      // `\{{x}}` is the text `{{x}}`.
      const close = start > lastClose ? -1 : source.indexOf('}}', start);
      const end = close < 0 ? start + 2 : close + 2;
      text(start - 1);
      text(end, start);
      done = end;
      continue;
    }
    text(slashes === 2 ? start - 1 : start);
    const tag = tagAt(source, start);
    if ('code' in tag) {
      problems.push(tag);
      return { tokens: trimmed(found), problems };
    }
    found.push(tag);
    done = tag.end;
  }
  text(source.length);
  return { tokens: trimmed(found), problems };
}

function tagAt(source: string, start: number): Found | Problem {
  if (source.startsWith('{{{{', start)) {
    const message = 'raw blocks (four braces) are not read';
    return { code: 'template-syntax', message, start, end: start + 4, hint: 'Write `\\{{` for braces.' };
  }
  const triple = source.startsWith('{{{', start);
  const before = source.startsWith('~', start + (triple ? 3 : 2));
  let at = start + (triple ? 3 : 2) + (before ? 1 : 0);
  const long = source.startsWith('!--', at);
  const close = triple ? '}}}' : long ? '--}}' : '}}';
  let to = source.indexOf(close, at);
  // `--~}}` closes a long comment too.
  if (long && to < 0) to = source.indexOf('--~}}', at);
  if (to < 0) {
    const shown = triple ? '{{{' : '{{';
    const message = `\`${shown}\` is never closed`;
    const hint = `Close it with \`${triple ? '}}}' : '}}'}\`; braces that are meant as they stand are written \`\\{{\`.`;
    return { code: 'template-unclosed', message, start, end: start + shown.length, hint };
  }
  const end = source.indexOf(triple ? '}}}' : '}}', to) + (triple ? 3 : 2);
  const after = source.charAt(end - (triple ? 4 : 3)) === '~' && end - (triple ? 4 : 3) >= at;
  const first = source.charAt(at);
  const sign = triple || !SIGNS.includes(first) ? '' : (first as Tag['sign']);
  if (sign !== '' || (first === '&' && !triple)) at += 1;
  const last = Math.max(at, end - (triple ? 3 : 2) - (after ? 1 : 0));
  return { kind: 'tag', sign, content: source.slice(at, last), start, end, at, before, after };
}

/** Whether it takes its line with it where it stands alone. */
function isStandalone({ sign, content }: Tag): boolean {
  return sign !== '' || /^\s*else\b/.test(content);
}

const LINE_AFTER = /^[ \t]*(?:\r?\n|$)/;

function trimmed(found: readonly (TextToken | Found)[]): Token[] {
  const texts = found.map((token) => (token.kind === 'text' ? token.text : ''));
  /** Of every text, what is left of it. */
  const kept = texts.map((text) => ({ from: 0, to: text.length }));
  found.forEach((token, index) => {
    if (token.kind !== 'tag') return;
    const [before, after] = [texts[index - 1], texts[index + 1]];
    const [left, right] = [kept[index - 1], kept[index + 1]];
    const alone =
      isStandalone(token) &&
      startsLine(found, index) &&
      (index === found.length - 1 ||
        (isText(found[index + 1]) && endsLine(after ?? '', index + 2 === found.length)));
    if (alone && left && before !== undefined) left.to = Math.min(left.to, withoutIndent(before));
    if (alone && right && after !== undefined)
      right.from = Math.max(right.from, LINE_AFTER.exec(after)?.[0].length ?? 0);
    if (token.before && left && before !== undefined) left.to = Math.min(left.to, before.trimEnd().length);
    if (token.after && right && after !== undefined)
      right.from = Math.max(right.from, after.length - after.trimStart().length);
  });
  return found.flatMap((token, index): Token[] => {
    if (token.kind === 'tag') {
      const { before: _before, after: _after, ...tag } = token;
      return [tag];
    }
    const { from, to } = kept[index] ?? { from: 0, to: 0 };
    if (to <= from) return [];
    return [
      { kind: 'text', text: token.text.slice(from, to), start: token.start + from, end: token.start + to },
    ];
  });
}

function isText(token: Token | undefined): boolean {
  return token?.kind === 'text';
}

function startsLine(found: readonly Token[], index: number): boolean {
  const before = found[index - 1];
  if (before === undefined) return true;
  if (before.kind !== 'text') return false;
  const indent = withoutIndent(before.text);
  // Only at the very beginning does a line start without the end of another.
  return indent === 0 ? index === 1 : before.text.charAt(indent - 1) === '\n';
}

/** Where the spaces begin that the text ends with. A pattern would take quadratic time on a text of nothing but spaces. */
function withoutIndent(text: string): number {
  let end = text.length;
  while (end > 0 && (text.charAt(end - 1) === ' ' || text.charAt(end - 1) === '\t')) end -= 1;
  return end;
}

function endsLine(text: string, isLast: boolean): boolean {
  return LINE_AFTER.test(text) && (isLast || text.includes('\n'));
}
