// model-text: what one model was used for, in a line.

import type { ModelSpending } from './outline/shape.ts';
import { cost, count, tokens } from './text/words.ts';

export function modelText({ model, provider, spending }: ModelSpending, between: string): string {
  const name = model === '' ? 'model not told' : model;
  const answers = count(spending.priced + spending.unpriced, 'answer');
  const words = [cost(spending), tokens(spending), answers].filter((word) => word !== undefined);
  return `${name}${provider === '' ? '' : ` (${provider})`}: ${words.join(between)}`;
}
