import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { query, raw, sql } from '@saleschannel/database';
import { startBareLedger, type BareLedger } from './support/bare-ledger.ts';

/** The guard functions of the ledger refuse exactly the rows and changes that break the rules in these tests. */

let ledger: BareLedger;

beforeAll(async () => {
  ledger = await startBareLedger();
});
afterAll(() => ledger.stop());

const readRows = <T extends object>(text: string): Promise<T[]> => query<T>(ledger.database.em(), sql`${raw(text)}`);

const STATES = "array['ROOT', 'END', 'HELD', 'LISTABLE', 'RESERVED', 'RETIRED', 'OFFRAMPED', 'LOST', '']";
const TYPES = "array['ISSUANCE', 'ONRAMP', 'TRADE', 'RETIREMENT', 'OFFRAMP', 'GIFT']";
const STATUSES = "array['PENDING', 'SUCCESS', 'REJECTED', 'FAILED', 'LOST']";
const oneOf = (...values: string[]): string => `unnest(array[${values.join(', ')}])`;

describe('a row', () => {
  test('of a bundle must fit its state', async () => {
    const grid = `
      unnest(${STATES}) as state, ${oneOf('null', '1', '2', '3')} as previous_last, ${oneOf('null', '2')} as last,
      ${oneOf('null', "'x'")} as owner_id, ${oneOf('null', "''", "'c'")} as sales_channel_id`;
    const rule = `
      case state
        when 'ROOT' then previous_last is null and last is not null and owner_id is null
        when 'END' then previous_last is not null and last is null and owner_id is null
        else previous_last < last and previous_last is not null and last is not null and owner_id is not null
      end
      and case state
        when 'LISTABLE' then sales_channel_id is not null
        when 'RESERVED' then sales_channel_id is not null
        when 'RETIRED' then sales_channel_id is not null
        when 'LOST' then false
        when '' then false
        else sales_channel_id is null
      end`;
    await expect(
      findDifferences(grid, rule, 'fits_bundle(state, previous_last, last, owner_id, sales_channel_id)'),
    ).resolves.toEqual([]);
  });

  test('of a transaction must fit its type and status', async () => {
    const grid = `
      unnest(${TYPES}) as type, unnest(${STATUSES}) as status, ${oneOf('null', "'s'")} as seller_id,
      ${oneOf('null', "'b'")} as buyer_id, ${oneOf('null', "'EUR'", "'USD'", "'XXX'")} as currency,
      ${oneOf('null', "'t'")} as task_id, ${oneOf('null', "timestamptz '2026-01-01 00:00Z'")} as completed_at,
      ${oneOf('null', "''", "'r'")} as requested_by, ${oneOf('null', "''", "'k'")} as requested_with_key`;
    const rule = `
      type <> 'GIFT' and status <> 'LOST' and coalesce(currency <> 'XXX', true)
      and (status = 'PENDING') = (completed_at is null)
      and ((type = 'TRADE') = (seller_id is not null and buyer_id is not null) or type = 'ONRAMP')
      and (type in ('TRADE', 'RETIREMENT', 'OFFRAMP')) = (task_id is not null)
      and coalesce(requested_by <> '', true) and coalesce(requested_with_key <> '', true)`;
    const call = `fits_transaction(
      type, status, seller_id, buyer_id, currency, task_id, completed_at, requested_by, requested_with_key)`;
    await expect(findDifferences(grid, rule, call)).resolves.toEqual([]);
  });

  test('of a line must fit its source', async () => {
    const grid = `
      ${oneOf('1', '3', '5')} as first, ${oneOf('2', '4')} as last, ${oneOf('null', '-1', '0', '1.5')} as unit_price,
      ${oneOf('null', '7')} as source, ${oneOf('null', '1', '2', '3')} as source_first,
      ${oneOf('null', '3', '4', '9')} as source_last, ${oneOf('null', '8')} as before`;
    const rule = `
      first <= last and coalesce(unit_price >= 0, true)
      and (source is null) = (source_first is null) and (source is null) = (source_last is null)
      and coalesce(source_first <= first and last <= source_last, true)
      and (before is not null) = coalesce(source_first < first, false)`;
    await expect(
      findDifferences(grid, rule, 'fits_line(first, last, unit_price, source, source_first, source_last, before)'),
    ).resolves.toEqual([]);
  });

  /** Rows of the grid for which rule and function differ. `from a, b` is the product of both. */
  const findDifferences = (grid: string, rule: string, call: string): Promise<object[]> =>
    readRows(`select * from ${grid} where (${rule}) is not false is distinct from (${call} is not false)`);
});

