// mvdan: the lines of a list as mvdan/sh prints them: other spaces, breaks and quoting, the same meaning.

import { print } from 'sh-syntax';

/** A statement that nobody writes, between a line and the next: starting the printer costs more than printing. */
const MARK = ': @@';
const TOGETHER = 60;

/** Undefined: not a shell line to mvdan/sh. */
export async function reprinted(
  lines: readonly string[],
  options: { minify: boolean },
): Promise<(string | undefined)[]> {
  const printed: (string | undefined)[] = [];
  for (let from = 0; from < lines.length; from += TOGETHER)
    printed.push(...(await group(lines.slice(from, from + TOGETHER), options.minify)));
  return printed;
}

async function group(lines: readonly string[], minify: boolean): Promise<(string | undefined)[]> {
  if (lines.length === 0) return [];
  const text = lines.map((line) => `${MARK}\n${line}\n`).join('');
  const parts = await print(text, { keepComments: true, minify }).then(
    (whole) => whole.split(/^: @@\n/m).slice(1),
    () => [],
  );
  if (parts.length === lines.length) return parts.map((part) => part.replace(/\n$/, ''));
  if (lines.length === 1) return [undefined];
  const middle = lines.length >> 1;
  return [...(await group(lines.slice(0, middle), minify)), ...(await group(lines.slice(middle), minify))];
}
