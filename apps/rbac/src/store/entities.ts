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

/** Sales channels as they are made. What only reads is SQL of its own. */
export class SalesChannelEntity extends SalesChannelSchema.class {}
SalesChannelSchema.setClass(SalesChannelEntity);
