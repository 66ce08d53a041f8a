export { AvailabilityWatch, type Availability } from './availability.ts';
export {
  connectionOptions,
  createConnection,
  withAuthorities,
  type ConnectionOptions,
  type Timeouts,
} from './connection.ts';
export { openDatabase, type Database, type DatabaseOptions, type Schema } from './database.ts';
export { type EntityManager } from './sql.ts';
export { isContended, isTransient, sqlState, UNIQUE_VIOLATION } from './errors.ts';
export {
  Keyset,
  limitPart,
  readPages,
  type PageWithTotal,
  type KeyColumn,
  type ListPart,
  type PageRequest,
  type PageWindow,
} from './keyset.ts';
export { createLookUp, type LookUp, type Indexed } from './reads.ts';
export { isOutsideTransaction, listPending, readMigrations, type MigrationFile } from './migrations.ts';
export { type PreparingClient } from './connection.ts';
export { openListSource, createPrimarySource, readReplicaEnvironment, type ListSource } from './read-replica.ts';
export { createReads, type Reads } from './reads.ts';
export { afterCommit, type TransactionOptions } from './pool.ts';
export {
  databaseEnvironment,
  databaseUrl,
  migrationEnvironment,
  createMigration,
  openServiceDatabase,
} from './service-database.ts';
export {
  empty,
  foldedContains,
  foldedNameContains,
  nameContains,
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
  totalExpression,
  countBounded,
  createTotalsJob,
  evaluate,
  foldTotals,
  countLimit,
  readTotal,
  type BoundedCount,
} from './totals.ts';
