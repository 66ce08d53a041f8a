import {
  empty,
  hasInName,
  isoTimestamp,
  lockNames,
  query,
  queryFirst,
  sql,
  type EntityManager,
  type Sql,
} from '@saleschannel/database';
import type { OperatorPage } from '@saleschannel/primitives/validation';
import type { Profile, User, UserClaims } from '../domain/user.ts';

const userColumns = sql`
  app_user.id, app_user.issuer, app_user.subject, app_user.account_holder_id as "accountHolderId",
  ${isoTimestamp('app_user.disabled_at')} as "disabledAt", app_user.disabled_reason as "disabledReason",
  app_user.email, app_user.email_verified as "emailVerified", app_user.name,
  ${isoTimestamp('app_user.last_seen_at')} as "lastSeenOn"`;

export const findUser = (em: EntityManager, id: string): Promise<User | undefined> =>
  queryFirst(em, sql`select ${userColumns} from app_user where id = ${id}`);

/** Those of the ids that there are, each once. */
export const findUsers = (em: EntityManager, ids: readonly string[]): Promise<User[]> =>
  query(em, sql`select ${userColumns} from app_user where id = any(${ids}::text[])`);

interface Wanted extends OperatorPage {
  readonly accountHolderId?: string | undefined;
  readonly subject?: string | undefined;
  readonly disabled?: boolean | undefined;
  /** Anywhere in the subject, without regard to case and accents. */
  readonly subjectPart?: string | undefined;
}

/** As the index of parts of subjects has it. */
const subjectOfAny = { name: sql`app_user.subject`, scope: sql`''` };

/** Found by the index, however few or many they are: a plan for any values would go through all users in order. */
const usersNamed = (part: string): Sql =>
  sql`(select * from app_user where ${hasInName(subjectOfAny, '', part)} offset 0) as app_user`;

/** As the indexes of disabled users say it: they are few. */
const isDisabled = sql`disabled_at is not null`;

/** In the order of their ids. */
export const listUsers = (
  em: EntityManager,
  { limit, after, accountHolderId: holderId, subject, disabled, subjectPart }: Wanted,
): Promise<User[]> =>
  query(
    em,
    sql`select ${userColumns} from ${subjectPart === undefined ? sql`app_user` : usersNamed(subjectPart)} where true
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

/** What a new user is made of beside their names. */
interface NewUser extends Profile {
  readonly id: string;
  /** The sales channel whose administrator makes them known. Undefined for whoever comes by themselves. */
  readonly introducedBy?: string | undefined;
}

/** Makes the user known. False when they are already. */
export async function insertUserOnce(
  em: EntityManager,
  { issuer, subject }: UserClaims,
  { id, email, name, introducedBy }: NewUser,
): Promise<boolean> {
  const inserted = await query(
    em,
    sql`insert into app_user (id, issuer, subject, email, email_verified, name, introduced_by)
        values (
          ${id}, ${issuer}, ${subject}, ${email?.address ?? null}, ${email?.isVerified ?? false}, ${name ?? null},
          ${introducedBy ?? null}
        )
        on conflict (issuer, subject) do nothing returning id`,
  );
  return inserted.length > 0;
}

/** Makes the introductions by one sales channel wait for each other, so that they can be counted. */
export const lockIntroductions = (em: EntityManager, introducedBy: string): Promise<void> =>
  lockNames(em, [`introductions by ${introducedBy}`]);

/** Whether a sales channel has made so many users known who were never seen. */
export const hasIntroduced = async (em: EntityManager, introducedBy: string, users: number): Promise<boolean> => {
  const found = await queryFirst<{ isReached: boolean }>(
    em,
    sql`select count(*) >= ${users} as "isReached" from (
          select 1 from app_user where introduced_by = ${introducedBy} and last_seen_at is null limit ${users}
        ) as unseen`,
  );
  return found?.isReached === true;
};

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
