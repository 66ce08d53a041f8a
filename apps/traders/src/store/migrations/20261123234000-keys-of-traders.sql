-- Moves the keys of createTrader to idempotency_key, where a key is kept as long as the trader that it made: kept_until
-- is null, and the answer is the trader's id.
--
-- Replicas of the previous release go on with idempotency_record. Both tables hold every key, and both releases claim
-- it in idempotency_key first, so that a key makes one trader, whichever releases its requests meet, in any order. A
-- later release drops idempotency_record with both triggers, once no replica of the previous release can run.

-- Fires before the insertion even where that finds its key taken, and waits for the transaction that holds the key.
create function claim_idempotency_key() returns trigger language plpgsql as $$
begin
  insert into idempotency_key (scope, operation, key, fingerprint, answer)
  values (
    'channel/' || new.sales_channel_id, 'traders.CreateTrader', new.key, new.fingerprint,
    convert_to(new.trader_id, 'UTF8')
  )
  on conflict (scope, operation, key) do nothing;
  return new;
end $$;
create trigger idempotency_record_claims_key before insert on idempotency_record
  for each row when (pg_trigger_depth() = 0) execute function claim_idempotency_key();

create function copy_idempotency_key() returns trigger language plpgsql as $$
begin
  insert into idempotency_record (sales_channel_id, operation, key, fingerprint, trader_id)
  values (
    substr(new.scope, length('channel/') + 1), 'createTrader', new.key, new.fingerprint,
    convert_from(new.answer, 'UTF8')
  );
  return null;
end $$;
create trigger idempotency_key_is_copied after update on idempotency_key
  for each row when (new.operation = 'traders.CreateTrader' and old.answer is null)
  execute function copy_idempotency_key();

-- The triggers' locks hold off new records until this transaction ends.
insert into idempotency_key (scope, operation, key, fingerprint, answer, created_at)
select
  'channel/' || sales_channel_id, 'traders.CreateTrader', key, fingerprint, convert_to(trader_id, 'UTF8'), created_at
from idempotency_record;
