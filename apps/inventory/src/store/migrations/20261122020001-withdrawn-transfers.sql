-- A task is either carried out or refused, never both. Whoever decides on tasks locks their ids first. This holds
-- against whoever does not.
create function guard_decision() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'transfer_refusal' then
    if exists (select from ledger_transaction where task_id = new.task_id) then
      raise exception 'task % was carried out', new.task_id using errcode = 'integrity_constraint_violation';
    end if;
  elsif exists (select from transfer_refusal where task_id = new.task_id) then
    raise exception 'task % was refused', new.task_id using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end $$;
create trigger transfer_refusal_decision before insert on transfer_refusal
  for each row execute function guard_decision();
create trigger ledger_transaction_decision before insert on ledger_transaction
  for each row when (new.task_id is not null) execute function guard_decision();
