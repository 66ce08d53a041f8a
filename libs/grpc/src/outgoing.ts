import { Metadata } from '@grpc/grpc-js';
import type { KeyHolder } from '@saleschannel/auth';
import { currentTraceparent } from '@saleschannel/runtime';
import type { Credentials } from './environment.ts';
import { metadataKeys, REPLAYED } from './metadata.ts';
import type { CallOptions } from './types.ts';

/** What calls carry, and when they end. */

export interface ClientConnection {
  /** `host:port`, or `in-process:<name>` */
  address: string;
  tokens: Credentials;
  /** The program at that address, for a service that several programs serve. Else it is the service's own. */
  receiver?: KeyHolder;
  /** For calls that name no time, and for the first message of a stream, whatever time the whole of it may take. */
  timeoutMs?: number;
  /** From when on a channel is renewed. Tests shorten it. */
  ageMs?: number;
}

/** A connection, and the program at its other end. */
export interface Target extends Omit<ClientConnection, 'receiver'> {
  readonly receiver: string;
}

/**
 * A call gets this when neither it nor its connection names a time. Long enough to ride out the restart of a service,
 * short enough for a waiting user.
 */
export const DEFAULT_TIMEOUT_MS = 5_000;

/** A call made for another one ends this much before it, so that the other one can still say what happened. */
const ANSWER_MARGIN_MS = 250;

/** Milliseconds since the epoch. */
export function deadlineOf(
  options: CallOptions,
  { timeoutMs = DEFAULT_TIMEOUT_MS }: Pick<ClientConnection, 'timeoutMs'>,
): number {
  const own = Date.now() + (options.timeoutMs ?? timeoutMs);
  return options.within ? Math.min(own, options.within.deadline - ANSWER_MARGIN_MS) : own;
}

/** On whose behalf a call is made. */
export interface Origin {
  readonly principalToken: string | undefined;
  readonly requestId: string | undefined;
  readonly clientAddress: string | undefined;
  readonly operator: string | undefined;
  readonly idempotencyKey: string | undefined;
}

export function originOf({ within, ...options }: CallOptions): Origin {
  const passedOn = options.forPrincipal ? within?.principalToken : undefined;
  return {
    principalToken: options.principalToken ?? passedOn,
    requestId: options.requestId ?? within?.requestId,
    clientAddress: options.clientAddress ?? within?.clientAddress,
    // Not that of `within`: a service that calls another one does so by itself.
    operator: options.operator,
    idempotencyKey: options.idempotencyKey ?? (options.forPrincipal ? within?.idempotencyKey : undefined),
  };
}

/** That of the calling program alone. */
export async function ownMetadata({ tokens, receiver }: Target): Promise<Metadata> {
  // Waiting for a connection, up to the deadline, instead of failing at once: services restart in any order.
  const metadata = new Metadata({ waitForReady: true });
  metadata.set(metadataKeys.serviceToken, await tokens.for(receiver));
  return metadata;
}

export async function metadataOf(options: CallOptions, target: Target): Promise<Metadata> {
  const { principalToken, requestId, clientAddress, operator, idempotencyKey } = originOf(options);
  const metadata = await ownMetadata(target);
  if (principalToken) metadata.set(metadataKeys.principalToken, principalToken);
  if (requestId) metadata.set(metadataKeys.requestId, requestId);
  if (clientAddress) metadata.set(metadataKeys.clientAddress, clientAddress);
  if (operator) metadata.set(metadataKeys.operator, Buffer.from(operator).toString('base64url'));
  if (idempotencyKey) metadata.set(metadataKeys.idempotencyKey, idempotencyKey);
  const traceparent = currentTraceparent();
  if (traceparent) metadata.set(metadataKeys.traceparent, traceparent);
  return metadata;
}

/** Passes on that a reply is the answer of an earlier call. */
export function noteReplay(reply: Metadata, { onReplayed, within, forPrincipal }: CallOptions): void {
  if (reply.get(REPLAYED).length === 0) return;
  onReplayed?.();
  if (forPrincipal) within?.markReplayed();
}
