import { unavailable } from '@saleschannel/errors';
import type { Logger, Part } from '@saleschannel/runtime';
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import { z } from 'zod';

const FETCH_TIMEOUT_MS = 2_000;
/** Far above the size of any issuer's metadata or keys. */
const MAX_BYTES = 1_048_576;

/** Members used of OpenID Provider Metadata (OpenID Connect Discovery section 3). */
const discoveryDocument = z.object({ issuer: z.string(), jwks_uri: z.url() });

/**
 * Finds the URL of an issuer's keys by OpenID Connect Discovery section 4, or `<issuer>/jwks` without a discovery
 * document.
 */
async function findKeySet(issuer: string): Promise<string> {
  const base = issuer.replace(/\/$/, '');
  const response = await get(`${base}/.well-known/openid-configuration`);
  if (response.status === 404) {
    await response.body?.cancel();
    return `${base}/jwks`;
  }
  const document = discoveryDocument.parse(await readJson(response));
  // Required by section 4.3.
  if (document.issuer !== issuer)
    throw new Error(`The discovery document at ${base} names the issuer ${document.issuer} instead of ${issuer}.`);
  return document.jwks_uri;
}

const fetchJson = async (url: string): Promise<unknown> => readJson(await get(url));

const get = (url: string): Promise<Response> =>
  fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(FETCH_TIMEOUT_MS) });

async function readJson(response: Response): Promise<unknown> {
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new Error(`${response.url} answered ${response.status}.`);
  }
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) throw new Error(`${response.url} answered more than ${MAX_BYTES} bytes.`);
    chunks.push(chunk);
  }
  return JSON.parse(Buffer.concat(chunks).toString('utf8'));
}

/** Refresh interval. A key that the issuer withdraws stays valid here for up to this time. */
const REFRESH_INTERVAL_MS = 300_000;
/** Minimum time between reads. Without it, invented tokens with unknown keys would flood the issuer. */
const MIN_READ_INTERVAL_MS = 5_000;
/** Shorter while there are no keys, because every sign-in waits. */
const MIN_FIRST_READ_INTERVAL_MS = 1_000;
const CHECK_INTERVAL_MS = 1_000;
/** Keys older than this are logged as an error. */
const ERROR_AFTER_MS = 2 * REFRESH_INTERVAL_MS;

export interface ProviderKeysOptions {
  readonly issuer: string;
  readonly jwksUrl: string | undefined;
  /** Lifetime of keys that cannot be refreshed. */
  readonly staleMs: number;
  /** Monotonic clock, in milliseconds. */
  readonly now: () => number;
  readonly logger: Logger;
}

/** Public keys of the issuer. While running, they are refreshed in the background. */
export interface ProviderKeys extends Part {
  /**
   * Finds the key that signed a token.
   * @throws JWKSNoMatchingKey or JWKSMultipleMatchingKeys of jose for an invalid token, DomainError 'unavailable' if
   * the keys cannot be read
   */
  readonly find: JWTVerifyGetKey;
  /** Time since the last read, or since the start before the first. */
  ageSeconds(): number;
}

interface KeySet {
  readonly find: JWTVerifyGetKey;
  readonly readAtMs: number;
}

/**
 * Without a configured URL, discovery finds the keys. While the issuer is unreachable, the last keys stay in use, and
 * tokens with other keys are refused without waiting for the issuer.
 */
export function createProviderKeys({ issuer, jwksUrl, staleMs, now, logger }: ProviderKeysOptions): ProviderKeys {
  const startedAtMs = now();
  let address = jwksUrl;
  let keySet: KeySet | undefined;
  let triedAtMs = -Infinity;
  let pending: Promise<void> | undefined;
  /** Error of the last read. Until a read succeeds, no request waits for another. */
  let failure: unknown;
  let timer: NodeJS.Timeout | undefined;

  const ageMs = (): number => now() - (keySet?.readAtMs ?? startedAtMs);
  const usable = (): KeySet | undefined => (ageMs() < staleMs ? keySet : undefined);

  async function read(): Promise<void> {
    try {
      address ??= await findKeySet(issuer);
      const keys = (await fetchJson(address)) as JSONWebKeySet;
      const find = createLocalJWKSet(keys);
      if (keys.keys.length === 0) throw new Error('The key set is empty.');
      if (failure !== undefined) logger.info(`the keys of the issuer ${issuer} can be read again`);
      keySet = { find, readAtMs: now() };
      failure = undefined;
    } catch (error) {
      address = jwksUrl;
      failure = error;
      const age = Math.round(ageMs() / 1_000);
      const about = `the keys of the issuer ${issuer} cannot be read`;
      if (!usable()) logger.error({ err: error }, `${about}: no access token is accepted`);
      else if (ageMs() > ERROR_AFTER_MS) logger.error({ err: error }, `${about}: keys read ${age} s ago are used`);
      else logger.warn({ err: error }, `${about}: keys read ${age} s ago are used`);
    }
  }

  /** Resolves when the read has ended, and never rejects. */
  function reload(): Promise<void> {
    if (pending) return pending;
    if (now() - triedAtMs < (keySet ? MIN_READ_INTERVAL_MS : MIN_FIRST_READ_INTERVAL_MS)) return Promise.resolve();
    triedAtMs = now();
    pending = read().finally(() => (pending = undefined));
    return pending;
  }

  /** Like `reload`, but does not wait while the issuer is unreachable. */
  const reloadUnlessDown = async (): Promise<void> => {
    const reloaded = reload();
    if (failure === undefined) await reloaded;
  };

  const refreshIfDue = (): void => {
    if (!keySet || ageMs() >= REFRESH_INTERVAL_MS) void reload();
  };

  return {
    ageSeconds: () => ageMs() / 1_000,
    async find(header, token) {
      refreshIfDue();
      if (!usable()) await reloadUnlessDown();
      const known = usable();
      if (!known) throw unavailable(failure);
      try {
        return await known.find(header, token);
      } catch (error) {
        if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
        await reloadUnlessDown();
        const fresh = usable();
        if (fresh && fresh !== known) return fresh.find(header, token);
        // The issuer may have created this key meanwhile.
        throw failure === undefined ? error : unavailable(failure);
      }
    },
    start() {
      refreshIfDue();
      timer = setInterval(refreshIfDue, CHECK_INTERVAL_MS);
      return Promise.resolve();
    },
    stop() {
      clearInterval(timer);
      return Promise.resolve();
    },
  };
}
