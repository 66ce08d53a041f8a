-- Moves the keys of onramps to idempotency_key, where a key is kept as long as the onramp that it made: kept_until is
-- null, and the answer is the id of the transaction.
--
-- Replicas of the previous release go on with onramp_key. Both tables hold every key, and both releases claim it in
-- idempotency_key first, so that a key makes one onramp, whichever releases its requests meet, in any order. A later
-- release drops onramp_key with both triggers, once no replica of the previous release can run.

-- Fires before the insertion even where that finds its key taken, and waits for the transaction that holds the key.
create function claim_idempotency_key() returns trigger language plpgsql as $$
begin
  insert into idempotency_key (scope, operation, key, fingerprint, answer)
  values (
    'holder/' || new.account_holder_id, 'ledger.Onramp', new.key, new.fingerprint,
    convert_to(new.transaction_id, 'UTF8')
  )
  on conflict (scope, operation, key) do nothing;
  return new;
end $$;
create trigger onramp_key_claims_key before insert on onramp_key
  for each row when (pg_trigger_depth() = 0) execute function claim_idempotency_key();

create function copy_idempotency_key() returns trigger language plpgsql as $$
begin
  insert into onramp_key (account_holder_id, key, fingerprint, transaction_id)
  values (
    substr(new.scope, length('holder/') + 1), new.key, new.fingerprint, convert_from(new.answer, 'UTF8')
  );
  return null;
end $$;
create trigger idempotency_key_is_copied after update on idempotency_key
  for each row when (new.operation = 'ledger.Onramp' and old.answer is null)
  execute function copy_idempotency_key();

-- The triggers' locks hold off new keys until this transaction ends.
insert into idempotency_key (scope, operation, key, fingerprint, answer)
select 'holder/' || account_holder_id, 'ledger.Onramp', key, fingerprint, convert_to(transaction_id, 'UTF8')
from onramp_key;

-- A key that was answered for ever never changes, as in onramp_key.
create trigger idempotency_key_stays before update or delete on idempotency_key
  for each row when (old.kept_until is null and old.answer is not null) execute function refuse_change();
