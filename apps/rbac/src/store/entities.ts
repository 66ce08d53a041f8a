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

/** Bindings are read at every log-in and changed under a lock: those are SQL of their own. */
export const entities = [SalesChannel];
