// json-path: the place of a value in a JSON document, as messages name it: `$.items[2]["odd key"]`.

const LONGEST_KEY = 60;

export function jsonPath(path: readonly (string | number)[]): string {
  return `$${path.map(step).join('')}`;
}

function step(key: string | number): string {
  if (typeof key === 'number') return `[${key}]`;
  if (/^[A-Za-z_]\w{0,59}$/.test(key)) return `.${key}`;
  return `[${JSON.stringify(key.length > LONGEST_KEY ? `${key.slice(0, LONGEST_KEY)}…` : key)}]`;
}
