import { Metadata } from '@grpc/grpc-js';
import type { KeyHolder } from '@saleschannel/auth';
import { currentTraceparent } from '@saleschannel/runtime';
import type { Credentials } from './environment.ts';
import type { CallOptions } from './calls.ts';

/** Maximum number of attempts of a repeatable call that fails as unavailable, with random pauses. */
export const MAX_ATTEMPTS = 4;
const FIRST_PAUSE_MS = 50;
const PAUSE_FACTOR = 3;
const MAX_PAUSE_MS = 500;

/** Returns the milliseconds to wait after an attempt. The first attempt is 1. */
export const retryPauseMs = (attempt: number): number =>
  Math.random() * Math.min(FIRST_PAUSE_MS * PAUSE_FACTOR ** (attempt - 1), MAX_PAUSE_MS);

const toSeconds = (ms: number): string => `${ms / 1_000}s`;

/** The same policy in the form of grpc-js. */
export const retryPolicy = {
  maxAttempts: MAX_ATTEMPTS,
  initialBackoff: toSeconds(FIRST_PAUSE_MS),
  maxBackoff: toSeconds(MAX_PAUSE_MS),
  backoffMultiplier: PAUSE_FACTOR,
  retryableStatusCodes: ['UNAVAILABLE'],
};

/** Metadata keys of internal calls. */
export const metadataKeys = {
  serviceToken: 'service-token',
  principalToken: 'principal-token',
  requestId: 'request-id',
  clientAddress: 'client-address',
  operator: 'operator',
  traceparent: 'traceparent',
  idempotencyKey: 'idempotency-key',
} as const;

/** Initial metadata of a response that an earlier call with the same idempotency key already got. */
export const REPLAYED = 'idempotency-replayed';

export interface ClientConnection {
  /** `host:port`, or `in-process:<name>` */
  address: string;
  tokens: Credentials;
  /** The program at that address, for a gRPC service that several programs serve. Default: the service's owner. */
  receiver?: KeyHolder;
  /** Timeout of calls without their own, and of the first message of a stream, but not of the whole stream. */
  timeoutMs?: number;
  /** Age at which a channel is renewed. Tests shorten it. */
  ageMs?: number;
}

/** A connection with the program at its other end. */
export interface Target extends Omit<ClientConnection, 'receiver'> {
  readonly receiver: string;
}

/**
 * Timeout of calls without their own, on connections without their own. Long enough for the restart of a service, short
 * enough for a waiting user.
 */
export const DEFAULT_TIMEOUT_MS = 5_000;

/** A nested call ends this much before its outer call, so that the outer one can still report the outcome. */
const ANSWER_MARGIN_MS = 250;

/** Returns the deadline of a call, in milliseconds since the epoch. */
export function computeDeadline(
  options: CallOptions,
  { timeoutMs = DEFAULT_TIMEOUT_MS }: Pick<ClientConnection, 'timeoutMs'>,
): number {
  const own = Date.now() + (options.timeoutMs ?? timeoutMs);
  return options.within ? Math.min(own, options.within.deadline - ANSWER_MARGIN_MS) : own;
}

/** The request and the principal for which a call is made. */
export interface CallOrigin {
  readonly principalToken: string | undefined;
  readonly requestId: string | undefined;
  readonly clientAddress: string | undefined;
  readonly operator: string | undefined;
  readonly idempotencyKey: string | undefined;
}

export function toCallOrigin({ within, ...options }: CallOptions): CallOrigin {
  const inherited = options.forPrincipal ? within?.principalToken : undefined;
  return {
    principalToken: options.principalToken ?? inherited,
    requestId: options.requestId ?? within?.requestId,
    clientAddress: options.clientAddress ?? within?.clientAddress,
    // Not inherited from `within`: a nested call is made by the service, not by the operator.
    operator: options.operator,
    idempotencyKey: options.idempotencyKey ?? (options.forPrincipal ? within?.idempotencyKey : undefined),
  };
}

/** Creates metadata with the token of the calling program alone. */
export async function createOwnMetadata({ tokens, receiver }: Target): Promise<Metadata> {
  // Waits for a connection up to the deadline, instead of failing at once: services restart in any order.
  const metadata = new Metadata({ waitForReady: true });
  metadata.set(metadataKeys.serviceToken, await tokens.getToken(receiver));
  return metadata;
}

export async function createMetadata(options: CallOptions, target: Target): Promise<Metadata> {
  const { principalToken, requestId, clientAddress, operator, idempotencyKey } = toCallOrigin(options);
  const metadata = await createOwnMetadata(target);
  if (principalToken) metadata.set(metadataKeys.principalToken, principalToken);
  if (requestId) metadata.set(metadataKeys.requestId, requestId);
  if (clientAddress) metadata.set(metadataKeys.clientAddress, clientAddress);
  if (operator) metadata.set(metadataKeys.operator, Buffer.from(operator).toString('base64url'));
  if (idempotencyKey) metadata.set(metadataKeys.idempotencyKey, idempotencyKey);
  const traceparent = currentTraceparent();
  if (traceparent) metadata.set(metadataKeys.traceparent, traceparent);
  return metadata;
}

/** Tells the caller, and the caller of an outer call, that a response is that of an earlier call. */
export function forwardReplay(reply: Metadata, { onReplayed, within, forPrincipal }: CallOptions): void {
  if (reply.get(REPLAYED).length === 0) return;
  onReplayed?.();
  if (forPrincipal) within?.markReplayed();
}
