import type { Role } from '@saleschannel/auth';
import {
  countBounded,
  isoTimestamp,
  countLimit,
  query,
  queryFirst,
  sql,
  type BoundedCount,
  type EntityManager,
  type Sql,
} from '@saleschannel/database';
import { INVITATION_HOURS, MAX_KEPT_INVITATIONS, type Invitation, type NewInvitation } from '../domain/invitation.ts';
import { sortRoles } from '../domain/sales-channel.ts';

const isPending = sql`accepted_at is null and revoked_at is null and expires_at > clock_timestamp()`;

const columns = sql`
  id, sales_channel_id as "salesChannelId", email, roles, ${isoTimestamp('created_at')} as "createdOn",
  ${isoTimestamp('expires_at')} as "expiresAt", created_by as "createdBy", accepted_by as "acceptedBy",
  case when accepted_at is not null then 'ACCEPTED' when revoked_at is not null then 'REVOKED'
    when ${isPending} then 'PENDING' else 'EXPIRED' end as status`;

type InvitationRow = Omit<Invitation, 'roles'> & { readonly roles: string[] };

/** Omits roles unknown to this release. */
const toInvitation = (row: InvitationRow): Invitation => ({ ...row, roles: sortRoles(row.roles) });

async function first(em: EntityManager, statement: Sql): Promise<Invitation | undefined> {
  const row = await queryFirst<InvitationRow>(em, statement);
  return row && toInvitation(row);
}

/** Lists stored invitations of a channel, newest first. */
export async function listInvitations(em: EntityManager, salesChannelId: string): Promise<Invitation[]> {
  const rows = await query<InvitationRow>(
    em,
    sql`select ${columns} from invitation where sales_channel_id = ${salesChannelId}
        order by created_at desc, id desc limit ${MAX_KEPT_INVITATIONS}`,
  );
  return rows.map(toInvitation);
}

/** Counts pending and all stored invitations of a channel. */
export async function countInvitations(
  em: EntityManager,
  salesChannelId: string,
): Promise<{ pending: number; kept: number }> {
  const found = await queryFirst<{ pending: number; kept: number }>(
    em,
    sql`select count(*) filter (where ${isPending})::int as pending, count(*)::int as kept
        from invitation where sales_channel_id = ${salesChannelId}`,
  );
  if (!found) throw new Error('The count returned no row.');
  return found;
}

export const countPendingInvitations = (em: EntityManager, salesChannelId: string): Promise<BoundedCount> =>
  countBounded(
    em,
    sql`select id from invitation where sales_channel_id = ${salesChannelId} and ${isPending} ${countLimit}`,
  );

interface InvitationContent extends NewInvitation {
  readonly id: string;
  readonly salesChannelId: string;
  readonly tokenHash: Buffer;
  readonly createdBy: string;
}

export async function insertInvitation(
  em: EntityManager,
  { id, salesChannelId, tokenHash, email, roles, createdBy }: InvitationContent,
): Promise<Invitation> {
  const inserted = await first(
    em,
    sql`insert into invitation (id, sales_channel_id, token_hash, email, roles, created_by, created_at, expires_at)
        select ${id}, ${salesChannelId}, ${tokenHash}, ${email ?? null}, ${roles satisfies readonly Role[]}::text[],
          ${createdBy}, now, now + make_interval(hours => ${INVITATION_HOURS})
        from clock_timestamp() as clock (now)
        returning ${columns}`,
  );
  if (!inserted) throw new Error('The inserted row was not returned.');
  return inserted;
}

export const findInvitation = (
  em: EntityManager,
  id: string,
  salesChannelId: string,
): Promise<Invitation | undefined> =>
  first(em, sql`select ${columns} from invitation where id = ${id} and sales_channel_id = ${salesChannelId}`);

export const findInvitationByToken = (em: EntityManager, tokenHash: Buffer): Promise<Invitation | undefined> =>
  first(em, sql`select ${columns} from invitation where token_hash = ${tokenHash}`);

/** Returns undefined unless the invitation is pending. */
export const revokeInvitation = (em: EntityManager, id: string): Promise<Invitation | undefined> =>
  first(
    em,
    sql`update invitation set revoked_at = clock_timestamp() where id = ${id} and ${isPending} returning ${columns}`,
  );

/** Revokes the pending invitations of a channel, and returns their ids. */
export async function revokeInvitations(em: EntityManager, salesChannelId: string): Promise<string[]> {
  const revoked = await query<{ id: string }>(
    em,
    sql`update invitation set revoked_at = clock_timestamp()
        where sales_channel_id = ${salesChannelId} and ${isPending} returning id`,
  );
  return revoked.map(({ id }) => id);
}

/** Returns undefined unless the invitation is pending. */
export const acceptInvitation = (em: EntityManager, id: string, userId: string): Promise<Invitation | undefined> =>
  first(
    em,
    sql`update invitation set accepted_at = clock_timestamp(), accepted_by = ${userId}
        where id = ${id} and ${isPending} returning ${columns}`,
  );

/** Deletes invitations that expired this many days ago, and returns their number. */
export async function deleteInvitations(em: EntityManager, expiredDaysAgo: number, limit: number): Promise<number> {
  const deleted = await query(
    em,
    sql`delete from invitation where id = any (array(
          select id from invitation where expires_at < statement_timestamp() - make_interval(days => ${expiredDaysAgo})
          order by expires_at limit ${limit} for update skip locked
        )) returning id`,
  );
  return deleted.length;
}
