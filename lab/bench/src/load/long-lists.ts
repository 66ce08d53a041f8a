import type { Stack } from '@saleschannel/local';
import { withConnection, buildServiceUrl } from '../measure/database.ts';
import type { Market } from './markets.ts';

/** A list of the APIs, and how to address a deep page of it. */
export interface LongList {
  readonly name: string;
  readonly api: 'channel' | 'registry';
  path(market: Market): string;
  /** Query of the page that begins at a row, or else the values of its cursor. */
  readonly deep: { readonly query: (row: number) => string } | { readonly key: (row: number) => readonly string[] };
}

const FIRST = Date.parse('2020-01-01T00:00:00Z');
const STEP_MS = 10;
const IMPORT = 'import-1';

const toTime = (row: number): string => new Date(FIRST + row * STEP_MS).toISOString();
/** Microseconds, the precision of times in cursors. */
const toMicroseconds = (row: number): string => toTime(row).replace('Z', '000Z');
const toIssuanceId = (row: number): string => `00000000-0000-4000-8000-${row.toString(16).padStart(12, '0')}`;
const toTransactionId = (row: number): string => `transaction-${String(row).padStart(9, '0')}`;
const toCode = (row: number): string => row.toString(16).toUpperCase().padStart(6, '0');
/** Numbers above those that the market has already used. */
const toNumber = (row: number): string => String(row + 1_000);

const ofChannel = (path: string) => `/saleschannel-services/v1/${path}`;
const ofRegistry = (path: string) => `/Registry/api/${path}`;

/** Every unbounded list of both APIs. */
export const longLists: readonly LongList[] = [
  {
    name: 'events',
    api: 'channel',
    path: () => ofChannel('events'),
    deep: { query: (row) => `$filter=${encodeURIComponent(JSON.stringify({ createdAt: { gte: toTime(row) } }))}` },
  },
  {
    name: 'inventory',
    api: 'channel',
    path: ({ sellerId }) => ofChannel(`traders/${sellerId}/inventory`),
    deep: { key: (row) => [toIssuanceId(row), '1000'] },
  },
  {
    name: 'transactions',
    api: 'channel',
    path: () => ofChannel('transactions'),
    deep: { key: (row) => [toMicroseconds(row), toTransactionId(row)] },
  },
  { name: 'traders', api: 'channel', path: () => ofChannel('traders'), deep: { key: (row) => [`trader-${row}`] } },
  {
    name: 'onboarding proposals',
    api: 'channel',
    path: () => ofChannel('trader-onboarding-proposals'),
    deep: { key: (row) => [`proposal-${row}`] },
  },
  {
    name: 'production facilities',
    api: 'channel',
    path: () => ofChannel('production-facilities'),
    deep: { key: (row) => [toCode(row)] },
  },
  {
    name: 'audit events',
    api: 'channel',
    path: () => '/user-services/audit-events',
    deep: { query: (row) => `from=${encodeURIComponent(toTime(row))}` },
  },
  {
    name: 'account holders',
    api: 'registry',
    path: () => ofRegistry('account-holders'),
    deep: { key: (row) => [toNumber(row)] },
  },
  {
    name: 'registry facilities',
    api: 'registry',
    path: () => ofRegistry('production-facilities'),
    deep: { key: (row) => [toCode(row)] },
  },
  {
    name: 'issuances',
    api: 'registry',
    path: () => ofRegistry('issuances'),
    deep: { key: (row) => [toMicroseconds(row), toIssuanceId(row)] },
  },
  {
    name: 'certificates',
    api: 'registry',
    path: () => ofRegistry('certificates'),
    deep: { key: (row) => [toIssuanceId(row), '1000'] },
  },
  {
    name: 'registry transactions',
    api: 'registry',
    path: () => ofRegistry('transactions'),
    deep: { key: (row) => [toMicroseconds(row), toTransactionId(row)] },
  },
  {
    name: 'registry proposals',
    api: 'registry',
    path: () => ofRegistry('trader-onboarding-proposals'),
    deep: { key: (row) => [`proposal-${row}`] },
  },
  { name: 'imports', api: 'registry', path: () => ofRegistry('imports'), deep: { key: (row) => [toNumber(row)] } },
  {
    name: 'errors of an import',
    api: 'registry',
    path: () => ofRegistry(`imports/${IMPORT}/errors`),
    deep: { key: (row) => [String(row)] },
  },
];

const at = (row: string): string => `timestamptz '${toTime(0)}' + ${row} * interval '${STEP_MS} milliseconds'`;
const id = (row: string): string => `('00000000-0000-4000-8000-' || lpad(to_hex(${row}), 12, '0'))::uuid`;
const counted = (list: string, key: string, rows: number): string => `
  insert into list_count (list, key, rows) values ('${list}', '${key}', ${rows})
  on conflict (list, key) do update set rows = list_count.rows + excluded.rows`;

