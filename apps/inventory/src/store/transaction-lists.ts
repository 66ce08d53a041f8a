import {
  totalExpression,
  evaluate,
  join,
  Keyset,
  sql,
  type EntityManager,
  type ListPart,
  type PageRequest,
  type PageWithTotal,
  type PageWindow,
  type Sql,
  limitPart,
} from '@saleschannel/database';
import type { TimeRange } from '@saleschannel/primitives/validation';
import type { TransactionStatus, TransactionType } from '../domain/transaction.ts';
import type { Holder } from './holding-lists.ts';
import { matchesNotes, selectByMetadata, type NotesFilter } from './references.ts';
import { isWithin, transactionHeadColumns, type TransactionHead } from './transaction-views.ts';

/** Lists of transactions. For each filter there is an index that begins with its columns. */

const orderColumns = [
  { column: 'transaction.created_at', type: 'timestamptz' },
  { column: 'transaction.id', type: 'text' },
] as const;
const oldestFirst = new Keyset('transactions', orderColumns);
const newestFirst = new Keyset('transactions', orderColumns, { descending: true });

const everyType: readonly TransactionType[] = ['ISSUANCE', 'ONRAMP', 'TRADE', 'RETIREMENT', 'OFFRAMP'];
/** Types that sales channels start. Issuances and onramps belong to the registry. */
const channelTypes: readonly TransactionType[] = ['TRADE', 'RETIREMENT', 'OFFRAMP'];
const everyStatus: readonly TransactionStatus[] = ['PENDING', 'SUCCESS', 'REJECTED', 'FAILED'];

interface Kind {
  readonly type?: TransactionType | undefined;
  readonly status?: TransactionStatus | undefined;
}

export interface RegistryFilter extends Kind {
  readonly accountHolderId?: string | undefined;
  readonly createdAt: TimeRange;
}

export interface ChannelFilter extends Kind, NotesFilter {
  readonly traderId?: string | undefined;
  readonly createdAt: TimeRange;
}

const toKinds = ({ type, status }: Kind, types: readonly TransactionType[]) =>
  (type ? types.filter((each) => each === type) : types).flatMap((each) =>
    (status ? [status] : everyStatus).map((one) => ({ type: each, status: one })),
  );

const isOfKind = ({ type, status }: { type: TransactionType; status: TransactionStatus }): Sql =>
  sql`transaction.type = ${type} and transaction.status = ${status}`;

/**
 * Statement for a page that is merged from several parts. Each part is a range of one index in the order of the list,
 * so it reads no more rows than a page needs.
 */
const pageStatement =
  (parts: readonly Sql[], within: TimeRange, from = sql`ledger_transaction as transaction`) =>
  ({ key, after, order, rows, maxRows }: PageWindow): Sql => {
    const ranges = parts.map(
      (condition) => sql`(
        select transaction.created_at, transaction.id from ${from}
        where ${condition} and ${isWithin(within)} and ${after} order by ${order} ${limitPart(maxRows)}
      )`,
    );
    return sql`select ${transactionHeadColumns}, ${key}
      from (
        select transaction.id from (${join(ranges, ' union all ')}) as transaction order by ${order} ${rows}
      ) as page join ledger_transaction as transaction on transaction.id = page.id order by ${order}`;
  };

const partsOrNone = (parts: readonly Sql[]): readonly Sql[] => (parts.length > 0 ? parts : [sql`false`]);

const toRegistryParts = ({ accountHolderId, ...kind }: RegistryFilter): readonly Sql[] => {
  const kinds = toKinds(kind, everyType).map(isOfKind);
  if (accountHolderId !== undefined) {
    return kinds.map((condition) => sql`transaction.account_holder_id = ${accountHolderId} and ${condition}`);
  }
  return kind.type === undefined && kind.status === undefined ? [sql`true`] : kinds;
};

