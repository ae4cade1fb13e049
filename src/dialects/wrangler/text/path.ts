// path: what stands in a tag: `a.b`, `this.a`, `../a`, `@index`, `a.[b c]`, and words after it.

export interface Path {
  /** `@index` and its like; the rest of the path is then empty, but for `@root`. */
  data?: 'index' | 'key' | 'first' | 'last' | 'root';
  /** How many `../` it begins with. */
  up: number;
  /** It begins with `this` or `.`: only the nearest context is looked into. */
  own: boolean;
  keys: readonly string[];
}

const DATA = ['index', 'key', 'first', 'last', 'root'] as const;
/** As Handlebars has it: everything that means nothing else. */
const KEY = /^(?:\[([^\]]*)\]|([^\s!"#%&'()*+,./;<=>@[\\\]^`{|}~]+))/;

/** undefined: it is none. */
export function pathOf(text: string): Path | undefined {
  if (text.startsWith('@')) return dataPath(text);
  let rest = text;
  let up = 0;
  while (rest === '..' || rest.startsWith('../')) {
    up += 1;
    rest = rest.slice(3);
  }
  const own = /^(?:\.\/|this[./]|(?:\.|this)$)/.exec(rest)?.[0];
  if (own !== undefined) rest = rest.slice(own.length);
  if (rest === '') return own === undefined && up === 0 ? undefined : { up, own: true, keys: [] };
  const keys = keysOf(rest);
  return keys && { up, own: own !== undefined, keys };
}

function dataPath(text: string): Path | undefined {
  const [, ups = '', name = '', rest = ''] = /^@((?:\.\.\/)*)([A-Za-z]+)(?:[./](.*))?$/.exec(text) ?? [];
  const data = DATA.find((each) => each === name);
  const keys = rest === '' ? [] : keysOf(rest);
  if (data === undefined || keys === undefined || (keys.length > 0 && data !== 'root')) return undefined;
  return { data, up: ups.length / 3, own: false, keys };
}

function keysOf(text: string): string[] | undefined {
  const keys: string[] = [];
  let rest = text;
  for (;;) {
    const found = KEY.exec(rest);
    if (found === null) return undefined;
    keys.push(found[1] ?? found[2] ?? '');
    rest = rest.slice(found[0].length);
    if (rest === '') return keys;
    if (!/^[./]/.test(rest)) return undefined;
    rest = rest.slice(1);
  }
}

/** Split at white space that stands in no brackets, quotes or bars. */
export function wordsOf(text: string): string[] {
  return text.match(/(?:\[[^\]]*\]|"[^"]*"|'[^']*'|\|[^|]*\||\([^)]*\)|[^\s])+/g) ?? [];
}
