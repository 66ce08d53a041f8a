import { defineEntity, p } from '@mikro-orm/postgresql';

/** Keys as they are made and deleted. What only reads is SQL of its own, above all the check of credentials. */

const ApiKeySchema = defineEntity({
  name: 'ApiKey',
  tableName: 'api_key',
  properties: {
    id: p.string().primary(),
    userId: p.string(),
    madeWithKeyId: p.string().nullable(),
    secretHash: p.blob().lazy(),
    pepperVersion: p.smallint(),
    createdAt: p.datetime(3),
    expiresAt: p.datetime(3),
  },
});
export class ApiKeyEntity extends ApiKeySchema.class {}
ApiKeySchema.setClass(ApiKeyEntity);

const RegistryKeySchema = defineEntity({
  name: 'RegistryKey',
  tableName: 'registry_key',
  properties: {
    id: p.string().primary(),
    accountHolderId: p.string(),
    createdBy: p.string().nullable(),
    madeWithKeyId: p.string().nullable(),
    secretHash: p.blob().lazy(),
    pepperVersion: p.smallint(),
    createdAt: p.datetime(3),
    expiresAt: p.datetime(3),
  },
});
export class RegistryKeyEntity extends RegistryKeySchema.class {}
RegistryKeySchema.setClass(RegistryKeyEntity);
