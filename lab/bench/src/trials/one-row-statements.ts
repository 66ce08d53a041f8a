/** A statement with one row, as services write it. `run` is the number of the run, `ids` is the result of `scene`. */
export interface OneRowStatement {
  readonly service: 'inventory' | 'tasks' | 'events';
  readonly name: string;
  /** Element type of `ids`. */
  readonly idType: 'bigint' | 'uuid' | 'text';
  /** Statements before the runs. The last one selects one array of ids. */
  readonly scene: readonly string[];
  readonly statement: string;
}

/** Issuances owned entirely by one seller, created once per database. */
export const LEDGER = `
  insert into supplier (id, name, country_code) values ('s', 's', 'DE');
  insert into production_facility (id, code, name, country_code, methodology_codes, supplier_id)
  values ('f', 'ABCDEF', 'f', 'DE', '[]', 's');
  insert into issuance (
    id, facility_id, standard, registry, credit_type, credit_type_id, methodology_code, vintage, production_start,
    production_end, issuing_date, first_serial, last_serial, serial_width, account_holder_id, sales_channel_id,
    trader_id, facility_code, country_code, supplier_id
  )
  select ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, 'f', 's', 'r', 'c', 'c', 'm', 2024, now(), now(),
    now(), 1, 1000000, 0, 'holder', 'channel', 'seller', 'ABCDEF', 'DE', 's'
  from generate_series(1, 2000) as n;
  insert into bundle (issuance_id, previous_last, last, state, owner_id, sales_channel_id)
  select id, null::numeric, 0, 'ROOT', null, null from issuance
  union all select id, 1000000, null, 'END', null, null from issuance
  union all select id, 0, 1000000, 'LISTABLE', 'seller', 'channel' from issuance;
  analyze`;

const BUNDLES = 'select array_agg(id order by id) from bundle where owner_id = $$seller$$';
const ISSUANCES = 'select array_agg(issuance_id order by id) from bundle where owner_id = $$seller$$';

const updateStatement = (previousLast: string, owner: string): string => `
  update bundle set previous_last = changed."previousLast", state = changed.state, owner_id = changed."ownerId",
    sales_channel_id = changed."salesChannelId"
  from unnest(array[ids[run]], array[${previousLast}::numeric], array['LISTABLE'], array['${owner}'], array['channel'])
    as changed(id, "previousLast", state, "ownerId", "salesChannelId")
  where bundle.id = changed.id`;

const TASKS = `
  insert into task (id, sales_channel_id, operation, idempotency_key, fingerprint, trader_id, assets, message)
  select 't' || n, 'channel', 'TRADE', 'key' || n, 'f', 'seller', '[]', 'waits' from generate_series(1, 200) as n`;

export const oneRowStatements: readonly OneRowStatement[] = [
  {
    service: 'inventory',
    name: 'update bundle, a part is taken',
    idType: 'bigint',
    scene: [BUNDLES],
    statement: updateStatement('10', 'seller'),
  },
  {
    service: 'inventory',
    name: 'update bundle, all is taken',
    idType: 'bigint',
    scene: [BUNDLES],
    statement: updateStatement('0', 'buyer'),
  },
  {
    service: 'inventory',
    name: 'insert bundle',
    idType: 'uuid',
    scene: [ISSUANCES],
    statement: `
      insert into bundle (issuance_id, previous_last, last, state, owner_id, sales_channel_id)
      values (ids[run], 1, 10, 'LISTABLE', 'buyer', 'channel')`,
  },
  {
    service: 'inventory',
    name: 'insert ledger_transaction',
    idType: 'uuid',
    scene: [ISSUANCES],
    statement: `
      insert into ledger_transaction (
        id, type, status, sales_channel_id, seller_id, buyer_id, account_holder_id, currency, task_id, requested_by,
        requested_with_key, created_at, completed_at
      )
      values ('x' || run, 'TRADE', 'SUCCESS', 'channel', 'seller', 'buyer', 'holder', 'EUR', 't' || run, 'user', 'key',
        now(), now())`,
  },
  {
    service: 'inventory',
    name: 'insert transaction_line',
    idType: 'bigint',
    scene: [
      `insert into ledger_transaction (
         id, type, status, sales_channel_id, seller_id, buyer_id, task_id, created_at, completed_at
       ) values ('x', 'TRADE', 'SUCCESS', 'channel', 'seller', 'buyer', 't', now(), now())`,
      BUNDLES,
    ],
    statement: `
      insert into transaction_line (
        transaction_id, ordinal, issuance_id, first, last, unit_price, bundle_id, source_bundle_id, source_first,
        source_last
      )
      select 'x', run, bundle.issuance_id, 1, 1000000, 1.5, id, id, 1, 1000000 from bundle where id = ids[run]`,
  },
  {
    service: 'tasks',
    name: 'insert task',
    idType: 'text',
    scene: ['select array[$$$$]'],
    statement: `
      insert into task (id, sales_channel_id, operation, idempotency_key, fingerprint, trader_id, assets, message)
      values ('t' || run, 'channel', 'TRADE', 'key' || run, 'f', 'seller', '[]', 'waits')`,
  },
  {
    service: 'tasks',
    name: 'insert waiting_task',
    idType: 'text',
    scene: ['select array[$$$$]'],
    statement: `insert into waiting_task (sales_channel_id, task_id, request) values ('channel', 't' || run, '{}')`,
  },
  {
    service: 'tasks',
    name: 'update task, its outcome',
    idType: 'text',
    scene: [TASKS, 'select array_agg($$t$$ || n) from generate_series(1, 200) as n'],
    statement: `
      update task set status = 'SUCCESS', message = 'done', transaction_id = 'x' || run, ledger_sequence = run,
        updated_at = now()
      where id = ids[run] and sales_channel_id = 'channel' and status = 'PENDING'`,
  },
  {
    service: 'tasks',
    name: 'insert ledger_place',
    idType: 'text',
    scene: ['select array[$$$$]'],
    statement: `insert into ledger_place (sales_channel_id, sequence, task_id) values ('channel', run, 't' || run)`,
  },
  {
    service: 'events',
    name: 'insert event',
    idType: 'text',
    scene: ['select array[$$$$]'],
    statement: `
      insert into event (sales_channel_id, created_at, id, event_type, event_at, transaction_id, status, sequence)
      values ('channel', timestamptz '2026-01-01 00:00Z' + run * interval '1 ms', 'e' || run,
        'TRANSACTION_STATUS_CHANGE', now(), 'x' || run, 'SUCCESS', run)`,
  },
];
