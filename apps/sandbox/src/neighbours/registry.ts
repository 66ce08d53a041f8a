import { requestRefused, salesChannelSuspended, unavailable, type DomainError } from '@saleschannel/errors';
import type { Call } from '@saleschannel/grpc';
import { request } from 'undici';
import { z } from 'zod';
import type { RegistryKey } from './registry-key.ts';

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
