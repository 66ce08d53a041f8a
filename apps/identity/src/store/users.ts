import { query, queryFirst, sql, type EntityManager } from '@saleschannel/database';
import type { User, UserClaims } from '../domain/user.ts';

const userColumns = sql`
  app_user.id, app_user.issuer, app_user.subject, app_user.account_holder_id as "accountHolderId"`;

export const findUser = (em: EntityManager, id: string): Promise<User | undefined> =>
  queryFirst(em, sql`select ${userColumns} from app_user where id = ${id}`);

export const findUserByClaims = (em: EntityManager, { issuer, subject }: UserClaims): Promise<User | undefined> =>
  queryFirst(em, sql`select ${userColumns} from app_user where issuer = ${issuer} and subject = ${subject}`);

/** Makes the user known, unless they are already. */
export async function insertUserOnce(em: EntityManager, id: string, { issuer, subject }: UserClaims): Promise<void> {
  await query(
    em,
    sql`insert into app_user (id, issuer, subject) values (${id}, ${issuer}, ${subject})
        on conflict (issuer, subject) do nothing`,
  );
}

/** @param accountHolderId undefined takes the user out of their account holder */
export const updateAccountHolder = (
  em: EntityManager,
  id: string,
  accountHolderId: string | undefined,
): Promise<User | undefined> =>
  queryFirst(
    em,
    sql`update app_user set account_holder_id = ${accountHolderId ?? null} where id = ${id} returning ${userColumns}`,
  );

/** Makes the creations of one user's keys wait for each other. False for an unknown user. */
export async function lockUser(em: EntityManager, id: string): Promise<boolean> {
  const locked = await queryFirst(em, sql`select id from app_user where id = ${id} for no key update`);
  return locked !== undefined;
}
