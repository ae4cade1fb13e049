// dialect: the languages a workflow may be written in, by name.

export const DIALECT_NAMES = ['native', 'orchestrate', 'wrangler', 'gobby', 'workrail'] as const;
export type DialectName = (typeof DIALECT_NAMES)[number];

export type ForeignDialectName = Exclude<DialectName, 'native'>;