/** One part per type and status, because a rare kind may hide among very many others. */
function toChannelParts(salesChannelId: string, { traderId, ...kind }: ChannelFilter): readonly Sql[] {
  const inChannel = sql`transaction.sales_channel_id = ${salesChannelId}`;
  const kinds = toKinds(kind, channelTypes);
  if (traderId === undefined) return partsOrNone(kinds.map((each) => sql`${inChannel} and ${isOfKind(each)}`));
  // A trader belongs to one channel. The condition is hidden from indexes, because a generic plan might otherwise scan
  // all transactions of the channel.
  const andInChannel = sql`and (transaction.sales_channel_id = ${salesChannelId}) is true`;
  const sold = kinds.map((each) => sql`transaction.seller_id = ${traderId} and ${isOfKind(each)} ${andInChannel}`);
  // Seller and buyer differ, so no transaction is in both.
  const bought = toPurchaseParts(traderId, kinds).map((purchase) => sql`${purchase} ${andInChannel}`);
  return partsOrNone([...sold, ...bought]);
}

/** One part per status. The partial index has the condition on the type. */
const toPurchaseParts = (traderId: string, kinds: ReturnType<typeof toKinds>): Sql[] =>
  kinds
    .filter(({ type }) => type === 'TRADE')
    .map(
      ({ status }) =>
        sql`transaction.buyer_id = ${traderId} and transaction.type = 'TRADE' and transaction.status = ${status}`,
    );

/**
 * Starts from the most selective condition: a reference, which has one transaction, then a status other than success,
 * which few have, then metadata, whose transactions come in the order of the list.
 */
function channelStatement(salesChannelId: string, filter: ChannelFilter): (window: PageWindow) => Sql {
  const { type, status, traderId, externalReference, metadata: pair, createdAt } = filter;
  const notes = matchesNotes(salesChannelId, filter);
  if (externalReference === undefined && (!pair || (status !== undefined && status !== 'SUCCESS'))) {
    const parts = toChannelParts(salesChannelId, filter);
    return pageStatement(notes.length === 0 ? parts : parts.map((part) => join([part, ...notes], ' and ')), createdAt);
  }
  const others = [sql`transaction.sales_channel_id = ${salesChannelId}`];
  if (status !== undefined) others.push(sql`transaction.status = ${status}`);
  if (traderId !== undefined)
    others.push(sql`(transaction.seller_id = ${traderId} or transaction.buyer_id = ${traderId})`);
  // Hidden from indexes, so that a generic plan starts from the notes.
  const rest = sql`(${join(others, ' and ')}) is true`;
  if (externalReference === undefined && pair) {
    const parts = (type ? [type] : channelTypes).map((each) => sql`transaction.type = ${each} and ${rest}`);
    return pageStatement(parts, createdAt, selectByMetadata(salesChannelId, pair));
  }
  const hasType = sql`(transaction.type = any(${type ? [type] : channelTypes}::text[])) is true`;
  return pageStatement([join([...notes, rest, hasType], ' and ')], createdAt);
}

/** Selects a page of the transactions of a sales channel, without lines. */
export const selectChannelTransactions = (
  em: EntityManager,
  salesChannelId: string,
  filter: ChannelFilter & { readonly descending: boolean },
  page: PageRequest,
): Promise<ListPart<TransactionHead>> =>
  (filter.descending ? newestFirst : oldestFirst).page(
    em,
    { ...page, scope: [salesChannelId, filter] },
    channelStatement(salesChannelId, filter),
  );

/** Selects a page of all transactions, oldest first, without lines. */
export async function selectRegistryTransactions(
  em: EntityManager,
  filter: RegistryFilter,
  page: PageRequest,
): Promise<PageWithTotal<TransactionHead>> {
  const statement = pageStatement(toRegistryParts(filter), filter.createdAt);
  const part = await oldestFirst.page<TransactionHead>(em, { ...page, scope: filter }, statement);
  return { ...part, total: await countTransactions(em, filter) };
}

export interface HolderFilter extends Kind {
  readonly createdAt: TimeRange;
}

/**
 * Selects a page of the transactions of an account holder's certificates, and of the purchases of its traders. Seller
 * and buyer differ, and an account holder has one trader per channel, so no transaction is in two parts.
 */
