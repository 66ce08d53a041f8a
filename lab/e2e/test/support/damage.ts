import type { DatabaseName } from '@saleschannel/auditor';

/** A change that no service can make, and the names of the checks that find it. */
export interface Damage {
  readonly what: string;
  readonly database: DatabaseName;
  readonly statements: string;
  readonly finds: readonly string[];
}

export const inLedger = (what: string, statements: string, ...finds: string[]): Damage => ({
  what,
  database: 'inventory',
  statements,
  finds,
});
export const inDatabase = (database: DatabaseName, what: string, statements: string, ...finds: string[]): Damage => ({
  what,
  database,
  statements,
  finds,
});
