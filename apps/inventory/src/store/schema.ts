import { readMigrations, type Schema } from '@saleschannel/database';
import { ProductionFacility, Supplier } from './entities.ts';

/** The ledger itself is read and written set-based, in SQL. Only what is administered one by one is mapped. */
export const schema: Schema = {
  entities: [Supplier, ProductionFacility],
  migrations: readMigrations(new URL('./migrations/', import.meta.url)),
  // Whoever moves certificates locks their issuance.
  lockedTables: ['issuance'],
};
