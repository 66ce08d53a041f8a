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
import { toComparisonKey } from '@saleschannel/validation';
import type { Trader } from '../domain/trader.ts';
import { traderColumns } from './traders.ts';

/** All sales channels share these numbers and must not see how fast they grow, so a cursor holds the id instead. */
const position = {
  column: 'trader.position',
  type: 'text',
  by: { column: 'trader.id', find: (id: Sql) => sql`(select position from trader where id = ${id})` },
} as const;

const byCreation = new Keyset('traders', [position]);
/** The order of the index by which a name is looked for. */
const byName = new Keyset('traders-by-name', [{ column: '(lower(trader.name) collate "C")', type: 'text' }, position]);

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

/** Some traders of a channel, in the order of their creation. Those with a beginning of their name are by name. */
export function tradersOf(
  em: EntityManager,
  salesChannelId: string,
  filter: TraderFilter,
  asked: PageAsked,
): Promise<ListPart<Trader>> {
  const { namePrefix, namePart, businessId } = filter;
  const conditions = [sql`trader.sales_channel_id = ${salesChannelId}`];
  if (businessId !== undefined)
    conditions.push(sql`trader.business_id = any(${[businessId, toComparisonKey(businessId)]}::text[])`);
  if (namePrefix !== undefined) conditions.push(startsWith(sql`(lower(trader.name) collate "C")`, namePrefix));
  const source = namePart === undefined ? sql`trader` : tradersNamed(salesChannelId, namePart);
  return (namePrefix === undefined ? byCreation : byName).page(
    em,
    { ...asked, scope: [salesChannelId, filter] },
    ({ key, after, order, rows }) =>
      sql`select ${traderColumns}, ${key} from ${source} where ${join(conditions, ' and ')} and ${after}
          order by ${order} ${rows}`,
  );
}
