import { readMigrations, type Schema } from '@saleschannel/database';

export const schema: Schema = { migrations: readMigrations(new URL('./migrations/', import.meta.url)) };
