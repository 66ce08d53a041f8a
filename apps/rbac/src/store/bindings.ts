import type { Role } from '@saleschannel/auth';
import { query, queryFirst, sql, type EntityManager } from '@saleschannel/database';
import { inOrder, type Binding, type Target } from '../domain/binding.ts';

/** The binding of a user with their roles. Roles that this release does not know are left out. */
export async function findBinding(em: EntityManager, userId: string): Promise<Binding | undefined> {
  const binding = await queryFirst<Target & { roles: string[] }>(
    em,
    sql`select binding.user_id as "userId", binding.sales_channel_id as "salesChannelId",
          coalesce(
            (select json_agg(binding_role.role) from binding_role where binding_role.user_id = binding.user_id), '[]'
          ) as roles
        from binding where binding.user_id = ${userId}`,
  );
  return binding && { ...binding, roles: inOrder(binding.roles) };
}

/** True when the user was bound to nothing before. */
export async function insertBinding(em: EntityManager, { userId, salesChannelId }: Target): Promise<boolean> {
  const inserted = await query(
    em,
    sql`insert into binding (user_id, sales_channel_id) values (${userId}, ${salesChannelId})
        on conflict (user_id) do nothing returning user_id`,
  );
  return inserted.length > 0;
}

/** The roles go with it. */
export async function deleteBinding(em: EntityManager, userId: string): Promise<void> {
  await query(em, sql`delete from binding where user_id = ${userId}`);
}

/** Returns those that the user did not have before. */
export async function insertRoles(em: EntityManager, userId: string, roles: readonly Role[]): Promise<Role[]> {
  const inserted = await query<{ role: Role }>(
    em,
    sql`insert into binding_role (user_id, role) select ${userId}, role from unnest(${roles}::text[]) as granted(role)
        on conflict (user_id, role) do nothing returning role`,
  );
  return inserted.map(({ role }) => role);
}

/** True when the user had it. */
export async function deleteRole(em: EntityManager, userId: string, role: Role): Promise<boolean> {
  const deleted = await query(
    em,
    sql`delete from binding_role where user_id = ${userId} and role = ${role} returning role`,
  );
  return deleted.length > 0;
}

/** Up to two administrators of a channel: enough to know whether there is another one. */
export async function findSomeAdministrators(em: EntityManager, salesChannelId: string): Promise<string[]> {
  const administrators = await query<{ userId: string }>(
    em,
    sql`select binding.user_id as "userId" from binding
        join binding_role on binding_role.user_id = binding.user_id
        where binding.sales_channel_id = ${salesChannelId} and binding_role.role = 'ROLE_ADMINISTRATOR' limit 2`,
  );
  return administrators.map(({ userId }) => userId);
}
