import { readMigrations, type Schema } from '@saleschannel/database';
import { ApiKeyEntity, RegistryKeyEntity } from './entities.ts';

export const schema: Schema = {
  entities: [ApiKeyEntity, RegistryKeyEntity],
  migrations: readMigrations(new URL('./migrations/', import.meta.url)),
};
