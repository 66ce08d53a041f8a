import {
  countedRows,
  evaluated,
  join,
  Keyset,
  sql,
  type EntityManager,
  type ListPart,
  type PageAsked,
  type PageOf,
  type PageWindow,
  type Sql,
  limitOfPart,
} from '@saleschannel/database';
import type { TimeRange, MetadataPair } from '@saleschannel/primitives/validation';
import type { TransactionStatus, TransactionType } from '../domain/transaction.ts';
import type { Holder } from './holding-lists.ts';
import { isNotedWith, isReferredBy, notedWith } from './references.ts';
import { transactionHeadColumns, type TransactionHead } from './transaction-views.ts';

/** Lists of transactions. Each goes by an index that leads with what it is filtered by. */

const orderColumns = [
  { column: 'transaction.created_at', type: 'timestamptz' },
  { column: 'transaction.id', type: 'text' },
] as const;
const oldestFirst = new Keyset('transactions', orderColumns);
const youngestFirst = new Keyset('transactions', orderColumns, { descending: true });

const everyType: readonly TransactionType[] = ['ISSUANCE', 'ONRAMP', 'TRADE', 'RETIREMENT', 'OFFRAMP'];
/** What a sales channel started itself. Issuances and onramps are the registry's. */
const typesOfChannel: readonly TransactionType[] = ['TRADE', 'RETIREMENT', 'OFFRAMP'];
const everyStatus: readonly TransactionStatus[] = ['PENDING', 'SUCCESS', 'REJECTED', 'FAILED'];

/** All conditions that are present hold at once. */
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

/** By what the sales channel said of it. */
export interface NotesFilter {
  readonly externalReference?: string | undefined;
  readonly metadata?: MetadataPair | undefined;
}

const kindsOf = ({ type, status }: Kind, types: readonly TransactionType[]) =>
  (type ? types.filter((each) => each === type) : types).flatMap((each) =>
    (status ? [status] : everyStatus).map((one) => ({ type: each, status: one })),
  );

const isOfKind = ({ type, status }: { type: TransactionType; status: TransactionStatus }): Sql =>
  sql`transaction.type = ${type} and transaction.status = ${status}`;

const instant = (ms: number): Sql => sql`${new Date(ms).toISOString()}::timestamptz`;

/** Rows of a time within a range: transactions by when they were made, unless told. */
export function isWithin({ fromMs, toMs }: TimeRange, column: Sql = sql`transaction.created_at`): Sql {
  const conditions = [sql`true`];
  if (fromMs !== undefined) conditions.push(sql`${column} >= ${instant(fromMs)}`);
  if (toMs !== undefined) conditions.push(sql`${column} <= ${instant(toMs)}`);
  return join(conditions, ' and ');
}

/**
 * The rows of a page, each found in one of several parts. A part is a range of one index in the order of the list, so
 * it reads no more than a page needs, and merging them sorts no more than their ends.
 */
const pageStatement =
  (parts: readonly Sql[], within: TimeRange, from = sql`ledger_transaction as transaction`) =>
  ({ key, after, order, rows, reach }: PageWindow): Sql => {
    const ranges = parts.map(
      (condition) => sql`(
        select transaction.created_at, transaction.id from ${from}
        where ${condition} and ${isWithin(within)} and ${after} order by ${order} ${limitOfPart(reach)}
      )`,
    );
    return sql`select ${transactionHeadColumns}, ${key}
      from (
        select transaction.id from (${join(ranges, ' union all ')}) as transaction order by ${order} ${rows}
      ) as page join ledger_transaction as transaction on transaction.id = page.id order by ${order}`;
  };

/** An empty list of parts is an empty list. */
const partsOrNone = (parts: readonly Sql[]): readonly Sql[] => (parts.length > 0 ? parts : [sql`false`]);

const partsOfRegistry = ({ accountHolderId, ...kind }: RegistryFilter): readonly Sql[] => {
  const kinds = kindsOf(kind, everyType).map(isOfKind);
  if (accountHolderId !== undefined) {
    return kinds.map((condition) => sql`transaction.account_holder_id = ${accountHolderId} and ${condition}`);
  }
  return kind.type === undefined && kind.status === undefined ? [sql`true`] : kinds;
};

