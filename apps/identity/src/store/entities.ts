import { defineEntity, p } from '@mikro-orm/postgresql';

const ApiKeySchema = defineEntity({
  name: 'ApiKey',
  tableName: 'api_key',
  properties: {
    id: p.string().primary(),
    userId: p.string(),
    secretHash: p.blob().lazy(),
    createdAt: p.datetime(3),
    expiresAt: p.datetime(3),
  },
});
export class ApiKey extends ApiKeySchema.class {}
ApiKeySchema.setClass(ApiKey);

const RegistryKeySchema = defineEntity({
  name: 'RegistryKey',
  tableName: 'registry_key',
  properties: {
    id: p.string().primary(),
    accountHolderId: p.string(),
    createdBy: p.string().nullable(),
    secretHash: p.blob().lazy(),
    createdAt: p.datetime(3),
    expiresAt: p.datetime(3),
  },
});
export class RegistryKey extends RegistryKeySchema.class {}
RegistryKeySchema.setClass(RegistryKey);

/** Keys as they are made and deleted. Whatever only reads is SQL of its own, above all the check of credentials. */
export const entities = [ApiKey, RegistryKey];
