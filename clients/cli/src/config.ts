import { homedir } from 'node:os';
import { join } from 'node:path';
import { UsageError } from './failures.ts';
import { readPrivateFile, withLock, writePrivateFile } from './private-file.ts';

export interface KeyCredentials {
  readonly kind: 'api-key';
  readonly apiKeyId: string;
  readonly passphrase: string;
}

export interface TokenCredentials {
  readonly kind: 'tokens';
  readonly issuer: string;
  readonly clientId: string;
  readonly accessToken: string;
  /** Milliseconds since 1970. */
  readonly expiresAtMs: number;
  readonly refreshToken?: string | undefined;
}

export type StoredCredentials = KeyCredentials | TokenCredentials;

export interface Profile {
  readonly baseUrl: string;
  readonly credentials?: StoredCredentials | undefined;
  /** Signs the webhooks that `listen` forwards. */
  readonly webhookSecret?: string | undefined;
}

interface Config {
  readonly profiles: Readonly<Record<string, Profile>>;
}

const DEFAULT_PROFILE = 'default';

/** Stored state of a user: profiles with their secrets, and positions of `listen`. */
export class ConfigStore {
  readonly folder: string;
  readonly profileName: string;
  readonly #file: string;

  /** @throws UsageError for an invalid profile name */
  constructor(environment: NodeJS.ProcessEnv, profile: string | undefined) {
    this.folder = join(environment['XDG_CONFIG_HOME'] || join(homedir(), '.config'), 'scs');
    this.#file = join(this.folder, 'config.json');
    this.profileName = profile ?? (environment['SCS_PROFILE'] || DEFAULT_PROFILE);
    if (!/^[\w.-]{1,64}$/.test(this.profileName))
      throw new UsageError('The name of a profile must have 1 to 64 letters, digits, dots, underscores or hyphens.');
  }

  #read(): Config {
    const stored = readPrivateFile(this.#file) as Partial<Config> | undefined;
    return { profiles: stored?.profiles ?? {} };
  }

  profile(): Profile | undefined {
    const { profiles } = this.#read();
    return Object.hasOwn(profiles, this.profileName) ? profiles[this.profileName] : undefined;
  }

  /**
   * Changes the profile under a lock, so that concurrent processes lose no update and use a single-use refresh token
   * only once.
   */
  change<T>(work: (before: Profile | undefined, save: (profile: Profile) => void) => T | Promise<T>): Promise<T> {
    return withLock(`${this.#file}.lock`, () => work(this.profile(), (profile) => this.#save(profile)));
  }

  #save(profile: Profile): void {
    const { profiles } = this.#read();
    writePrivateFile(this.#file, { profiles: { ...profiles, [this.profileName]: profile } });
  }
}
