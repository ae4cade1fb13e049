// characters: what no definition may contain, whatever its syntax.

import type { Report } from '../diagnostics.ts';
import { LARGEST_FILE } from './limits.ts';
import type { SourceText } from './source.ts';

const FORBIDDEN = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F\uFFFD]/;

/** False: the text is not to be read any further. */
export function checkCharacters(source: SourceText, report: Report): boolean {
  if (source.text.length > LARGEST_FILE) {
    const size = Math.round(source.text.length / 1024 / 1024);
    report.error(
      'file-too-large',
      source.span(0, 0),
      `the file is too large to be a definition (about ${size} MiB; at most 4 MiB are read)`,
      'Keep data in files of its own, and let a step read them.',
    );
    return false;
  }
  const at = source.text.search(FORBIDDEN);
  if (at < 0) return true;
  const span = source.span(at, at + 1);
  if (source.text[at] === '\uFFFD') {
    report.error(
      'text-encoding',
      span,
      'the text is not valid UTF-8 here',
      'Save the file as UTF-8. The character U+FFFD itself is written "\\uFFFD", in double quotes.',
    );
  } else {
    const code = source.text.charCodeAt(at).toString(16).toUpperCase().padStart(4, '0');
    report.error(
      'text-encoding',
      span,
      `a control character (U+${code}) is not allowed here`,
      'Remove it, or write it as an escape inside double quotes.',
    );
  }
  return false;
}