/** Statements that insert this number of rows into each list, by database. */
const statements = (rows: number, { sellerId, buyerId, registry: { salesChannelId } }: Market) => ({
  events: [
    `insert into event (sales_channel_id, created_at, id, event_type, event_at, transaction_id, status, sequence)
     select '${salesChannelId}', ${at('n')}, 'event-' || n, 'TRANSACTION_STATUS_CHANGE', ${at('n')},
       'transaction-' || n, 'SUCCESS', null
     from generate_series(1, ${rows}) as n`,
    'vacuum analyze event',
  ],
  inventory: [
    `insert into production_facility (id, code, name, country_code, methodology_codes, supplier_id)
     select 'facility-' || n, lpad(upper(to_hex(n)), 6, '0'), 'Facility', 'NO', '["C03000000"]', supplier.id
     from (select id from supplier limit 1) as supplier cross join generate_series(1, ${rows}) as n`,
    `insert into issuance (
       id, facility_id, facility_code, country_code, gsrn, supplier_id, standard, registry, credit_type, credit_type_id,
       methodology_code, vintage, production_start, production_end, issuing_date, first_serial, last_serial,
       serial_width, account_holder_id, sales_channel_id, trader_id, created_at
     )
     select ${id('n')}, facility_id, facility_code, country_code, gsrn, supplier_id, standard, registry, credit_type,
       credit_type_id, methodology_code, vintage, production_start, production_end, issuing_date, 1, 1000, 0,
       account_holder_id, sales_channel_id, trader_id, ${at('n')}
     from (select * from issuance limit 1) as alike cross join generate_series(1, ${rows}) as n`,
    `insert into bundle (issuance_id, previous_last, last, state, owner_id, sales_channel_id)
     select ${id('n')}, 0, 1000, 'LISTABLE', '${sellerId}', '${salesChannelId}' from generate_series(1, ${rows}) as n`,
    `insert into ledger_transaction (
       id, type, status, sales_channel_id, seller_id, buyer_id, currency, task_id, created_at, completed_at
     )
     select 'transaction-' || lpad(n::text, 9, '0'), 'TRADE', 'SUCCESS', '${salesChannelId}', '${sellerId}',
       '${buyerId}', 'EUR', 'task-' || n, ${at('n')}, ${at('n')}
     from generate_series(1, ${rows}) as n`,
    `insert into transaction_line (
       transaction_id, ordinal, issuance_id, first, last, unit_price, source_bundle_id, source_first, source_last,
       bundle_id
     )
     select 'transaction-' || lpad(n::text, 9, '0'), 0, ${id('n')}, 1, 1000, 149.5, n, 1, 1000, n
     from generate_series(1, ${rows}) as n`,
    `insert into audit_event (scope, sequence, occurred_at, event, hash)
     select scope, sequence + n, ${at('n')}, event, hash
     from (
       select distinct on (scope) * from audit_event where scope = '${salesChannelId}' order by scope, sequence desc
     ) as last cross join generate_series(1, ${rows}) as n`,
    `update audit_head set sequence = sequence + ${rows}, occurred_at = ${at(String(rows))}
     where scope = '${salesChannelId}'`,
    counted('facility', '', rows),
    counted('issuance', '*/*/*', rows),
    counted('certificate', 'state/LISTABLE', rows),
    counted('transaction', 'kind/TRADE/SUCCESS', rows),
    'vacuum analyze',
  ],
  traders: [
    `insert into trader (id, position, sales_channel_id, business_id, name, address) overriding system value
     select 'trader-' || n, n + 1000, '${salesChannelId}', 'BUSINESS-' || n, 'Trader ' || n, '{}'
     from generate_series(1, ${rows}) as n`,
    `insert into proposal (id, position, sales_channel_id, account_holder_id, business_id, name, address)
     overriding system value
     select 'proposal-' || n, n + 1000, '${salesChannelId}', 'holder-' || n, 'BUSINESS-' || n, 'Trader ' || n, '{}'
     from generate_series(1, ${rows}) as n`,
    counted('proposal', '*/*', rows),
    counted('proposal', 'PENDING/*', rows),
    'vacuum analyze',
  ],
  'registry-import': [
    `insert into account_holder (
       id, ordinal, business_id, name, postal_code, city, country, street1, auto_approval
     ) overriding system value
     select 'holder-' || n, n + 1000, 'BUSINESS-' || n, 'Holder ' || n, '0150', 'Oslo', 'Norway', 'Gate 1', true
     from generate_series(1, ${rows}) as n`,
    `insert into import (id, ordinal, format, status, completed_at, errors_stored) overriding system value
     select 'import-' || n, n + 1000, 'ndjson', 'FAILED', now(), case n when 1 then ${rows} else 0 end
     from generate_series(1, ${rows}) as n`,
    `insert into import_error (import_id, line, code, detail)
     select '${IMPORT}', n, 'json', 'The line is not JSON.' from generate_series(1, ${rows}) as n`,
    counted('account-holder', '', rows),
    counted('import', '', rows),
    'vacuum analyze',
  ],
});

/** Inserts rows into each list, without the triggers that would reject them. */
export async function fillLists(stack: Stack, market: Market, rows: number): Promise<void> {
  for (const [service, texts] of Object.entries(statements(rows, market))) {
    await withConnection(buildServiceUrl(stack, service), async (client) => {
      await client.query('set session_replication_role = replica');
      for (const text of texts) await client.query(text);
    });
  }
}
