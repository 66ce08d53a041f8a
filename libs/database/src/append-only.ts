/** SQL of a trigger that refuses to change or delete rows of a table: history stays as it was written. */
export const appendOnly = (table: string): string => `
  create or replace function refuse_change() returns trigger language plpgsql as $$
  begin
    raise exception '% is append-only', tg_table_name using errcode = 'integrity_constraint_violation';
  end $$;
  create trigger ${table}_append_only before update or delete on ${table} for each row execute function refuse_change();
  create trigger ${table}_no_truncate before truncate on ${table} for each statement execute function refuse_change();`;
