import { nameContains, isoTimestamp, query, sql, type EntityManager } from '@saleschannel/database';
import type { ResponseOf } from '@saleschannel/grpc';

type FoundRecord = NonNullable<ResponseOf<'lookUp.LookUp'>['things']>[number];

/** Operators see CLOSED instead of SUSPENDED. */
const selectChannel = sql`
  select 'sales channel' as kind, jsonb_build_object(
    'salesChannelId', id, 'name', name,
    'status', case
      when closed_at is not null then 'CLOSED' when suspended_at is not null then 'SUSPENDED' else 'ACTIVE'
    end,
    'createdAt', ${isoTimestamp('created_at')}
  ) as facts
  from sales_channel`;

/** Finds records with the id. */
export const findRecords = (em: EntityManager, id: string): Promise<FoundRecord[]> =>
  query(
    em,
    sql`${selectChannel} where id = ${id}
        union all
        select 'binding', jsonb_build_object(
          'userId', user_id, 'salesChannelId', sales_channel_id,
          'roles', coalesce(
            (
              select string_agg(role, ', ' order by role) from binding_role
              where binding_role.user_id = binding.user_id
            ),
            'none'
          )
        )
        from binding where user_id = ${id}`,
  );

const MAX_NAMED = 20;

const indexedName = { name: sql`sales_channel.name`, scope: sql`''` };

/** Finds channels with this part in their name, by name. */
export const findNamed = (em: EntityManager, part: string): Promise<FoundRecord[]> =>
  query(
    em,
    sql`${selectChannel} where ${nameContains(indexedName, '', part)} and id <> ${part}
        order by lower(name), id limit ${MAX_NAMED}`,
  );
