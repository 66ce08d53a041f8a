export { AvailabilityWatch, type Availability } from './availability.ts';
export {
  connectionOptions,
  createConnection,
  withAuthorities as trusting,
  type ConnectionOptions,
  type Timeouts as Patience,
} from './connection.ts';
export { openDatabase, type Database, type DatabaseOptions, type Schema } from './database.ts';
export { type EntityManager } from './entity-manager.ts';
export { isContended, isTransient, sqlState, UNIQUE_VIOLATION } from './errors.ts';
export {
  Keyset,
  limitPart as limitOfPart,
  readPages as pagesOf,
  type PageWithTotal as PageOf,
  type KeyColumn,
  type ListPart,
  type PageRequest as PageAsked,
  type PageWindow,
} from './keyset.ts';
export { createLookUp, type LookUp, type Indexed as Placed } from './look-ups.ts';
export { isOutsideTransaction, listPending, readMigrations, type MigrationFile } from './migrations.ts';
export { type PreparingClient } from './preparing-client.ts';
export {
  openListSource,
  createPrimarySource as primaryAlone,
  readReplicaEnvironment,
  type ListSource,
} from './read-replica.ts';
export { createReads, type Reads } from './reads.ts';
export { afterCommit, type TransactionOptions } from './run-transaction.ts';
export {
  databaseEnvironment,
  databaseUrl,
  migrationEnvironment,
  createMigration as migrationOf,
  openServiceDatabase,
} from './service-database.ts';
export {
  empty,
  foldedContains,
  foldedNameContains as hasInFolded,
  nameContains as hasInName,
  isoTimestamp,
  join,
  lockNames,
  pairDigest,
  query,
  queryFirst,
  raw,
  recordset,
  send,
  sql,
  startsWith,
  type Sql,
} from './sql.ts';
export {
  totalExpression as countedRows,
  countBounded as countSome,
  createTotalsJob,
  evaluate as evaluated,
  foldTotals,
  countLimit as limitOfCount,
  readTotal as totalOf,
  type BoundedCount as CountOfSome,
} from './totals.ts';
