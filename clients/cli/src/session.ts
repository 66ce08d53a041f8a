import { readFileSync } from 'node:fs';
import { SalesChannel, type Credentials } from '@saleschannel/sdk';
import type { ConfigStore, Profile, TokenCredentials } from './config.ts';
import { UsageError } from './failures.ts';
import { refresh } from './oauth.ts';

const USER_AGENT = 'scs';
/** Minimum remaining lifetime of an access token. */
const REFRESH_MARGIN_MS = 30_000;

/** Identity and service of a command. */
export interface Session {
  readonly baseUrl: string;
  readonly credentials: Credentials;
}

/** @throws UsageError */
function readPassphrase(environment: NodeJS.ProcessEnv): string {
  const file = environment['SCS_PASSPHRASE_FILE'];
  if (!file) throw new UsageError('SCS_API_KEY_ID requires SCS_PASSPHRASE_FILE, the file with the passphrase.');
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    throw new UsageError(`scs cannot read ${file}, the file of SCS_PASSPHRASE_FILE.`);
  }
}

/** Reuses the access token while it is valid, then refreshes it. */
function createTokenSource(config: ConfigStore, stored: TokenCredentials): Credentials {
  let current = stored;
  let renewing: Promise<string> | undefined;
  const renew = (): Promise<string> =>
    config.change(async (profile, save) => {
      const credentials = profile?.credentials;
      const isOurs = credentials?.kind === 'tokens' && credentials.issuer === current.issuer;
      // Another process may have refreshed it meanwhile.
      const isNewer = isOurs && credentials.expiresAtMs > current.expiresAtMs;
      current = isNewer ? credentials : await refresh(current);
      // Keep a sign-in or sign-out made meanwhile.
      if (profile && isOurs && !isNewer) save({ ...profile, credentials: current });
      return current.accessToken;
    });
  return {
    accessToken: ({ refused }) => {
      const isGood = refused !== current.accessToken && current.expiresAtMs - REFRESH_MARGIN_MS > Date.now();
      if (isGood) return current.accessToken;
      renewing ??= renew().finally(() => (renewing = undefined));
      return renewing;
    },
  };
}

function profileSession(config: ConfigStore, profile: Profile | undefined): Session {
  if (!profile?.credentials) throw new UsageError(`The profile ${config.profileName} is not signed in. Run scs login.`);
  const { baseUrl, credentials } = profile;
  if (credentials.kind === 'tokens') return { baseUrl, credentials: createTokenSource(config, credentials) };
  const { apiKeyId, passphrase } = credentials;
  return { baseUrl, credentials: { apiKeyId, passphrase } };
}

/**
 * The environment takes precedence and never mixes with the profile, so a key stored for one address is not sent to
 * another.
 * @throws UsageError if not signed in
 */
export function resolveSession(environment: NodeJS.ProcessEnv, config: ConfigStore): Session {
  const profile = config.profile();
  const baseUrl = environment['SCS_BASE_URL'];
  const apiKeyId = environment['SCS_API_KEY_ID'];
  if (apiKeyId) {
    const address = baseUrl || profile?.baseUrl;
    if (!address) throw new UsageError('SCS_API_KEY_ID requires SCS_BASE_URL, the address of the service.');
    return { baseUrl: address, credentials: { apiKeyId, passphrase: readPassphrase(environment) } };
  }
  const session = profileSession(config, profile);
  if (!baseUrl || normalizeUrl(baseUrl) === normalizeUrl(session.baseUrl)) return session;
  throw new UsageError(
    `The profile ${config.profileName} is for ${session.baseUrl}, but SCS_BASE_URL is another address.`,
  );
}

/** @throws UsageError */
function normalizeUrl(baseUrl: string): string {
  if (URL.canParse(baseUrl)) return new URL(baseUrl).href;
  throw new UsageError(`${baseUrl} is not an address such as https://api.example.org.`);
}

/** @throws UsageError for an insecure address or invalid credentials */
export function createClient({ baseUrl, credentials }: Session): SalesChannel {
  normalizeUrl(baseUrl);
  try {
    return new SalesChannel({ baseUrl, credentials, userAgent: USER_AGENT });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}
