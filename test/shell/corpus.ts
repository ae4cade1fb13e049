// corpus: the lines of a file in corpus/. README.md says how such a file is written.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface CorpusLine {
  /** `honest-git.txt:12` */
  at: string;
  line: string;
  /** What follows `## ` on the last such line before it. */
  heading: string;
}

export function corpusOf(...files: string[]): CorpusLine[] {
  return files.flatMap((file) =>
    linesOf(file, readFileSync(join(import.meta.dirname, 'corpus', file), 'utf8')),
  );
}

function linesOf(file: string, text: string): CorpusLine[] {
  const found: CorpusLine[] = [];
  let heading = '';
  let block: string[] | undefined;
  let start = 0;
  text.split('\n').forEach((row, index) => {
    const add = (line: string, at = index + 1) => found.push({ at: `${file}:${at}`, line, heading });
    if (row === '%%') {
      if (block) add(block.join('\n'), start);
      block = block ? undefined : [];
      start = index + 2;
    } else if (block) block.push(row);
    else if (row.startsWith('## ')) heading = row.slice(3);
    else if (row.startsWith('json: ')) add(JSON.parse(row.slice(6)) as string);
    else if (row !== '' && !row.startsWith('# ')) add(row);
  });
  if (block) throw new Error(`${file}:${start}: a block is not ended by %%`);
  return found;
}
