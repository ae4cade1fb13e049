// check: (draft) → what is wrong with it, all at once.

import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Draft } from '../site.ts';

export function check(_draft: Draft): Diagnostic[] {
  return [];
}
