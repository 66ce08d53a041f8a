export { AvailabilityWatch, type Availability } from './availability.ts';
export { connectionOptions, createConnection, trusting, type ConnectionOptions, type Patience } from './connection.ts';
export {
  afterCommit,
  openDatabase,
  type Database,
  type DatabaseOptions,
  type Schema,
  type TransactionOptions,
} from './database.ts';
export { type EntityManager } from './entity-manager.ts';
export { countSome, limitOfCount, type CountOfSome } from './count-some.ts';
export { isContended, isTransient, sqlState, UNIQUE_VIOLATION } from './errors.ts';
export { Keyset, pagesOf, type KeyColumn, type ListPart, type PageAsked, type PageWindow } from './keyset.ts';
export { lockNames } from './locks.ts';
export { createLookUp, type LookUp, type Placed } from './look-ups.ts';
export { isOutsideTransaction, listPending, readMigrations, type MigrationFile } from './migrations.ts';
export { limitOfPart } from './page-reach.ts';
export { type PageOf } from './pages.ts';
export { type PreparingClient } from './preparing-client.ts';
export { openListSource, primaryAlone, readReplicaEnvironment, type ListSource } from './read-replica.ts';
export { createReads, type Reads } from './reads.ts';
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
export { countedRows, createTotalsJob, evaluated, foldTotals, totalOf } from './totals.ts';
