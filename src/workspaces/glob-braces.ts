// glob-braces: `{a,b}` and `{1..9}` written out, as shells do it: before anything else looks at the pattern.

/** Undefined: more than `most`. A group that has neither a comma nor a range is itself. */
export function expandBraces(pattern: string, most: number): string[] | undefined {
  const group = firstGroup(pattern, most);
  if (group === undefined) return [pattern];
  const tails = expandBraces(pattern.slice(group.end), most);
  if (tails === undefined) return undefined;
  const expanded: string[] = [];
  const head = pattern.slice(0, group.start);
  for (const option of group.options) {
    const middles = expandBraces(option, most);
    if (middles === undefined || expanded.length + middles.length * tails.length > most) return undefined;
    for (const middle of middles) for (const tail of tails) expanded.push(head + middle + tail);
  }
  return expanded;
}

interface Group {
  start: number;
  /** Behind the closing brace. */
  end: number;
  options: string[];
}

function firstGroup(pattern: string, most: number): Group | undefined {
  for (let at = 0; at < pattern.length; at++) {
    if (pattern[at] === '\\') at += 1;
    else if (pattern[at] === '{') {
      const group = readGroup(pattern, at, most);
      if (group) return group;
    }
  }
  return undefined;
}

function readGroup(pattern: string, start: number, most: number): Group | undefined {
  const options: string[] = [];
  let depth = 0;
  let from = start + 1;
  for (let at = start; at < pattern.length; at++) {
    const char = pattern[at];
    if (char === '\\') at += 1;
    else if (char === '{') depth += 1;
    else if (char === ',' && depth === 1) {
      options.push(pattern.slice(from, at));
      from = at + 1;
    } else if (char === '}' && --depth === 0) {
      options.push(pattern.slice(from, at));
      const whole = options.length > 1 ? options : range(options[0] ?? '', most);
      return whole && { start, end: at + 1, options: whole };
    }
  }
  return undefined;
}

function range(text: string, most: number): string[] | undefined {
  const [, first, last] =
    /^(-?\d{1,6})\.\.(-?\d{1,6})$/.exec(text) ?? /^([a-zA-Z])\.\.([a-zA-Z])$/.exec(text) ?? [];
  if (first === undefined || last === undefined) return undefined;
  const letters = /[a-zA-Z]/.test(first);
  const start = letters ? first.charCodeAt(0) : Number(first);
  const end = letters ? last.charCodeAt(0) : Number(last);
  const step = start <= end ? 1 : -1;
  const options: string[] = [];
  for (let value = start; value !== end + step && options.length <= most; value += step)
    options.push(letters ? String.fromCharCode(value) : String(value));
  return options;
}
