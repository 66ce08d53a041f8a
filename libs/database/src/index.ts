export { AvailabilityWatch, type Availability } from './availability.ts';
export { connectionOptions, createConnection, trusting, type ConnectionOptions, type Patience } from './connection.ts';
export { openDatabase, type Database, type DatabaseOptions, type Schema } from './database.ts';
export { type EntityManager } from './entity-manager.ts';
export { isContended, isTransient, sqlState, UNIQUE_VIOLATION } from './errors.ts';
export {
  Keyset,
  limitOfPart,
  pagesOf,
  type PageOf,
  type KeyColumn,
  type ListPart,
  type PageAsked,
  type PageWindow,
} from './keyset.ts';
export { createLookUp, type LookUp, type Placed } from './look-ups.ts';
export { isOutsideTransaction, listPending, readMigrations, type MigrationFile } from './migrations.ts';
export { type PreparingClient } from './preparing-client.ts';
export { openListSource, primaryAlone, readReplicaEnvironment, type ListSource } from './read-replica.ts';
export { createReads, type Reads } from './reads.ts';
export { afterCommit, type TransactionOptions } from './run-transaction.ts';
export {
  databaseEnvironment,
  databaseUrl,
  migrationEnvironment,
  migrationOf,
  openServiceDatabase,
} from './service-database.ts';
export {
  empty,
  foldedContains,
  hasInFolded,
  hasInName,
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
  countedRows,
  countSome,
  createTotalsJob,
  evaluated,
  foldTotals,
  limitOfCount,
  totalOf,
  type CountOfSome,
} from './totals.ts';
