import type { Adapter, AdapterFactory, AdapterPayload, ClientMetadata } from 'oidc-provider';

interface Entry {
  readonly payload: AdapterPayload;
  readonly expiresAtMs: number;
}

/**
 * Keeps the sessions, codes and refresh tokens of oidc-provider in memory. A restart loses them, which is acceptable
 * for development. Access tokens are signed and need no storage, so they stay valid.
 */
class MemoryAdapter implements Adapter {
  readonly #entries = new Map<string, Entry>();

  async upsert(id: string, payload: AdapterPayload, expiresIn?: number): Promise<void> {
    const nowMs = Date.now();
    for (const [other, { expiresAtMs }] of this.#entries) if (expiresAtMs <= nowMs) this.#entries.delete(other);
    this.#entries.set(id, {
      payload,
      expiresAtMs: expiresIn === undefined ? Number.POSITIVE_INFINITY : nowMs + expiresIn * 1000,
    });
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const entry = this.#entries.get(id);
    return entry && entry.expiresAtMs > Date.now() ? entry.payload : undefined;
  }

  async findByUid(uid: string): Promise<AdapterPayload | undefined> {
    return this.#findWhere((payload) => payload.uid === uid);
  }

  async findByUserCode(userCode: string): Promise<AdapterPayload | undefined> {
    return this.#findWhere((payload) => payload.userCode === userCode);
  }

  async consume(id: string): Promise<void> {
    const payload = await this.find(id);
    if (payload) payload.consumed = Math.floor(Date.now() / 1000);
  }

  async destroy(id: string): Promise<void> {
    this.#entries.delete(id);
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    for (const [id, { payload }] of this.#entries) if (payload.grantId === grantId) this.#entries.delete(id);
  }

  #findWhere(matches: (payload: AdapterPayload) => boolean): AdapterPayload | undefined {
    const nowMs = Date.now();
    for (const { payload, expiresAtMs } of this.#entries.values())
      if (expiresAtMs > nowMs && matches(payload)) return payload;
    return undefined;
  }
}

/** Looks up clients on each request, because they may change while the provider runs. */
class ClientAdapter extends MemoryAdapter {
  readonly #findClient: (clientId: string) => Promise<ClientMetadata | undefined>;

  constructor(findClient: (clientId: string) => Promise<ClientMetadata | undefined>) {
    super();
    this.#findClient = findClient;
  }

  override async find(id: string): Promise<AdapterPayload | undefined> {
    return (await this.#findClient(id)) as AdapterPayload | undefined;
  }
}

/** Creates the storage of one provider. */
export function createMemoryStorage(
  findClient: (clientId: string) => Promise<ClientMetadata | undefined>,
): AdapterFactory {
  return (model) => (model === 'Client' ? new ClientAdapter(findClient) : new MemoryAdapter());
}
