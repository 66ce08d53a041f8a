import {
  empty,
  nameContains,
  isoTimestamp,
  lockNames,
  query,
  queryFirst,
  sql,
  type EntityManager,
  type Sql,
} from '@saleschannel/database';
import { newId } from '@saleschannel/primitives';
import type { OperatorPage } from '@saleschannel/primitives/validation';
import type { Profile, User, UserClaims } from '../domain/user.ts';

const userColumns = sql`
  app_user.id, app_user.issuer, app_user.subject, app_user.account_holder_id as "accountHolderId",
  ${isoTimestamp('app_user.disabled_at')} as "disabledAt", app_user.disabled_reason as "disabledReason",
  app_user.email, app_user.email_verified as "emailVerified", app_user.name,
  ${isoTimestamp('app_user.last_seen_at')} as "lastSeenOn"`;

export const findUser = (em: EntityManager, id: string): Promise<User | undefined> =>
  queryFirst(em, sql`select ${userColumns} from app_user where id = ${id}`);

/** Finds users, each once. Unknown ids are missing in the result. */
export const findUsers = (em: EntityManager, ids: readonly string[]): Promise<User[]> =>
  query(em, sql`select ${userColumns} from app_user where id = any(${ids}::text[])`);

interface UserFilter extends OperatorPage {
  readonly accountHolderId?: string | undefined;
  readonly subject?: string | undefined;
  readonly disabled?: boolean | undefined;
  /** Anywhere in the subject, ignoring case and accents. */
  readonly subjectPart?: string | undefined;
}

/** Matches the index of subject parts. */
const indexedSubject = { name: sql`app_user.subject`, scope: sql`''` };

/** Forces the use of the index: a generic plan would scan all users in order. */
const usersBySubjectPart = (part: string | undefined): Sql =>
  part === undefined
    ? sql`app_user`
    : sql`(select * from app_user where ${nameContains(indexedSubject, '', part)} offset 0) as app_user`;

/** Matches the partial indexes of disabled users. */
const isDisabled = sql`disabled_at is not null`;

/** Lists users by id. */
export const listUsers = (
  em: EntityManager,
  { limit, after, accountHolderId: holderId, subject, disabled, subjectPart }: UserFilter,
): Promise<User[]> =>
  query(
    em,
    sql`select ${userColumns} from ${usersBySubjectPart(subjectPart)} where true
        ${after === undefined ? empty : sql`and id > ${after}`}
        ${holderId === undefined ? empty : sql`and account_holder_id = ${holderId}`}
        ${subject === undefined ? empty : sql`and subject = ${subject}`}
        ${disabled === undefined ? empty : sql`and ${disabled ? isDisabled : sql`disabled_at is null`}`}
        order by id limit ${limit}`,
  );

/** Disables a user. If already disabled, only the reason changes. Returns undefined for an unknown user. */
export const disableUser = (em: EntityManager, id: string, reason: string): Promise<User | undefined> =>
  queryFirst(
    em,
    sql`update app_user set
          disabled_at = coalesce(disabled_at, clock_timestamp()), disabled_reason = ${reason}
        where id = ${id} returning ${userColumns}`,
  );

/** Returns undefined for an unknown user. */
export const enableUser = (em: EntityManager, id: string): Promise<User | undefined> =>
  queryFirst(
    em,
    sql`update app_user set disabled_at = null, disabled_reason = null where id = ${id} returning ${userColumns}`,
  );

export const findUserByClaims = (em: EntityManager, { issuer, subject }: UserClaims): Promise<User | undefined> =>
  queryFirst(em, sql`select ${userColumns} from app_user where issuer = ${issuer} and subject = ${subject}`);

interface NewUser extends Profile {
  readonly id: string;
  /** Sales channel whose administrator introduces the user. Undefined for a user who signs in first. */
  readonly introducedBy?: string | undefined;
}

/** Returns false if the user exists. */
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

/** @throws Error for an unknown user */
export async function requireUser(em: EntityManager, claims: UserClaims): Promise<User> {
  const user = await findUserByClaims(em, claims);
  if (!user) throw new Error('The user is missing, although users are never deleted.');
  return user;
}

/**
 * Finds a user or creates them. Concurrent calls create them once. Needs no transaction: each statement is atomic, and
 * known users need only the first.
 * @param profile claims to store for a new user
 */
export async function ensureUser(em: EntityManager, claims: UserClaims, profile: Profile = {}): Promise<User> {
  const known = await findUserByClaims(em, claims);
  if (known) return known;
  await insertUserOnce(em, claims, { ...profile, id: newId() });
  return requireUser(em, claims);
}

/** Serializes introductions by one sales channel, so that they can be counted. */
export const lockIntroductions = (em: EntityManager, introducedBy: string): Promise<void> =>
  lockNames(em, [`introductions by ${introducedBy}`]);

/** Reports whether a sales channel has introduced at least this number of users who never signed in. */
export const hasIntroduced = async (em: EntityManager, introducedBy: string, users: number): Promise<boolean> => {
  const found = await queryFirst<{ isReached: boolean }>(
    em,
    sql`select count(*) >= ${users} as "isReached" from (
          select 1 from app_user where introduced_by = ${introducedBy} and last_seen_at is null limit ${users}
        ) as unseen`,
  );
  return found?.isReached === true;
};

/** @param accountHolderId undefined removes the user from their account holder */
export const updateAccountHolder = (
  em: EntityManager,
  id: string,
  accountHolderId: string | undefined,
): Promise<User | undefined> =>
  queryFirst(
    em,
    sql`update app_user set account_holder_id = ${accountHolderId ?? null} where id = ${id} returning ${userColumns}`,
  );

/** Serializes changes of a user and their keys. Returns undefined for an unknown user. */
export const lockUser = (em: EntityManager, id: string): Promise<User | undefined> =>
  queryFirst(em, sql`select ${userColumns} from app_user where id = ${id} for no key update`);
