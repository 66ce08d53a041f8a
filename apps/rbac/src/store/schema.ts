import { readMigrations, type Schema } from '@saleschannel/database';
import { SalesChannelEntity } from './entities.ts';

export const schema: Schema = {
  entities: [SalesChannelEntity],
  migrations: readMigrations(new URL('./migrations/', import.meta.url)),
};
