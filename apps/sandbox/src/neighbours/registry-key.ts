import type { Call, ServiceClient } from '@saleschannel/grpc';
import { registryHolder } from '../domain/samples.ts';

interface Key {
  readonly id: string;
  readonly secret: string;
  readonly renewedAtMs: number;
}

export interface RegistryKeyOptions {
  readonly users: ServiceClient<'userDirectory'>;
  readonly holders: ServiceClient<'accountHolderDirectory'>;
  readonly standing: ServiceClient<'accountHolderAdministration'>;
}

const HOUR_MS = 3_600_000;
/** Short: nobody keeps the key, and a sandbox that starts often has only so many. */
const LIFETIME_MS = 48 * HOUR_MS;
const USED_MS = LIFETIME_MS / 2;

/** The key by which the sandbox is a registry. It is made when it is needed, and made anew in time. */
export class RegistryKey {
  readonly #options: RegistryKeyOptions;
  #held: Key | undefined;
  #making: Promise<Key> | undefined;

  constructor(options: RegistryKeyOptions) {
    this.#options = options;
  }

  /** The same for all who ask at once. */
  async get(call: Call): Promise<Key> {
    if (this.#held && Date.now() < this.#held.renewedAtMs) return this.#held;
    const making = this.#making;
    if (!making) return this.#make(call);
    // Who asked first may be gone before the key is there. That refuses nobody else.
    return making.catch(() => this.#make(call));
  }

  #make(call: Call): Promise<Key> {
    this.#making ??= this.#issue(call)
      .then((key) => (this.#held = key))
      .finally(() => (this.#making = undefined));
    return this.#making;
  }

  /** Forgets a key that was refused: it was deleted, or its database was. */
  forget(id: string): void {
    if (this.#held?.id === id) this.#held = undefined;
  }

  async #issue(call: Call): Promise<Key> {
    const { users, holders, standing } = this.#options;
    const within = { within: call };
    const { accountHolderId, kind } = await holders.EnsureAccountHolder({ content: registryHolder }, within);
    if (kind !== 'REGISTRY') await standing.SetKind({ accountHolderId, kind: 'REGISTRY' }, within);
    const now = Date.now();
    const expiresAt = new Date(now + LIFETIME_MS).toISOString();
    const { key, secret } = await users.IssueRegistryKey({ accountHolderId, expiresAt }, within);
    if (!key) throw new Error('identity answered without a key');
    return { id: key.id, secret, renewedAtMs: now + USED_MS };
  }
}
