import { readMigrations, type Schema } from '@saleschannel/database';
import { ProductionFacility, Supplier } from './entities.ts';

/** Only records that are edited one by one are mapped. The ledger itself uses set-based SQL. */
export const schema: Schema = {
  entities: [Supplier, ProductionFacility],
  migrations: readMigrations(new URL('./migrations/', import.meta.url)),
  // Every move of certificates locks their issuance.
  lockedTables: ['issuance'],
};
