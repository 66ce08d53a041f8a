import { isoTimestamp, query, type Database, type EntityManager } from '@saleschannel/database';
import { formatCertificateRef, formatSerial } from '@saleschannel/primitives';
import { rangeOf } from './inventory.ts';
import { exactNumber } from './json.ts';
import { jsonArray, streamRows } from './rows.ts';

/** Transactions as the APIs show them. */

/** [issuance id, first, last, unit price, serial width]; all but the width as text. */
type Line = [string, string, string, string | null, number];

interface TransactionRow {
  id: string;
  type: string;
  status: string;
  sales_channel_id: string | null;
  seller_id: string | null;
  buyer_id: string | null;
  currency: string | null;
  retirement: Record<string, string> | null;
  created_at: string;
  completed_at: string | null;
  lines: Line[];
}

const columns = `t.id, t.type, t.status, t.sales_channel_id, t.seller_id, t.buyer_id, t.currency, t.retirement, ${isoTimestamp('t.created_at')} as created_at,
  ${isoTimestamp('t.completed_at')} as completed_at,
  (select json_agg(json_build_array(l.issuance_id, l.first::text, l.last::text, trim_scale(l.unit_price)::text, i.serial_width) order by l.ordinal)
   from transaction_line l join issuance i on i.id = l.issuance_id where l.transaction_id = t.id) as lines`;

const assetsOf = (row: TransactionRow): object[] =>
  row.lines.map(([issuance_id, first, last, unitPrice, serial_width]) => {
    const { start, end, volume } = rangeOf({ issuance_id, first, last, serial_width });
    return { start, end, unitPrice: unitPrice === null ? null : exactNumber(unitPrice), volume };
  });

const renderForChannel = (row: TransactionRow): string =>
  JSON.stringify({
    id: row.id,
    type: row.type,
    sellerId: row.seller_id,
    buyerId: row.buyer_id,
    status: row.status,
    createdAt: row.created_at,
    completedAt: row.completed_at,
    assets: assetsOf(row),
    currency: row.currency,
  });

function retirementOf({ retirement }: TransactionRow): object | null {
  if (!retirement) return null;
  const { consumptionPeriodStart: start, consumptionPeriodEnd: end, ...rest } = retirement;
  return { ...rest, consumptionPeriod: { start, end } };
}

const renderForRegistry = (row: TransactionRow): string =>
  JSON.stringify({
    transactionId: row.id,
    type: row.type,
    status: row.status,
    salesChannelId: row.sales_channel_id,
    sellerId: row.seller_id,
    buyerId: row.buyer_id,
    createdAt: row.created_at,
    completedAt: row.completed_at,
    assets: assetsOf(row),
    currency: row.currency,
    retirement: retirementOf(row),
  });

/** Kinds that a sales channel started itself; issuances and onramps are the registry's. */
const ofChannel = "t.sales_channel_id = ? and t.type in ('TRADE', 'RETIREMENT', 'OFFRAMP')";

/** All transactions of a sales channel, oldest first, as a JSON array in pieces. */
export const streamTransactions = (database: Database, salesChannelId: string): AsyncGenerator<Buffer> =>
  jsonArray(
    streamRows<TransactionRow>(
      database,
      `select ${columns} from ledger_transaction t where ${ofChannel} order by t.created_at, t.id`,
      [salesChannelId],
    ),
    renderForChannel,
  );

export async function findChannelTransaction(
  em: EntityManager,
  salesChannelId: string,
  id: string,
): Promise<Buffer | undefined> {
  const [row] = await query<TransactionRow>(
    em,
    `select ${columns} from ledger_transaction t where t.id = ? and ${ofChannel}`,
    [id, salesChannelId],
  );
  return row && Buffer.from(renderForChannel(row));
}

export async function findRegistryTransaction(em: EntityManager, id: string): Promise<Buffer | undefined> {
  const [row] = await query<TransactionRow>(em, `select ${columns} from ledger_transaction t where t.id = ?`, [id]);
  return row && Buffer.from(renderForRegistry(row));
}

export async function pageOfTransactions(
  em: EntityManager,
  limit: number,
  offset: string,
): Promise<{ total: string; data: Buffer }> {
  const [count] = await query<{ total: string }>(em, 'select count(*)::text as total from ledger_transaction');
  const rows = await query<TransactionRow>(
    em,
    `select ${columns} from ledger_transaction t order by t.created_at, t.id limit ? offset ?`,
    [limit, offset],
  );
  return { total: count?.total ?? '0', data: Buffer.from(`[${rows.map(renderForRegistry).join(',')}]`) };
}

interface HistoryRow {
  transaction_id: string;
  type: string;
  status: string;
  at: string;
  first: string;
  last: string;
  source_first: string | null;
  source_last: string | null;
  seller_id: string | null;
  buyer_id: string | null;
  account_holder_id: string | null;
  serial_width: number;
}

/** Every step of one certificate, oldest first; undefined when there is no such certificate. */
export async function certificateHistory(
  em: EntityManager,
  issuanceId: string,
  serial: string,
): Promise<Buffer | undefined> {
  const rows = await query<HistoryRow>(
    em,
    `select t.id as transaction_id, t.type, t.status, ${isoTimestamp('coalesce(t.completed_at, t.created_at)')} as at, l.first::text as first, l.last::text as last,
       l.source_first::text as source_first, l.source_last::text as source_last, t.seller_id, t.buyer_id, t.account_holder_id, i.serial_width
     from transaction_line l join ledger_transaction t on t.id = l.transaction_id join issuance i on i.id = l.issuance_id
     where l.issuance_id = ? and l.last >= ?::numeric and l.first <= ?::numeric order by t.number`,
    [issuanceId, serial, serial],
  );
  if (rows.length === 0) return undefined;
  const range = (row: HistoryRow, first: string, last: string): object => {
    const form = { width: row.serial_width };
    return {
      start: formatCertificateRef(issuanceId, formatSerial(BigInt(first), form)),
      end: formatCertificateRef(issuanceId, formatSerial(BigInt(last), form)),
    };
  };
  const entries = rows.map((row) => ({
    transactionId: row.transaction_id,
    type: row.type,
    at: row.at,
    from: row.source_first === null || row.source_last === null ? null : range(row, row.source_first, row.source_last),
    bundle: range(row, row.first, row.last),
    fromOwner: row.seller_id,
    toOwner: row.type === 'OFFRAMP' ? row.account_holder_id : row.buyer_id,
    status: row.status,
  }));
  return Buffer.from(JSON.stringify(entries));
}
