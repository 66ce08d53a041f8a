import {
  empty,
  isoTimestamp,
  query,
  queryFirst,
  sql,
  lockNames,
  type EntityManager,
  type Sql,
} from '@saleschannel/database';
import type {
  NewSession,
  Session,
  SessionClient,
  SessionEnd,
  SessionToken,
  ProviderSignOut,
} from '../domain/session.ts';
import type { UserClaims } from '../domain/user.ts';

/** Precision of the last-used time. */
const USE_PRECISION = sql`interval '1 minute'`;

const sessionColumns = sql`
  session.id, session.client, session.issuer, session.subject, session.acr, session.address,
  ${isoTimestamp('session.signed_in_at')} as "signedInAt", ${isoTimestamp('session.begun_at')} as "begunOn",
  ${isoTimestamp('session.last_used_at')} as "lastUsedOn", ${isoTimestamp('session.expires_at')} as "expiresAt"`;

/** Sessions of a disabled user are dead, including those that an earlier release did not end. */
const isAlive = (now: Date) => sql`session.ended_at is null and session.expires_at > ${now} and not exists (
  select from app_user
  where app_user.issuer = session.issuer and app_user.subject = session.subject and app_user.disabled_at is not null
)`;

interface Origin {
  readonly client: SessionClient;
  readonly address: string | undefined;
  readonly now: Date;
}

/** Returns false if the id exists. */
export async function insertSessionOnce(
  em: EntityManager,
  { id, issuer, subject, signedInAt, acr, providerSession, expiresAt }: NewSession,
  { client, address, now }: Origin,
): Promise<boolean> {
  const inserted = await query(
    em,
    sql`insert into session (
          id, client, issuer, subject, signed_in_at, acr, provider_session, address, begun_at, last_used_at, expires_at
        ) values (
          ${id}, ${client}, ${issuer}, ${subject}, ${signedInAt}, ${acr ?? null}, ${providerSession ?? null},
          ${address ?? null}, ${now}, ${now}, ${expiresAt}
        ) on conflict (id) do nothing returning id`,
  );
  return inserted.length > 0;
}

/** Returns false if the session is not alive. */
export async function insertSessionToken(
  em: EntityManager,
  { id, client, token, now }: { id: string; client: SessionClient; token: SessionToken; now: Date },
): Promise<boolean> {
  // The lock waits for a concurrent transaction that ends the session.
  const added = await query(
    em,
    sql`with living as (
          select id from session where id = ${id} and client = ${client} and ${isAlive(now)} for key share
        ), added as (
          insert into session_token (token_hash, session_id, expires_at)
          select ${token.sha256}, id, ${token.expiresAt} from living on conflict (token_hash) do nothing
        )
        select id from living`,
  );
  return added.length > 0;
}

/** Returns a live session, and records its use if `isUsed`. */
export const useSession = (
  em: EntityManager,
  { id, client, isUsed, now }: { id: string; client: SessionClient; isUsed: boolean; now: Date },
): Promise<Session | undefined> =>
  queryFirst(
    em,
    sql`with used as (
          update session set last_used_at = ${now}
          where id = ${id} and client = ${client} and ${isUsed} and ended_at is null
            and last_used_at < ${now}::timestamptz - ${USE_PRECISION}
        )
        select ${sessionColumns} from session where id = ${id} and client = ${client} and ${isAlive(now)}`,
  );

/** More than any person has, unless a program signs in. */
export const MAX_SESSIONS = 200;

const hasToken = (sha256: Buffer | undefined): Sql =>
  sql`exists (select from session_token where session_id = session.id and token_hash = ${sha256 ?? null})`;

/** A session, and whether a given access token belongs to it. */
export type OwnSession = Session & { readonly isCurrent: boolean };

/** Lists a person's live sessions, last used first. @param token SHA-256 of an access token */
export const listSessions = (
  em: EntityManager,
  { issuer, subject }: UserClaims,
  { token, now }: { token?: Buffer | undefined; now: Date },
): Promise<OwnSession[]> =>
  query(
    em,
    sql`select ${sessionColumns}, ${hasToken(token)} as "isCurrent" from session
        where subject = ${subject} and issuer = ${issuer} and ${isAlive(now)}
        order by last_used_at desc, id limit ${MAX_SESSIONS}`,
  );

interface PersonChoice extends UserClaims {
  readonly id?: string | undefined;
  /** SHA-256 of an access token of the person. */
  readonly token?: Buffer | undefined;
  /** True to keep the session of this token. */
  readonly others?: boolean | undefined;
}

interface ProviderChoice {
  readonly client: SessionClient;
  readonly issuer: string;
  readonly subject?: string | undefined;
  readonly providerSession?: string | undefined;
}

