import { requestRefused, salesChannelSuspended, unavailable, type DomainError } from '@saleschannel/errors';
import type { Call, ServiceClient } from '@saleschannel/grpc';
import { request } from 'undici';
import { z } from 'zod';
import { registryHolder } from '../domain/samples.ts';

interface Key {
  readonly id: string;
  readonly secret: string;
  readonly renewAtMs: number;
}

interface RegistryKeyOptions {
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

type Method = 'POST' | 'PUT';

const accountHolder = z.object({ accountHolderId: z.string() });
const proposal = z.object({ id: z.string(), status: z.string(), onboardedTraderId: z.string().nullable() });
export type Proposal = z.infer<typeof proposal>;

/** The public API for registries, which the sandbox uses like any registry. */
export interface Registry {
  /** Finds or creates the account holder with this business id. */
  ensureAccountHolder(content: object, call: Call): Promise<string>;
  putFacility(code: string, content: object, call: Call): Promise<void>;
  createIssuance(content: object, call: Call): Promise<void>;
  /** Submits a proposal. Returns a pending or accepted one unchanged. */
  submitProposal(content: { accountHolderId: string; salesChannelId: string }, call: Call): Promise<Proposal>;
  approve(transactionId: string, call: Call): Promise<void>;
  reject(transactionId: string, call: Call): Promise<void>;
}

const refusal = z.object({ detail: z.string(), errors: z.array(z.object({ code: z.string() })).default([]) });

/** Refusals: the channel was reset or suspended, or the operator suspended an account holder of the sandbox. */
function toRefusal(text: string): DomainError {
  const { detail, errors } = refusal.parse(JSON.parse(text));
  return errors.some(({ code }) => code === 'sales-channel-suspended')
    ? salesChannelSuspended()
    : requestRefused(detail);
}

const REFUSED = 400;
const UNAUTHENTICATED = 401;
const isTransient = (status: number): boolean => status === 429 || status === 503;

/** Reserved from the call's deadline, to report a timeout. */
const MARGIN_MS = 500;

export function createRegistry(apiUrl: string, key: RegistryKey): Registry {
  const sendOnce = async (method: Method, path: string, body: object | undefined, call: Call) => {
    const { id, secret } = await key.get(call);
    const signal = AbortSignal.timeout(Math.max(0, call.deadline - Date.now() - MARGIN_MS));
    const failed = (cause: unknown): never => {
      throw unavailable(cause);
    };
    const answer = await request(new URL(path, apiUrl), {
      method,
      signal,
      headers: {
        authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
        ...(call.requestId === undefined ? {} : { 'x-request-id': call.requestId }),
        ...(body && { 'content-type': 'application/json' }),
      },
      body: body ? JSON.stringify(body) : null,
    }).catch(failed);
    const text = await answer.body.text().catch(failed);
    if (answer.statusCode === UNAUTHENTICATED) key.forget(id);
    return { status: answer.statusCode, text };
  };

  const send = async (method: Method, path: string, body: object | undefined, call: Call): Promise<unknown> => {
    let { status, text } = await sendOnce(method, path, body, call);
    // The installation's database may have been recreated, which deletes the key.
    if (status === UNAUTHENTICATED) ({ status, text } = await sendOnce(method, path, body, call));
    const failure = new Error(`${method} ${path} returned ${status}: ${text}`);
    if (isTransient(status)) throw unavailable(failure);
    if (status === REFUSED) throw toRefusal(text);
    if (status >= 300) throw failure;
    return JSON.parse(text);
  };

  const pathOf = (transactionId: string, decision: 'approve' | 'reject'): string =>
    `/Registry/api/transactions/${encodeURIComponent(transactionId)}/${decision}`;

  return {
    ensureAccountHolder: async (content, call) =>
      accountHolder.parse(await send('POST', '/Registry/api/account-holders', content, call)).accountHolderId,
    putFacility: async (code, content, call) =>
      void (await send('PUT', `/Registry/api/production-facilities/${code}`, content, call)),
    createIssuance: async (content, call) => void (await send('POST', '/Registry/api/issuances', content, call)),
    submitProposal: async (content, call) =>
      proposal.parse(await send('POST', '/Registry/api/trader-onboarding-proposals', content, call)),
    approve: async (transactionId, call) =>
      void (await send('POST', pathOf(transactionId, 'approve'), undefined, call)),
    reject: async (transactionId, call) => void (await send('POST', pathOf(transactionId, 'reject'), undefined, call)),
  };
}
