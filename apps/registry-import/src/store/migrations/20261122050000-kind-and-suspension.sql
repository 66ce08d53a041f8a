-- Who may have registry keys, and whose certificates move, is the operator's to say.
alter table account_holder
  add column kind text not null default 'HOLDER' constraint account_holder_kind check (kind in ('HOLDER', 'REGISTRY')),
  add column suspended_at timestamptz(3),
  add column suspended_reason text constraint account_holder_suspended_reason check (
    char_length(suspended_reason) between 1 and 1000
  ),
  add constraint account_holder_suspension check ((suspended_at is null) = (suspended_reason is null));
