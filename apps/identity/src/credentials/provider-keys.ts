import { unavailable } from '@saleschannel/errors';
import type { Logger, Part } from '@saleschannel/runtime';
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import { fetchJson, findKeySet } from './discovery.ts';

/** The set is read again when it is this old, before anybody misses a key. A withdrawn key is used for no longer. */
const REFRESH_AFTER_MS = 300_000;
/** The issuer is asked no more often than this, also when tokens with unknown keys come in: anyone can make those. */
const RELOAD_PAUSE_MS = 5_000;
/** Without any keys nothing is guarded by that pause, and all who sign in wait for its end. */
const FIRST_READ_PAUSE_MS = 1_000;
/** How often is looked whether the set is to be read again. */
const LOOK_EVERY_MS = 1_000;
/** A set that could not be read again for as long is an operator's business. */
const LOUD_AFTER_MS = 2 * REFRESH_AFTER_MS;

export interface ProviderKeysOptions {
  readonly issuer: string;
  readonly jwksUrl: string | undefined;
  /** How long keys that cannot be read again are used. */
  readonly staleMs: number;
  /** Milliseconds that never go backwards. */
  readonly now: () => number;
  readonly logger: Logger;
}

/** The issuer's public keys. Running, it reads them again from time to time, and no token waits for that. */
export interface ProviderKeys extends Part {
  /**
   * The key that signed a token.
   * @throws JWKSNoMatchingKey or JWKSMultipleMatchingKeys of jose when that speaks against the token, DomainError
   * 'unavailable' when it cannot be told
   */
  readonly find: JWTVerifyGetKey;
  /** Since they were read, or since the start while they never were. */
  ageSeconds(): number;
}

interface Held {
  readonly find: JWTVerifyGetKey;
  readonly readAtMs: number;
}

/**
 * Without a configured address the keys are found by OpenID Connect discovery. While the issuer cannot be reached, the
 * keys that were read last are used. What needs others is refused at once instead of waiting for the issuer each time.
 */
export function createProviderKeys({ issuer, jwksUrl, staleMs, now, logger }: ProviderKeysOptions): ProviderKeys {
  const startedAtMs = now();
  let address = jwksUrl;
  let held: Held | undefined;
  let triedAtMs = -Infinity;
  let pending: Promise<void> | undefined;
  /** Why the last try failed. Until one succeeds nobody waits for another. */
  let failure: unknown;
  let timer: NodeJS.Timeout | undefined;

  const ageMs = (): number => now() - (held?.readAtMs ?? startedAtMs);
  const usable = (): Held | undefined => (ageMs() < staleMs ? held : undefined);

  async function read(): Promise<void> {
    try {
      address ??= await findKeySet(issuer);
      const keys = (await fetchJson(address)) as JSONWebKeySet;
      const find = createLocalJWKSet(keys);
      if (keys.keys.length === 0) throw new Error('the key set is empty');
      if (failure !== undefined) logger.info(`the keys of the issuer ${issuer} can be read again`);
      held = { find, readAtMs: now() };
      failure = undefined;
    } catch (error) {
      address = jwksUrl;
      failure = error;
      const age = Math.round(ageMs() / 1_000);
      const about = `the keys of the issuer ${issuer} cannot be read`;
      if (!usable()) logger.error({ err: error }, `${about}: no access token is accepted`);
      else if (ageMs() > LOUD_AFTER_MS) logger.error({ err: error }, `${about}: those of ${age} s ago are used`);
      else logger.warn({ err: error }, `${about}: those of ${age} s ago are used`);
    }
  }

  /** Ends when the keys are read, or could not be. Never fails. */
  function reload(): Promise<void> {
    if (pending) return pending;
    if (now() - triedAtMs < (held ? RELOAD_PAUSE_MS : FIRST_READ_PAUSE_MS)) return Promise.resolve();
    triedAtMs = now();
    pending = read().finally(() => (pending = undefined));
    return pending;
  }

  /** As `reload`. While the issuer cannot be reached it goes on in the background. */
  const reloadUnlessDown = async (): Promise<void> => {
    const reloaded = reload();
    if (failure === undefined) await reloaded;
  };

  const look = (): void => {
    if (!held || ageMs() >= REFRESH_AFTER_MS) void reload();
  };

  return {
    ageSeconds: () => ageMs() / 1_000,
    async find(header, token) {
      look();
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
        // The issuer may have made this key meanwhile.
        throw failure === undefined ? error : unavailable(failure);
      }
    },
    start() {
      look();
      timer = setInterval(look, LOOK_EVERY_MS);
      return Promise.resolve();
    },
    stop() {
      clearInterval(timer);
      return Promise.resolve();
    },
  };
}
