import { createRemoteJWKSet, type JWTVerifyGetKey } from 'jose';
import { z } from 'zod';

const FETCH_TIMEOUT_MS = 2_000;
/** The issuer's keys are used for this long at most, also one that was withdrawn. */
const KEY_SET_AGE_AT_MOST_MS = 600_000;
/** An unknown key in a token makes the set be read again, but no more often than this: anyone can make such tokens. */
const RELOAD_PAUSE_MS = 5_000;

/** What is read of OpenID Provider Metadata (OpenID Connect Discovery section 3). */
const discoveryDocument = z.object({ issuer: z.string(), jwks_uri: z.url() });

/**
 * The issuer's public keys, read when first needed and again when a new one turns up. Without a configured address they
 * are found by OpenID Connect discovery. An issuer that has no discovery document is asked at `<issuer>/jwks`.
 */
export function createProviderKeys(
  issuer: string,
  jwksUrl: string | undefined,
): { current(): Promise<JWTVerifyGetKey> } {
  const keySet = (url: string): JWTVerifyGetKey =>
    createRemoteJWKSet(new URL(url), {
      timeoutDuration: FETCH_TIMEOUT_MS,
      cacheMaxAge: KEY_SET_AGE_AT_MOST_MS,
      cooldownDuration: RELOAD_PAUSE_MS,
    });
  let keys: Promise<JWTVerifyGetKey> | undefined;
  return {
    current() {
      keys ??= (jwksUrl === undefined ? discover(issuer) : Promise.resolve(jwksUrl))
        .then(keySet)
        .catch((error: unknown) => {
          keys = undefined;
          throw error;
        });
      return keys;
    },
  };
}

/** The address of the keys, by OpenID Connect Discovery section 4. */
async function discover(issuer: string): Promise<string> {
  const base = issuer.replace(/\/$/, '');
  const response = await fetch(`${base}/.well-known/openid-configuration`, {
    signal: AbortSignal.timeout(FETCH_TIMEOUT_MS),
  });
  if (response.status === 404) {
    await response.body?.cancel();
    return `${base}/jwks`;
  }
  if (response.status !== 200) throw new Error(`discovery at ${base} answers ${response.status}`);
  const document = discoveryDocument.parse(await response.json());
  // Section 4.3: another issuer's document says nothing about this one.
  if (document.issuer !== issuer)
    throw new Error(`the discovery document at ${base} names the issuer ${document.issuer} instead of ${issuer}`);
  return document.jwks_uri;
}
