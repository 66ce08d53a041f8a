-- The largest number of a lease on the imports of each account holder. What is sent under a smaller one is refused.
-- Replicas of the previous release still use `import_fence`, one for all account holders.
create table import_scope_fence (
  scope text primary key,
  fence bigint not null
);
