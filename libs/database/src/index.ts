export { appendOnly } from './append-only.ts';
export {
  databaseEnvironment,
  isDatabaseUnreachable,
  openDatabase,
  query,
  sqlState,
  UNIQUE_VIOLATION,
  type Database,
  type DatabaseOptions,
  type EntityManager,
} from './database.ts';
export { isoTimestamp } from './timestamps.ts';
