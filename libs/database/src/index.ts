export { connectionOptions, createConnection, type ConnectionOptions, type Patience } from './connection.ts';
export {
  databaseEnvironment,
  migrateServiceDatabase,
  openDatabase,
  openServiceDatabase,
  type Database,
  type DatabaseOptions,
  type EntityManager,
  type Schema,
  type TransactionOptions,
} from './database.ts';
export { isContended, isTransient, sqlState, UNIQUE_VIOLATION } from './errors.ts';
export { readMigrations, type MigrationFile } from './migrations.ts';
export { countRows, type PageOf } from './pages.ts';
export { empty, isoTimestamp, join, query, queryFirst, raw, recordset, sql, type Sql } from './sql.ts';