/** A part for each type and status, for few of a kind may be among very many of others. */
function partsOfChannel(salesChannelId: string, { traderId, ...kind }: ChannelFilter): readonly Sql[] {
  const ofChannel = sql`transaction.sales_channel_id = ${salesChannelId}`;
  const kinds = kindsOf(kind, typesOfChannel);
  if (traderId === undefined) return partsOrNone(kinds.map((each) => sql`${ofChannel} and ${isOfKind(each)}`));
  // A trader is of one channel. A plan for any values must not go through all that the channel has, so no index finds
  // this condition.
  const andOfChannel = sql`and (transaction.sales_channel_id = ${salesChannelId}) is true`;
  const sold = kinds.map((each) => sql`transaction.seller_id = ${traderId} and ${isOfKind(each)} ${andOfChannel}`);
  // Nobody trades with themselves, so no transaction is in both.
  const bought = purchasesOf(traderId, kinds).map((purchase) => sql`${purchase} ${andOfChannel}`);
  return partsOrNone([...sold, ...bought]);
}

/** A part for each status. The condition on the type is that of the index. */
const purchasesOf = (traderId: string, kinds: ReturnType<typeof kindsOf>): Sql[] =>
  kinds
    .filter(({ type }) => type === 'TRADE')
    .map(
      ({ status }) =>
        sql`transaction.buyer_id = ${traderId} and transaction.type = 'TRADE' and transaction.status = ${status}`,
    );

/** What the sales channel said of whatever is called `transaction` in the statement. */
export function isSaidBy(salesChannelId: string, { externalReference, metadata: pair }: NotesFilter): Sql[] {
  return [
    ...(externalReference === undefined ? [] : [isReferredBy(salesChannelId, externalReference)]),
    ...(pair ? [isNotedWith(salesChannelId, pair)] : []),
  ];
}

/**
 * A reference finds its one transaction, and metadata its transactions in the order of the list. Few among many have an
 * end other than success: those are found by their status, whatever was said of them.
 */
function statementOfChannel(salesChannelId: string, filter: ChannelFilter): (window: PageWindow) => Sql {
  const { type, status, traderId, externalReference, metadata: pair, createdAt } = filter;
  const said = isSaidBy(salesChannelId, filter);
  if (externalReference === undefined && (!pair || (status !== undefined && status !== 'SUCCESS'))) {
    const parts = partsOfChannel(salesChannelId, filter);
    return pageStatement(said.length === 0 ? parts : parts.map((part) => join([part, ...said], ' and ')), createdAt);
  }
  const others = [sql`transaction.sales_channel_id = ${salesChannelId}`];
  if (status !== undefined) others.push(sql`transaction.status = ${status}`);
  if (traderId !== undefined)
    others.push(sql`(transaction.seller_id = ${traderId} or transaction.buyer_id = ${traderId})`);
  // No index finds these, so that a plan for any values goes by what was said.
  const rest = sql`(${join(others, ' and ')}) is true`;
  if (externalReference === undefined && pair) {
    const parts = (type ? [type] : typesOfChannel).map((each) => sql`transaction.type = ${each} and ${rest}`);
    return pageStatement(parts, createdAt, notedWith(salesChannelId, pair));
  }
  const ofType = sql`(transaction.type = any(${type ? [type] : typesOfChannel}::text[])) is true`;
  return pageStatement([join([...said, rest, ofType], ' and ')], createdAt);
}

/** A page of the transactions of a sales channel, without their lines. */
export const transactionsOfChannel = (
  em: EntityManager,
  salesChannelId: string,
  filter: ChannelFilter & { readonly descending: boolean },
  asked: PageAsked,
): Promise<ListPart<TransactionHead>> =>
  (filter.descending ? youngestFirst : oldestFirst).page(
    em,
    { ...asked, scope: [salesChannelId, filter] },
    statementOfChannel(salesChannelId, filter),
  );

