-- A closed channel is suspended for good. Replicas of the release before see it as suspended, and the database refuses
-- what they do not know to refuse: to resume it, and to bind users to it.
alter table sales_channel
  add column closed_at timestamptz(3),
  add column closed_reason text constraint sales_channel_closed_reason check (length(closed_reason) between 1 and 1000),
  add constraint sales_channel_closing check ((closed_at is null) = (closed_reason is null)) not valid,
  add constraint sales_channel_closed check (closed_at is null or suspended_at is not null) not valid;

-- Whoever binds holds the lock of the channel, as whoever closes it does.
create function refuse_closed_channel() returns trigger language plpgsql as $$
begin
  if exists (select from sales_channel where id = new.sales_channel_id and closed_at is not null) then
    raise exception 'sales channel % is closed', new.sales_channel_id using errcode = 'integrity_constraint_violation';
  end if;
  return null;
end $$;

create trigger binding_to_open_channel
  after insert or update of sales_channel_id on binding for each row execute function refuse_closed_channel();
