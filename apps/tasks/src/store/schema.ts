import { readMigrations, type Schema } from '@saleschannel/database';

/** All records are read and written in SQL, so there are no entities. */
export const schema: Schema = { migrations: readMigrations(new URL('./migrations/', import.meta.url)) };