/** Sessions to end: one by id, sessions of a person, or sessions that the provider has ended. */
export type SessionChoice = PersonChoice | ProviderChoice | { readonly client: SessionClient; readonly id: string };

const toCondition = (choice: SessionChoice): Sql => {
  if ('client' in choice) {
    const { client } = choice;
    if ('id' in choice) return sql`client = ${client} and id = ${choice.id}`;
    const { issuer, subject, providerSession } = choice;
    return sql`client = ${client} and issuer = ${issuer}
      ${subject === undefined ? empty : sql`and subject = ${subject}`}
      ${providerSession === undefined ? empty : sql`and provider_session = ${providerSession}`}`;
  }
  const { issuer, subject, id, token, others } = choice;
  return sql`subject = ${subject} and issuer = ${issuer} ${id === undefined ? empty : sql`and id = ${id}`}
    ${others ? sql`and not ${hasToken(token)}` : empty}`;
};

/** Ends the chosen live sessions, and returns them. */
export const endSessions = (
  em: EntityManager,
  choice: SessionChoice,
  { by, now }: { by: SessionEnd; now: Date },
): Promise<OwnSession[]> =>
  query(
    em,
    sql`update session set ended_at = ${now}, ended_by = ${by}
        where ended_at is null and expires_at > ${now} and ${toCondition(choice)}
        returning ${sessionColumns}, ${hasToken('token' in choice ? choice.token : undefined)} as "isCurrent"`,
  );

/** Columns of a session that the check of an access token needs. */
export interface TokenSession {
  readonly id: string;
  readonly isAlive: boolean;
  readonly signedInAt: string;
  readonly acr: string | null;
}

/** Returns undefined for a token without a session. */
export const findTokenSession = (em: EntityManager, sha256: Buffer, now: Date): Promise<TokenSession | undefined> =>
  queryFirst(
    em,
    sql`select session.id, session.acr, ${isoTimestamp('session.signed_in_at')} as "signedInAt",
          (${isAlive(now)}) as "isAlive"
        from session_token join session on session.id = session_token.session_id
        where session_token.token_hash = ${sha256}`,
  );

/** Deletes sessions that expired before a time, with their tokens, and returns their number. */
export async function deleteSessions(em: EntityManager, before: Date, limit: number): Promise<number> {
  const deleted = await query(
    em,
    sql`delete from session where id in (
          select id from session where expires_at < ${before} order by expires_at limit ${limit}
        ) returning id`,
  );
  return deleted.length;
}

/** Deletes tokens that expired before a time, and returns their number. */
export async function deleteSessionTokens(em: EntityManager, before: Date, limit: number): Promise<number> {
  const deleted = await query(
    em,
    sql`delete from session_token where token_hash in (
          select token_hash from session_token where expires_at < ${before} order by expires_at limit ${limit}
        ) returning token_hash`,
  );
  return deleted.length;
}

/** Serializes sign-ins and sign-outs at one provider. */
const lockProvider = (em: EntityManager, client: SessionClient, issuer: string): Promise<void> =>
  lockNames(em, [`sign-outs of ${client} at ${issuer}`]);

/** Records a sign-out for concurrent sign-ins. */
export async function insertProviderSignOut(
  em: EntityManager,
  { issuer, subject, providerSession }: ProviderSignOut,
  { client, now }: { client: SessionClient; now: Date },
): Promise<void> {
  await lockProvider(em, client, issuer);
  await query(
    em,
    sql`insert into provider_sign_out (client, issuer, subject, provider_session, at)
        values (${client}, ${issuer}, ${subject ?? null}, ${providerSession ?? null}, ${now})`,
  );
}

/**
 * Reports whether the provider has already ended a new session: its provider session, or all sessions of the person
 * after their sign-in. Providers give sign-in times in whole seconds, so a sign-in in the second of the sign-out counts
 * as later.
 */
export async function isSignedOutAtProvider(
  em: EntityManager,
  { issuer, subject, providerSession, signedInAt }: NewSession,
  client: SessionClient,
): Promise<boolean> {
  await lockProvider(em, client, issuer);
  const found = await queryFirst(
    em,
    sql`select from provider_sign_out
        where client = ${client} and issuer = ${issuer}
          and coalesce(subject, ${subject}) = ${subject}
          and (provider_session = ${providerSession ?? null}
            or provider_session is null and subject = ${subject} and date_trunc('second', at) > ${signedInAt})
        limit 1`,
  );
  return found !== undefined;
}

/** Deletes sign-outs older than `before`, and returns their number. */
export async function deleteProviderSignOuts(em: EntityManager, before: Date, limit: number): Promise<number> {
  const deleted = await query(
    em,
    sql`delete from provider_sign_out where ctid = any(array(
          select ctid from provider_sign_out where at < ${before} order by at limit ${limit}
        )) returning at`,
  );
  return deleted.length;
}