test('a bundle changes only as transfers do, even if the chain would stay valid', async () => {
  // Every change of state, owner, channel, start, end and id, on a table with only this guard.
  const judge = `
    do $$
    declare
      one record;
      is_passed boolean;
    begin
      for one in
        select * from unnest(${STATES}) as old_state, unnest(${STATES}) as new_state,
          ${oneOf("'x'", "'y'")} as new_owner, ${oneOf("'c'", 'null')} as old_channel,
          ${oneOf("'c'", "'d'", 'null')} as new_channel, ${oneOf('4', '5', '6')} as new_previous,
          ${oneOf('9', '10')} as new_last, ${oneOf('1', '2')} as new_id
        where (new_id = 1 or new_last = 9)
      loop
        insert into moved (id, issuance_id, previous_last, last, state, owner_id, sales_channel_id)
        values (1, '00000000-0000-4000-8000-000000000001', 5, 9, one.old_state, 'x', one.old_channel);
        begin
          update moved set id = one.new_id, previous_last = one.new_previous, last = one.new_last,
            state = one.new_state, owner_id = one.new_owner, sales_channel_id = one.new_channel;
          is_passed := true;
        exception when integrity_constraint_violation then
          is_passed := false;
        end;
        delete from moved;
        insert into judged values (
          one.new_id = 1 and one.new_last = 9 and coalesce(
            case one.old_state
              when 'LISTABLE' then
                one.new_state = 'OFFRAMPED'
                or one.new_state not in ('HELD', 'ROOT', 'END') and one.new_channel = one.old_channel
              when 'RESERVED' then
                one.new_state = 'LISTABLE' and one.new_channel = one.old_channel and one.new_previous <= 5
                or one.new_state = 'RETIRED' and one.new_channel = one.old_channel and one.new_owner = 'x'
                  and one.new_previous = 5
                or one.new_state = 'OFFRAMPED' and one.new_previous = 5
              when 'HELD' then
                (one.new_state = 'LISTABLE' or one.new_state = 'HELD' and one.new_owner = 'x')
                and one.new_previous >= 5
              when 'OFFRAMPED' then
                (one.new_state = 'LISTABLE' or one.new_state = 'OFFRAMPED' and one.new_owner = 'x')
                and one.new_previous >= 5
            end,
            false
          ),
          is_passed
        );
      end loop;
    end $$`;
  // One transaction, because temporary tables belong to a connection.
  const rows = await ledger.database.transaction(async (em) => {
    for (const statement of [
      'create temporary table judged (legal boolean, passed boolean) on commit drop',
      'create temporary table moved (like bundle) on commit drop',
      'create trigger moves before update on moved for each row execute function guard_move()',
      judge,
    ])
      await query(em, sql`${raw(statement)}`);
    return query(
      em,
      sql`select count(*) filter (where legal <> passed)::int as wrong,
            count(*) filter (where legal)::int > 50 as legal, count(*) filter (where not legal)::int > 1000 as illegal
          from judged`,
    );
  });
  expect(rows).toEqual([{ wrong: 0, legal: true, illegal: true }]);
});

test('a trade makes PostgreSQL parse few conditions', async () => {
  const tables = "('bundle'::regclass, 'ledger_transaction'::regclass, 'transaction_line'::regclass)";
  const [row] = await readRows<{ checks: number; conditions: number }>(`
    select (
        select sum(length(conbin))::int from pg_constraint where contype = 'c' and conrelid in ${tables}
      ) as checks,
      (select sum(length(tgqual))::int from pg_trigger where tgrelid in ${tables}) as conditions`);
  // Without functions they would be 20,000 and 17,000.
  expect(row?.checks).toBeLessThan(6_000);
  expect(row?.conditions).toBeLessThan(1_000);
});