/** A page of all transactions, oldest first, without their lines. */
export async function transactionsOfRegistry(
  em: EntityManager,
  filter: RegistryFilter,
  asked: PageAsked,
): Promise<PageOf<TransactionHead>> {
  const statement = pageStatement(partsOfRegistry(filter), filter.createdAt);
  const part = await oldestFirst.page<TransactionHead>(em, { ...asked, scope: filter }, statement);
  return { ...part, total: await totalOfRegistry(em, filter) };
}

export interface HolderFilter extends Kind {
  readonly createdAt: TimeRange;
}

/**
 * A page of what an account holder has given, got or offered, and of what its traders bought. Nobody trades with
 * themselves, and an account holder is one trader of a channel: no transaction is in two parts.
 */
export const transactionsOfHolder = (
  em: EntityManager,
  { accountHolderId, traders }: Holder,
  filter: HolderFilter & { readonly descending: boolean },
  asked: PageAsked,
): Promise<ListPart<TransactionHead>> => {
  const own = partsOfRegistry({ ...filter, accountHolderId });
  const bought = traders.flatMap(({ traderId }) => purchasesOf(traderId, kindsOf(filter, everyType)));
  return (filter.descending ? youngestFirst : oldestFirst).page(
    em,
    { ...asked, scope: ['account holder', accountHolderId, filter] },
    pageStatement([...own, ...bought], filter.createdAt),
  );
};

const HOUR_MS = 3_600_000;

function totalOfRegistry(em: EntityManager, filter: RegistryFilter): Promise<string> {
  const { accountHolderId, createdAt } = filter;
  const kinds = kindsOf(filter, everyType);
  const isOpen = createdAt.fromMs === undefined && createdAt.toMs === undefined;
  if (isOpen && accountHolderId !== undefined) {
    const keys = kinds.map(({ type, status }) => `holder/${type}/${status}/${accountHolderId}`);
    return evaluated(em, countedRows('transaction', keys));
  }
  if (isOpen) {
    const keys = kinds.map(({ type, status }) => `kind/${type}/${status}`);
    return evaluated(em, countedRows('transaction', keys));
  }
  if (accountHolderId === undefined) return evaluated(em, countedWithin(filter, createdAt));
  // Of one account holder in a range of time: its own rows in an index, nobody else's.
  return evaluated(
    em,
    sum(partsOfRegistry(filter).map((condition) => countOf(sql`${condition} and ${isWithin(createdAt)}`))),
  );
}

const sum = (terms: readonly Sql[]): Sql => sql`(${join(terms, ' + ')})`;

const countOf = (condition: Sql): Sql => sql`(
  select count(*) from ledger_transaction as transaction where ${condition}
)`;

/** Whole hours are counted already. Only the rows of the hours in which the range begins and ends are counted now. */
function countedWithin(kind: Kind, { fromMs, toMs }: TimeRange): Sql {
  const ofKind = join(
    [
      kind.type === undefined ? sql`true` : sql`transaction.type = ${kind.type}`,
      kind.status === undefined ? sql`true` : sql`transaction.status = ${kind.status}`,
    ],
    ' and ',
  );
  const firstHour = fromMs === undefined ? undefined : Math.ceil(fromMs / HOUR_MS) * HOUR_MS;
  const endHour = toMs === undefined ? undefined : Math.floor((toMs + 1) / HOUR_MS) * HOUR_MS;
  if (firstHour !== undefined && endHour !== undefined && firstHour >= endHour) {
    return countOf(sql`${ofKind} and ${isWithin({ fromMs, toMs })}`);
  }
  const terms = [countedHours(kind, firstHour, endHour)];
  if (firstHour !== undefined) {
    terms.push(countOf(sql`${ofKind} and ${isWithin({ fromMs, toMs: firstHour - 1 })}`));
  }
  if (endHour !== undefined) terms.push(countOf(sql`${ofKind} and ${isWithin({ fromMs: endHour, toMs })}`));
  return sum(terms);
}

/** The keys of hours sort as the hours do. */
const hourKey = (ms: number): string => `hour/${new Date(ms).toISOString().slice(0, 13)}`;

function countedHours({ type, status }: Kind, fromMs: number | undefined, endMs: number | undefined): Sql {
  // '0' is the character after '/'.
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
