import { empty, isoTimestamp, query, queryFirst, sql, type EntityManager } from '@saleschannel/database';
import type { OperatorPage } from '@saleschannel/validation';
import type { User, UserClaims } from '../domain/user.ts';

const userColumns = sql`
  app_user.id, app_user.issuer, app_user.subject, app_user.account_holder_id as "accountHolderId",
  ${isoTimestamp('app_user.disabled_at')} as "disabledAt", app_user.disabled_reason as "disabledReason"`;

export const findUser = (em: EntityManager, id: string): Promise<User | undefined> =>
  queryFirst(em, sql`select ${userColumns} from app_user where id = ${id}`);

/** Those of the ids that there are, each once. */
export const findUsers = (em: EntityManager, ids: readonly string[]): Promise<User[]> =>
  query(em, sql`select ${userColumns} from app_user where id = any(${ids}::text[])`);

interface Wanted extends OperatorPage {
  readonly accountHolderId?: string | undefined;
  readonly subject?: string | undefined;
  readonly disabled?: boolean | undefined;
}

/** As the indexes of disabled users say it: they are few. */
const isDisabled = sql`disabled_at is not null`;

/** In the order of their ids. */
export const listUsers = (
  em: EntityManager,
  { limit, after, accountHolderId: holderId, subject, disabled }: Wanted,
): Promise<User[]> =>
  query(
    em,
    sql`select ${userColumns} from app_user where true
        ${after === undefined ? empty : sql`and id > ${after}`}
        ${holderId === undefined ? empty : sql`and account_holder_id = ${holderId}`}
        ${subject === undefined ? empty : sql`and subject = ${subject}`}
        ${disabled === undefined ? empty : sql`and ${disabled ? isDisabled : sql`disabled_at is null`}`}
        order by id limit ${limit}`,
  );

/** A user who is disabled already keeps the time and gets the new reason. Undefined for an unknown user. */
export const disableUser = (em: EntityManager, id: string, reason: string): Promise<User | undefined> =>
  queryFirst(
    em,
    sql`update app_user set
          disabled_at = coalesce(disabled_at, clock_timestamp()), disabled_reason = ${reason}
        where id = ${id} returning ${userColumns}`,
  );

/** Undefined for an unknown user. */
export const enableUser = (em: EntityManager, id: string): Promise<User | undefined> =>
  queryFirst(
    em,
    sql`update app_user set disabled_at = null, disabled_reason = null where id = ${id} returning ${userColumns}`,
  );

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

/** Makes changes of one user and of their keys wait for each other. Undefined for an unknown user. */
export const lockUser = (em: EntityManager, id: string): Promise<User | undefined> =>
  queryFirst(em, sql`select ${userColumns} from app_user where id = ${id} for no key update`);
