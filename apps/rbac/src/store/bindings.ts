import type { Role } from '@saleschannel/auth';
import {
  countBounded,
  empty,
  countLimit,
  query,
  queryFirst,
  recordset,
  sql,
  type BoundedCount,
  type EntityManager,
  type Indexed,
} from '@saleschannel/database';
import type { OperatorPage } from '@saleschannel/primitives/validation';
import { sortRoles, type Binding, type BindingKey, type SalesChannel } from '../domain/sales-channel.ts';
import { salesChannelColumns } from './sales-channels.ts';

const bindingColumns = sql`
  binding.user_id as "userId", binding.sales_channel_id as "salesChannelId",
  coalesce(
    (select json_agg(binding_role.role) from binding_role where binding_role.user_id = binding.user_id), '[]'
  ) as roles`;

type BindingRow = BindingKey & { readonly roles: string[] };

const toBinding = <Row extends BindingRow>(row: Row) => ({ ...row, roles: sortRoles(row.roles) });

/** Finds the binding of a user. Roles unknown to this release are omitted. */
export async function findBinding(em: EntityManager, userId: string): Promise<Binding | undefined> {
  const row = await queryFirst<BindingRow>(
    em,
    sql`select ${bindingColumns} from binding where binding.user_id = ${userId}`,
  );
  return row && toBinding(row);
}

export interface BindingAndChannel {
  readonly binding: Binding;
  readonly salesChannel: SalesChannel;
}

const userColumns = { index: 'int', userId: 'text' } as const;

/** Finds bindings with their channels, for many sign-ins in one statement. */
export async function findBindings(
  em: EntityManager,
  users: readonly Indexed<{ readonly userId: string }>[],
): Promise<Indexed<BindingAndChannel>[]> {
  const rows = await query<Indexed<BindingRow & SalesChannel>>(
    em,
    sql`select requested.index, ${bindingColumns}, ${salesChannelColumns}
        from ${recordset('requested', userColumns, users)}
        join binding on binding.user_id = requested."userId"
        join sales_channel on sales_channel.id = binding.sales_channel_id`,
  );
  return rows.map(({ index, userId, salesChannelId, roles, ...salesChannel }) => ({
    index,
    binding: toBinding({ userId, salesChannelId, roles }),
    salesChannel,
  }));
}

interface BindingFilter extends OperatorPage {
  readonly salesChannelId?: string | undefined;
  readonly userId?: string | undefined;
  readonly role?: Role | undefined;
}

/** Lists bindings by user id. A role without a channel uses the index of roles. */
export async function listBindings(
  em: EntityManager,
  { limit, after, salesChannelId, userId, role }: BindingFilter,
): Promise<Binding[]> {
  const byRole = role !== undefined && salesChannelId === undefined;
  const id = byRole ? sql`holder.user_id` : sql`binding.user_id`;
  const tables = byRole ? sql`binding_role as holder join binding on binding.user_id = holder.user_id` : sql`binding`;
  const held = byRole
    ? sql`holder.role = ${role}`
    : sql`(
        select role from binding_role where binding_role.user_id = binding.user_id and binding_role.role = ${role}
      ) is not null`;
  const rows = await query<BindingRow>(
    em,
    sql`select ${bindingColumns} from ${tables} where true
        ${after === undefined ? empty : sql`and ${id} > ${after}`}
        ${salesChannelId === undefined ? empty : sql`and binding.sales_channel_id = ${salesChannelId}`}
        ${userId === undefined ? empty : sql`and ${id} = ${userId}`}
        ${role === undefined ? empty : sql`and ${held}`}
        order by ${id} limit ${limit}`,
  );
  return rows.map(toBinding);
}

/** Returns false if the user has a binding. */
export async function insertBinding(em: EntityManager, { userId, salesChannelId }: BindingKey): Promise<boolean> {
  const inserted = await query(
    em,
    sql`insert into binding (user_id, sales_channel_id) values (${userId}, ${salesChannelId})
        on conflict (user_id) do nothing returning user_id`,
  );
  return inserted.length > 0;
}

/** Deletes the roles too. */
export async function deleteBinding(em: EntityManager, userId: string): Promise<void> {
  await query(em, sql`delete from binding where user_id = ${userId}`);
}

/** Moves bindings with their roles to another channel, and returns the new bindings. */
export async function moveBindings(em: EntityManager, fromId: string, toId: string, limit: number): Promise<Binding[]> {
  const rows = await query<BindingRow>(
    em,
    sql`update binding set sales_channel_id = ${toId} where user_id = any (array(
          select user_id from binding where sales_channel_id = ${fromId} order by user_id limit ${limit}
        )) returning ${bindingColumns}`,
  );
  return rows.map(toBinding);
}

/** Deletes bindings of a channel, and returns them with their roles. */
export async function deleteBindings(em: EntityManager, salesChannelId: string, limit: number): Promise<Binding[]> {
  const rows = await query<BindingRow>(
    em,
    // The statement sees the roles that it deletes by cascade.
    sql`delete from binding where user_id = any (array(
          select user_id from binding where sales_channel_id = ${salesChannelId} order by user_id limit ${limit}
        )) returning ${bindingColumns}`,
  );
  return rows.map(toBinding);
}

/** Counts the users of a channel. */
export const countUsers = (em: EntityManager, salesChannelId: string): Promise<BoundedCount> =>
  countBounded(em, sql`select user_id from binding where sales_channel_id = ${salesChannelId} ${countLimit}`);

/** Returns the roles that are new for the user. */
export async function insertRoles(em: EntityManager, userId: string, roles: readonly Role[]): Promise<Role[]> {
  const inserted = await query<{ role: Role }>(
    em,
    sql`insert into binding_role (user_id, role) select ${userId}, role from unnest(${roles}::text[]) as granted(role)
        on conflict (user_id, role) do nothing returning role`,
  );
  return inserted.map(({ role }) => role);
}

/** Returns false if the user did not have the role. */
export async function deleteRole(em: EntityManager, userId: string, role: Role): Promise<boolean> {
  const deleted = await query(
    em,
    sql`delete from binding_role where user_id = ${userId} and role = ${role} returning role`,
  );
  return deleted.length > 0;
}

export const isAdministrator = async (em: EntityManager, userId: string, salesChannelId: string): Promise<boolean> =>
  (await queryFirst(
    em,
    sql`select 1 from binding
        join binding_role on binding_role.user_id = binding.user_id
        where binding.user_id = ${userId} and binding.sales_channel_id = ${salesChannelId}
          and binding_role.role = 'ROLE_ADMINISTRATOR'`,
  )) !== undefined;

/** Finds up to two administrators of a channel, enough to know whether one is the last. */
export async function findSomeAdministrators(em: EntityManager, salesChannelId: string): Promise<string[]> {
  const administrators = await query<{ userId: string }>(
    em,
    sql`select binding.user_id as "userId" from binding
        join binding_role on binding_role.user_id = binding.user_id
        where binding.sales_channel_id = ${salesChannelId} and binding_role.role = 'ROLE_ADMINISTRATOR' limit 2`,
  );
  return administrators.map(({ userId }) => userId);
}