export const selectHolderTransactions = (
  em: EntityManager,
  { accountHolderId, traders }: Holder,
  filter: HolderFilter & { readonly descending: boolean },
  page: PageRequest,
): Promise<ListPart<TransactionHead>> => {
  const own = toRegistryParts({ ...filter, accountHolderId });
  const bought = traders.flatMap(({ traderId }) => toPurchaseParts(traderId, toKinds(filter, everyType)));
  return (filter.descending ? newestFirst : oldestFirst).page(
    em,
    { ...page, scope: ['account holder', accountHolderId, filter] },
    pageStatement([...own, ...bought], filter.createdAt),
  );
};

const HOUR_MS = 3_600_000;

function countTransactions(em: EntityManager, filter: RegistryFilter): Promise<string> {
  const { accountHolderId, createdAt } = filter;
  const kinds = toKinds(filter, everyType);
  const isOpen = createdAt.fromMs === undefined && createdAt.toMs === undefined;
  if (isOpen && accountHolderId !== undefined) {
    const keys = kinds.map(({ type, status }) => `holder/${type}/${status}/${accountHolderId}`);
    return evaluate(em, totalExpression('transaction', keys));
  }
  if (isOpen) {
    const keys = kinds.map(({ type, status }) => `kind/${type}/${status}`);
    return evaluate(em, totalExpression('transaction', keys));
  }
  if (accountHolderId === undefined) return evaluate(em, countWithin(filter, createdAt));
  // One account holder in a range of time: count its rows in an index.
  return evaluate(
    em,
    sum(toRegistryParts(filter).map((condition) => countRows(sql`${condition} and ${isWithin(createdAt)}`))),
  );
}

const sum = (terms: readonly Sql[]): Sql => sql`(${join(terms, ' + ')})`;

const countRows = (condition: Sql): Sql => sql`(
  select count(*) from ledger_transaction as transaction where ${condition}
)`;

/** Adds the stored counts of whole hours, and counts the rows of the first and last hour. */
function countWithin(kind: Kind, { fromMs, toMs }: TimeRange): Sql {
  const hasKind = join(
    [
      kind.type === undefined ? sql`true` : sql`transaction.type = ${kind.type}`,
      kind.status === undefined ? sql`true` : sql`transaction.status = ${kind.status}`,
    ],
    ' and ',
  );
  const firstHour = fromMs === undefined ? undefined : Math.ceil(fromMs / HOUR_MS) * HOUR_MS;
  const endHour = toMs === undefined ? undefined : Math.floor((toMs + 1) / HOUR_MS) * HOUR_MS;
  if (firstHour !== undefined && endHour !== undefined && firstHour >= endHour) {
    return countRows(sql`${hasKind} and ${isWithin({ fromMs, toMs })}`);
  }
  const terms = [sumHours(kind, firstHour, endHour)];
  if (firstHour !== undefined) {
    terms.push(countRows(sql`${hasKind} and ${isWithin({ fromMs, toMs: firstHour - 1 })}`));
  }
  if (endHour !== undefined) terms.push(countRows(sql`${hasKind} and ${isWithin({ fromMs: endHour, toMs })}`));
  return sum(terms);
}

/** Keys sort in the order of the hours. */
const hourKey = (ms: number): string => `hour/${new Date(ms).toISOString().slice(0, 13)}`;

function sumHours({ type, status }: Kind, fromMs: number | undefined, endMs: number | undefined): Sql {
  // '0' follows '/' in the order of characters.
  const [from, end] = [
    fromMs === undefined ? 'hour/' : hourKey(fromMs),
    endMs === undefined ? 'hour0' : hourKey(endMs),
  ];
  const conditions = [sql`list = 'transaction' and key >= ${from} and key < ${end}`];
  if (type !== undefined) conditions.push(sql`split_part(key, '/', 3) = ${type}`);
  if (status !== undefined) conditions.push(sql`split_part(key, '/', 4) = ${status}`);
  const condition = join(conditions, ' and ');
  return sql`(
    coalesce((select sum(rows) from list_count where ${condition}), 0)
    + coalesce((select sum(delta) from list_count_delta where ${condition}), 0)
  )`;
}
