import { hasInName, isoTimestamp, query, sql, type EntityManager } from '@saleschannel/database';

/** What an operator learns of an id. */
export interface FoundThing {
  readonly kind: string;
  readonly facts: Record<string, string>;
}

/** As operators see it. */
const shownStatus = sql`case
  when closed_at is not null then 'CLOSED' when suspended_at is not null then 'SUSPENDED' else 'ACTIVE'
end`;

/** What bears the id here. */
export const findThings = (em: EntityManager, id: string): Promise<FoundThing[]> =>
  query(
    em,
    sql`select 'sales channel' as kind, jsonb_build_object(
          'salesChannelId', id, 'name', name,
          'status', ${shownStatus},
          'createdAt', ${isoTimestamp('created_at')}
        ) as facts
        from sales_channel where id = ${id}
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

/** Of each kind. */
const NAMED_AT_MOST = 20;

const nameOfAny = { name: sql`sales_channel.name`, scope: sql`''` };

/** What has a name with this text in it, the first by name. */
export const findNamed = (em: EntityManager, part: string): Promise<FoundThing[]> =>
  query(
    em,
    sql`select 'sales channel' as kind, jsonb_build_object(
          'salesChannelId', id, 'name', name,
          'status', ${shownStatus},
          'createdAt', ${isoTimestamp('created_at')}
        ) as facts
        from sales_channel where ${hasInName(nameOfAny, '', part)} and id <> ${part}
        order by lower(name), id limit ${NAMED_AT_MOST}`,
  );
