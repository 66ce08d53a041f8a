import { readMigrations, type Schema } from '@saleschannel/database';

/** All is read and written in SQL: there is no entity to map. */
export const schema: Schema = { entities: [], migrations: readMigrations(new URL('./migrations/', import.meta.url)) };
