-- The name of the beneficiary of a public statement, folded for searches. It is kept beside the statement so that no
-- retirement that is not public stands in the index, and so that a search folds no names. What a retirement says never
-- changes, so it is written once. A trigger does, also for a release that does not know of it.
alter table retirement_statement add column folded_beneficiary text;

create function fold_beneficiary() returns trigger language plpgsql as $$
begin
  select folded_name(retirement ->> 'beneficiaryName') into new.folded_beneficiary
    from ledger_transaction where id = new.transaction_id;
  return new;
end $$;

create trigger statement_folds_beneficiary
  before insert or update of publication on retirement_statement for each row
  when (new.publication = 'PUBLIC' and new.folded_beneficiary is null) execute function fold_beneficiary();
