-- In a sandbox: endpoints whose receivers are answered for. Elsewhere it stays empty.
create table endpoint_fault (
  endpoint_id text primary key references endpoint on delete cascade,
  kind text not null check (kind in ('DOWN', 'LATE')),
  until timestamptz(3) not null,
  -- What the one answer says that makes a message late.
  retry_after_seconds int check (retry_after_seconds between 1 and 3600),
  check ((kind = 'LATE') = (retry_after_seconds is not null))
);

-- In a sandbox: sales channels that were left for others. They get no endpoint any more.
create table left_sales_channel (
  sales_channel_id text primary key check (sales_channel_id <> ''),
  left_at timestamptz(3) not null
);
