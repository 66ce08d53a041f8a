import type { Call, ServiceClient } from '@saleschannel/grpc';
import { registryHolder } from '../domain/samples.ts';

interface Key {
  readonly id: string;
  readonly secret: string;
  readonly renewAtMs: number;
}

export interface RegistryKeyOptions {
  readonly users: ServiceClient<'userDirectory'>;
  readonly holders: ServiceClient<'accountHolderDirectory'>;
  readonly holderAdministration: ServiceClient<'accountHolderAdministration'>;
}

const HOUR_MS = 3_600_000;
/** Short, because the key is lost at each restart and the number of valid keys is limited. */
const LIFETIME_MS = 48 * HOUR_MS;
const RENEW_AFTER_MS = LIFETIME_MS / 2;

/** Registry key of the sandbox. Issued at first use, and replaced before it expires. */
export class RegistryKey {
  readonly #options: RegistryKeyOptions;
  #current: Key | undefined;
  #pending: Promise<Key> | undefined;

  constructor(options: RegistryKeyOptions) {
    this.#options = options;
  }

  /** Concurrent calls share one key. */
  async get(call: Call): Promise<Key> {
    if (this.#current && Date.now() < this.#current.renewAtMs) return this.#current;
    const pending = this.#pending;
    if (!pending) return this.#renew(call);
    // The first call may have been cancelled, which must not fail the others.
    return pending.catch(() => this.#renew(call));
  }

  #renew(call: Call): Promise<Key> {
    this.#pending ??= this.#issue(call)
      .then((key) => (this.#current = key))
      .finally(() => (this.#pending = undefined));
    return this.#pending;
  }

  /** Forgets a refused key, which was deleted alone or with its database. */
  forget(id: string): void {
    if (this.#current?.id === id) this.#current = undefined;
  }

  async #issue(call: Call): Promise<Key> {
    const { users, holders, holderAdministration } = this.#options;
    const within = { within: call };
    const { accountHolderId, kind } = await holders.EnsureAccountHolder({ content: registryHolder }, within);
    if (kind !== 'REGISTRY') await holderAdministration.SetKind({ accountHolderId, kind: 'REGISTRY' }, within);
    const now = Date.now();
    const expiresAt = new Date(now + LIFETIME_MS).toISOString();
    const { key, secret } = await users.IssueRegistryKey({ accountHolderId, expiresAt }, within);
    if (!key) throw new Error('The response of identity has no key.');
    return { id: key.id, secret, renewAtMs: now + RENEW_AFTER_MS };
  }
}
