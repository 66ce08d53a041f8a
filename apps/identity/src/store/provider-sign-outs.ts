import { lockNames, query, queryFirst, sql, type EntityManager } from '@saleschannel/database';
import type { NewSession, ProviderSignOut, SessionClient } from '../domain/session.ts';

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
