// Amounts are whole numbers of cents.

/** What the items of a cart cost together: `[{ name, cents, count }]`. */
export function total(items) {
  return items.reduce((sum, { cents, count }) => sum + cents * count, 0);
}
