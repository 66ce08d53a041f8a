import {
  hasInName,
  join,
  Keyset,
  sql,
  startsWith,
  type EntityManager,
  type ListPart,
  type PageAsked,
  type Sql,
} from '@saleschannel/database';
import { toComparisonKey, type ListOrder } from '@saleschannel/primitives/validation';
import type { Trader } from '../domain/trader.ts';
import { traderColumns } from './traders.ts';

const backwards = { descending: true };

/** All sales channels share these numbers and must not see how fast they grow, so a cursor holds the id instead. */
const position = {
  column: 'trader.position',
  type: 'text',
  by: { column: 'trader.id', find: (id: Sql) => sql`(select position from trader where id = ${id})` },
} as const;

/** In the order of the index by which a name is looked for. */
const nameColumns = [{ column: '(lower(trader.name) collate "C")', type: 'text' }, position] as const;
const keysets = {
  createdAt: { ascending: new Keyset('traders', [position]), descending: new Keyset('traders', [position], backwards) },
  name: {
    ascending: new Keyset('traders-by-name', nameColumns),
    descending: new Keyset('traders-by-name', nameColumns, backwards),
  },
};

export type TraderOrder = ListOrder<keyof typeof keysets>;

/** As the index of parts of names has it. */
const nameInChannel = { name: sql`trader.name`, scope: sql`trader.sales_channel_id || '/'` };

/** Found by the index, however few or many they are: a plan for any values would go through all traders in order. */
const tradersNamed = (salesChannelId: string, part: string): Sql => sql`(
  select * from trader where ${hasInName(nameInChannel, `${salesChannelId}/`, part)} offset 0
) as trader`;

/** All conditions that are present hold at once. */
export interface TraderFilter {
  /** Without regard to case. */
  readonly namePrefix?: string | undefined;
  /** Without regard to case and accents. */
  readonly namePart?: string | undefined;
  readonly businessId?: string | undefined;
}

/** Traders of a channel. Without an order they go by creation, and those with a beginning of their name by name. */
export function tradersOf(
  em: EntityManager,
  salesChannelId: string,
  filter: TraderFilter,
  asked: PageAsked,
  order?: TraderOrder,
): Promise<ListPart<Trader>> {
  const { namePrefix, namePart, businessId } = filter;
  const { by, descending } = order ?? { by: namePrefix === undefined ? 'createdAt' : 'name', descending: false };
  const conditions = [sql`trader.sales_channel_id = ${salesChannelId}`];
  if (businessId !== undefined)
    conditions.push(sql`trader.business_id = any(${[businessId, toComparisonKey(businessId)]}::text[])`);
  if (namePrefix !== undefined) conditions.push(startsWith(sql`(lower(trader.name) collate "C")`, namePrefix));
  const source = namePart === undefined ? sql`trader` : tradersNamed(salesChannelId, namePart);
  return keysets[by][descending ? 'descending' : 'ascending'].page(
    em,
    { ...asked, scope: [salesChannelId, filter] },
    ({ key, after, order: columns, rows }) =>
      sql`select ${traderColumns}, ${key} from ${source} where ${join(conditions, ' and ')} and ${after}
          order by ${columns} ${rows}`,
  );
}
