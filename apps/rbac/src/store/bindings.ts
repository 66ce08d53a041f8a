import type { Role } from '@saleschannel/auth';
import { query, type EntityManager } from '@saleschannel/database';
import { inOrder, type Binding } from '../domain/binding.ts';

interface BindingRow {
  salesChannelId: string;
  roles: string[];
}

const BINDING = `
  select b.sales_channel_id as "salesChannelId", coalesce((select json_agg(r.role) from binding_role r where r.user_id = b.user_id), '[]') as roles
  from binding b where b.user_id = ?`;

export async function findBinding(em: EntityManager, userId: string): Promise<Binding | undefined> {
  const [row] = await query<BindingRow>(em, BINDING, [userId]);
  return row && { userId, salesChannelId: row.salesChannelId, roles: inOrder(row.roles) };
}

/** True when the user was bound to nothing before. */
export async function insertBinding(em: EntityManager, userId: string, salesChannelId: string): Promise<boolean> {
  const rows = await query(
    em,
    'insert into binding (user_id, sales_channel_id) values (?, ?) on conflict (user_id) do nothing returning user_id',
    [userId, salesChannelId],
  );
  return rows.length > 0;
}

/** The roles go with it. */
export async function deleteBinding(em: EntityManager, userId: string): Promise<void> {
  await query(em, 'delete from binding where user_id = ?', [userId]);
}

/** True when the user did not have all of them before. */
export async function insertRoles(em: EntityManager, userId: string, roles: readonly Role[]): Promise<boolean> {
  const rows = await query(
    em,
    `insert into binding_role (user_id, role) select ?, role from jsonb_array_elements_text(?::jsonb) as r(role)
     on conflict (user_id, role) do nothing returning role`,
    [userId, JSON.stringify([...new Set(roles)])],
  );
  return rows.length > 0;
}

/** True when the user had it. */
export async function deleteRole(em: EntityManager, userId: string, role: Role): Promise<boolean> {
  const rows = await query(em, 'delete from binding_role where user_id = ? and role = ? returning role', [
    userId,
    role,
  ]);
  return rows.length > 0;
}

const ADMINISTRATORS = `
  select b.user_id as "userId" from binding b join binding_role r on r.user_id = b.user_id
  where b.sales_channel_id = ? and r.role = 'ROLE_ADMINISTRATOR' limit 2`;

/** Up to two administrators of a channel: enough to know whether there is another one. */
export async function someAdministrators(em: EntityManager, salesChannelId: string): Promise<string[]> {
  const rows = await query<{ userId: string }>(em, ADMINISTRATORS, [salesChannelId]);
  return rows.map(({ userId }) => userId);
}
