/**
 * SQL that fills the tables of the ledger, for a session without triggers and foreign keys: 20,000 transactions, one
 * second apart, of which the first 10,000 each sold the next certificate of the first issuance. Values of filters are
 * either frequent or rare. Rare ones are at both ends.
 */
export const largeLedger = `
  insert into supplier (id, name, country_code) values ('supplier', 'Supplier', 'NO');
  insert into production_facility (id, code, name, country_code, methodology_codes, supplier_id)
  select 'facility-' || n, lpad(n::text, 6, '0'), 'Facility', 'NO', '[]', 'supplier'
  from generate_series(1, 20000) as n;

  insert into issuance (
    id, facility_id, facility_code, country_code, supplier_id, standard, registry, credit_type, credit_type_id,
    methodology_code, vintage, production_start, production_end, issuing_date, expiration_date, first_serial,
    last_serial, serial_width, account_holder_id, created_at
  )
  select ('00000000-0000-4000-8000-' || lpad(to_hex(n), 12, '0'))::uuid,
    'facility-' || case when n in (3, 19999) then 2 else 1 end, '000001', 'NO', 'supplier', 's', 'r', 'c', 'c', 'm',
    case when n in (4, 19998) then 2021 else 2025 end, now(), now(), now(),
    case when n % 2 = 0 then timestamptz '2126-01-01 00:00Z' + n * interval '1 second' end, 1, 20000, 0,
    case when n in (5, 19997) then 'small' else 'large' end, timestamptz '2026-01-01 00:00Z' + n * interval '1 second'
  from generate_series(1, 20000) as n;

  insert into bundle (id, issuance_id, previous_last, last, state, owner_id, sales_channel_id)
  overriding system value
  select n,
    ('00000000-0000-4000-8000-' || lpad(to_hex(case when n <= 10000 then 1 else n % 200 + 2 end), 12, '0'))::uuid,
    n - 1, n, state, case when n in (2, 19997) then 'small' else 'large' end,
    case
      when state in ('LISTABLE', 'RESERVED', 'RETIRED') then case when n in (7, 19996) then 'small' else 'large' end
    end
  from generate_series(1, 20000) as n
  cross join lateral (select case
      when n in (3, 19999) then 'OFFRAMPED' when n in (4, 19998) then 'RESERVED' when n % 3 = 0 then 'HELD'
      when n % 12 = 8 then 'RETIRED'
      else 'LISTABLE'
    end as state) as kept;

  insert into ledger_transaction (
    id, type, status, sales_channel_id, seller_id, buyer_id, account_holder_id, task_id, created_at, completed_at
  )
  select 'transaction-' || lpad(n::text, 6, '0'), type, status,
    case when n in (11, 19990) then 'small' else 'large' end,
    case when type <> 'ISSUANCE' then case when n in (12, 19988) then 'small' else 'large' end end,
    case type
      when 'TRADE' then case when n in (13, 19986) then 'small' else 'other' end when 'ISSUANCE' then 'small'
    end,
    case when type <> 'TRADE' then case when n in (1, 19999) then 'small' else 'large' end end,
    case when type <> 'ISSUANCE' then 'task-' || n end, at, case when status <> 'PENDING' then at end
  from generate_series(1, 20000) as n
  cross join lateral (select
      timestamptz '2026-01-01 00:00Z' + n * interval '1 second' as at,
      case
        when n in (8, 19993) then 'RETIREMENT' when n in (9, 19992) then 'OFFRAMP' when n % 2 = 1 then 'ISSUANCE'
        else 'TRADE'
      end as type,
      case
        when n in (8, 10, 19992, 19994) then 'REJECTED' when n in (6, 19996) then 'PENDING' else 'SUCCESS'
      end as status
    ) as kind;

  insert into transaction_line (
    transaction_id, ordinal, issuance_id, first, last, source_bundle_id, source_first, source_last, bundle_id
  )
  select 'transaction-' || lpad(n::text, 6, '0'), 0, '00000000-0000-4000-8000-000000000001',
    case n when 1 then 1 else n - 1 end, case n when 1 then 10000 else n - 1 end,
    case when n > 1 then 10000 end, case when n > 1 then n - 1 end, case when n > 1 then 10000 end,
    case n when 1 then 10000 else n - 1 end
  from generate_series(1, 10000) as n;

  insert into list_count (list, key, rows)
  select 'transaction',
    'hour/' || to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24') || '/' || type || '/' || status, count(*)
  from ledger_transaction group by 2;
`;

/** References and metadata. Each transaction has a reference, a common pair of metadata and a unique one. */
export const largeNotes = `
  insert into transaction_reference (transaction_id, sales_channel_id, external_reference)
  select id, sales_channel_id, 'reference of ' || id from ledger_transaction where type <> 'ISSUANCE';
  insert into transaction_metadata (sales_channel_id, pair, type, created_at, transaction_id)
  select sales_channel_id, sha256(convert_to(pair, 'UTF8')), type, created_at, id
  from ledger_transaction cross join unnest(array['shop=all', 'order=' || id]) as pair where type <> 'ISSUANCE';
`;

/**
 * 20,000 public statements, one second apart. Beneficiaries share a word, and each has a unique one. The oldest, the
 * newest and forty hidden ones have a rare word.
 */
export const largeRegister = `
  insert into ledger_transaction (
    id, type, status, sales_channel_id, seller_id, account_holder_id, task_id, retirement, created_at, completed_at
  )
  select 'retirement-' || lpad(n::text, 6, '0'), 'RETIREMENT', 'SUCCESS', 'register', 'register', 'register',
    'register-' || n, '{}', at, at
  from generate_series(1, 20000) as n
  cross join lateral (select timestamptz '2024-01-01 00:00Z' + n * interval '1 second' as at) as times;
  insert into retirement_statement (
    transaction_id, publication, beneficiary_hidden_until, retired_at, folded_beneficiary
  )
  select id, 'PUBLIC', case when ordinal % 500 = 100 then timestamptz '2126-01-01 00:00Z' end, completed_at,
    'northern ferries ' || md5(ordinal::text)
      || case when ordinal in (1, 2, 19999, 20000) or ordinal % 500 = 100 then ' zebra' else '' end
  from ledger_transaction
  cross join lateral (select substr(id, 12)::int as ordinal) as named
  where sales_channel_id = 'register';
`;
