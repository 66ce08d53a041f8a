export { appendOnly } from './append-only.ts';
export {
  databaseEnvironment,
  isDatabaseUnreachable,
  migrateDatabase,
  openDatabase,
  openServiceDatabase,
  sqlState,
  UNIQUE_VIOLATION,
  type Database,
  type DatabaseOptions,
  type EntityManager,
} from './database.ts';
export { query } from './query.ts';
export { isoTimestamp } from './timestamps.ts';
