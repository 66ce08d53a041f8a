-- The largest number of a lease on imports that was seen. What is sent under a smaller one is refused.
create table import_fence (
  is_only boolean primary key default true check (is_only),
  fence bigint not null
);
