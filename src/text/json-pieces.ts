// json-pieces: JSON in pieces that are written one after the other, for what may be longer than one text can be.

/** Together what `JSON.stringify(value, undefined, 2)` gives, and a newline. */
export function* jsonPieces(value: unknown): Generator<string> {
  yield* partsOf(value, '');
  yield '\n';
}

function* partsOf(value: unknown, indent: string): Generator<string> {
  if (typeof value !== 'object' || value === null) {
    yield JSON.stringify(value) ?? 'null';
    return;
  }
  const isList = Array.isArray(value);
  const members = isList ? value.map((item) => ['', item] as const) : Object.entries(value).filter(isWritten);
  const inner = `${indent}  `;
  let before = isList ? '[' : '{';
  for (const [name, member] of members) {
    yield `${before}\n${inner}${isList ? '' : `${JSON.stringify(name)}: `}`;
    yield* partsOf(member, inner);
    before = ',';
  }
  if (members.length === 0) yield isList ? '[]' : '{}';
  else yield `\n${indent}${isList ? ']' : '}'}`;
}

function isWritten([, member]: [string, unknown]): boolean {
  return member !== undefined;
}
