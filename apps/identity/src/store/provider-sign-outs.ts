import { lockNames, query, queryFirst, sql, type EntityManager } from '@saleschannel/database';
import type { NewSession, ProviderSignOut, SessionClient } from '../domain/session.ts';

/** Makes sign-ins and sign-outs of one provider wait for each other, so that each sees the other. */
const lockProvider = (em: EntityManager, client: SessionClient, issuer: string): Promise<void> =>
  lockNames(em, [`sign-outs of ${client} at ${issuer}`]);

/** Remembers a sign-out, for sign-ins that are under way. */
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
 * Whether the provider has ended what a new session begins with: its own session, or all of the person's after they
 * signed in. Providers tell the time of a sign-in in whole seconds, so one in the second of the sign-out counts as
 * later.
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

/** Deletes sign-outs before a time. Returns how many. */
export async function deleteProviderSignOuts(em: EntityManager, before: Date, limit: number): Promise<number> {
  const deleted = await query(
    em,
    sql`delete from provider_sign_out where ctid = any(array(
          select ctid from provider_sign_out where at < ${before} order by at limit ${limit}
        )) returning at`,
  );
  return deleted.length;
}
