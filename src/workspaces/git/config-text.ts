// config-text: git's configuration files, read and written. Reading is lenient: what git would call a bad line ends it.
// Pure.

export interface Setting {
  /** Lower case. */
  section: string;
  /** As written. */
  subsection?: string;
  /** Lower case. */
  key: string;
  /** Undefined for a key without `=`, which means true. */
  value?: string;
}

const HEADER = /^\[([A-Za-z0-9.-]+)(?:[ \t]+"((?:[^"\\\n]|\\.)*)")?\]/;

export function parseConfig(text: string): Setting[] {
  const settings: Setting[] = [];
  let rest = text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
  let place: Pick<Setting, 'section' | 'subsection'> | undefined;
  for (;;) {
    rest = rest.replace(/^(?:\s+|[#;][^\n]*)+/, '');
    const [header, name = '', quoted] = HEADER.exec(rest) ?? [];
    if (header !== undefined) {
      place = placeOf(name, quoted);
      rest = rest.slice(header.length);
      continue;
    }
    const [start, key = ''] = /^([A-Za-z][A-Za-z0-9-]*)[ \t]*/.exec(rest) ?? [];
    if (start === undefined || place === undefined) return settings;
    rest = rest.slice(start.length);
    if (!rest.startsWith('=')) {
      if (!/^(?:$|\n|[#;])/.test(rest)) return settings;
      settings.push({ ...place, key: key.toLowerCase() });
      continue;
    }
    const read = readValue(rest.slice(1));
    if (read === undefined) return settings;
    settings.push({ ...place, key: key.toLowerCase(), value: read.value });
    rest = read.rest;
  }
}

/** `[a.B]` is the old spelling of `[a "b"]`. */
function placeOf(name: string, quoted: string | undefined): Pick<Setting, 'section' | 'subsection'> {
  const dot = quoted === undefined ? name.indexOf('.') : -1;
  if (dot >= 0)
    return { section: name.slice(0, dot).toLowerCase(), subsection: name.slice(dot + 1).toLowerCase() };
  const section = name.toLowerCase();
  return quoted === undefined ? { section } : { section, subsection: quoted.replace(/\\(.)/g, '$1') };
}

const ESCAPED: Record<string, string> = { n: '\n', t: '\t', b: '\b', '"': '"', '\\': '\\' };

function readValue(text: string): { value: string; rest: string } | undefined {
  let value = '';
  let spaces = '';
  let isQuoted = false;
  let isComment = false;
  for (let at = 0; ; at += 1) {
    const letter = text[at];
    if (letter === undefined || letter === '\n')
      return isQuoted ? undefined : { value, rest: text.slice(at) };
    if (isComment) continue;
    if (!isQuoted && /[ \t\v\f\r]/.test(letter)) {
      if (value !== '') spaces += letter;
      continue;
    }
    if (!isQuoted && (letter === '#' || letter === ';')) {
      isComment = true;
      continue;
    }
    value += spaces;
    spaces = '';
    if (letter === '"') isQuoted = !isQuoted;
    else if (letter !== '\\') value += letter;
    else {
      at += 1;
      const next = text[at] ?? '';
      if (next === '\n') continue;
      const meant = ESCAPED[next];
      if (meant === undefined) return undefined;
      value += meant;
    }
  }
}

export function writeConfig(settings: readonly Setting[]): string {
  return settings
    .map(({ section, subsection, key, value }) => {
      const below = subsection === undefined ? '' : ` "${subsection.replace(/["\\]/g, '\\$&')}"`;
      return `[${section}${below}]\n\t${key}${value === undefined ? '' : ` = ${quoted(value)}`}\n`;
    })
    .join('');
}

function quoted(value: string): string {
  const escaped = value.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\t', '\\t');
  return `"${escaped.replaceAll('\b', '\\b')}"`;
}

/** The value that counts: of several the last. A key alone is true. */
export function lastValue(settings: readonly Setting[], section: string, key: string): string | undefined {
  const found = settings.findLast(
    (each) => each.section === section && each.subsection === undefined && each.key === key,
  );
  return found && (found.value ?? 'true');
}

export function isTrue(value: string | undefined): boolean {
  return value !== undefined && /^(?:true|yes|on|[1-9]\d*)$/i.test(value);
}
