import { readMigrations, type Schema } from '@saleschannel/database';

export const schema: Schema = { entities: [], migrations: readMigrations(new URL('./migrations/', import.meta.url)) };
