import { defineEntity, p } from '@mikro-orm/postgresql';

const SalesChannelSchema = defineEntity({
  name: 'SalesChannel',
  tableName: 'sales_channel',
  properties: {
    id: p.string().primary(),
    name: p.string(),
    createdAt: p.datetime(3).onCreate(() => new Date()),
  },
});
export class SalesChannel extends SalesChannelSchema.class {}
SalesChannelSchema.setClass(SalesChannel);

/** Sales channels as they are made. Bindings are read at every log-in and changed under a lock, and reads are SQL of their own. */
export const entities = [SalesChannel];
