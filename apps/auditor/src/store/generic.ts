import { databaseNames, type DatabaseName } from '../domain/check.ts';
import type { DatabaseCheck } from './database-check.ts';

/** Finds messages that wait in an outbox, and unhandled refused ones. */
const outbox = (name: DatabaseName): DatabaseCheck => ({
  name: `${name}-outbox`,
  about: 'The outbox has no messages that wait or were refused',
  isTransient: true,
  async run({ [name]: snapshot }, recorder) {
    if (!(await snapshot.hasTable('outbox'))) return;
    for await (const { id, detail } of snapshot.rows<{ id: string; detail: string }>(
      `select id::text, format('%s has waited since %s', type, created_at) as detail from outbox
      union all
      select id::text, format('%s was refused: %s', type, reason) from outbox_refused where handled_at is null`,
    )) {
      recorder.countRows(1);
      recorder.report(id, detail);
    }
  },
});

interface ForeignKey {
  readonly name: string;
  readonly child: string;
  readonly parent: string;
  readonly condition: string;
  readonly present: string;
}

const FOREIGN_KEYS = `
  select conname as name, conrelid::regclass::text as child, confrelid::regclass::text as parent,
    string_agg(format('parent.%I = child.%I', target.attname, source.attname), ' and ') as condition,
    string_agg(format('child.%I is not null', source.attname), ' and ') as present
  from pg_constraint
  cross join lateral unnest(conkey, confkey) with ordinality as pair (source, target, place)
  join pg_attribute as source on source.attrelid = conrelid and source.attnum = pair.source
  join pg_attribute as target on target.attrelid = confrelid and target.attnum = pair.target
  where contype = 'f' and connamespace = 'public'::regnamespace
  group by pg_constraint.oid, conname, conrelid, confrelid order by conname`;

/** Checks foreign keys, whose triggers may have been disabled. */
const references = (name: DatabaseName): DatabaseCheck => ({
  name: `${name}-references`,
  about: 'Every foreign key refers to an existing row',
  isTransient: false,
  async run({ [name]: snapshot }, recorder) {
    for (const key of await snapshot.all<ForeignKey>(FOREIGN_KEYS)) {
      const [counted] = await snapshot.all<{ count: string }>(`select count(*) from ${key.child}`);
      recorder.countRows(Number(counted?.count ?? 0));
      for await (const { detail } of snapshot.rows<{ detail: string }>(
        `select left(to_jsonb(child)::text, 300) as detail from ${key.child} as child
        where ${key.present} and not exists (select from ${key.parent} as parent where ${key.condition})`,
      ))
        recorder.report(key.name, detail);
    }
  },
});

/** Checks that triggers, indexes and constraints are active. */
const guards = (name: DatabaseName): DatabaseCheck => ({
  name: `${name}-guards`,
  about: 'No trigger is disabled, no index is invalid and no constraint is unvalidated',
  isTransient: false,
  async run({ [name]: snapshot }, recorder) {
    const rows = await snapshot.all<{ id: string; fault: string | null }>(`
      select tgrelid::regclass || '.' || tgname as id,
        case tgenabled when 'O' then null else 'is disabled' end as fault
      from pg_trigger join pg_class on pg_class.oid = tgrelid where relnamespace = 'public'::regnamespace
      union all
      select indexrelid::regclass::text, case when indisvalid then null else 'is invalid' end
      from pg_index join pg_class on pg_class.oid = indrelid where relnamespace = 'public'::regnamespace
      union all
      select conrelid::regclass || '.' || conname, case when convalidated then null else 'is not validated' end
      from pg_constraint where connamespace = 'public'::regnamespace`);
    recorder.countRows(rows.length);
    for (const { id, fault } of rows) if (fault !== null) recorder.report(id, fault);
  },
});

/** Checks of every database. */
export const genericChecks: readonly DatabaseCheck[] = databaseNames.flatMap((name) => [
  outbox(name),
  references(name),
  guards(name),
]);
