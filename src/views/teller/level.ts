// level: how much a line of the log matters.

export type LineLevel = 'debug' | 'info' | 'warn' | 'error';

export const RANKS: Record<LineLevel, number> = { debug: 0, info: 1, warn: 2, error: 3 };
